# Conventional rules of comparison, on the recordings of the same trials. Each takes { trial, before }: before is the
# trial before it, whose base stands for a stored baseline; and prints "worse", "better", "same" or "unclear".
import "lib/compare/comparable" as comparable;
import "lib/compare/intervals" as intervals;
import "lib/tables/limits" as limits;
import "lib/stats" as stats;
import "lib/calibrate/trials" as trials;
import "lib/compare/verdicts" as verdicts;

def _usable: .valid and (.base | length) > 0 and all(.base[], .head[]; . != null and . > 0);

# [verdict of a metric] => of the comparison
def _of_all:
  if index(["worse"]) then "worse" elif index(["better"]) then "better"
  elif index(["unclear"]) then "unclear" else "same" end;

# { trial, before } => [{ base: [x], head: [x] }] of each gated metric, base of the stored baseline; null: one is missing
def _stored($rule):
  [$rule.gate[] as $name
    | { before: (.before | trials::samples($name)), now: (.trial | trials::samples($name)) }
    | if all(.[]; _usable) then { base: .before.base, head: .now.head } else null end];

# fixed threshold: $tolerance over the mean of the stored baseline
def fixed_threshold($rule; $tolerance):
  _stored($rule)
  | map(if . == null then "unclear"
        else (.head | stats::mean) / (.base | stats::mean)
        | if . > 1 + $tolerance then "worse" elif . < 1 / (1 + $tolerance) then "better" else "same" end
        end)
  | _of_all;

# Mann-Whitney U: the blocks of the stored baseline and ours by their ranks, at $alpha (benchstat: 0.05)
def mann_whitney($rule; $alpha):
  _stored($rule)
  | map(if . == null then "unclear"
        elif stats::mann_whitney >= $alpha then "same"
        elif (.head | stats::geometric_mean) > (.base | stats::geometric_mean) then "worse"
        else "better"
        end)
  | _of_all;

# alternating runs, a pair of them each: base of one block, head of the next; intervals as ours, one look
def alternating($rule):
  ($rule.alpha / ($rule.gate | length)) as $each
  | [.trial as $now | $rule.gate[] as $name | ($rule.tolerances[$name] // $rule.tolerance) as $tolerance
    | ($now | trials::samples($name))
    | (if _usable then [range(0; (.base | length) - 1; 2) as $i | .head[$i + 1] / .base[$i]] else [] end)
    | if length < 2 then "unclear"
      else intervals::pairs($each) | verdicts::of_metric("ratio"; "lower"; $tolerance)
      end]
  | _of_all;

# trial => its base as a record of a version, with what is judged of it
def _as_record($rule):
  (.base.metrics | with_entries(select(.key as $name | $rule.gate | index([$name])))) as $metrics
  | { definition, fingerprint, player, speed, verdict: "pass", metrics: $metrics };

# { base: record, head: record } => is head called worse by what a comparison of two versions takes?
def _is_worse($rule):
  ($rule.alpha / ($rule.gate | length)) as $each
  | [.base, .head] as $sides
  | any($rule.gate[]; . as $name
      | ($rule.tolerances[$name] // $rule.tolerance) as $tolerance
      | ($sides | map(.metrics[$name] | if .valid then .samples[:limits::limits.stored_rounds] else [] end)) as [$base, $head]
      | ($base | length) > 1 and ($head | length) > 1 and all(($base + $head)[]; . != null and . > 0)
        and ({ $base, $head } | intervals::sessions(limits::limits.session_sd; null; $each)
          | verdicts::of_metric("ratio"; "lower"; $tolerance) == "worse"));

# [trial] (A/A) => as comparisons of stored versions say it of all pairs of other sessions, base's side alone: { pairs, compared: those
# that may be, worse: of these }. A trial without a probe of the machine's speed is in no pair that may be.
def stored_versions($rule):
  [.[] | select(.status == "measured" and .base) | { session: (.id | split("-")[:2]), trial: . }] as $all
  | ([$all | group_by(.session)[] | length * (($all | length) - length)] | add // 0) as $pairs
  | [$all[] | select(.trial.speed) | { session, record: (.trial | _as_record($rule)) }] as $probed
  | [$probed[] as $one | $probed[] | select(.session != $one.session) | { base: $one.record, head: .record }
    | select(comparable::obstacles == [] and comparable::speed_obstacles == [])]
  | { pairs: $pairs, compared: length, worse: (map(select(_is_worse($rule))) | length) };
