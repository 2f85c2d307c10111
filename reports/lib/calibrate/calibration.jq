# What trials say of a rule. A judged trial is { trial, before, interim_looks }: looks as lib/calibrate/trials.jq has them,
# before is the trial before it under the same circumstances.
import "lib/tables/limits" as limits;
import "lib/numbers" as numbers;
import "lib/stats" as stats;
import "lib/calibrate/trials" as trials;
import "lib/calibrate/conventional" as conventional;

# of the bounds of observed shares
def _confidence: 0.95;

# by which head is made slower, in steps of half a percent
def _factors: [range(0; 31) | 1 + . / 200];

# [verdict] => { worse: 3, same: 7, … }
def _tally: reduce .[] as $verdict ({ worse: 0, better: 0, same: 0, unclear: 0 }; .[$verdict] += 1);

# [judged trial] ended with a factor => { any: tally, metrics: { name: tally }, blocks_mean }
def _judged($rule; $factor):
  map(.interim_looks) as $all
  | ($all | map(trials::ended($rule; $factor))) as $ended
  | { any: ($ended | map(trials::outcome) | _tally),
      metrics: (reduce $rule.gate[] as $name ({};
        .[$name] = ($all | map(trials::alone($name) | trials::ended($rule; $factor).verdicts[$name]) | _tally))),
      blocks_mean: ($ended | map(.blocks) | stats::mean | numbers::significant(3)) };

# $k of $n => with its lower and upper confidence bound
def _share($k; $n):
  { count: $k, of: $n,
    low: (if $n == 0 then null else stats::binomial_lower($k; $n; _confidence) | numbers::significant(3) end),
    high: (if $n == 0 then null else stats::binomial_upper($k; $n; _confidence) | numbers::significant(3) end) };

# [judged trial] (A/A) => [{ change, found: { metric: share, any } }]: were head slower by so much,
# in which share of trials it would be called worse
def _power($rule):
  map(select(.interim_looks | trials::judgeable)) as $all
  | [_factors[] as $factor
    | { change: ($factor - 1 | numbers::significant(3)),
        found: (reduce $rule.gate[] as $name (
            { any: ([$all[] | .interim_looks | trials::ended($rule; $factor) | select(any(.verdicts[]; . == "worse"))] | length) };
            .[$name] = ([$all[] | .interim_looks | trials::alone($name) | trials::ended($rule; $factor)
              | select(.verdicts[$name] == "worse")] | length))
          | map_values(if $all == [] then 0 else . / ($all | length) | numbers::significant(3) end)) }];

# power => of which changes a share of trials, turned by f, is at least `power`: the smallest; null: of none
def _least(f; $name): [.[] | select(.found[$name] | f >= limits::limits.power) | .change] | min;

# power => { metric: { change, low, high }, any }: the smallest of these changes that `power` of $n trials find, and its
# confidence bounds: where the bounds of the share found reach `power`
def _mde($n):
  . as $power
  | if $n == 0 then $power[0].found | map_values({ change: null, low: null, high: null })
    else $power[0].found
      | with_entries(.key as $name | .value = ($power | {
          change: _least(.; $name),
          low: _least(. * $n | round | stats::binomial_upper(.; $n; _confidence); $name),
          high: _least(. * $n | round | stats::binomial_lower(.; $n; _confidence); $name) }))
    end;

# [judged trial] => { rule: tally } of conventional rules; duet: ours, with as little tolerance as the ranks have
def _conventional($rule):
  { fixed_threshold: (map(select(.before) | conventional::fixed_threshold($rule; 0.1)) | _tally),
    mann_whitney: (map(select(.before) | conventional::mann_whitney($rule; 0.05)) | _tally),
    alternating: (map(conventional::alternating($rule)) | _tally),
    duet: (($rule + { tolerance: 0, tolerances: {} }) as $strict
      | map(.interim_looks | trials::ended($strict; 1) | trials::outcome) | _tally) };

# [judged trial] (A/A), each ended => how many have one of these verdicts, any metric and each
def _called($rule; $verdicts):
  . as $ended
  | { any: ([$ended[] | select(any(.verdicts[]; . as $one | $verdicts | index($one)))] | length | _share(.; $ended | length)),
      metrics: (reduce $rule.gate[] as $name ({};
        .[$name] = ([$ended[].verdicts[$name] as $one | select($verdicts | index($one))] | length))) };

# interval of each metric => were head slower by just the tolerance of the metric
def _at_edge($rule):
  with_entries((1 + ($rule.tolerances[.key] // $rule.tolerance)) as $factor | .value |= if . then map_values(. * $factor) else null end);

# [judged trial] (A/A) => false positives where they are hardest to avoid: any difference at all, at the interim look where
# it ends and at any of them, and a head that is slower by just as much as is tolerated. Trials that could decide nothing,
# for a metric was not measured, can be no false positive and are not counted.
def false_positives($rule):
  map(select(.interim_looks | trials::judgeable))
  | ($rule + { tolerance: 0, tolerances: {} }) as $strict
  | { at_any_look: (length as $n | [.[] | select(.interim_looks | trials::strays)] | length | _share(.; $n)),
      at_zero: (map(.interim_looks | trials::ended($strict; 1)) | _called($rule; ["worse", "better"])),
      at_edge: (map(.interim_looks | map(.intervals |= _at_edge($rule)) | trials::ended($rule; 1)) | _called($rule; ["worse"])) };

# [judged trial] (A/A) => [{ confidence, observed: { metric: share } }]: how many intervals over all
# blocks of a trial leave out "no change". Of correct ones 1 - confidence do; false positives are too few to tell whether they are.
def miscoverage($rule):
  . as $all
  | $rule.interim_looks[-1].blocks as $blocks
  | (reduce $rule.gate[] as $name ({};
      .[$name] = [$all[].trial | trials::off_by($name; $blocks) | values])) as $off
  | [(0.5, 0.8, 0.9, 0.95, 0.99) as $confidence
    | stats::t_quantile((1 + $confidence) / 2; $blocks - 1) as $most
    | { $confidence, observed: ($off | map_values(length as $n | map(select(. > $most)) | length | _share(.; $n))) }];

# [judged trial] of one condition => its part of the calibration
def of_condition($rule):
  . as $all
  | map(.trial) as $trials
  | ($trials[0] | { condition, others, env })
  + { trials: length,
      errors: ([$trials[] | select(.status == "error")] | length),
      judgeable: ([.[] | select(.interim_looks | trials::judgeable)] | length),
      others_cpu_ratio_median: ([$trials[].others_cpu_ratio_mean | values] | stats::median),
      seconds: ([$trials[] | .blocks * .timing.seconds] | add),
      ratios: (reduce $rule.gate[] as $name ({}; .[$name] = ($trials | trials::true_ratio($name; 1 - _confidence)
        | if . then map_values(numbers::significant(6)) else null end))),
      judged: _judged($rule; 1),
      conventional: _conventional($rule) }
  | if .env == {} then . + ($all | false_positives($rule)) + { power: ($all | _power($rule)) }
    | .judgeable as $n
    | .mde = (.power | _mde($n))
    else . end;
