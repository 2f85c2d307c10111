# Duets of successive commits, of which each one's base is the head of the one before. Two sessions differ by several percent
# though nothing changed; within a duet they do not. So the product of the ratios is a history of the commits alone.
import "lib/compare/intervals" as intervals;
import "lib/numbers" as numbers;
import "lib/tables/limits" as limits;

# metric of a comparison => [head/base of a block]; null: it has none
def _ratios:
  if .scale == "ratio" and .blocks and all(.blocks[][]; . > 0) and (.blocks.base | length) >= 2
  then .blocks | [.base, .head] | transpose | map(.[1] / .[0])
  else null
  end;

# [{ at, case, metric: of a comparison, ratios }] of one metric of one case, in order => the steps of its line. A duet that does not
# have the metric ends a stretch: what it changed there is unknown, so the product begins anew.
def _steps:
  foreach .[] as $one ({ at: null, stretch: 0 };
    ($one.ratios | intervals::step(limits::limits.alpha)) as $step
    | if .at != null and $one.at == .at + 1 then .sum |= { log: (.log + $step.log), half_squared: (.half_squared + $step.half_squared) }
      else .sum = $step | .stretch = .stretch + (if .at == null then 0 else 1 end)
      end
    | .at = $one.at;
    { at, stretch, product: (.sum | intervals::product | map_values(numbers::significant(5))) }
    + ($one.metric | { ratio, low, high, tolerance, verdict }));

# [comparison of a duet], each against the head of the one before => [{ system, environment, case, metric, unit, direction, alpha: of
# the intervals of products, steps: [{ at: the place of its duet, stretch, product: { estimate, low, high }, ratio, low, high,
# tolerance, verdict }] }]: a line for each gated metric that has blocks
def lines:
  [to_entries[] | .key as $at | .value.cases[] | . as $case | .metrics[] | select(.gated) | _ratios as $ratios | select($ratios)
    | { at: $at, case: ($case | { system, environment, case }), metric: ., $ratios }]
  | group_by([.case.system, .case.environment, .case.case, .metric.metric])
  | map(sort_by(.at)
    | (.[-1] | .case + (.metric | { metric, unit, direction })) + { alpha: limits::limits.alpha, steps: [_steps] });
