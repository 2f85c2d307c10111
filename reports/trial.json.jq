# What was measured in a duet whose truth is known, the records of its sides and of their lanes, and what is known => the trial that
# is kept: of the records what is judged, so that `replay` judges as a duet does.
#   jq -n -L reports --argjson trial '{…}' --argjson files '{"base": "base/record.json", …}' -f reports/trial.json.jq head/case.json record…
# files: { base, head, load: { base, head }, saturation: { base, head }, age: { base, head } },
# null where there is no record: of a side that failed at once, or of a duet without lanes.
import "lib/metrics" as metrics;
import "lib/numbers" as numbers;
import "lib/schema" as schema;

# What is judged by default, or may be when a rule names it.
def _judged: [
  "cpu_ms_per_request", "latency_ms_mean", "latency_ms_p50", "latency_ms_p90", "latency_ms_p95", "latency_ms_p99", "errors_ratio",
  "memory_bytes_max", "requests_rps", "throughput_rps", "dropped_iterations_ratio" ];

def _metric:
  { samples, valid }
  + (if .count == null then {} else { count } end)
  + (if .valid then {} else { reason } end);

def _metrics($names): with_entries(select(.key as $name | $names | index([$name])) | .value |= _metric);

# record => what of it is judged
def _side($names):
  { rounds, verdict, memory,
    metrics: (.metrics | _metrics($names)),
    services: (.services | map_values({ metrics: (.metrics | _metrics(["cpu_ms_per_request"])) })),
    requests: (.requests | map_values({ count, answers, metrics: (.metrics | _metrics(["latency_ms_p50", "latency_ms_p99"])) }
      + if .tail then { tail } else {} end)),
    thresholds,
    tail,
    findings: [.findings[] | select(.level != "info")] }
  + if .age then { age } else {} end;

# { base: record, head: record } => cores that other programs kept busy on average; null when that is not known
def _others:
  [.head.metrics.machine_cpu_ratio_mean, .head.metrics.generator_cpu_ratio_mean, .base.metrics.cpu_ratio_mean, .head.metrics.cpu_ratio_mean]
  | map(.value)
  | if any(. == null) then null else [.[0] - .[1] - .[2] - .[3], 0] | max | numbers::significant(3) end;

# { file: record } => that of a file; null: there is none
def _of($file): if $file then .[$file] else null end;

# { file: record } => what is judged of a side
def _judged_side($side; $names):
  . as $records
  | _of($files[$side])
  | if . then _side($names)
      + { lanes: (if $trial.lanes == null then null
            else reduce ("load", "saturation", ("age" | select($files.age))) as $lane ({};
              .[$lane] = ($records | _of($files[$lane][$side]) | if . then _side($names) else null end))
            end) }
    else null end;

input as $measured
| ([_judged[], ($measured.case.compare.gate[]? | metrics::parsed.metric)] | unique) as $names
| ([inputs | { key: input_filename, value: . }] | from_entries)
| $trial
+ ($measured.case | { system, environment, scenario, case: .name, values })
+ ($measured.run | { commit, dirty, fingerprint })
+ ($measured.case | if .player then { player } else {} end)
+ { schema: schema::version,
    definition: $measured.definition,
    others_cpu_ratio_mean: ({ base: _of($files.base), head: _of($files.head) } | if .base and .head then _others else null end),
    base: _judged_side("base"; $names),
    head: _judged_side("head"; $names) }
