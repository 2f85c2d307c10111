# Is head slow in some of its starts? Each block of a duet starts both sides anew. One start in ten that takes three times as long
# moves no mean of twelve blocks by more than chance does, so that it is looked for by itself: a block whose ratio falls out of those
# of the other blocks. Where both sides have slow starts equally often, each is on head or on base with the same chance: given how
# many there are, those on head are binomial (an exact test by permutation of the sides in each block).
# A pair is { base: record, head: record, pair }; the records have those of their lanes.
import "lib/metrics" as metrics;
import "lib/numbers" as numbers;
import "lib/stats" as stats;
import "lib/tables/limits" as limits;

# [ratio of a block, positive] => [by which factor it falls out of the others, 1 where it does not], more than $least times
def _factors($least):
  map(log)
  | stats::median as $middle
  | map(. - $middle)
  | ([limits::limits.slow_start_deviations * 1.4826 * (map(fabs) | stats::median), ($least | log)] | max) as $most
  | map(if fabs > $most then exp else 1 end);

# { base: record, head: record } of a lane => [{ metric, block, base, head, factor }] of the blocks that fall out; factor: above 1
# where head took longer
def _of_metric($metric; $least):
  [.base, .head | .metrics[$metric]] as [$base, $head]
  | select($base.valid == true and $head.valid == true)
  | [$base.samples, $head.samples] as [$of_base, $of_head]
  | select(($of_base | length) >= limits::limits.least_blocks and ($of_base | length) == ($of_head | length))
  | select(all($of_base[], $of_head[]; . != null and . > 0))
  | ([$of_base, $of_head] | transpose | map(.[1] / .[0]) | _factors($least)) as $factors
  | range($factors | length) as $i
  | select($factors[$i] != 1)
  | { metric: $metric, block: ($i + 1), base: $of_base[$i], head: $of_head[$i], factor: $factors[$i] };

# Where starts are looked at. In a lane, many users and both sides share the machine: CPU time, and the median where there is no
# more work than can be done.
def _places:
  { lane: null, metrics: ["cpu_ms_per_request", "latency_ms_p50"], least: limits::limits.slow_start_factor },
  { lane: "load", metrics: ["cpu_ms_per_request", "latency_ms_p50"], least: limits::limits.slow_start_lane_factor },
  { lane: "saturation", metrics: ["cpu_ms_per_request"], least: limits::limits.slow_start_lane_factor };

# pair => [{ lane, block, metric, base, head, factor }] of the starts that fall out, each once: by the lane and the metric that show it
# most
def _found($place):
  (if $place.lane then map_values(.lanes[$place.lane]) else . end)
  | select(.base and .head)
  | [$place.metrics[] as $metric | _of_metric($metric; $place.least)]
  | group_by(.block)[]
  | max_by(.factor | log | fabs)
  | .lane = $place.lane;
def found: { base, head } | [_places as $place | _found($place)] | [group_by(.block)[] | max_by(.factor | log | fabs)];

# pair => how many starts were looked at, which are its blocks
def _count:
  { base, head }
  | [_places as $place
    | (if $place.lane then .head.lanes[$place.lane] else .head end)
    | values
    | [.metrics[$place.metrics[]] | values | select(.valid == true) | .samples | length]
    | max // 0
    | select(. >= limits::limits.least_blocks)]
  | max // 0;

# pair => with the metric slow_starts_ratio, where each side's services are started anew for each block, and one falls out. Without
# any there is nothing to compare: how large a share of slow starts a duet can miss is said in the documentation.
def with_metrics:
  if .pair == null or .base == null or .head == null or .pair.lives_on then .
  else found as $found
  | if $found == [] then .
    else _count as $count
    | ([$found[] | select(.factor > 1)] | length) as $on_head
    | { base: (($found | length) - $on_head), head: $on_head } as $slow
    | reduce ("base", "head") as $side (.;
        .[$side].metrics.slow_starts_ratio = { unit: "ratio", direction: "lower", valid: true, reason: null, count: $count,
          value: ($slow[$side] / $count), starts: $slow[$side],
          samples: [range($count) | if . < $slow[$side] then 1 else 0 end] })
    end
  end;

# { base: metric, head: metric } => are they of starts?
def is_of_starts: .base.starts != null and .head.starts != null;

# { base: metric, head: metric } => the interval of head - base. Of starts that are slow on one side, the share that is on head has
# an exact interval (Clopper and Pearson, Biometrika 26, 1934).
def interval($alpha):
  .base.count as $count
  | (.base.starts + .head.starts) as $all
  | def difference: (2 * . - 1) * $all / $count;
  { estimate: (.head.starts / $all | difference),
    low: (stats::binomial_lower(.head.starts; $all; 1 - $alpha / 2) | difference),
    high: (stats::binomial_upper(.head.starts; $all; 1 - $alpha / 2) | difference),
    se: (($all | sqrt) / $count), alpha: $alpha }
  | .half = ([.high - .estimate, .estimate - .low] | max);

# start => "block 7 under load, latency p50 0.98 ms, base 0.31 ms"
def _of_start:
  metrics::named(.metric).unit as $unit
  | "block \(.block)\(if .lane then " \(.lane | metrics::lane)" else "" end), \(.metric | metrics::title) "
  + "head \(.head | numbers::observed_in($unit)), base \(.base | numbers::observed_in($unit))";

# pair => [finding]: the starts in which one side stood out
def findings:
  select(.base.metrics.slow_starts_ratio? and .head.metrics.slow_starts_ratio?)
  | .head.metrics.slow_starts_ratio.count as $count
  | found as $found
  | ("head", "base") as $side
  | [$found[] | select((.factor > 1) == ($side == "head"))]
  | select(. != [])
  | { id: "slow-starts", level: "warn", metrics: [],
      text: ("\($side) was slow beside the other side in \(length) of \($count | numbers::count("start")), unlike in the others: "
        + "\(map(_of_start) | join("; ")). What is slow in some starts only takes more blocks to tell from chance.") };
