# How long both sides of a duet took until they were ready: no request waits for it, so no verdict comes from it.
# Starts are { base: [seconds], head: [seconds] }, in the order of the blocks, in which both start at the same time.
import "lib/compare/intervals" as intervals;
import "lib/tables/limits" as limits;
import "lib/numbers" as numbers;
import "lib/stats" as stats;

# starts => [finding]: is head ready later than base for certain, or sooner?
def findings:
  [([.base, .head | length] | min) as $n
  | select($n > 2)
  | map_values(.[:$n])
  | ([.base, .head] | transpose | map(.[1] / .[0]) | intervals::pairs(limits::limits.alpha)) as $ratio
  | map_values(stats::median)
  | select(.head - .base | fabs > limits::limits.starts_seconds)
  | map_values(numbers::duration)
  | "head was ready after \(.head), base after \(.base) (medians of \($n | numbers::count("start")) each)" as $text
  | if $ratio.low > limits::limits.starts_factor then
      { id: "starts-slower", level: "warn", metrics: [], text: "Starts slower: \($text). Nothing is gated on that." }
    elif $ratio.high < 1 / limits::limits.starts_factor then
      { id: "starts-sooner", level: "info", metrics: [], text: "Starts sooner: \($text)." }
    else empty
    end];
