# Distributions of samples that are all there, as grids of quantiles: { count, mean, p: [percent], values }.

# the 101 probabilities of a record's distribution, as in src/cases/quantiles.js
def grid:
  [range(0; 50; 2), range(50; 91), (range(0; 17) | 91 + . / 2), (range(1; 10) | (990 + .) / 10),
   99.92, 99.94, 99.95, 99.96, 99.97, 99.98, 99.99, 99.995, 100];

def _at($position):
  ($position | floor) as $below
  | if $position <= 0 then .[0]
    elif $below >= length - 1 then .[-1]
    else .[$below] + ($position - $below) * (.[$below + 1] - .[$below])
    end;

# ascending values => the quantile at $p percent, as k6 has it: between the first (0 %) and the last (100 %)
def quantile($p): _at($p * (length - 1) / 100);

# ascending values => the same as JMeter's report has it (Commons Math): the i-th of n stands for i / (n + 1)
def quantile_of_jmeter($p): _at($p * (length + 1) / 100 - 1);

# values => their distribution; null of none. $of_jmeter: by JMeter's rule
def distribution($of_jmeter):
  if . == [] then null
  else sort as $sorted
  | { count: length, mean: (add / length), p: grid, exact: true,
      values: [grid[] as $p | $sorted | if $of_jmeter then quantile_of_jmeter($p) else quantile($p) end] }
  end;
