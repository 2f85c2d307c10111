# The timeline of a process, from k6's web-dashboard recorder: a line an event. `metric` declares metrics, `snapshot`
# has the values of about a second: an array a metric, in the order of all names declared so far, sorted. What has no
# value in that second is [], at the end it is left out. Counters are [count, rate], rates [rate], gauges [value],
# trends in the order of param.aggregates.trend.

# Where the values of a metric would be that was not declared (yet).
def _nowhere: 1e6;

# param event => { med: 2, "p(95)": 5, … }, where a trend's statistics are
def _statistics: .data.aggregates.trend | to_entries | map({ key: .value, value: .key }) | from_entries;

def _wanted:
  ["time", "http_reqs", "http_req_failed", "http_req_duration", "bench_failed_expectations", "dropped_iterations",
   "vus"];

# [name] declared so far => where in a snapshot the metrics of a row are
def _places:
  . as $names
  | reduce _wanted[] as $name ({}; .[$name] = ($names | bsearch($name) | if . < 0 then _nowhere else . end));

# values of a snapshot => row; $of: where the statistics of a trend are
def _row($at; $of; $from_ms):
  .[$at.time][0] as $to_ms
  | (.[$at.http_reqs][0] // 0) as $requests
  | ((.[$at.http_req_failed][0] // 0) * $requests + (.[$at.bench_failed_expectations][0] // 0)) as $failed
  | .[$at.http_req_duration] as $latency
  | { from_ms: ($from_ms // $to_ms), to_ms: $to_ms,
      requests: $requests, failed: ([$requests, $failed] | min),
      p50: $latency[$of.med], p95: $latency[$of["p(95)"]], p99: $latency[$of["p(99)"]],
      dropped: (.[$at.dropped_iterations][0] // 0), users: .[$at.vus][0] };

# [event] => rows [{ from_ms, to_ms, requests, failed, p50, p95, p99, dropped, users }] in order of time
def rows:
  ([.[] | select(.event == "param") | _statistics][0]) as $of
  | ([.[] | select(.event == "start") | .data[0][0]][0]) as $start
  | map(select(.event == "metric" or .event == "snapshot"))
  | [foreach .[] as $event ({ names: [], row: { to_ms: $start } };
      .is_row = ($event.event == "snapshot")
      | if .is_row then .at as $at | .row.to_ms as $from_ms | .row = ($event.data | _row($at; $of; $from_ms))
        else .names = (.names + ($event.data | keys) | unique) | .at = (.names | _places)
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

# rows of one step => one row. The middle is averaged over requests; of tails the highest is kept, so that a freeze of
# one second still shows in an hour.
def _joined:
  (map(.requests) | add) as $requests
  | { from_ms: .[0].from_ms, to_ms: .[-1].to_ms,
      requests: $requests, failed: (map(.failed) | add), dropped: (map(.dropped) | add),
      p50: (if $requests > 0 then map((.p50 // 0) * .requests) | add / $requests else null end),
      p95: (map(.p95) | max), p99: (map(.p99) | max), users: (map(.users) | max) };

# rows => at most $points rows
def thinned($points):
  (length / $points | ceil) as $every
  | if $every <= 1 then .
    else . as $rows | [range(0; length; $every) as $i | $rows[$i:$i + $every] | _joined]
    end;
