# The parts of a record: what is kept of one case.
import "lib/reduce/answers" as answers;
import "lib/tables/limits" as limits;
import "lib/metrics" as metrics;
import "lib/reduce/metric_values" as metric_values;
import "lib/numbers" as numbers;
import "lib/reduce/quantiles" as quantiles;
import "lib/reduce/series" as series;

# measure => why the value of a metric is null
def _why_unknown($metric):
  if .counts.requests > 0 and .counts.errors == null and ($metric.name | IN("errors_ratio", "throughput_rps")) then
    metric_values::uncounted
  elif $metric.group == "services" then "no service was sampled"
  elif $metric.name | startswith("rate_") then "the scenario asks for no rate"
  elif $metric.name | test("^(generator|machine)_cpu_ratio") then "k6 was not sampled"
  elif $metric.group == "user" then "no user received anything for long enough"
  else "nothing was observed"
  end;

# [finding] => { metric: id of the first finding that it does not count for }
def invalidated:
  reduce (reverse | .[]) as $finding ({};
    reduce $finding.metrics[] as $name (.; .[$name] = $finding.id));

# measure of all rounds => one metric of a record; $samples: its value in each round
def _metric($metric; $samples; $invalid):
  metric_values::value($metric) as $value
  | { unit: $metric.unit,
      direction: $metric.direction,
      value: ($value | numbers::rounded),
      samples: ($samples | map(numbers::rounded)),
      count: metric_values::observations($metric),
      valid: ($value != null and $invalid[$metric.name] == null),
      reason: (if $value == null then _why_unknown($metric) else $invalid[$metric.name] end) };

# measure of all rounds => { name: metric } for metrics of the table
def metrics_of($table; $rounds; $invalid):
  . as $all
  | reduce $table[] as $metric ({};
      .[$metric.name] = ($all | _metric($metric; [$rounds[] | metric_values::value($metric)]; $invalid)));

# [measure of a round] => what the slowest requests of each took, from which a duet tells how many of head's are slower than base's
def tail:
  [.[] | .latency | select(. != [])] as $blocks
  | [$blocks[0][0].p[]? | select(. >= 90)] as $grid
  | { p: $grid, counts: [$blocks[] | quantiles::count],
      values: [$blocks[] | [quantiles::quantile($grid[]) | numbers::significant(5)]] };

# [measure of a round] => { tail } of one request of a side, where it was sent often enough to be judged; else {}
def _tail_of($name):
  [.[].requests[$name] | values]
  | if (map(.latency | quantiles::count) | add // 0) < limits::limits.tail_count then {} else { tail: tail } end;

# measure => { name: { count, share, weight, metrics, answers, tail } } for each request; answers: where any were sampled; tail: of
# a side of a duet
def requests($case; $rounds; $invalid):
  ([.requests[].counts.requests] | add) as $sum
  | .requests
  | with_entries(.key as $name | .value |=
      { count: .counts.requests,
        share: (if $sum > 0 then .counts.requests / $sum | numbers::significant(4) else null end),
        weight: ([$case.requests[]? | select(.name == $name) | .weight // empty] | add),
        metrics: metrics_of(metrics::of_request; [$rounds[].requests[$name] | values]; $invalid) }
      + (if .answers then { answers: (.answers | answers::of_record) } else {} end)
      + if $case.side then $rounds | _tail_of($name) else {} end);

# measure => { name: { count, metrics } } for each group that is timed as one; what is wrong with latencies is wrong
# with theirs
def groups($rounds; $invalid):
  (reduce metrics::of_group[] as $metric ({}; .[$metric.name] = $invalid.latency_ms_p50)) as $invalid
  | .groups
  | with_entries(.key as $name | .value |=
      { count: (.duration | quantiles::count),
        metrics: metrics_of(metrics::of_group; [$rounds[].groups[$name] | values]; $invalid) });

# measure => { name: { metrics } } for each service; CPU time per request is by all requests of the case
def services($rounds; $invalid):
  . as $all
  | .services
  | with_entries(.key as $name | .value |= (. as $used
      | $all
      | .used = $used
      # Bytes of block devices are those of a container: a process has none to be unknown.
      | [metrics::of_service[] | select(.when == null or $used.block_read_bytes != null)] as $table
      | { metrics: metrics_of($table; [$rounds[] | .used = .services[$name]]; $invalid) }));

# measure => the latency distribution; null without observations
def distribution: .latency | quantiles::kept | if . then { metric: "latency_ms" } + . else null end;

def _size: tojson | utf8bytelength;

# record => without what of its timeline is seldom drawn
def _without_details:
  if .timeline then del(.timeline | .requests, .script, .machine, .sent_bytes_per_second, .latency_ms_mean) else . end;

# record => may it be kept as it is?
def is_small: _size <= limits::limits.record_bytes;

# record => without the samples of single requests, and of what its script measures
def without_samples:
  def _bare: map_values(.metrics |= map_values(.samples = []));
  .requests |= (_bare | map_values(del(.tail, .answers.fields))) | if .script_metrics then .script_metrics |= _bare else . end;

# record => without the requests that were sent least, until it is small
def without_rare:
  until(is_small or (.requests | length) <= 1;
    .requests |= (to_entries | sort_by(-.value.count) | .[:length / 2 | ceil] | from_entries));

# record => the same, small enough to keep: samples of single requests go first, then their rates over time and other
# series that are seldom drawn, then points of the timeline, then the requests that were sent least
def fitted($case; $processes):
  if is_small then .
  else without_samples
  | (if is_small then . else _without_details end)
  | reduce (limits::limits.timeline_points / (2, 4, 8) | floor) as $points (.;
      if is_small then . else .timeline = ($processes | series::timeline($case; $points)) | _without_details end)
  | without_rare
  end;
