# By how much more memory head gains with each request than base, where both collect garbage: memory rises until it is collected,
# and a line through a few seconds of that says as much of when the collection came as of what is kept.
# Points are [[thousands of requests, bytes]] in order of time, four at the least.
import "lib/compare/intervals" as intervals;
import "lib/stats" as stats;

# points => the most that memory fell from what it had been
def _fall: [foreach .[][1] as $bytes (-infinite; [., $bytes] | max; . - $bytes)] | max;

# points => by how much what is given back within them tilts their line at the most: a step in the middle does by 1.5 times its
# height over their length
def _tilt: 1.5 * _fall / (.[-1][0] - .[0][0]);

# points => [bytes for a thousand requests, from one to the next]
def _steps: [.[1:], .[:-1]] | transpose | map([.[0], .[1]] | transpose | map(.[0] - .[1]) | select(.[0] > 0) | .[1] / .[0]);

# steps => without those that fall out below, in which memory was given back: more than four standard deviations below the median, by
# the median of how far all are from it
def _paces:
  stats::median as $median
  | (4 * 1.4826 * (map(. - $median | fabs) | stats::median)) as $most
  | map(select(. >= $median - $most));

# interval, interval => the one that holds both; the first one's estimate
def _both($other):
  .estimate as $estimate
  | .low = ([.low, $other.low] | min)
  | .high = ([.high, $other.high] | max)
  | .half = ([.high - $estimate, $estimate - .low] | max)
  | .se = ([.se, $other.se] | max);

# points of base and of head => the interval of how much more head gains. Two questions: does its line rise more? And does it rise
# faster while nothing is given back? The second need not be asked where the first answer is more than all that collections, and what
# base gains itself, can make of it; else memory counts as growing more only if both say so. Simulated with heaps of 8 to 500 MB that
# are collected each 5 to 200 s: test/reports/age-simulation.test.js.
def interval($base; $head; $alpha):
  intervals::slopes($base; $head; $alpha) as $lines
  | ([$base, $head] | map(intervals::slope.slope | fabs) | min) as $common
  | [$base, $head | _steps | _paces] as [$of_base, $of_head]
  | if ($lines.estimate | fabs) > ([$base, $head | _tilt] | add) + $common or ($of_base | length) < 2 or ($of_head | length) < 2
    then $lines
    else intervals::means($of_base; $of_head; $alpha) as $paces | $lines | _both($paces)
    end;
