# The timeline of a process, from k6's web-dashboard recorder: a line an event. `metric` declares metrics, `snapshot`
# has the values of about a second: an array a metric, in the order of all names declared so far, sorted. What has no
# value in that second is [], at the end it is left out. Counters are [count, rate], rates [rate], gauges [value],
# trends in the order of param.aggregates.trend.
import "lib/driver_metrics" as driver_metrics;
import "lib/sub_metric" as sub_metric;

# Where the values of a metric would be that was not declared (yet).
def _nowhere: 1e6;

# param event => { med: 2, "p(95)": 5, … }, where a trend's statistics are
def _statistics: .data.aggregates.trend | to_entries | map({ key: .value, value: .key }) | from_entries;

# our word => the metric that has it
def _wanted: {
  time: "time",
  requests: "http_reqs",
  failed: "http_req_failed",
  latency: "http_req_duration",
  failed_expectations: driver_metrics::name("failed_expectations"),
  dropped: "dropped_iterations",
  users: "vus",
  iterations: "iterations",
  received: "data_received",
  sent: "data_sent"
};

# "http_reqs{name:GET /}" => "GET /"; nothing of another name. k6 records it where there are several requests.
def _request: sub_metric::parse | select(.metric == "http_reqs") | .selector | select(length == 1) | .name | values;

# { name: { type, custom, … } } declared so far => { name: type } of what a script measures itself
def _own: with_entries(select(.value.custom == true and (.key | startswith("bench_") or contains("{") | not)) | .value |= .type);

# [name] declared so far; $over: names that stand for others; $own: { name: type } of the script's => where in a snapshot the metrics
# of a row are
def _places($over; $own):
  . as $names
  | (_wanted + $over | map_values(. as $name | $names | bsearch($name) | if . < 0 then _nowhere else . end))
  | reduce (range($names | length) | { at: ., name: ($names[.] | _request) }) as $one (.;
      .by_name[$one.name] = $one.at)
  | reduce ($own | to_entries[]) as $one (.; .own[$one.key] = { type: $one.value, at: ($names | bsearch($one.key)) });

# values of a metric of a script in a snapshot => { p50, p95 }, { per_second }, { ratio } or { last } as the record has them; $of: where
# the statistics of a trend are
def _own_values($type; $of):
  if $type == "trend" then { p50: .[$of.med], p95: .[$of["p(95)"]] }
  elif $type == "counter" then { per_second: .[1] }
  elif $type == "rate" then { ratio: .[0] }
  else { last: .[0] }
  end;

# values of a snapshot => row; $of: where the statistics of a trend are
def _row($at; $of; $from_ms):
  .[$at.time][0] as $to_ms
  | (.[$at.requests][0] // 0) as $requests
  | ((.[$at.failed][0] // 0) * $requests + (.[$at.failed_expectations][0] // 0)) as $failed
  | .[$at.latency] as $latency
  | { from_ms: ($from_ms // $to_ms), to_ms: $to_ms,
      requests: $requests, failed: ([$requests, $failed] | min),
      mean: $latency[$of.avg], p50: $latency[$of.med], p90: $latency[$of["p(90)"]], p95: $latency[$of["p(95)"]],
      p99: $latency[$of["p(99)"]], max: $latency[$of.max],
      iterations: (.[$at.iterations][0] // 0),
      received: (.[$at.received][0] // 0), sent: (.[$at.sent][0] // 0),
      dropped: (.[$at.dropped][0] // 0), users: .[$at.users][0] }
  + if $at.by_name then . as $values | { by_name: ($at.by_name | map_values($values[.][0] // 0)) } else {} end
  + if $at.own then . as $values
      | { own: ($at.own | map_values(.type as $type | $values[.at] // [] | _own_values($type; $of))) } else {} end;

# [event]; $over: names of metrics that stand for others ({ requests, latency }) =>
# rows [{ from_ms, to_ms, requests, failed, mean, p50, p90, p95, p99, max, iterations, received, sent,
# dropped, users }] in order of time; by_name: { request: count } where there are several
def rows($over):
  ([.[] | select(.event == "param") | _statistics][0]) as $of
  | ([.[] | select(.event == "start") | .data[0][0]][0]) as $start
  | map(select(.event == "metric" or .event == "snapshot"))
  | [foreach .[] as $event ({ names: [], own: {}, row: { to_ms: $start } };
      .is_row = ($event.event == "snapshot")
      | if .is_row then .at as $at | .row.to_ms as $from_ms | .row = ($event.data | _row($at; $of; $from_ms))
        else .names = (.names + ($event.data | keys) | unique) | .own += ($event.data | _own) | .own as $own
          | .at = (.names | _places($over; $own))
        end;
      select(.is_row) | .row | select(.to_ms != null and .to_ms > .from_ms))];

# row => the share of it that lies between two times
def _overlap($from_ms; $to_ms):
  ([.to_ms, $to_ms] | min) - ([.from_ms, $from_ms] | max)
  | if . > 0 then . else 0 end;

# rows => iterations dropped between two times; a row across an edge counts by its share
def dropped($from_ms; $to_ms):
  map(select(.dropped > 0) | .dropped * _overlap($from_ms; $to_ms) / (.to_ms - .from_ms))
  | add // 0;

# rows => those that lie wholly between two times
def within($from_ms; $to_ms): map(select(.from_ms >= $from_ms and .to_ms <= $to_ms));

def _weighted($of; $requests):
  if $requests > 0 then map((.[$of] // 0) * .requests) | add / $requests else null end;

# [own values of a metric] of one step => of what a script measures the mean of its seconds, of a tail the highest
def _own_joined:
  map(values) as $all
  | reduce ([$all[] | keys[]] | unique[]) as $number ({};
      .[$number] = ([$all[][$number] | values] | if . == [] then null elif $number == "p95" then max else add / length end));

def _joined_own: [.[].own // {}] as $all
  | reduce ([$all[] | keys[]] | unique[]) as $name ({}; .[$name] = ([$all[][$name]] | _own_joined));

def _sum_by_name: reduce (.[].by_name // {} | to_entries[]) as $one ({}; .[$one.key] += $one.value);

# rows of one step => one row. The middle is averaged over requests; of tails the highest is kept, so that a freeze of
# one second still shows in an hour.
def _joined:
  (map(.requests) | add) as $requests
  | { from_ms: .[0].from_ms, to_ms: .[-1].to_ms,
      requests: $requests, failed: (map(.failed) | add), dropped: (map(.dropped) | add),
      iterations: (map(.iterations) | add), received: (map(.received) | add), sent: (map(.sent) | add),
      mean: _weighted("mean"; $requests), p50: _weighted("p50"; $requests),
      p90: (map(.p90) | max), p95: (map(.p95) | max), p99: (map(.p99) | max), max: (map(.max) | max),
      users: (map(.users) | max) }
  + (if any(.by_name) then { by_name: _sum_by_name } else {} end)
  + if any(.own) then { own: _joined_own } else {} end;

# rows => at most $points rows
def thinned($points):
  (length / $points | ceil) as $every
  | if $every <= 1 then .
    else . as $rows | [range(0; length; $every) as $i | $rows[$i:$i + $every] | _joined]
    end;

# rows of a process => the last together with the one before it where it is shorter than half of that: a process ends some
# milliseconds after a whole second, and what they saw, mostly nothing, is no rate
def rounded_off:
  def _took: .to_ms - .from_ms;
  if length > 1 and 2 * (.[-1] | _took) < (.[-2] | _took) then .[:-2] + [.[-2:] | _joined] else . end;

# [rows] of processes that share a load => rows of all of them together, in the steps of the first
def alongside:
  if length <= 1 then .[0] // []
  else [.[1:][] | { rows: ., ends: map(.to_ms) }] as $others
  | .[0]
  | map(. as $row
      | (($row.from_ms + $row.to_ms) / 2) as $middle
      | [$row, ($others[] | .rows[.ends | bsearch($middle) | if . < 0 then -1 - . else . end] | values)]
      | (map(.users | values) | add) as $users
      | _joined + { from_ms: $row.from_ms, to_ms: $row.to_ms, users: $users })
  end;
