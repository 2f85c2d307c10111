# Thresholds in k6's grammar, judged over all rounds together. A percentile without enough observations decides
# nothing: its outcome is unknown, which is never a pass.
import "lib/metrics" as metrics;
import "lib/numbers" as numbers;
import "lib/quantiles" as quantiles;
import "lib/services" as services;
import "lib/summary" as summary;

# left side => is `left $op right` true?
def holds($op; $right):
  if $op == "<" then . < $right
  elif $op == "<=" then . <= $right
  elif $op == ">" then . > $right
  elif $op == ">=" then . >= $right
  elif $op == "!=" then . != $right
  else . == $right
  end;

# "p(99.9)" => 99.9; "med" => 50; null for what is no percentile
def percentile:
  { min: 0, med: 50, max: 100 } as $named
  | if startswith("p(") then .[2:-1] | tonumber else $named[.] end;

# tags => "{name:GET /}"; "" for none
def _selector: . as $tags | if . == {} then "" else "{" + ([keys[] | "\(.):\($tags[.])"] | join(",")) + "}" end;

# threshold => what it is about, as k6 writes it: "http_req_duration{name:GET /}"
def subject: .metric + (.selector | _selector);

# [distribution] of processes => { observed, count } of an aggregation
def _of_trend($aggregation):
  { count: quantiles::count,
    observed: (if $aggregation == "avg" then quantiles::mean else quantiles::quantile($aggregation | percentile) end) };

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

# numbers => { observed, count } of an aggregation; percentiles between neighbours, as k6 takes them
def _of_numbers($aggregation):
  sort
  | length as $count
  | (($aggregation | percentile // 0) / 100 * ($count - 1)) as $at
  | ($at | floor) as $i
  | { count: $count,
      observed: (if $count == 0 then null
        elif $aggregation == "avg" then add / $count
        else .[$i] + ($at - $i) * ((.[$i + 1] // .[$i]) - .[$i])
        end) };

# process => values of k6 for a threshold; what no user emits has no phase
def _values($threshold; $type):
  .summary
  | summary::window($threshold.metric; $threshold.selector)
    // if $type == "gauge" then summary::without_phase($threshold.metric; $threshold.selector) else null end;

# processes => { observed, count } of a metric of k6
def _of_k6($threshold; $measure):
  $threshold.aggregation as $aggregation
  | ([.[].summary | summary::type_of($threshold.metric) | values][0]) as $type
  | [.[] | _values($threshold; $type) | values]
  | $measure.seconds as $seconds
  | if $threshold.metric == "dropped_iterations" then $measure.counts.dropped | _of_counter($aggregation; $seconds)
    elif $type == "gauge" then _of_gauge($threshold.op)
    # k6 has never heard of a metric that nothing was added to: the aggregation tells what it would have been
    elif $type == "rate" or ($type == null and $aggregation == "rate") then _of_rate
    elif $type == "counter" or ($type == null and $aggregation == "count") then
      map(.count) | add // 0 | _of_counter($aggregation; $seconds)
    else map(quantiles::from_trend[]) | _of_trend($aggregation)
    end;

# measure => CPU milliseconds per request of a service, or of all
def _cpu_per_request($service):
  (if $service == null then . else .used = .services[$service] end)
  | metrics::value(metrics::named("cpu_ms_per_request"))
  | values;

# processes => { observed, count } of a metric of the services
def _of_services($threshold; $rounds):
  ($threshold.selector.service // null) as $service
  | if $threshold.metric == "cpu_ms_per_request" then [$rounds[] | _cpu_per_request($service)]
    else [.[] | .window as $window | select($window) | .used | services::series($threshold.metric; $service; $window)[]]
    end
  | _of_numbers($threshold.aggregation);

# threshold of a case => is it about how long requests take?
def _on_time:
  .source == "k6" and (.metric | . == "iteration_duration" or (startswith("http_req_") and . != "http_req_failed"));

# Response times of what failed are no response times.
def _without_responses($measure): _on_time and $measure.counts.requests > 0 and $measure.counts.expected == 0;

# Why a threshold on time is left undecided where a scenario goes beyond the knee on purpose: that is no fault.
def excuse: "saturated, as the scenario expects: latencies don't count";

# { observed, count } => { observed, count, outcome, reason }
def _judged($threshold; $measure; $excused):
  def unknown($reason): . + { outcome: "unknown", reason: $reason };
  .observed |= numbers::rounded
  | if $threshold | _without_responses($measure) then
      { observed: null, count: 0 } | unknown("no response was as expected")
    elif $excused and ($threshold | _on_time) then unknown(excuse)
    elif .observed == null then
      unknown(if $threshold.source == "k6" then "nothing was observed" else "no service was sampled in the window" end)
    elif .count < ($threshold.samples // 1) then
      unknown("\(.count | numbers::count("observation")), \($threshold.samples | numbers::grouped) are needed")
    elif .observed | holds($threshold.op; $threshold.value) then . + { outcome: "met", reason: null }
    else . + { outcome: "missed", reason: null }
    end;

# measure => the threshold that is always there where requests are: how many may fail
def error_cap($case):
  select(.counts.requests > 0 or $case.requests != null)
  | metrics::value(metrics::named("errors_ratio")) as $observed
  | { metric: "errors_ratio", selector: {}, expr: "value<=\($case.error_cap)", level: "fail", implicit: true,
      observed: ($observed | numbers::rounded), count: .counts.requests }
  + if $observed == null then { outcome: "unknown", reason: "no request was sent" }
    else { outcome: (if $observed <= $case.error_cap then "met" else "missed" end), reason: null }
    end;

# processes => every threshold of a case with its outcome, the error cap last; $excused: latencies don't count, on
# purpose
def judged($case; $measure; $rounds; $excused):
  . as $processes
  | [$case.thresholds[] as $threshold
    | $processes
    | if $threshold.source == "service" then _of_services($threshold; $rounds) else _of_k6($threshold; $measure) end
    | _judged($threshold; $measure; $excused)
    | ($threshold | { metric, selector, expr, level, implicit: false }) + .]
  + [$measure | error_cap($case)];
