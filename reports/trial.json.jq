# What was measured in a duet of which the truth is known, the records of its two sides, and what is known => the trial that
# is kept. Where a side failed at once there are no records.
#   jq -n -L reports --argjson trial '{…}' -f reports/trial.json.jq head/case.json [base/record.json head/record.json]
import "lib/numbers" as numbers;
import "lib/schema" as schema;

# what is judged or may be, of each block
def _kept: ["cpu_ms_per_request", "latency_ms_p50", "latency_ms_p90", "latency_ms_p95", "latency_ms_p99",
            "latency_ms_mean", "memory_bytes_max", "errors_ratio"];

# [base, head] => cores that other programs kept busy on average; null when that is not known
def _others:
  map(.metrics) as [$base, $head]
  | [$head.machine_cpu_ratio_mean, $head.generator_cpu_ratio_mean, $base.cpu_ratio_mean, $head.cpu_ratio_mean]
  | map(.value)
  | if length < 4 or any(. == null) then null else [.[0] - .[1] - .[2] - .[3], 0] | max | numbers::significant(3) end;

input as $measured
| [inputs]
| . as [$base, $head]
| $trial
+ ($measured.case | { system, environment, scenario, case: .name, values })
+ ($measured.run | { commit, dirty, fingerprint })
+ ($measured.case | if .player then { player } else {} end)
+ { schema: schema::version,
    definition: $measured.definition,
    metrics: (if . == [] then {} else
      reduce _kept[] as $name ({};
        .[$name] = ($head.metrics[$name] | { unit, direction })
          + { base: $base.metrics[$name].samples, head: $head.metrics[$name].samples,
              valid: ($base.metrics[$name].valid and $head.metrics[$name].valid) })
      end),
    others_cpu_ratio_mean: _others,
    findings: ([.[] | .findings[] | select(.level != "info") | .id] | unique) }
