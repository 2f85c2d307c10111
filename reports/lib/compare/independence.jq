# Do the blocks of a duet depend on each other? An interval takes them to be independent: where those that follow each other resemble
# each other, it is too narrow. Of twelve blocks only a strong dependence shows; `calibrate` tests it over all of its trials.
import "lib/compare/parts" as parts;
import "lib/metrics" as metrics;
import "lib/numbers" as numbers;
import "lib/stats" as stats;
import "lib/tables/limits" as limits;

# [number] in order of time => how much neighbours resemble each other, between -1 and 1 (lag-1 autocorrelation); null: they are all
# the same
def neighbours:
  stats::mean as $mean
  | map(. - $mean) as $rest
  | ($rest | map(. * .) | add) as $squares
  | if $squares == 0 then null else [$rest[1:], $rest[:-1]] | transpose | map(.[0] * .[1]) | add / $squares end;

# lag-1 autocorrelation of $n numbers => how many standard deviations it is above that of independent ones, whose mean is -1/n (Moran,
# Biometrika 35, 1948)
def above_chance($n): (. + 1 / $n) * $n * ($n - 1 | sqrt) / ($n - 2);

# { base: metric, head: metric } => [logarithm of head/base of a block], in order of time; null where there is none of a block
def logarithms:
  [.base, .head | .samples // []] as [$base, $head]
  | if ($base | length) != ($head | length) or any(($base + $head)[]; . == null or . <= 0) then null
    else [$base, $head] | transpose | map(.[1] / .[0] | log)
    end;

# pair => [finding]: a metric of the gate whose blocks are not independent
def findings:
  select(.pair and .base and .head)
  | . as $pair
  | .settings.gate[] as $name
  | { base: ($pair.base | parts::metric($name)), head: ($pair.head | parts::metric($name)) }
  | select(.base.valid == true and .head.valid == true)
  | logarithms
  | select(. != null and length >= limits::limits.least_blocks)
  | length as $n
  | neighbours
  | values
  | select(above_chance($n) > stats::normal_quantile(limits::limits.dependence_level))
  | { id: "blocks-alike", level: "warn", metrics: [],
      text: ("Blocks that follow each other resemble each other in \($name | metrics::title): their correlation is "
        + "\(numbers::significant(2)), which chance gives in less than one duet of a hundred. The confidence interval of this metric may "
        + "be too narrow.") };
