# Rounds of other tools as a record. A metric that the tool did not measure is left out, and a percentile that it does not
# give is not made up: unlike our own records, these have no metric that is null.
import "lib/error_cap" as error_cap;
import "lib/metrics" as metrics;
import "lib/reduce/metric_values" as metric_values;
import "lib/numbers" as numbers;
import "lib/reduce/quantiles" as quantiles;
import "lib/reduce/record" as record;
import "lib/schema" as schema;
import "lib/stats" as stats;

# => a finding that leaves every metric valid
def _finding($id; $level; $text): { id: $id, level: $level, text: $text, metrics: [] };

# measure => is this metric known in it? Between two percentiles that a tool gives nothing is interpolated
def _is_known($metric):
  . as $measure
  | $metric.from
  | if .quantile then .quantile as [$of, $p] | ($measure[$of] // []) | . != [] and all(.[]; .p | index($p) != null)
    elif .mean then ($measure[.mean] // []) | . != [] and all(.[]; .mean != null)
    else $measure | metric_values::value($metric) != null
    end;

# measure of all rounds => the value of a metric. Percentiles of rounds whose samples are not there cannot be made into
# one of all; the greatest and the least can
def _value($metric; $rounds):
  . as $all
  | $metric.from
  | if .quantile and ($rounds | length > 1) then
      .quantile as [$of, $p]
      | if $p == 100 or all($rounds[][$of][]; .exact == true) then $all | metric_values::value($metric)
        else [$rounds[] | metric_values::value($metric)] | stats::median
        end
    else $all | metric_values::value($metric)
    end;

def _metric($metric; $rounds):
  { unit: $metric.unit, direction: $metric.direction, value: (_value($metric; $rounds) | numbers::rounded),
    samples: [$rounds[] | metric_values::value($metric) | numbers::rounded],
    count: (metric_values::observations($metric) | if . == null then null else round end), valid: true, reason: null };

# measure of all rounds => { name: metric }
def metrics_of($table; $rounds):
  . as $all
  | reduce ($table[] | select(. as $metric | $rounds | all(.[]; _is_known($metric)))) as $metric ({};
      .[$metric.name] = ($all | _metric($metric; $rounds)));

def _sum: if any(.[]; . == null) then null else add end;

# [measure] => one of all of them
def joined:
  . as $all
  | { seconds: ([.[].seconds] | _sum),
      counts: (reduce ([.[].counts // {} | keys[]] | unique[]) as $name ({}; .[$name] = ([$all[].counts[$name]] | _sum))),
      users_max: ([.[].users_max] | max), latency: [.[].latency[]?], waiting: [.[].waiting[]?],
      duration: [.[].duration[]?] };

# [round] => { name: [its measure, of each round that has it] }
def _parts($what):
  reduce (.[][$what] | to_entries[]) as $one ({}; .[$one.key] += [$one.value]);

def _requests:
  _parts("requests")
  | ([.[][].counts.requests] | add) as $sum
  | map_values(. as $rounds
      | joined as $all
      | { count: ($all.counts.requests | round), share: ($all.counts.requests / $sum | numbers::significant(4)), weight: null,
          metrics: ($all | metrics_of(metrics::of_request; $rounds)) });

def _groups:
  _parts("groups")
  | map_values(. as $rounds
      | joined as $all
      | { count: ([$rounds[].count] | add), metrics: ($all | metrics_of(metrics::of_group; $rounds)) });

# the latency distribution where it is worth the name: of samples, or of a histogram
def _distribution($rounds):
  .latency
  | if length == 0 or (all(.[]; .exact == true) | not) or (length > 1 and (map(.p) | unique | length > 1)) then null
    else .[0].p as $grid
    | [$grid[] as $p | quantiles::quantile($p) | numbers::significant(5)] as $values
    | { metric: "latency_ms", count: quantiles::count, p: $grid, values: $values, min: $values[0], max: $values[-1],
        error: (quantiles::error | numbers::significant(2)) }
    end;

# The cap on errors that every scenario has
def _cap($cap):
  .counts.requests as $count
  | (if .counts.errors == null then null else .counts.errors / $count end) as $observed
  | error_cap::of($cap)
    + { observed: ($observed | numbers::rounded), count: ($count | round),
      outcome: (if $observed == null then "unknown" elif $observed <= $cap then "met" else "missed" end),
      reason: (if $observed == null then "the file does not say how many requests failed" else null end) };

# [round] => the thresholds of the tool itself: of several rounds, missed in one is missed
def _own_thresholds:
  [.[].thresholds[]?]
  | group_by([.metric, .selector, .expr])
  | map((map(select(.outcome == "missed")) + .)[0]
      | .level = "fail" | .implicit = false | .count = null
      | .reason = (if .observed == null then "the tool says that it was \(.outcome)" else null end));

# [round] => what must be known of all of them
def _findings($given):
  [ _finding("imported"; "info";
      "Imported from \($given.format): the numbers are \(.[0].tool)'s, not measured by benchfolio, and are compared with no others than its."),
    (select($given.machine == null) | _finding("machine-unknown"; "info";
      "Nothing says on which machine this was measured (--machine): records of it are compared as if it had been the same.")),
    (select(length > 1 and any(.[].latency[]?; .exact != true)) | _finding("percentiles-of-rounds"; "info";
      "Each of the \(length) files has percentiles of its own and no samples: a percentile of all is the median of theirs.")) ]
  + ([.[].findings[]] | group_by(.id) | map(.[0]));

def _unknown($given; $version):
  { cpu_model: ($given.machine // "unknown"), cores: null, memory_bytes: null, runner: null, os: "unknown", kernel: "unknown",
    k6: (if $given.format == "k6-summary" then $version // "unknown" else "none" end), node: "none" };

# record => small enough to keep, as ours: samples of single requests go first, then the requests that were sent least
def fitted: if record::is_small then . else record::without_samples | record::without_rare end;

# [round] => the record
def record($given):
  . as $rounds
  | joined as $all
  | ($given.time // ([.[].time | values] | min)) as $time
  | { schema: schema::version, version: $given.id, title: null, profile: null, definition: $given.definition, time: $time,
      commit: null, dirty: null, command: $given.command, seed: null, compare: null, services: {}, timeline: null,
      fingerprint: _unknown($given; .[0].version),
      window: { from_s: 0, to_s: null, seconds: ($all.seconds | numbers::rounded) }, rounds: length,
      imported: { format: $given.format, tool: .[0].tool, files: $given.files },
      metrics: ($all | metrics_of(metrics::table; $rounds)),
      requests: _requests, groups: _groups,
      thresholds: ([$all | _cap($given.error_cap)] + ($rounds | _own_thresholds)),
      findings: _findings($given),
      distribution: ($all | _distribution($rounds)) }
    + $given.case;
