# The lanes of a duet beside solo: "load", under the scenario's own load, "saturation", with more work than can be done, and "age",
# under the scenario's own load for a long time. One user who waits for each answer never meets a queue, a lock or a pool that is
# too small, and a process that lives a few seconds is not what a leak has made of it.
# A pair is { base: record, head: record, settings, lanes }; the records have those of their lanes in `lanes`; lanes:
# { interleaved, falls: [{ lane, side, reason }] } or null.
import "lib/tables/limits" as limits;
import "lib/metrics" as metrics;
import "lib/compare/parts" as parts;

# name of a metric => is it of a lane?
def is_of: metrics::parsed.kind == "lane";

# What a system does when it is given too much: such latencies do not count.
def _overloaded: ["saturated", "unfinished", "failed-requests", "exceptions", "no-load"];

# { base: metric, head: metric } => is the system overloaded on head, and not on base?
def is_overloaded_on_head:
  .base.valid == true and .head.valid != true and (.head.reason as $why | _overloaded | index($why) != null);

# pair => names of the metrics of lanes that are gated: those that the gate names, else the default ones
def gated:
  if .lanes == null then []
  else . as $pair
  | ([.settings.gate[] | select(is_of)]) as $named
  | [(if $named == [] then limits::limits.lanes_gate else $named end)[] as $name
    | select($pair | .base | parts::metric($name))
    | select($pair | .head | parts::metric($name))
    | $name]
  end;

# name of a metric of a lane => what it may be worse by, by default
def tolerance: limits::limits.lanes_tolerances[metrics::parsed.metric] // limits::limits.tolerance;

# pair => [{ lane, side, reason }] of services that ended on head alone
def falls:
  [.lanes.falls[]?] as $falls
  | [$falls[] | select(.side == "head") | select(.lane as $lane | any($falls[]; .side == "base" and .lane == $lane) | not)];

# fall => "under load, service app ended with exit code 1 while it was needed"
def of_fall: "\(.lane | metrics::lane), \(.reason)";

# pair => [finding]: how the lanes were measured, and what is wrong with them
def findings:
  select(.lanes and .base and .head)
  | . as $pair
  | (select(.lanes.interleaved)
      | { id: "lanes-interleaved", level: "info", metrics: [],
          text: "The load lane had one side after the other: \(.lanes.interleaved)." }),
    (.lanes.falls[]?
      | { id: "fell-over", level: "warn", metrics: [], text: "\(.side) fell over \(of_fall)." }),
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
