# Failed requests of a duet by their counts, of all its blocks together, alone and under load: 19 of 3,600 where base has none are
# no chance, though in six blocks an interval by Student's t cannot tell. Given how many failed on both sides together, those of
# head are binomial where both fail equally often (Przyborowski and Wilenski, Biometrika 31, 1940): an exact test. By how much more
# head fails, the likelihood ratio says.
# A pair is { base: record, head: record, pair, lanes }.
import "lib/compare/parts" as parts;
import "lib/stats" as stats;

# Failures come in bursts, and how much they do is estimated from the blocks: of fewer it is not.
def _enough_blocks: 12;

def _is_counted: .valid == true and (.count // 0) > 0 and (.samples | length > 0 and all(. != null));

# pair => [{ base: metric, head: metric }] of the lanes that both sides have: alone, and under load
def _lanes:
  [("errors_ratio", "errors_ratio{lane:load}") as $name
  | { base: (.base | parts::metric($name)), head: (.head | parts::metric($name)) }
  | select(.base and .head and (.base | _is_counted) and (.head | _is_counted) and (.base.samples | length) == (.head.samples | length))];

# pair => { base: metric, head: metric, lanes } of all blocks together; nothing where there are too few
def together:
  select(.pair)
  | _lanes as $lanes
  | select(([$lanes[].base.samples[]] | length) >= _enough_blocks)
  | { lanes: $lanes }
  + (reduce ("base", "head") as $side ({};
      .[$side] = ($lanes[0][$side]
        | .samples = [$lanes[][$side].samples[]]
        | .count = ([$lanes[][$side].count] | add))));

# metric => [failed requests of a block]
def _counts: (.count / (.samples | length)) as $each | [.samples[] * $each];

# [{ base, head }] => { chi, df }: how much blocks of a lane differ, where counts alone make chi / df = 1
def dispersion:
  [.[] | (.base, .head) | _counts | stats::mean as $mean | select($mean > 0)
    | { chi: ((map(pow(. - $mean; 2)) | add) / $mean), df: (length - 1) }]
  | { chi: (map(.chi) | add // 0), df: (map(.df) | add // 0) };

# { chi, df } => do blocks differ by more than one time in ten by chance? (Wilson and Hilferty, PNAS 17, 1931)
def _is_clustered:
  .df > 0
  and ((2 / (9 * .df)) as $v | (pow(.chi / .df; 1 / 3) - 1 + $v) / ($v | sqrt) > stats::normal_quantile(0.9));

# P(X >= head) where X of head + base are binomial with this share; of counts that need not be whole
def binomial_tail($head; $base; $share): if $head <= 0 then 1 else stats::incomplete_beta($head; $base + 1; $share) end;

def _times_log(y): if . > 0 then . * (y | log) else 0 end;

# { base, head, base_count, head_count } => how far head is from failing $more often than base, as a normal quantile: the signed
# root of the likelihood ratio, of counts as Poisson variables; the rate of base is the likeliest where head has $more
def _distance($more):
  (.base_count + .head_count) as $all
  | (.base + .head - $all * $more) as $sum
  | (($sum + ($sum * $sum + 4 * $all * .base * $more | sqrt)) / (2 * $all)) as $rate
  | { base: ($rate * .base_count), head: (($rate + $more) * .head_count) } as $expected
  | if .head / .head_count - .base / .base_count <= $more then 0
    else [(("base", "head") as $side | .[$side] as $seen | ($seen | _times_log(. / $expected[$side])) - $seen + $expected[$side])]
      | [2 * add, 0] | max | sqrt
    end;

# [{ base, head }] => the counts of all lanes together, and what a distance must exceed. Where failures are clustered, counts are
# divided by how much, and the quantile is Student's.
def _counted($alpha):
  . as $lanes
  | dispersion as $dispersion
  | ($dispersion | _is_clustered) as $clustered
  | (if $clustered then $dispersion | .chi / .df else 1 end) as $by
  | { base: ([$lanes[].base | _counts[]] | add / $by), head: ([$lanes[].head | _counts[]] | add / $by),
      base_count: ([$lanes[].base.count] | add / $by), head_count: ([$lanes[].head.count] | add / $by),
      critical: stats::t_quantile(1 - $alpha; if $clustered then $dispersion.df else null end) };

# [{ base, head }] => by how much more of its requests head fails at least, with this probability of being wrong; 0 where
# it is not certain that it fails more often at all
def least($alpha):
  _counted($alpha) as $counted
  | $counted
  | if binomial_tail(.head; .base; .head_count / (.base_count + .head_count)) > $alpha or _distance(0) <= .critical then 0
    else { low: 0, high: 1 }
    | reduce range(30) as $_ (.;
        ((.low + .high) / 2) as $more
        | if ($counted | _distance($more)) > $counted.critical then .low = $more else .high = $more end)
    | .low
    end;

# interval of head - base => the same with the lower end by counts
def bounded($lanes; $alpha):
  ($lanes | least($alpha / 2)) as $least
  | if $least > 0 then .low = $least | .high = ([.high, $least] | max) else .low = ([.low, 0] | min) end;
