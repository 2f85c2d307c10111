# What a scenario's script measures itself: k6's Trend, Counter, Rate and Gauge of its own. k6 keeps what of one lies within
# the window if a threshold names it, and else has it of the whole run, warm-up included: `of` says which of the two it is.
import "lib/tables/driver_metrics" as driver_metrics;
import "lib/tables/limits" as limits;
import "lib/numbers" as numbers;
import "lib/reduce/quantiles" as quantiles;
import "lib/sub_metric" as sub_metric;
import "lib/reduce/summary" as summary;

# What k6 has without any script: the record has other places for that, or none on purpose.
def _of_k6:
  test("^(http_(reqs|req_[a-z_]+)|iterations|iteration_duration|dropped_iterations|data_sent|data_received|vus|vus_max|checks"
    + "|group_duration|ws_(sessions|msgs_sent|msgs_received|ping|session_duration|connecting)|grpc_(req_duration|streams"
    + "|streams_msgs_sent|streams_msgs_received)|time)$");

# names that begin like this are ours
def _is_ours: startswith("bench_");

# [process] => the names of what the script measures itself, sorted
def _names: [.[].summary | keys[] | sub_metric::parse.metric | select(_of_k6 | not)] | unique;

# metrics that the driver adds are not the script's
def _is_of_driver: . as $name | any(driver_metrics::driver_metrics[]; .name == $name);

def _has_room:
  (index("{") // length) as $letters
  | $letters <= limits::limits.script_metric_letters and length - $letters <= limits::limits.script_metric_tag_letters;

# [process] => the names of those of them with tags that a threshold or a gate names, of which there was any
def _with_tags($case):
  . as $all
  | [$case.own_metrics[]? | select(.selector != {}) | . as { $metric, $selector }
    | select(any($all[]; .summary | summary::window($metric; $selector)))
    | sub_metric::name];

# [process] => { kept: [name], left: [name] }: as many as a record has room for, by name; without a script all are ours
def _chosen($case):
  [select($case.script != null) | _names[], _with_tags($case)[] | select(_is_of_driver | not)]
  | [.[] | select((_is_ours | not) and _has_room)][:limits::limits.script_metrics] as $kept
  | { $kept, left: (. - $kept) };

# [process]; name => "window" or "run". Only one that no process has within its window is taken of the run.
def _extent($name):
  ($name | sub_metric::parse) as { $metric, $selector }
  | if any(.[]; .summary | summary::window($metric; $selector)) then "window" else "run" end;

# [process] => [values of k6], of those that have any
def _values($name; $of):
  ($name | sub_metric::parse) as { $metric, $selector }
  | [.[].summary | if $of == "window" then summary::window($metric; $selector) else summary::whole($name) end | values];

# name => is lower or higher better? Of times lower is, whatever is expected of them; of others what thresholds ask for.
def _direction($case; $contains):
  . as $name
  | if $contains == "time" then "lower"
    else ($name | sub_metric::parse) as { $metric }
    | [$case.own_metrics[]? | select(sub_metric::name == $name)] + [$case.own_metrics[]? | select(.metric == $metric)]
    | .[0].direction
    end;

# [values of k6] of a type => { name: number }; seconds: how long the window was, null: not of the window
def _numbers($type; $seconds):
  if $type == "trend" then
    (map(quantiles::from_trend[]) | quantiles::together)
    | if . == [] then {}
      else { mean: quantiles::mean, p50: quantiles::quantile(50), p95: quantiles::quantile(95), p99: quantiles::quantile(99),
             max: quantiles::quantile(100) }
      end
  elif $type == "counter" then
    (map(.count) | add // 0) as $count
    | { total: $count } + if ($seconds // 0) > 0 then { per_second: ($count / $seconds) } else {} end
  elif $type == "rate" then
    (map(.passes + .fails) | add // 0) as $count
    | if $count > 0 then { ratio: ((map(.passes) | add) / $count) } else {} end
  # the last value of each process
  elif . == [] then {}
  else { last: (map(.value) | add / length), min: (map(.min // .value) | min), max: (map(.max // .value) | max) }
  end;

# [values of k6] of a type => how many observations there were; null: k6 does not say
def _count($type):
  if $type == "trend" then map(.count) | add // 0
  elif $type == "rate" then map(.passes + .fails) | add // 0
  else null
  end;

# name of a number, what k6 says the metric contains => its unit
def _unit($contains):
  if . == "ratio" then "ratio"
  else ({ time: "ms", data: "bytes" }[$contains // "default"] // "1") as $unit
    | if . != "per_second" then $unit elif $unit == "1" then "1/s" else "\($unit)/s" end
  end;

# [[process]] by round => { name: { type, of, count, metrics } } of a record; $seconds: the window of each round; $reason: the
# finding that makes them not count
def of_record($case; $seconds; $reason):
  . as $rounds
  | [.[][]] as $all
  | reduce ($all | _chosen($case).kept[]) as $name ({};
      ($all | _extent($name)) as $of
      | ($name | sub_metric::parse.metric) as $metric
      | ([$all[].summary | summary::type_of($metric) | values][0]) as $type
      | ([$all[].summary | summary::contains_of($metric) | values][0]) as $contains
      | ($name | _direction($case; $contains)) as $direction
      | ($all | _values($name; $of)) as $values
      | [range($rounds | length) as $i
        | $rounds[$i] | _values($name; $of) | _numbers($type; if $of == "window" then $seconds[$i] else null end)] as $samples
      | ($values | _numbers($type; if $of == "window" then ($seconds | add) else null end)) as $numbers
      | ($values | _count($type)) as $count
      | .[$name] = {
          type: $type, of: $of, $count,
          metrics: ($numbers | with_entries(.key as $key | .value =
            { unit: ($key | _unit($contains)), $direction, value: (.value | numbers::rounded),
              samples: [$samples[][$key] | numbers::rounded], $count, valid: ($reason == null), $reason })) });

# [process] => the finding that its own handleSummary threw (k6/plain-script.js)
def _summary_findings:
  [.[].end.problems[]? | select(startswith("handleSummary threw: "))][:1]
  | map({ id: "script-summary", level: "warn", metrics: [],
        text: "The script's \(.). Its summary was not written; the numbers are whole." });

# [process] => [finding]: what of the script's has no place, and what it threw in the end
def findings($case):
  _summary_findings + (_chosen($case).left
  | if . == [] then []
    else [{ id: "script-metrics", level: "info", metrics: [],
        text: ("\(length | numbers::count("metric")) of the script \(if length == 1 then "is" else "are" end) not in the record "
          + "(\(.[:3] | map(.[:80]) | join(", "))\(if length > 3 then ", …" else "" end)): it has room for "
          + "\(limits::limits.script_metrics), with names of up to \(limits::limits.script_metric_letters) letters that do not "
          + "begin with bench_, as Benchfolio's own do.") }]
    end);
