# What trials say of a rule. A judged trial is { trial, before, interim_looks }: looks as lib/calibrate/trials.jq has them,
# before is the trial before it under the same circumstances.
import "lib/tables/limits" as limits;
import "lib/compare/lanes" as lanes;
import "lib/numbers" as numbers;
import "lib/stats" as stats;
import "lib/calibrate/trials" as trials;
import "lib/calibrate/conventional" as conventional;
import "lib/compare/independence" as independence;

# the condition of A/A trials whose sides are two checkouts of one commit
def of_checkouts: "aa-checkouts";

# of the bounds of observed shares
def _confidence: 0.95;

# by which head is made slower, in steps of half a percent
def _factors: [range(0; 31) | 1 + . / 200];

# [text] => { worse: 3, same: 7, … }; $all: those that are 0 too
def _tally($all): reduce .[] as $one (reduce $all[] as $name ({}; .[$name] = 0); .[$one] += 1);

# ended trial => did it find the change? Latencies of different answers are not comparable: a duet says so, and does not fail for it.
def _finds: .verdict == "fail" or (.verdict == "invalid" and any(.finds[]; .metric == "answers"));

# [judged trial] => how they end: { verdicts: tally, found: trials in which the change was, finds: { metric: trials in which it is
# worse }, blocks_mean: of those that were compared, null: none was }
def _ended:
  map(.interim_looks | trials::ended) as $ended
  | { verdicts: ($ended | map(.verdict) | _tally(["fail", "pass", "inconclusive", "invalid", "error"])),
      found: ([$ended[] | select(_finds)] | length),
      finds: ([$ended[] | [.finds[] | select(.verdict == "worse") | .metric] | unique[]] | _tally([])),
      blocks_mean: ([$ended[] | select(.verdict != "error") | .blocks]
        | if . == [] then null else stats::mean | numbers::significant(3) end) };

# $k of $n => with its lower and upper confidence bound
def _share($k; $n):
  { count: $k, of: $n,
    low: (if $n == 0 then null else stats::binomial_lower($k; $n; _confidence) | numbers::significant(3) end),
    high: (if $n == 0 then null else stats::binomial_upper($k; $n; _confidence) | numbers::significant(3) end) };

# [trial] => in how many of them f is true
def _part(f): length as $n | [.[] | select(f)] | length | _share(.; $n);

def _judgeable($rule): map(select(.interim_looks | trials::judgeable($rule)));

# [judged trial] (A/A) => [{ change, found: { metric: share, any } }]: were head slower by so much,
# in which share of trials it would be called worse
def _power($rule):
  _judgeable($rule) as $all
  | [_factors[] as $factor
    | [$all[] | .interim_looks | trials::slower($factor)] as $slower
    | { change: ($factor - 1 | numbers::significant(3)),
        found: (reduce $rule.gate[] as $name (
            { any: ([$slower[] | trials::ended | select(any(.metrics[]; .verdict == "worse"))] | length) };
            .[$name] = ([$slower[] | trials::alone($name) | trials::ended | select(trials::verdict_of($name) == "worse")] | length))
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

# row of a ratio => the logarithm of the factor by which head would have to be worse to be called so
def _needed: (1 + .tolerance | log) + if .direction == "lower" then -(.low | log) else .high | log end;

# logarithm of a factor => the change that it is: 0.3, or -0.23 where more is better
def _as_change($direction): if $direction == "lower" then exp - 1 else (-. | exp) - 1 end;

# how many of $n trials have found it => the first number of which `power` is within what f says of it; null: of none
def _first(f; $n): [range(1; $n + 1) | select(f >= limits::limits.power)][0];

# [judged trial] (A/A) => [{ metric, of, change, low, high }]: of each metric of the lanes beside solo, the smallest change for the worse
# that `power` of the trials find, and its confidence bounds: exact, by the order of what each trial would need
def _of_lanes:
  [.[].interim_looks[-1].evidence.metrics[]
    | select((.metric | lanes::is_of) and .gated and .scale == "ratio" and (.low // 0) > 0)]
  | [group_by(.metric)[]
    | .[0] as { $metric, $direction }
    | (map(_needed) | sort) as $needed
    | length as $n
    | def found(f): _first(f; $n) | if . then $needed[. - 1] | _as_change($direction) | numbers::significant(3) else null end;
      { $metric, of: $n,
        change: found(. / $n),
        low: found(stats::binomial_upper(.; $n; _confidence)),
        high: found(stats::binomial_lower(.; $n; _confidence)) }]
  | (limits::limits.lanes_gate | with_entries({ key: .value, value: .key })) as $places
  | sort_by($places[.metric] // infinite, .metric);

# ended trial => as conventional rules say it of all gated metrics together
def _called:
  if any(.finds[]; .verdict == "worse") then "worse"
  elif any(.finds[]; .verdict == "better") then "better"
  elif .verdict == "pass" then "same"
  else "unclear"
  end;

def _calls: ["worse", "better", "same", "unclear"];

# [judged trial] => { rule: tally } of conventional rules; duet: ours, with as little tolerance as the ranks have; duet_judged: as
# it ships
def _conventional($rule):
  { fixed_threshold: (map(select(.before) | conventional::fixed_threshold($rule; 0.1)) | _tally(_calls)),
    mann_whitney: (map(select(.before) | conventional::mann_whitney($rule; 0.05)) | _tally(_calls)),
    alternating: (map(conventional::alternating($rule)) | _tally(_calls)),
    duet: (map(.interim_looks | trials::without_tolerance | trials::ended | _called) | _tally(_calls)),
    duet_judged: (map(.interim_looks | trials::ended | _called) | _tally(_calls)) };

# [judged trial] (A/A) => false positives: as it ships, and where they are hardest to avoid: any difference at all, at the
# interim look where it ends and at any of them, and a head whose requests are slower by just as much as is tolerated. Trials that
# could decide nothing, for a metric was not measured, cannot be false positives and are not counted.
def false_positives($rule):
  _judgeable($rule)
  | { as_shipped: _part(.interim_looks | trials::ended | any(.finds[]; .verdict == "worse")),
      at_zero: _part(.interim_looks | trials::without_tolerance | trials::ended | .finds != []),
      at_any_look: _part(.interim_looks | trials::strays),
      at_edge: _part(.interim_looks | trials::slower(1 + .tolerance) | trials::ended | any(.finds[]; .verdict == "worse")) };

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

# [trial] => { metric: the mean correlation of blocks that follow each other, in how many trials, and its confidence bounds } of the
# gate, less what independent blocks have (-1/n of n): blocks of one duet are taken to be independent, and this says whether they are
def neighbours($gate):
  . as $trials
  | reduce $gate[] as $name ({};
      [$trials[] | trials::samples($name) | select(.valid) | { base: { samples: .base }, head: { samples: .head } }
        | independence::logarithms
        | select(. != null and length > 3) | length as $n
        | independence::neighbours | values | . + 1 / $n] as $all
      | .[$name] = if ($all | length) < 2 then null
          else ($all | stats::mean) as $mean
          | (stats::t_quantile((1 + _confidence) / 2; ($all | length) - 1) * ($all | stats::variance / length | sqrt)) as $half
          | { mean: $mean, low: ($mean - $half), high: ($mean + $half) } | map_values(numbers::significant(3)) + { trials: ($all | length) }
          end);

# [judged trial] of one condition => its part of the calibration
def of_condition($rule):
  . as $all
  | map(.trial) as $trials
  | ($trials[0] | { condition, others, env, both: (.both // {}) })
  + { is_aa: ($trials[0].env == {}),
      trials: length,
      reasons: ([$trials[] | select(.status == "error") | .reason] | unique),
      judgeable: (_judgeable($rule) | length),
      others_cpu_ratio_median: ([$trials[].others_cpu_ratio_mean | values] | stats::median),
      seconds_median: ([$trials[].seconds] | stats::median),
      ratios: (reduce $rule.gate[] as $name ({}; .[$name] = ($trials | trials::true_ratio($name; 1 - _confidence)
        | if . then map_values(numbers::significant(6)) else null end))),
      neighbours: ($trials | neighbours($rule.gate)),
      judged: _ended,
      conventional: _conventional($rule) }
  | if .is_aa then . + ($all | false_positives($rule)) + { power: ($all | _power($rule)) }
    | .judgeable as $n
    | .mde = (.power | _mde($n))
    | .under_load = ($all | _of_lanes)
    else . end;
