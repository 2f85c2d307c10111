# Means, spreads and quantiles of distributions: closed forms or convergent series, nothing drawn at random.

# numbers => their mean; null of none
def mean: if length == 0 then null else add / length end;

# numbers => the one in their middle; null of none
def median:
  sort
  | length as $n
  | if $n == 0 then null else (.[($n - 1) / 2 | floor] + .[$n / 2 | floor]) / 2 end;

# numbers in order of time => the same, what stands out alone cut to four standard deviations from the median of the seven around
# it, by the median of how far all are from theirs (Hampel's filter; Pearson, IEEE Transactions on Control Systems Technology 10,
# 2002). Two that stand out in a row stay as they are: it may be a level that changes, at the end too.
def without_outliers:
  . as $all
  | [range(length) as $i | $all[[[$i - 3, ($all | length) - 7] | min, 0] | max:][:7] | median] as $medians
  | ([$all, $medians] | transpose | map(.[0] - .[1])) as $rest
  | (4 * 1.4826 * ($rest | map(fabs) | median // 0)) as $most
  | if $most == 0 then .
    else
      ($rest | map(fabs > $most)) as $out
      | [range(length) as $i
        | if $out[$i] and ($i > 0 and $out[$i - 1] | not) and ($out[$i + 1] | not)
          then $medians[$i] + ([[$rest[$i], $most] | min, -$most] | max)
          else $all[$i] end]
    end;

# quantiles at ascending percentages $p => the share above $x; between two of them they are taken to lie evenly
def share_above($p; $x):
  . as $values
  | if $x >= $values[-1] then 0
    elif $x < $values[0] then 1 - $p[0] / 100
    else bsearch($x) as $at
    | (if $at < 0 then -1 - $at else $at + 1 | until($values[.] > $x; . + 1) end) as $i # the first that is larger
    | (($x - $values[$i - 1]) / ($values[$i] - $values[$i - 1]) * ($p[$i] - $p[$i - 1]) + $p[$i - 1]) as $below
    | 1 - $below / 100
    end;

# numbers => their variance (n - 1 in the divisor); null of fewer than two
def variance:
  length as $n
  | if $n < 2 then null
    else mean as $mean | map((. - $mean) | . * .) | add / ($n - 1)
    end;

# numbers => their standard deviation; null of fewer than two
def sd: variance | if . == null then null else sqrt end;

# positive numbers => their geometric mean; null when one is not positive
def geometric_mean: if length == 0 or any(. <= 0) then null else map(log) | mean | exp end;

# [c0, c1, …] => c0 + c1 x + …
def _polynomial($x): reduce (reverse | .[]) as $c (0; . * $x + $c);

# Wichura, Algorithm AS 241 (PPND16), Applied Statistics 37 (1988): relative error about 1e-16.
def _central($q):
  (0.180625 - $q * $q) as $r
  | $q
  * ([3.3871328727963666080, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125,
      45921.953931549871457, 67265.770927008700853, 33430.575583588128105, 2509.0809287301226727]
     | _polynomial($r))
  / ([1, 42.313330701600911252, 687.18700749205790830, 5394.1960214247511077,
      21213.794301586595867, 39307.895800092710610, 28729.085735721942674, 5226.4952788528545610]
     | _polynomial($r));

def _tail($r):
  if $r <= 5 then
    ($r - 1.6) as $x
    | ([1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550, 3.64784832476320460504,
        1.27045825245236838258, 0.241780725177450611770, 0.0227238449892691845833, 0.000774545014278341407640]
       | _polynomial($x))
    / ([1, 2.05319162663775882187, 1.67638483018380384940, 0.689767334985100004550,
        0.148103976427480074590, 0.0151986665636164571966, 0.000547593808499534494600, 1.05075007164441684324e-9]
       | _polynomial($x))
  else
    ($r - 5) as $x
    | ([6.65790464350110377720, 5.46378491116411436990, 1.78482653991729133580, 0.296560571828504891230,
        0.0265321895265761230930, 0.00124266094738807843860, 2.71155556874348757815e-5, 2.01033439929228813265e-7]
       | _polynomial($x))
    / ([1, 0.599832206555887937690, 0.136929880922735805310, 0.0148753612908506148525,
        0.000786869131145613259100, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15]
       | _polynomial($x))
  end;

# => z with P(Z <= z) = $p for a standard normal Z
def normal_quantile($p):
  ($p - 0.5) as $q
  | if ($q | fabs) <= 0.425 then _central($q)
    elif $q < 0 then -_tail(-($p | log) | sqrt)
    else _tail(-(1 - $p | log) | sqrt)
    end;

# The continued fraction of the incomplete beta function, by Lentz's method (Numerical Recipes, 6.4).
def _not_zero: if fabs < 1e-300 then 1e-300 else . end;
def _beta_fraction($a; $b; $x):
  (1 / (1 - ($a + $b) * $x / ($a + 1) | _not_zero)) as $first
  | [1, 1, $first, $first, false]
  | until(.[4] or .[0] > 300;
      . as [$m, $c0, $d0, $h]
      | ($m * ($b - $m) * $x / (($a + 2 * $m - 1) * ($a + 2 * $m))) as $even
      | (1 / (1 + $even * $d0 | _not_zero)) as $d1
      | (1 + $even / $c0 | _not_zero) as $c1
      | (-($a + $m) * ($a + $b + $m) * $x / (($a + 2 * $m) * ($a + 2 * $m + 1))) as $odd
      | (1 / (1 + $odd * $d1 | _not_zero)) as $d
      | (1 + $odd / $c1 | _not_zero) as $c
      | [$m + 1, $c, $d, $h * $d1 * $c1 * $d * $c, ($d * $c - 1 | fabs) < 1e-15])
  | .[3];

# => I_x(a, b), the regularised incomplete beta function
def incomplete_beta($a; $b; $x):
  if $x <= 0 then 0
  elif $x >= 1 then 1
  else ((($a + $b | lgamma) - ($a | lgamma) - ($b | lgamma)) + $a * ($x | log) + $b * (1 - $x | log) | exp) as $front
  | if $x < ($a + 1) / ($a + $b + 2)
    then $front * _beta_fraction($a; $b; $x) / $a
    else 1 - $front * _beta_fraction($b; $a; 1 - $x) / $b
    end
  end;

# t > 0 => P(T > t) for Student's t with $df degrees of freedom
def t_tail($df): . as $t | incomplete_beta($df / 2; 0.5; $df / ($df + $t * $t)) / 2;

def _t_density($df):
  . as $t
  | (($df + 1) / 2 | lgamma) - ($df / 2 | lgamma) - ($df * 3.141592653589793 | log) / 2
  - ($df + 1) / 2 * (1 + $t * $t / $df | log)
  | exp;

# z => t for many degrees of freedom (Abramowitz and Stegun 26.7.5, Cornish and Fisher's series)
def _t_from_normal($df):
  . as $z
  | [ $z,
      (pow($z; 3) + $z) / 4,
      (5 * pow($z; 5) + 16 * pow($z; 3) + 3 * $z) / 96,
      (3 * pow($z; 7) + 19 * pow($z; 5) + 17 * pow($z; 3) - 15 * $z) / 384,
      (79 * pow($z; 9) + 776 * pow($z; 7) + 1482 * pow($z; 5) - 1920 * pow($z; 3) - 945 * $z) / 92160 ]
  | _polynomial(1 / $df);

# Newton's method for the logarithm of the tail as a function of log t: concave, so it converges from anywhere.
def _t_upper($tail; $df):
  normal_quantile(1 - $tail)
  | if $df > 200 then _t_from_normal($df)
    else [if $df < 4 then . else _t_from_normal($df) end, 1, 0]
    | until((.[1] | fabs) < 1e-12 or .[2] > 60;
        . as [$t, $_, $n]
        | ($t | t_tail($df)) as $now
        | (($now / $tail | log) * $now / ($t * ($t | _t_density($df)))) as $step
        | [$t * ($step | exp), $step, $n + 1])
    | .[0]
    end;

# Nearer to 0 and 1 a number has no digits left for how near.
def _inside: [[., 1e-15] | max, 1 - 1e-15] | min;

# => t with P(T <= t) = $p for Student's t; $df null: infinitely many degrees of freedom
def t_quantile($p; $df):
  ($p | _inside) as $p
  | if $df == null then normal_quantile($p)
    elif $p == 0.5 then 0
    elif $p > 0.5 then _t_upper(1 - $p; $df)
    else -_t_upper($p; $df)
    end;

# => the p between 0 and 1 at which a rising function of p reaches $target, to 1e-12
def _rising_to($target; f):
  { low: 0, high: 1 }
  | until(.high - .low < 1e-12;
      ((.low + .high) / 2) as $middle
      | if ($middle | f) < $target then .low = $middle else .high = $middle end)
  | (.low + .high) / 2;

# $k of $n trials => the share that it is at most, with this confidence (Clopper and Pearson, Biometrika 26, 1934)
def binomial_upper($k; $n; $confidence):
  if $k >= $n then 1 else _rising_to($confidence; . as $p | incomplete_beta($k + 1; $n - $k; $p)) end;

# the share that it is at least
def binomial_lower($k; $n; $confidence):
  if $k <= 0 then 0 else _rising_to(1 - $confidence; . as $p | incomplete_beta($k; $n - $k + 1; $p)) end;

# => [how many orders of $n and $m values give U = 0, 1, …] (Mann and Whitney, Annals of Mathematical Statistics 18,
# 1947): the Gaussian binomial coefficient, a factor (1 - q^(m+i)) / (1 - q^i) after the other
def _u_counts($n; $m):
  ($n * $m + 1) as $size
  | reduce range(1; $n + 1) as $i ([1] + [range(1; $size) | 0];
      reduce range($size - 1; $m + $i - 1; -1) as $k (.; .[$k] -= .[$k - $m - $i])
      | reduce range($i; $size) as $k (.; .[$k] += .[$k - $i]));

# z => P(Z <= z) for a standard normal Z, by Marsaglia's series (Journal of Statistical Software 11, 2004); |z| <= 6
def _normal_below:
  . as $z
  | { sum: $z, term: $z, i: 1, done: ($z == 0) }
  | until(.done;
      .i += 2
      | .term *= $z * $z / .i
      | .done = (.sum + .term == .sum)
      | .sum += .term)
  | 0.5 + .sum * (-$z * $z / 2 | exp) / 2.5066282746310002;

# { base: [x], head: [x] } => the two-sided probability of ranks as unlike as these, if nothing changed. Exact without
# ties, else by the normal approximation with ties and continuity corrected, as SciPy's mannwhitneyu and benchstat do.
def mann_whitney:
  .base as $base
  | .head as $head
  | ($base | length) as $n
  | ($head | length) as $m
  | ([$base[] as $x | $head[] as $y | if $y > $x then 1 elif $y == $x then 0.5 else 0 end] | add) as $u
  | ([$u, $n * $m - $u] | max) as $most
  | ([$base[], $head[]] | group_by(.) | map(length | . * . * . - .) | add) as $ties
  | if $ties == 0 then
      _u_counts($n; $m) as $counts
      | ([2 * ($counts[$most:] | add) / ($counts | add), 1] | min)
    else ($n + $m) as $all
    | ($n * $m / 12 * ($all + 1 - $ties / ($all * ($all - 1))) | sqrt) as $sd
    | if $sd == 0 then 1
      else (($most - $n * $m / 2 - 0.5) / $sd) as $z | [2 * (1 - ([$z, 6] | min | _normal_below)), 1] | min
      end
    end;
