# Was the load stationary? The second half of a window is compared with the first, by the logarithm of the median latency
# of each second. Seconds in a row resemble each other, so each half is cut into a few batches whose means are nearly
# independent (batch means: Law, Simulation Modeling and Analysis, 9.5.3), and these are compared by Welch's t-test.
import "lib/tables/limits" as limits;
import "lib/stats" as stats;

# numbers => means of $n batches of neighbours
def _batches($n):
  length as $length
  | [range($n) as $i | .[$i * $length / $n | floor:($i + 1) * $length / $n | floor] | stats::mean];

# rows of a window => by which factor the second half differs from the first, and whether that is more than chance;
# null when there are too few rows to tell
def change:
  limits::limits as $limits
  | [.[] | select(.p50 != null and .p50 > 0) | .p50 | log]
  | length as $n
  | if $n < 2 * $limits.steady_points then null
    else [.[:$n / 2 | floor], .[$n / 2 | floor:]]
    | map(_batches($limits.steady_batches)) as [$first, $second]
    | (($second | stats::mean) - ($first | stats::mean)) as $difference
    | ([$first, $second] | map(stats::variance / length)) as [$a, $b]
    | if $a + $b == 0 then { factor: ($difference | exp), real: (($difference | fabs) > 0) }
      else (($a + $b) * ($a + $b) / ($limits.steady_batches - 1 | $a * $a / . + $b * $b / .)) as $df
      | { factor: ($difference | exp),
          real: (($difference | fabs) / ($a + $b | sqrt) > stats::t_quantile(1 - $limits.steady_alpha / 2; $df)) }
      end
    end;

# [change] of the rounds => the factor when more than half of those that can be judged say the same; else null
def lasting_change:
  map(values)
  | length as $judged
  | limits::limits.steady_difference as $least
  | [.[] | select(.real) | .factor]
  | (map(select(. > 1 + $least)), map(select(. < 1 / (1 + $least))))
  | select(length * 2 > $judged)
  | map(log) | stats::mean | exp;
