# How a case's head compares with its base, metric by metric.
# A pair is { base: record, head: record, settings, series: [record] }.
import "lib/compare/intervals" as intervals;
import "lib/tables/limits" as limits;
import "lib/metrics" as metrics;
import "lib/numbers" as numbers;
import "lib/stats" as stats;
import "lib/compare/verdicts" as verdicts;

def _ours: limits::limits | { tolerance, tolerances: {}, alpha, session_sd, gate };

def _given: . // {} | with_entries(select(.value != null));

# record => how it is to be judged: by its spec, else by the suite, else by us
def settings($suite): _ours + ($suite | _given) + (.compare | _given);

# Neither side has the metric by the nature of the case: nothing to sample, or beyond the knee on purpose.
def _not_applicable($name):
  [.base, .head | .findings[] | select(.level != "info") | .id] as $finding_ids
  | [.base, .head | .metrics[$name]]
  | all(. == null or (.valid != true and (.reason as $why | $finding_ids | index($why) == null)));

# pair => names of the gated metrics that apply
def gated: . as $pair | [.settings.gate[] | . as $name | select($pair | _not_applicable($name) | not)] | unique;

# [record] of the series => the sd between sessions of a metric, and its degrees of freedom; null: too few records
def _observed_session_sd($name):
  map(.metrics[$name] | select(.valid and (.value // 0) > 0) | .value | log)
  | if length < limits::limits.series_records then null else { sd: stats::sd, df: (length - 1) } end;

# { base: metric, head: metric } => why there can be no interval; null when there can
def _obstacle($scale; $paired):
  (.base.samples | length) as $base
  | (.head.samples | length) as $head
  | if .head.valid != true then "does not count here: \(.head.reason // "it was not measured")"
    elif .base.valid != true then "does not count in the baseline: \(.base.reason // "it was not measured")"
    elif $base < 2 or $head < 2 then "an interval needs two rounds a side (base \($base), head \($head))"
    elif any(.[].samples[]; . == null) then "a round has no value"
    elif $paired and $base != $head then "base and head have not as many blocks (\($base), \($head))"
    elif $scale == "ratio" and any(.[].samples[]; . <= 0) then "zero has no ratio"
    else null
    end;

def _center($scale): if $scale == "ratio" then stats::geometric_mean else stats::mean end;

# { base: metric, head: metric } => the interval of one against the other; $session null: measured at the same time, sample
# by sample
def _interval($scale; $session; $alpha):
  { base: .base.samples, head: .head.samples, base_count: (.base.count // 1), head_count: (.head.count // 1) }
  | if $scale == "difference" then intervals::shares($session.sd // 0; $session.df; $alpha)
    elif $session == null then [.base, .head] | transpose | map(.[1] / .[0]) | intervals::pairs($alpha)
    else intervals::sessions($session.sd; $session.df; $alpha)
    end;

# interval => the judged part of a row
def _judged($scale; $direction; $tolerance):
  { ratio: (.estimate | numbers::significant(5)),
    low: (.low | numbers::significant(5)),
    high: (.high | numbers::significant(5)),
    verdict: verdicts::of_metric($scale; $direction; $tolerance),
    may_be_worse: verdicts::may_be_worse($scale; $direction; $tolerance),
    mde: (verdicts::mde($scale; $tolerance) | numbers::significant(3)),
    reason: null };

def _undecided($reason):
  { ratio: null, low: null, high: null, verdict: "unclear", may_be_worse: true, mde: null,
    reason: $reason };

# pair => what a metric is: by our table, else by the records, which have those from Prometheus as the spec says. These
# are compared as ratios, shares too: of how many the share is, is not known.
def _described($name):
  metrics::named($name)
    // (.head.metrics[$name] // .base.metrics[$name]
      | { name: $name, unit, direction, from: {} });

# pair => one row of the comparison
def row($name; $gated; $alpha):
  _described($name) as $metric
  | (if $metric | metrics::is_share then "difference" else "ratio" end) as $scale
  | (if $scale == "ratio" then .settings.tolerance else limits::limits.share_tolerance end) as $usual
  | (.settings.tolerances[$name] // $usual) as $tolerance
  | (.series | _observed_session_sd($name)) as $seen
  | (if .pair then null else $seen // { sd: .settings.session_sd, df: null } end) as $session
  | { base: .base.metrics[$name], head: .head.metrics[$name] }
  | _obstacle($scale; $session == null) as $obstacle
  | ($metric | { metric: .name, unit, direction })
  + { gated: $gated, scale: $scale, tolerance: $tolerance, session_sd: ($session.sd | if . then numbers::significant(3) else null end) }
  + if $obstacle then { base: .base.value, head: .head.value } + _undecided($obstacle)
    else map_values(.samples | _center($scale) | numbers::rounded)
      + (_interval($scale; $session; $alpha) | _judged($scale; $metric.direction; $tolerance))
    end;

# pair => names of the metrics that only some cases have: of faults, of users, from Prometheus
def _of_this_case: ([.base, .head | .metrics | keys[]] | unique) - [metrics::table[] | .name];

# pair => all rows, gated ones first
def rows($alpha):
  . as $pair
  | gated as $gated
  | [$gated[] as $name | row($name; true; $alpha)]
  + [((metrics::compared + _of_this_case + .settings.gate | unique) - $gated)[] as $name
    | $pair
    | select(_described($name).direction != null)
    | select(_not_applicable($name) | not)
    | row($name; false; $alpha)];
