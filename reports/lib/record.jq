# The parts of a record: what is kept of one case.
import "lib/limits" as limits;
import "lib/metrics" as metrics;
import "lib/numbers" as numbers;
import "lib/quantiles" as quantiles;
import "lib/services" as services;
import "lib/timeline" as timeline;

def _why_unknown($metric):
  if $metric.group == "services" then "no service was sampled"
  elif $metric.name | startswith("rate_") then "the scenario asks for no rate"
  elif $metric.name == "generator_cpu_ratio" then "k6 was not sampled"
  else "nothing was observed"
  end;

# [finding] => { metric: id of the first finding that it does not count for }
def invalidated:
  reduce (reverse | .[]) as $finding ({};
    reduce $finding.metrics[] as $name (.; .[$name] = $finding.id));

# measure of all rounds => one metric of a record; $samples: its value in each round
def _metric($metric; $samples; $invalid):
  metrics::value($metric) as $value
  | { unit: $metric.unit,
      direction: $metric.direction,
      value: ($value | numbers::rounded),
      samples: ($samples | map(numbers::rounded)),
      count: metrics::observations($metric),
      valid: ($value != null and $invalid[$metric.name] == null),
      reason: (if $value == null then _why_unknown($metric) else $invalid[$metric.name] end) };

# measure of all rounds => { name: metric } for metrics of the table
def metrics_of($table; $rounds; $invalid):
  . as $all
  | reduce $table[] as $metric ({};
      .[$metric.name] = ($all | _metric($metric; [$rounds[] | metrics::value($metric)]; $invalid)));

# measure => { name: { count, share, weight, metrics } } for each request
def requests($case; $rounds; $invalid):
  ([.requests[].counts.requests] | add) as $sum
  | .requests
  | with_entries(.key as $name | .value |=
      { count: .counts.requests,
        share: (if $sum > 0 then .counts.requests / $sum | numbers::significant(4) else null end),
        weight: ([$case.requests[]? | select(.name == $name) | .weight // empty] | add),
        metrics: metrics_of(metrics::of_request; [$rounds[].requests[$name] | values]; $invalid) });

# measure => { name: { metrics } } for each service; CPU time per request is by all requests of the case
def services($rounds; $invalid):
  . as $all
  | .services
  | with_entries(.key as $name | .value |= (. as $used
      | $all
      | .used = $used
      | { metrics: metrics_of(metrics::of_service; [$rounds[] | .used = .services[$name]]; $invalid) }));

# measure => the latency distribution; null without observations
def distribution:
  .latency
  | .[0].p as $grid
  | [$grid[]? as $p | quantiles::quantile($p) | numbers::significant(5)] as $values
  | if . == [] then null
    else { metric: "latency_ms", count: quantiles::count, p: $grid, values: $values, min: $values[0], max: $values[-1],
           error: (quantiles::error | numbers::significant(2)) }
    end;

def _per_second($of): .[$of] * 1000 / (.to_ms - .from_ms) | numbers::significant(4);

# cumulative CPU time in ns at $times => [cores used in each row]; null outside of the samples
def _cores_used($times; $rows):
  def used($from; $to): (services::at($times; $to) - services::at($times; $from)) / 1e6 / ($to - $from);
  . as $cpu
  | [$rows[]
    | .from_ms as $from
    | .to_ms as $to
    | if ($times | length) == 0 or $times[0] > $to or $times[-1] < $from or any($cpu[0, -1]; . == null) then null
      else $cpu | used($from; $to) | numbers::significant(3)
      end];

# values at $times => [the value at the end of each row]
def _at_ends($times; $rows):
  . as $values
  | [$rows[].to_ms
    | . as $to
    | if ($times | length) == 0 then null else $values | services::at($times; $to) | numbers::significant(4) end];

# columns of services.ndjson => { services: { name: series }, k6: series } at the rows
def _usage($rows):
  .t as $times
  | { services: (.services | map_values({
        cpu_ratio: (.cpu_ns | _cores_used($times; $rows)),
        memory_bytes: (.memory_bytes | _at_ends($times; $rows)) })),
      k6: { cpu_ratio: (.k6 | _cores_used($times; $rows)) } };

# rows => { throughput_rps: [x], … }
def _series($started_ms):
  { step_s: ((.[0].to_ms - .[0].from_ms) / 1000 | numbers::significant(3)),
    t: map((.to_ms - $started_ms) / 1000 | numbers::significant(5)),
    throughput_rps: map(.expected = .requests - .failed | _per_second("expected")),
    latency_ms_p50: map(.p50 | numbers::significant(4)),
    latency_ms_p95: map(.p95 | numbers::significant(4)),
    latency_ms_p99: map(.p99 | numbers::significant(4)),
    errors_rps: map(_per_second("failed")),
    dropped_rps: map(_per_second("dropped")),
    users: map(.users) };

# processes of the first round => the timeline in at most $points; null without a recording
def timeline($points):
  .[0].window as $first
  | (.[-1].window // $first) as $last
  | (map(.rows) | add // [] | timeline::thinned($points)) as $rows
  | if $rows == [] or $first == null then null
    else (map(.used) | services::chained | _usage($rows))
    + ($rows | _series($first.started_ms))
    + { phase_steady: [$first.from_s, (($last.to_ms - $first.started_ms) / 1000 | numbers::significant(6))] }
    end;

def _size: tojson | utf8bytelength;

# record => the same, small enough to keep: samples of single requests go first, then points of the timeline, then the
# requests that were sent least
def fitted($processes):
  limits::limits as $limits
  | if _size <= $limits.record_bytes then .
    else .requests |= map_values(.metrics |= map_values(.samples = []))
    | reduce ($limits.timeline_points / (2, 4, 8) | floor) as $points (.;
        if _size <= $limits.record_bytes then . else .timeline = ($processes | timeline($points)) end)
    | until(_size <= $limits.record_bytes or (.requests | length) <= 1;
        .requests |= (to_entries | sort_by(-.value.count) | .[:length / 2 | ceil] | from_entries))
    end;
