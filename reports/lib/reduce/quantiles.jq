# Distributions as grids of quantiles: { count, mean, p: [percent], values: [one per p] }, one for each k6 process; of the
# native player { count, mean, p, histogram }, one of all processes.
# k6 computes the quantiles of one process exactly. Of several, each keeps its own grid, and a quantile of all is solved
# from their distribution functions, weighted by their counts: between two of its quantiles a process' observations are
# taken to lie evenly. `error` says how far off that can be at most.
import "lib/numbers" as numbers;
import "lib/reduce/histograms" as histograms;

# k6 trend => [{ key: "p(95)", p: 95 }] ascending, from 0 to 100
def _grid:
  [keys[] | select(startswith("p(")) | { key: ., p: (.[2:-1] | tonumber) }]
  + [{ key: "min", p: 0 }, { key: "max", p: 100 }]
  | unique_by(.p);

# the values of a k6 trend => [its distribution]; [] when nothing was observed
def from_trend:
  . as $trend
  | if (.count // 0) == 0 then []
    elif .histogram then
      _grid as $grid | [.histogram | { count, mean: histograms::mean, p: ($grid | map(.p)), histogram: . }]
    else _grid as $grid | [{ count, mean: .avg, p: ($grid | map(.p)), values: ($grid | map($trend[.key])) }]
    end;

# [distribution] of any processes => those of all of them: histograms add up to one
def together:
  if length < 2 or any(.[]; .histogram == null) then .
  else .[0].p as $p | [map(.histogram) | histograms::together | { count, mean: histograms::mean, $p, histogram: . }]
  end;

# [distribution] => how many observations there are
def count: map(.count) | add // 0;

# [distribution] => the mean of all observations; null of none
def mean: count as $count | if $count == 0 then null else map(.mean * .count) | add / $count end;

# where in ascending values $x would stand: the first that is not below it
def _place($x): bsearch($x) | if . < 0 then -1 - . else . end;

# distribution => its quantile at $p percent, linear between those of the grid
def _own($p):
  .p as $grid
  | ($grid | bsearch($p)) as $at
  | (-1 - $at) as $above
  | .values
  | if $at >= 0 then .[$at]
    elif $above == 0 then .[0]
    elif $above >= length then .[-1]
    else ($p - $grid[$above - 1]) / ($grid[$above] - $grid[$above - 1]) * (.[$above] - .[$above - 1]) + .[$above - 1]
    end;

# distribution => the percentage of its observations below $x ($edge 0) or up to it ($edge 1)
def _share($x; $edge):
  .p as $grid
  | .values as $values
  | ($values | bsearch($x)) as $at
  | (-1 - $at) as $above
  | if $at < 0 then
      if $above == 0 then 0
      elif $above >= ($values | length) then 100
      else ($x - $values[$above - 1]) / ($values[$above] - $values[$above - 1]) * ($grid[$above] - $grid[$above - 1])
        + $grid[$above - 1]
      end
    elif $edge == 1 then $grid[$at | until($values[. + 1] != $x; . + 1)]
    else $grid[$at | until(. == 0 or $values[. - 1] != $x; . - 1)]
    end;

# [distribution] => the percentage of all observations below $x, or up to it
def _share_of_all($x; $edge): count as $count | map(_share($x; $edge) * .count) | add / $count;

# ascending values => those strictly between $low and $high
def _between($low; $high): .[_place($low):_place($high)] | map(select(. > $low));

# [distribution] => x with $p percent of all observations up to it, somewhere between $low and $high
def _solve($p; $low; $high):
  . as $all
  | ([$low, $high, (.[].values | _between($low; $high)[])] | unique) as $turns
  # the first turn that $p percent are up to
  | { from: 0, to: ($turns | length - 1) }
  | until(.from >= .to;
      ((.from + .to) / 2 | floor) as $middle
      | if ($all | _share_of_all($turns[$middle]; 1)) >= $p then .to = $middle else .from = $middle + 1 end)
  | .to as $i
  | $turns[$i] as $x
  | ($all | _share_of_all($x; 0)) as $below
  # it has them by observations that are all alike, or by those on the way from the turn before
  | if $i == 0 or $below <= $p then $x
    else $turns[$i - 1] as $before
    | ($all | _share_of_all($before; 1)) as $share
    | $before + ($x - $before) * ($p - $share) / ($below - $share)
    end;

# [grid] => the quantile of all observations at $p percent
def _of_grids($p):
  map(_own($p)) as $own
  | ($own | min) as $low
  | ($own | max) as $high
  | if length == 0 then null
    elif $low == $high then $low
    elif $p <= 0 then $low
    elif $p >= 100 then $high
    else _solve($p; $low; $high)
    end;

# [distribution] => the quantile of all observations at $p percent; null of none
def quantile($p):
  if .[0].histogram then .[0].histogram | histograms::quantile($p) else _of_grids($p) end;

# [distribution] => [start, end, percentage of all] of each piece between two quantiles of one
def _pieces:
  count as $count
  | [.[]
    | .p as $grid
    | .values as $values
    | (.count / $count) as $weight
    | range(1; $grid | length) as $i
    | [$values[$i - 1], $values[$i], ($grid[$i] - $grid[$i - 1]) * $weight]];

# pieces => the x at which $p percent are reached when all of a piece lies at its end $edge (0 or 1)
def _extreme($edge; $p):
  map([.[$edge], .[2]])
  | sort_by(.[0])
  | .[-1][0] as $last
  # a hair less: percentages that are added up in another order miss $p by their last bit
  | first(foreach .[] as [$x, $mass] (0; . + $mass; if . >= $p - 1e-9 then $x else empty end)) // $last;

# [distribution] => the most that p50, p95 or p99 of all can be off, as a share of the value: wherever within their
# pieces the observations really lie. Of one process they are exact: 0; of a histogram, the width of its buckets.
def error:
  . as $all
  | if .[0].histogram then histograms::relative_error
    elif length <= 1 then 0
    else _pieces
    | [50, 95, 99] as $ps
    | [$ps[] as $p
      | ($all | quantile($p)) as $value
      | ([_extreme(1; $p) - $value, $value - _extreme(0; $p)] | max) as $off
      | if $value > 0 then $off / $value else 0 end]
    | max
    end;

# [distribution] => as a record has it, of all processes together; null without observations
def kept:
  .[0].p as $grid
  | [$grid[]? as $p | quantile($p) | numbers::significant(5)] as $values
  | if $values == [] then null
    else { count: count, p: $grid, values: $values, min: $values[0], max: $values[-1], error: (error | numbers::significant(2)) }
    end;
