# The lanes of a duet beside solo: "load", under the scenario's own load, "saturation", with more work than can be done, and "age",
# under the scenario's own load for a long time. One user who waits for each answer never meets a queue, a lock or a pool that is
# too small, and a process that lives a few seconds is not what a leak has made of it.
# A pair is { base: record, head: record, settings, lanes }; the records have those of their lanes in `lanes`; lanes:
# { warm_up, interleaved, falls: [{ lane, side, reason }] } or null; warm_up: { users, iterations, seconds, steady, failing } or null.
import "lib/tables/limits" as limits;
import "lib/compare/block_by_block" as block_by_block;
import "lib/metrics" as metrics;
import "lib/numbers" as numbers;
import "lib/compare/parts" as parts;

# name of a metric => is it of a lane?
def is_of: metrics::parsed.kind == "lane";

# What a system does when it is given too much: such latencies do not count.
def _overloaded: ["saturated", "unfinished", "failed-requests", "exceptions", "no-load"];

# { base: metric, head: metric } => is the system overloaded on head, and not on base?
def is_overloaded_on_head:
  .base.valid == true and .head.valid != true and (.head.reason as $why | _overloaded | index($why) != null);

# pair => names of the metrics of lanes that may be gated: those that the gate names, else the default ones
def _named: [.settings.gate[] | select(is_of)] | if . == [] then limits::limits.lanes_gate else . end;

# pair => those that are gated
def gated:
  if .lanes == null then []
  else . as $pair
  | [_named[] as $name
    | select($pair | .base | parts::metric($name))
    | select($pair | .head | parts::metric($name))
    | $name]
  end;

# pair => is its declared load to be judged? Not where the gate names metrics at saturation alone
def judges_load: any(_named[]; metrics::parsed.part | . == "load" or . == "age");

# name of a metric => is it of the age lane?
def is_of_age: metrics::parsed | .kind == "lane" and .part == "age";

# pair at an interim look => how many of the metrics that are gated, and of its guardrails, are of the age lane that is measured last:
# they have their part of alpha before they are known, so that what is judged now has the same part in the end
def to_come:
  if .lanes.age_follows == true then
    { lanes: _named, guardrails: [.settings.guardrails | to_entries[] | select(.value != false) | .key] }
    | map_values(map(select(is_of_age)) | length)
  else { lanes: 0, guardrails: 0 }
  end;

# name of a metric of a lane => what it may be worse by, by default
def tolerance:
  limits::limits.lanes_tolerances[.] // limits::limits.lanes_tolerances[metrics::parsed.metric] // limits::limits.tolerance;

# record of a lane => [could iterations that were due in a block not be sent?]
def overloaded: [.metrics.dropped_iterations_ratio.samples[]? | . != null and . > limits::limits.dropped_ratio];

# pair => { lane, side, overloaded: [in how many blocks of head, of base, how many there are] } where the declared load is too much for
# head alone, by more than chance
def _overloads:
  .base.lanes.load? as $base
  | .head.lanes.load?
  | select(. != null and $base != null)
  | overloaded as $of_head
  | ($base | overloaded) as $of_base
  | select({ one: $of_head, other: $of_base } | block_by_block::only_on_one)
  | { lane: "load", side: "head", overloaded: ([$of_head, $of_base | map(select(.)) | length] + [.rounds]) };

# pair => [{ lane, side, reason or overloaded }] of services that ended, or could not cope with the load, on head alone
def falls:
  [.lanes.falls[]?] as $falls
  | [$falls[] | select(.side == "head") | select(.lane as $lane | any($falls[]; .side == "base" and .lane == $lane) | not)] + [_overloads];

# fall => "fell over under load, service app ended with exit code 1 while it was needed"
def of_fall:
  if .overloaded then
    .overloaded as [$head, $base, $blocks]
    | "is overloaded under load in \(if $head == $blocks then "each" else "\($head)" end) of \($blocks) blocks, and base in "
      + "\(if $base == 0 then "none" else "\($base)" end): iterations that were due could not be sent"
  else "fell over \(.lane | metrics::lane), \(.reason)"
  end;

# pair => how both sides were warmed up before each block
def _warmed_up:
  .lanes.warm_up
  | values
  | "\(.iterations | numbers::count("iteration")) of \(.users | numbers::count("user"))" as $done
  | if .failing then
      { id: "not-warmed-up", level: "warn", metrics: [],
        text: "\(.failing | numbers::percent) of the requests of many users failed: one user warmed each side up before a block." }
    elif .steady and .iterations == 0 then
      { id: "warmed-up", level: "info", metrics: [],
        text: "Both sides got warm within a second of many iterations: each block began with one second of one user." }
    elif .steady then
      { id: "warmed-up", level: "info", metrics: [],
        text: "Before each block \($done) warmed each side up, until one cost at most twice the CPU time that it cost later." }
    else
      { id: "still-warming", level: "warn", metrics: [],
        text: "The CPU time of an iteration still fell after \(.seconds) s, or \($done): each block began that warm, and no warmer." }
    end;

# pair => [finding]: how the lanes were measured, and what is wrong with them
def findings:
  select(.lanes and .base and .head)
  | . as $pair
  | _warmed_up,
    (select(.lanes.interleaved)
      | { id: "lanes-interleaved", level: "info", metrics: [],
          text: "The load lane had one side after the other: \(.lanes.interleaved)." }),
    (.lanes.falls[]?
      | { id: "fell-over", level: "warn", metrics: [], text: "\(.side) \(of_fall)." }),
    (("load", "saturation", ("age" | select($pair.lanes.age))) as $lane
      | [$pair | .base, .head | .lanes[$lane]] as [$base, $head]
      | if $base == null or $head == null then
          { id: "lane-missing", level: "warn", metrics: [],
            text: "Nothing is compared \($lane | metrics::lane): \(if $base == null then "base" else "head" end) has no block of it." }
        else
          [{ side: "base", record: $base }, { side: "head", record: $head }][]
          | .side as $side
          | .record.findings[]
          | select(.level != "info" and ($lane == "age" and .id == "not-stationary" | not)) # that is what it is for
          | { id, level: "warn", metrics: [], text: "\($side) \($lane | metrics::lane): \(.text)" }
        end);
