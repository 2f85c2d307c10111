# What was observed for a threshold: { observed, count }, over all rounds together.
import "lib/metrics" as metrics;
import "lib/reduce/metric_values" as metric_values;
import "lib/reduce/quantiles" as quantiles;
import "lib/reduce/services" as services;
import "lib/reduce/summary" as summary;
import "lib/reduce/users" as users;

# [distribution] of processes => { observed, count } of a percentile, or of the mean
def _of_trend($threshold):
  { count: quantiles::count,
    observed: (if $threshold.aggregation == "avg" then quantiles::mean else quantiles::quantile($threshold.percentile) end) };

# [{ passes, fails }] of processes => { observed, count }
def _of_rate:
  (map(.passes) | add // 0) as $passes
  | (map(.fails) | add // 0) as $fails
  | { observed: (if $passes + $fails > 0 then $passes / ($passes + $fails) else null end), count: ($passes + $fails) };

# number of events => { observed, count }; a rate is by the window: k6's own divides by the whole run
def _of_counter($aggregation; $seconds):
  if $aggregation == "count" then { observed: ., count: . }
  else { observed: (if $seconds > 0 then . / $seconds else null end), count: . }
  end;

# [{ value }] of processes => { observed, count }: of the last values, the one that is hardest on the threshold
def _of_gauge($op): map(.value) | { observed: (if $op | startswith(">") then min else max end), count: length };

# numbers => { observed, count } of a percentile, or of the mean; percentiles between neighbours, as k6 takes them
def _of_numbers($threshold):
  sort
  | length as $count
  | (($threshold.percentile // 0) / 100 * ($count - 1)) as $at
  | ($at | floor) as $i
  | { count: $count,
      observed: (if $count == 0 then null
        elif $threshold.aggregation == "avg" then add / $count
        else .[$i] + ($at - $i) * ((.[$i + 1] // .[$i]) - .[$i])
        end) };

# process => values of k6 for a threshold; what no user emits has no phase
def _values($metric; $selector; $type):
  .summary
  | summary::window($metric; $selector)
    // if $type == "gauge" then summary::without_phase($metric; $selector) else null end;

# processes => { observed, count } of a metric of k6
def _of_k6($threshold; $measure):
  $threshold.aggregation as $aggregation
  | $threshold.k6_metric as $metric
  | ([.[].summary | summary::type_of($metric) | values][0]) as $type
  | [.[] | _values($metric; $threshold.selector; $type) | values]
  | $measure.seconds as $seconds
  | if $threshold.metric == "dropped_iterations" then $measure.counts.dropped | _of_counter($aggregation; $seconds)
    elif $type == "gauge" then _of_gauge($threshold.op)
    # k6 has never heard of a metric that nothing was added to: the aggregation tells what it would have been
    elif $type == "rate" or ($type == null and $aggregation == "rate") then _of_rate
    elif $type == "counter" or ($type == null and $aggregation == "count") then
      map(.count) | add // 0 | _of_counter($aggregation; $seconds)
    else map(quantiles::from_trend[]) | quantiles::together | _of_trend($threshold)
    end;

# measure => CPU milliseconds per request of a service, or of all
def _cpu_per_request($service):
  (if $service == null then . else .used = .services[$service] end)
  | metric_values::value(metrics::named("cpu_ms_per_request"))
  | values;

# processes => { observed, count } of a metric of the services
def _of_services($threshold; $rounds):
  ($threshold.selector.service // null) as $service
  | if $threshold.metric == "cpu_ms_per_request" then [$rounds[] | _cpu_per_request($service)]
    else [.[] | .window as $window | select($window) | .used | services::series($threshold.metric; $service; $window)[]]
    end
  | _of_numbers($threshold);

# measures of rounds => { observed, count } of what is worked out of faults and users, and of metrics from Prometheus
def _of_record($threshold; $measure):
  $threshold.metric as $metric
  | if $metric == "recovery_ms" then [.[].faults[].recovery_ms | values] | _of_numbers($threshold)
    elif $metric == "fault_errors" then
      { observed: ($measure | metric_values::value(metrics::named("fault_errors_ratio"))),
        count: $measure.counts.fault_requests }
    elif $metric == "receiving_rate" then $measure.users | users::rates | _of_numbers($threshold)
    else $measure.queried[$metric]? // { observed: null, count: 0 }
    end;

# processes => { observed, count } for a threshold
def for_threshold($threshold; $measure; $rounds):
  if $threshold.source == "k6" then _of_k6($threshold; $measure)
  elif $threshold.source == "service" then _of_services($threshold; $rounds)
  else $rounds | _of_record($threshold; $measure)
  end;

# what k6 says a metric is, and what it contains; aggregation => the unit of what is observed of it
def _unit_in_k6($type; $contains; $aggregation):
  ({ time: "ms", data: "bytes" }[$contains // ""] // "1") as $unit
  | if $type == "rate" then "ratio"
    elif $type == "counter" and $aggregation == "rate" then if $unit == "1" then "1/s" else "\($unit)/s" end
    else $unit
    end;

# [process] => the unit of what was observed for a threshold; null: k6 has never heard of its metric
def unit_of($threshold; $case):
  if $threshold.unit then $threshold.unit
  elif $threshold.source == "query" then [$case.queries[]? | select(.name == $threshold.metric) | .unit][0] // "1"
  else $threshold.k6_metric as $metric
  | ([.[].summary | summary::type_of($metric) | values][0]) as $type
  | ([.[].summary | summary::contains_of($metric) | values][0]) as $contains
  | if $type == null then null else _unit_in_k6($type; $contains; $threshold.aggregation) end
  end;
