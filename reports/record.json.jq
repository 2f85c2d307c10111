# Raw files of a case => its record:
#   jq -n -L reports -f reports/record.json.jq {case,speed}.json round-*/{summary,round}.json round-*/{timeline,histograms,services}.ndjson
import "lib/reduce/age" as age;
import "lib/reduce/answers" as answers;
import "lib/reduce/faults" as faults;
import "lib/reduce/histograms" as histograms;
import "lib/tables/limits" as limits;
import "lib/reduce/measure" as measure;
import "lib/reduce/metric_values" as metric_values;
import "lib/numbers" as numbers;
import "lib/reduce/checks" as checks;
import "lib/other_programs" as other_programs;
import "lib/reduce/queries" as queries;
import "lib/reduce/raw" as raw;
import "lib/reduce/record" as record;
import "lib/schema" as schema;
import "lib/reduce/script_metrics" as script_metrics;
import "lib/reduce/capacity" as capacity;
import "lib/reduce/series" as series;
import "lib/reduce/services" as services;
import "lib/reduce/steady" as steady;
import "lib/reduce/summary" as summary;
import "lib/reduce/thresholds" as thresholds;
import "lib/reduce/timeline" as timeline;
import "lib/reduce/unit" as unit;
import "lib/reduce/users" as users;
import "lib/reduce/findings" as findings;
import "lib/reduce/findings_of_load" as findings_of_load;
import "lib/compare/reasons" as reasons;
import "lib/compare/verdicts" as verdicts;
import "lib/reduce/window" as window;

# process => with its summary by metric, its window, its seconds as rows and its samples as columns; $memory: as what memory
# counts
def _prepared($case; $memory):
  .root_group = .summary.root_group
  | .summary |= summary::indexed
  | .ended_early = (.end | window::ended_early($case))
  | .window = (.ended_early as $early | .summary | window::of($case; $early))
  | if .histograms == [] then (.summary | unit::of($case) | unit::over_time) as $over | .rows = (.timeline | timeline::rows($over))
    else [.histograms[] | select(.total)] as $totals
    | .summary |= histograms::attached($totals)
    | .rows = [.histograms[] | select(.total | not)]
    end
  | .used = (.services | services::with_memory($memory) | services::columns)
  | del(.timeline, .histograms, .services);

# process => how its median latency changed within the window
def _change:
  .window as $window
  | select($window)
  | [$window.steady[] as $piece | .rows | timeline::within($piece.from_ms; $piece.to_ms)[]]
  | steady::change;

# what a record has of the case and the run as they are
def _identity:
  (.case | { system, environment, scenario, case: .name, title, values, profile, compare: (.compare | del(.baseline)) })
  + (.run | { version: .id, time, commit, dirty, command, seed, fingerprint })
  + (.case | if .player then { player } else {} end)
  + { schema: schema::version, definition };

raw::read
| .file as $file
| .speed as $speed
| .discarded as $discarded
| ([.rounds[][][].services] | services::memory) as $memory
| [.rounds[] | map(map(_prepared($file.case; $memory)))] as $rounds
| [$rounds[][][]] as $processes
| ($file.case | .thresholds |= map(select(thresholds::is_idle($processes) | not))) as $case
| ($rounds[0] // [] | map(.[0] + { rows: (map(.rows) | timeline::alongside) })) as $first
| [$rounds[] | map(map(measure::of_process($file)) | measure::alongside($file)) | measure::joined($file)] as $measures
| [$rounds[] | map(.[0])] as $asked
| ($measures | measure::joined($file)
  | .queried = (reduce $case.queries[]?.name as $name ({}; .[$name] = ($asked | queries::observed($case; $name)))))
  as $measure
| ($first | map(.knows_failed = ($measure.counts.errors != null))) as $first
| ({ case: $case, measure: $measure } | findings_of_load::excused) as $excused
| ($processes
  | thresholds::judged($case; $measure; $measures; $excused)
  | if $case.lane then thresholds::by_round($case; $rounds; $measures) else . end
  | map(.text = reasons::of_threshold)) as $thresholds
| ({ case: $case, run: $file.run, measure: $measure, rounds: $measures, discarded: $discarded, thresholds: $thresholds,
     steady: [$processes[] | _change], asked: $asked }
   | [$measure.unit | unit::finding] + ($processes | window::findings($case)) + ($processes | checks::findings($case))
         + findings::all_found + ($processes | script_metrics::findings($case))) as $findings
| ($findings | record::invalidated) as $invalid
| ($file | _identity)
+ { window: { from_s: $case.window.from_s, to_s: $case.window.to_s, seconds: $measure.seconds },
    rounds: ($rounds | length),
    metrics: (($measure | record::metrics_of($case | metric_values::of_case; $measures; $invalid))
      + ($asked | queries::metrics($case; $invalid))),
    requests: ($measure | record::requests($case; $measures; $invalid)),
    services: ($measure | record::services($measures; $invalid)),
    thresholds: $thresholds,
    findings: $findings,
    distribution: ($measure | record::distribution),
    timeline: ($first | series::timeline($case; limits::limits.timeline_points)) }
| if $memory == "rss" then . else .memory = $memory end
| if $speed then .speed = $speed else . end
| ([$measure.requests[].answers | values] | answers::protocols) as $protocols
| if $protocols == {} then . else .protocols = $protocols end
| .faults = ($measures | faults::of_record($case))
| .groups = ($measure | record::groups($measures; $invalid))
| ([$rounds[] | [.[][]]] | script_metrics::of_record($case; [$measures[].seconds]; $invalid.latency_ms_p50)) as $of_script
| if $of_script == {} then . else .script_metrics = $of_script end
| ($processes | checks::of_record) as $checks
| if $checks == {} then . else .checks = $checks end
| .per_user = (if $case.per_user then $measure.users | users::of_record else null end)
| if $case.side then
    .tail = ($measures | record::tail)
    | ({ run: $file.run, $asked } | other_programs::shares | .[:2] | map(.share |= numbers::rounded)) as $others
    | if $others == [] then . else .other_programs = $others end
  else . end
| if $case.lane == "age" and $first[0].window then .age = ($first[0] | age::of_process) else . end
| if $case.search then .search = ($case.search | capacity::of_record) | .metrics += ($case.search | capacity::metrics) else . end
| .verdict = verdicts::of_record
| .reason = reasons::of_record
| record::fitted($case; $first)
