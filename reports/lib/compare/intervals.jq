# Intervals for how head compares with base: { estimate, low, high, half, se, alpha }; of a ratio, half (the width) and
# se are those of its logarithm.
import "lib/stats" as stats;

# [{ v: a squared standard error, df: its degrees of freedom, null for a known one }] => the same of their sum, by Welch
# and Satterthwaite
def _welch:
  (map(.v) | add) as $v
  | (map(if .df == null then 0 else .v * .v / .df end) | add) as $sum
  | { v: $v, df: (if $sum == 0 then null else $v * $v / $sum end) };

# part of an error => the square of half the width of its own interval
def _half_squared($alpha): stats::t_quantile(1 - $alpha / 2; .df) as $t | $t * $t * .v;

# [independent part of an error] => the interval that misses the truth with probability $alpha. The squares of the
# parts' half-widths add up (Zou and Donner, Statistics in Medicine 27, 2008). One quantile for the whole, by degrees of
# freedom of the whole, misses up to five times as often as it says where a few noisy rounds meet a known session sd: the
# simulation in test/reports/jq-simulation.test.js showed it.
def _around($estimate; $alpha):
  (map(.v) | add | sqrt) as $se
  | (map(_half_squared($alpha)) | add | sqrt) as $half
  | { estimate: $estimate, low: ($estimate - $half), high: ($estimate + $half), half: $half, se: $se, alpha: $alpha };

def _of_mean: { v: (stats::variance / length), df: (length - 1) };

# Beyond e^±300 a ratio says no more, and its reciprocal would be none: a record may hold any number.
def _bounded: [[., -300] | max, 300] | min;
def _exponents: reduce ("estimate", "low", "high") as $key (.; .[$key] |= (_bounded | exp));

# Two sessions: the geometric means of their rounds, with the error of both, and how much sessions differ by themselves:
# se² = (se_base² + se_head²) + 2 session_sd². { base: [x], head: [x] } => the interval of head/base; x > 0, two a side
def sessions($session_sd; $session_df; $alpha):
  (.base | map(log)) as $base
  | (.head | map(log)) as $head
  | [([$base, $head] | map(_of_mean) | _welch), { v: (2 * $session_sd * $session_sd), df: $session_df }]
  | _around(($head | stats::mean) - ($base | stats::mean); $alpha)
  | _exponents;

# Pairs: [head/base of a block, a round …], independent of each other => the interval of their geometric mean
def pairs($alpha): map(log) | stats::mean as $mean | [_of_mean] | _around($mean; $alpha) | _exponents;

# [head/base of a block, …] of a duet => { log: of their geometric mean, half_squared: the square of half its interval's width }:
# of successive duets both add up, as in _around
def step($alpha): map(log) | { log: stats::mean, half_squared: (_of_mean | _half_squared($alpha)) };

# the sum of such steps => the interval of the product of their ratios
def product: (.half_squared | sqrt) as $half | { estimate: .log, low: (.log - $half), high: (.log + $half) } | _exponents;

# Shares are of counts: even equal rounds (none failed in any) leave the binomial error, with one more of each kind
# (after Agresti and Coull 1998), so that none of a few requests proves nothing. Rounds that differ by more say so themselves.
def _of_share($count):
  ((stats::mean * $count + 1) / ($count + 2)) as $p
  | { v: ($p * (1 - $p) / ($count + 2)), df: null } as $least
  | if length > 1 then _of_mean else $least end
  | if .v > $least.v then . else $least end;

# { base: [share of a round], head, base_count, head_count } => the interval of head - base, sessions as above
def shares($session_sd; $session_df; $alpha):
  (.base | stats::mean) as $base
  | (.head | stats::mean) as $head
  | .base_count as $base_count
  | .head_count as $head_count
  | [([(.base | _of_share($base_count)), (.head | _of_share($head_count))] | _welch),
     { v: (2 * pow($session_sd * ($base + $head) / 2; 2)), df: $session_df }]
  | _around($head - $base; $alpha);

# [share of a round] of so many requests => the squared standard error that counts alone make, as above
def _of_counts($count): ((stats::mean * $count + 1) / ($count + 2)) as $p | $p * (1 - $p) / ($count + 2);

# Blocks of which fewer tell too little of how they differ: then Student's quantile is for all of the error.
def _enough_blocks: 6;

# [[error, …] of a stretch of time] => by how much the square of a mean's or a slope's error is larger than of as many independent
# points: what follows each other in time resembles each other. By the correlation of neighbours (Bayley and Hammersley, JRSS
# Supplement 8, 1946; of a first-order process).
def _by_neighbours:
  ([.[][] | . * .] | add) as $squares
  | [.[] | . as $errors | range(1; length) as $i | $errors[$i - 1] * $errors[$i]] as $products
  | (if $squares == 0 then 0 else ($products | add) / $squares end) as $alike
  | ([[$alike, 0] | max, 0.8] | min) as $alike
  | (1 + $alike) / (1 - $alike);

# numbers in order of time => the error of their mean: those that resemble each other are as good as so many fewer
def _of_mean_in_order:
  (stats::mean as $mean | [map(. - $mean)] | _by_neighbours) as $more
  | _of_mean
  | { v: (.v * $more), df: ([.df / $more, 1] | max) };

# [log(head/base) of a second, …] in order of time => the interval of the ratio of their geometric means; $start_sd: by how much two
# starts differ for as long as they live, which their seconds do not say
def in_order($start_sd; $alpha):
  stats::mean as $mean
  | [_of_mean_in_order, { v: ($start_sd * $start_sd), df: null }]
  | _around($mean; $alpha)
  | _exponents;

# Shares of blocks that both sides were measured in at the same time, as shares above => the interval of head - base.
# Blocks are clusters: what they have in common on both sides is in neither of their differences. Failures come in bursts,
# so that differences of blocks vary by more than counts do: what is beyond that is estimated, from so many blocks.
# $in_order: they are seconds that follow each other, and not blocks.
def paired_shares($alpha; $in_order):
  ([.base, .head] | transpose | map(.[1] - .[0])) as $differences
  | (.base_count as $count | .base | _of_counts($count)) as $base
  | (.head_count as $count | .head | _of_counts($count)) as $head
  | ($differences | if $in_order then _of_mean_in_order else _of_mean end) as $seen
  | ($base + $head) as $counted
  | [{ v: $counted, df: (if ($differences | length) < _enough_blocks then $seen.df else null end) },
     { v: ([$seen.v - $counted, 0] | max), df: $seen.df }]
  | _around($differences | stats::mean; $alpha);

# [[x, y]] in order of time => their regression line: { slope, v: the squared standard error of the slope, df }
def slope:
  . as $points
  | (map(.[0]) | stats::mean) as $x
  | (map(.[1]) | stats::mean) as $y
  | (map(.[0] - $x | . * .) | add) as $spread
  | ((map((.[0] - $x) * (.[1] - $y)) | add) / $spread) as $slope
  | map(.[1] - $y - $slope * (.[0] - $x)) as $errors
  | ($errors | map(. * .) | add) as $squares
  | { slope: $slope, v: ($squares / (length - 2) / $spread * ([$errors] | _by_neighbours)), df: (length - 2) };

# Lines through [[x, y]] of base and of head, independent of each other => the interval of how much steeper head's is
def slopes($base; $head; $alpha):
  ($base | slope) as $base
  | ($head | slope) as $head
  | [[$base, $head] | map({ v, df }) | _welch]
  | _around($head.slope - $base.slope; $alpha);

# [number] of base and of head, two a side, independent of each other => the interval of how much larger head's mean is
def means($base; $head; $alpha): [[$base, $head] | map(_of_mean) | _welch] | _around(($head | stats::mean) - ($base | stats::mean); $alpha);

# [head/base] of earlier and of later times, each in order => the interval of by which factor the later ones are larger
def later($earlier; $later; $alpha):
  [$earlier, $later]
  | map(map(log))
  | map(stats::mean) as [$young, $old]
  | (map(stats::mean as $mean | map(. - $mean)) | _by_neighbours) as $more
  | [map(_of_mean | .v *= $more) | _welch]
  | _around($old - $young; $alpha)
  | _exponents;
