# What a comparison of many cases found, a row a metric: in how many cases it is worse, better, the same or undecided, and the
# geometric mean of its change, in the metric's own direction.
import "lib/metrics" as metrics;
import "lib/write/columns" as columns;
import "lib/numbers" as numbers;

# [row of one metric] => the mean of what was compared: of ratios by their logarithms, of differences as they are
def _mean:
  [.[] | select(.ratio != null)]
  | if . == [] then "–"
    elif .[0].scale == "ratio" then map(.ratio | log) | add / length | exp | numbers::change
    else . as $rows | map(.ratio) | add / length | if $rows[0].unit == "bytes" then numbers::bytes else numbers::points end
    end;

# comparison => columns of gated metrics, those that are worse most often first: how often each is what, and its mean change
def of_comparison:
  [.cases[].metrics[] | select(.gated)]
  | group_by(.metric)
  | map(. as $rows
    | (["worse", "better", "same", "unclear"] | map(. as $verdict | [$rows[] | select(.verdict == $verdict)] | length)) as $counts
    | { $counts, metric: (.[0].metric | metrics::title), mean: _mean })
  | sort_by(.counts | map(-.))
  | [ (map(.metric) | columns::column("metric"; "l")),
      (["worse", "better", "same", "undecided"] as $titles
        | range(4) as $i | map(.counts[$i] | numbers::count) | columns::column($titles[$i]; "r")),
      (map(.mean) | columns::column("mean change"; "r")) ];
