# How a case's head compares with its base, metric by metric.
# A pair is { base: record, head: record, settings, series: [record] }.
import "lib/compare/age" as age;
import "lib/compare/intervals" as intervals;
import "lib/compare/lanes" as lanes;
import "lib/compare/new_errors" as new_errors;
import "lib/tables/limits" as limits;
import "lib/metrics" as metrics;
import "lib/numbers" as numbers;
import "lib/compare/parts" as parts;
import "lib/compare/slow_starts" as slow_starts;
import "lib/stats" as stats;
import "lib/compare/timer" as timer;
import "lib/compare/verdicts" as verdicts;

def _ours: limits::limits | { tolerance, tolerances: {}, alpha, session_sd, gate, guardrails };

def _given: . // {} | with_entries(select(.value != null));

# record => how it is to be judged: by its spec, else by the suite, else by us; of guardrails, metric by metric
def settings($suite):
  _ours + ($suite | _given) + (.compare | _given)
  | .guardrails = limits::limits.guardrails + $suite.guardrails + .guardrails;

# Neither side has the metric by the nature of the case: nothing to sample, or beyond the knee on purpose.
def _not_applicable($name):
  [.base, .head | .findings[] | select(.level != "info") | .id] as $finding_ids
  | [.base, .head | parts::metric($name)]
  | all(. == null or (.valid != true and (.reason as $why | $finding_ids | index($why) == null)));

# pair => names of the gated metrics that apply; those of lanes are gated by themselves
def gated:
  . as $pair
  # What a gate of a scenario names of its script is missed where nothing measured it.
  | [.settings.gate[] | . as $name | select(lanes::is_of | not)
    | select((metrics::parsed.kind == "script") or ($pair | _not_applicable($name) | not))]
  | unique;

# guardrails => as they are, but for the one of requests, which stands for each of them
def _each_request($names):
  .["tail_ratio{request}"] as $most | del(.["tail_ratio{request}"])
  | reduce $names[] as $name (.; .[$name] = ($most // false));

# pair => { metric: by how much it may be worse } of its guardrails that apply. A gated metric is not a guardrail too.
def guardrails:
  . as $pair
  | if .pair == null then {}
    else parts::tails as $tails
    | .settings
    | .gate as $gate
    | .guardrails // {}
    | _each_request($tails)
    | with_entries(.key as $name
      | select(.value != false and ($gate | index([$name])) == null)
      | select($pair | _not_applicable($name) | not))
    end;

# pair => those that say something where nothing else can be compared: failed requests can be counted
def guardrails_always: guardrails | with_entries(select(.key | startswith("errors_ratio")));

# record => as what its memory counts
def _memory: .memory // "rss";

# name of a metric => is it memory of services?
def _is_memory: startswith("memory_");

# [record] => how many boots of the machine they are of; those that do not say it are of none
def boots: [.[] | .fingerprint.boot? // empty] | unique | length;

# [record] of the series => the sd between sessions of a metric, and its degrees of freedom; null: of too few boots. The variance
# of the boots' means is moderated by the assumed one (after Smyth, Statistical Applications in Genetics 3, 2004).
def _observed_session_sd($name; $assumed):
  [.[] | select(.fingerprint.boot?) | { boot: .fingerprint.boot, metric: parts::metric($name) }
    | select(.metric.valid and (.metric.value // 0) > 0) | .value = (.metric.value | log)]
  | [group_by(.boot)[] | map(.value) | stats::mean]
  | if length < limits::limits.session_boots then null
    else (length - 1) as $df
    | limits::limits.session_prior_df as $prior
    | { sd: (($df * stats::variance + $prior * $assumed * $assumed) / ($df + $prior) | sqrt), df: ($df + $prior) }
    end;

# { base: metric, head: metric } => why there can be no interval; null when there can
def obstacle($scale; $paired):
  (.base.samples | length) as $base
  | (.head.samples | length) as $head
  | if .head.valid != true then "does not count here: \(.head.reason // "it was not measured")"
    elif .base.valid != true then "does not count in the baseline: \(.base.reason // "it was not measured")"
    elif $base < 2 or $head < 2 then "an interval needs two rounds a side (base \($base), head \($head))"
    elif any(.[].samples[]; . == null) then "a round has no value"
    elif $paired and $base != $head then "base and head have not as many blocks (\($base), \($head))"
    elif .base.logs then null
    elif $scale == "ratio" and any(.[].samples[]; . <= 0) then verdicts::zero_has_no_ratio
    else null
    end;

def _center($scale): if $scale == "ratio" then stats::geometric_mean else stats::mean end;

# { base: metric, head: metric } => the interval of one against the other; $session null: measured at the same time, sample
# by sample
def interval($scale; $session; $alpha):
  if age::is_of_age then age::interval($alpha)
  elif slow_starts::is_of_starts then slow_starts::interval($alpha)
  else (.base.in_order == true) as $in_order
  | { base: .base.samples, head: .head.samples, base_count: (.base.count // 1), head_count: (.head.count // 1) }
  | if $scale == "difference" and $session == null then intervals::paired_shares($alpha; $in_order)
    elif $scale == "difference" then intervals::shares($session.sd; $session.df; $alpha)
    elif $session == null then [.base, .head] | transpose | map(.[1] / .[0]) | intervals::pairs($alpha)
    else intervals::sessions($session.sd; $session.df; $alpha)
    end
  end;

# interval => is it one? Of values near the largest number there is none
def _is_finite: all(.estimate, .low, .high, .half, .se; isnan or isinfinite | not);

# interval => the judged part of a row
def _judged($scale; $direction; $tolerance; $level):
  { ratio: (.estimate | numbers::significant(5)),
    low: (.low | numbers::significant(5)),
    high: (.high | numbers::significant(5)),
    equivalence: (.equivalence | map_values(numbers::significant(5))),
    verdict: verdicts::of_metric($scale; $direction; $tolerance),
    may_be_worse: verdicts::may_be_worse($scale; $direction; $tolerance),
    seems_worse: verdicts::seems_worse($scale; $direction; $tolerance; $level),
    mde: (verdicts::mde($scale; $tolerance) | numbers::significant(3)),
    reason: null };

# name of a metric => the level at which it seems worse; requests have one level
def _seems_level: limits::limits.seems_levels[sub("\\{request:.*"; "{request}")] // 0.5;

# { base: metric, head: metric } => the judged part of a row that has no interval. Overload on head alone decides nothing by
# itself: a hiccup of the machine does it, and where it is more, the throughput under load is worse.
def _undecided($name; $obstacle):
  (($name | lanes::is_of) and lanes::is_overloaded_on_head) as $overloaded
  | { ratio: null, low: null, high: null, equivalence: null, verdict: "unclear", may_be_worse: true, seems_worse: false, mde: null,
      reason: (if $overloaded then verdicts::overloaded(.head.reason) else $obstacle end) };

# pair => what a metric is: by our table, else by the records, which have those of scripts and those from Prometheus as the spec
# says. These are compared as ratios, shares too: of how many the share is, is not known. Of a script's rate it is.
def _described($name):
  ($name | metrics::parsed) as { $metric, $kind }
  | (metrics::named($metric) | if . then .name = $name else . end)
    // ((.head | parts::metric($name)) // (.base | parts::metric($name))
      | { name: $name, unit: (.unit // "1"), direction,
            from: (if $kind == "script" and $metric == "ratio" then { ratio: [] } else {} end) });

# row of the metrics' table => as what it is compared
def _scale: if metrics::is_difference then "difference" else "ratio" end;

# pair => how much worse a metric may be and still count as the same
def _tolerance($name; $scale):
  (if $scale == "ratio" then .settings.tolerance else limits::limits.share_tolerance end) as $usual
  | (.settings.tolerances[$name | metrics::parsed.metric] // $usual) as $of_case
  | .settings.tolerances[$name]
    // if $name | lanes::is_of then [$of_case, ($name | lanes::tolerance)] | max else $of_case end;

# pair => one row of the comparison, but for its role; $alpha: what each end of its confidence interval misses, $pass: what each end
# of its equivalence interval does, as lib/compare/verdicts.jq says
def _compared($name; $tolerance; $alpha; $pass):
  _described($name) as $metric
  | ($metric | _scale) as $scale
  | (.head | _memory) as $memory
  | .settings.session_sd as $assumed
  | ([.series[] | select(($name | _is_memory | not) or _memory == $memory)] | _observed_session_sd($name; $assumed)) as $seen
  | (if .pair then null else $seen // { sd: .settings.session_sd, df: null } end) as $session
  | (if ($name | _is_memory) and (.base | _memory) != $memory then verdicts::other_memory(.base | _memory; $memory) else null end)
    as $other
  | ([select($name == "errors_ratio") | new_errors::together][0]) as $counted
  | ($counted // { base: (.base | parts::metric($name)), head: (.head | parts::metric($name)) } | { base, head })
  | ($other // obstacle($scale; $session == null) // (if $metric.direction then null else verdicts::no_direction end)) as $obstacle
  | ($metric | { metric: .name, unit, direction })
  + { scale: $scale, tolerance: $tolerance, session_sd: ($session.sd | if . then numbers::significant(3) else null end) }
  + if $obstacle then { base: .base.value, head: .head.value } + _undecided($name; $obstacle)
    else (interval($scale; $session; 2 * $pass) | { low, high }) as $equivalence
    | (interval($scale; $session; 2 * $alpha)
        | if $counted then new_errors::bounded($counted.lanes; 2 * $alpha) else . end
        | .equivalence = $equivalence) as $interval
    | map_values(if age::is_single then .value else .samples | _center($scale) end | numbers::rounded)
    + if $interval | _is_finite then $interval | _judged($scale; $metric.direction; $tolerance; $name | _seems_level)
      else _undecided($name; "the values are too large for an interval")
      end
    end;

# pair => { blocks: a gated metric on both sides, block by block }; {} where the two were not measured so, or where it is counted over
# all blocks
def _blocks($name):
  if .pair == null or ({ base: (.base | parts::metric($name)), head: (.head | parts::metric($name)) }
      | slow_starts::is_of_starts or .head.logs != null) then {}
  else [.base, .head | parts::metric($name).samples // []] as [$base, $head]
  | if ($base | length) < 2 or ($base | length) != ($head | length) or any(($base + $head)[]; . == null) then {}
    else { blocks: ({ base: $base, head: $head } | map_values(map(numbers::significant(6)))) }
    end
  end;

# pair => the row of a metric
def row($name; $gated; $alpha; $pass):
  _described($name) as $metric
  | { gated: $gated }
  + (if $gated and ($name | lanes::is_of) and (timer::stands_in($name) | not) then { guardrail: true } else {} end)
  + _compared($name; _tolerance($name; $metric | _scale); $alpha; $pass)
  + if $gated then _blocks($name) else {} end;

# pair => the rows of guardrails
def guardrail_rows($guardrails; $alphas):
  [$guardrails | keys[]] as $names
  | [$names[] as $name
    | (if $name | lanes::is_of_age then [$alphas.age_guardrail, $alphas.age_pass] else [$alphas.guardrail, $alphas.pass] end)
      as [$alpha, $pass]
    | { gated: true, guardrail: true } + _compared($name; $guardrails[$name]; $alpha; $pass) + _blocks($name)];

# pair => names of the metrics that only some cases have: of faults, of users, from Prometheus
def _of_this_case: ([.base, .head | .metrics | keys[]] | unique) - [metrics::table[] | .name];

# pair => the gated rows. $alphas: of each metric of the gate (each), of a request that the default gate has (part), of a lane (lane),
# of the guardrails besides (guardrail); and what shows that they are not worse (pass); of the age lane age, age_guardrail and age_pass
def gated_rows($alphas):
  [gated[] as $name | row($name; true; $alphas.each; $alphas.pass)]
  + [parts::gated[] as $name
    | row($name; true; $alphas.part; $alphas.pass) + if parts::is_rare($name) then { guardrail: true } else {} end]
  + guardrail_rows(guardrails; $alphas)
  + [lanes::gated[] as $name
    | (if $name | lanes::is_of_age then [$alphas.age, $alphas.age_pass] else [$alphas.lane, $alphas.pass] end) as [$alpha, $pass]
    | row($name; true; $alpha; $pass)];

# pair => the rows that are only shown, beside the gated ones
def shown_rows($gated; $alphas):
  . as $pair
  | [((metrics::compared + _of_this_case + .settings.gate | unique) + parts::compared + parts::of_script - [$gated[].metric])[] as $name
    | $pair
    | select(_described($name).direction != null)
    | select(_not_applicable($name) | not)
    | row($name; false; $alphas.each; $alphas.pass)];
