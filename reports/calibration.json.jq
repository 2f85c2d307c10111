# Trials => false positives of a duet, what it says of changes of known kind, coverage of its intervals and its power; and
# conventional rules
#   jq -n -L reports --argjson rule '{"interim_looks": […]}' --argjson left_out 0 -f reports/calibration.json.jq trial…
# rule: as in lib/calibrate/trials.jq; what is not given or null is what a duet takes. left_out: trials of other duets, not among them.
import "lib/calibrate/calibration" as calibration;
import "lib/calibrate/calibration_tables" as calibration_tables;
import "lib/calibrate/conventional" as conventional;
import "lib/tables/limits" as limits;
import "lib/schema" as schema;
import "lib/stats" as stats;
import "lib/calibrate/trials" as trials;

def _rule:
  (limits::limits | { gate, tolerance, tolerances: {}, alpha, guardrails }) + ($rule | with_entries(select(.value != null)));

# [trial] by time => { id: the trial before it on such a machine, under the same load of others }
def _before:
  [group_by([.others, .fingerprint.cpu_model, .fingerprint.cores])[] | sort_by(.time)
      | . as $same | range(1; length) | { key: $same[.].id, value: $same[. - 1] }]
  | from_entries;

# [trial] of one calibration session, by time
def _session:
  { trials: length, from: .[0].time, to: .[-1].time,
    others_cpu_ratio_median: (map(.others_cpu_ratio_mean | values) | stats::median) }
  + (.[0] | { commit, dirty, fingerprint });

# trial => what else ran on the machine: "bursts" that we made at random, "busy" with what was none of ours, or "quiet"
def _others:
  if .bursts then "bursts"
  elif (.others_cpu_ratio_mean // 0) > limits::limits.others_busy_ratio * (.fingerprint.cores // 1) then "busy"
  else "quiet"
  end;

# trial => does each side have a checkout of its own? That is the A/A of a real duet, and is counted apart.
def _is_of_checkouts: .condition == calibration::of_checkouts;

# judged trial => what is of one condition: A/A trials by what else ran, those of a kind together
def _condition:
  .trial | if .env != {} then [.condition, .env, .both // {}] elif _is_of_checkouts then [.condition, .others] else ["", .others] end;

# Among A/A trials the quiet ones first, then kinds by name.
def _order: [(.is_aa | not), (.condition == calibration::of_checkouts),
  (.others as $one | ["quiet", "busy", "bursts"] | index($one)), .condition];

_rule as $rule
| [inputs | .others = _others]
| sort_by(.time)
| . as $trials
| _before as $before
| map({ trial: ., before: $before[.id], interim_looks: trials::at_interim_looks($rule) })
| { schema: schema::version,
    rule: $rule,
    case: ($trials[-1] | { system, environment, case }),
    player: ($trials[-1].player // "javascript"),
    timing: $trials[-1].timing,
    lanes: $trials[-1].lanes,
    aged: ([$trials[] | .lanes.age? | values] | { count: length, seconds: (map(.seconds) | max) }),
    trials: length,
    sessions: [$trials | group_by(.id | split("-")[:2])[] | _session],
    conditions: ([group_by(_condition)[] | calibration::of_condition($rule)] | sort_by(_order)),
    unchanged: (map(select(.trial | .env == {} and (_is_of_checkouts | not)))
      | . as $same
      | calibration::false_positives($rule) + { miscoverage: ($same | calibration::miscoverage($rule)) }),
    stored: (map(.trial | select(.env == {})) | conventional::stored_versions($rule)) }
| .left_out = $left_out
| .conditions |= map({ name: calibration_tables::name, effect: calibration_tables::effect } + .)
| . + { head: calibration_tables::head, summary: calibration_tables::summary, tables: calibration_tables::tables }
