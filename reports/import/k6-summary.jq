# What k6 says at the end of a run: handleSummary's data, --summary-export, or the machine-readable summary of k6 2.
import "import/lib/text" as text;
import "lib/numbers" as numbers;

# any of the three => { metric: { stat: number } }
def _metrics:
  if .results.metrics then reduce .results.metrics[] as $metric ({}; .[$metric.name] = $metric.values)
  else .metrics | with_entries(.value |= (.values // .))
  end;

# how long the run was, in seconds: --summary-export only has it in the rates
def _seconds($metrics):
  if .state.testRunDurationMs then .state.testRunDurationMs / 1000
  elif (.config.duration | type) == "number" then .config.duration
  else $metrics.http_reqs | if .rate then .count / .rate else null end
  end;

# when it began, where the file says when it was made
def _time($seconds):
  .metadata.generated_at
  | if . == null then null else (.[:19] + "Z" | fromdate) * 1000 - $seconds * 1000 | text::time end;

# name of a statistic => its percentage; empty: it is none
def _percent:
  if . == "med" then 50 elif . == "min" then 0 elif . == "max" then 100
  elif test("^p[(][0-9.]+[)]$") then .[2:-1] | tonumber
  elif test("^p[0-9.]+$") then .[1:] | tonumber
  else empty
  end;

# a trend => its distribution, where it was observed
def _distribution($count):
  if . == null then []
  else . as $trend
  | [keys[] as $key | select($trend[$key] != null) | ($key | _percent) as $p | [$p, $trend[$key]]]
  | group_by(.[0]) | map(.[0]) as $known
  | [{ count: ($trend.count // $count), mean: $trend.avg, p: ($known | map(.[0])), values: ($known | map(.[1])) }]
  end;

# { metric: stats } => { name: { counts, latency } } of requests that have thresholds of their own, and a count
def _requests:
  . as $metrics
  | [keys[] | select(test("^http_req_duration[{]name:[^,]*[}]$")) | .[23:-1]]
  | map(. as $name
      | ($metrics["http_req_duration{name:\($name)}"].count // $metrics["http_reqs{name:\($name)}"].count) as $count
      | select($count)
      | $metrics["http_req_failed{name:\($name)}"] as $failed
      | { key: $name, value: {
          counts: { requests: $count, errors: ($failed | if . then .matches // .passes else null end) },
          latency: ($metrics["http_req_duration{name:\($name)}"] | _distribution($count)) } })
  | from_entries;

def _findings($dropped):
  [ text::finding("whole-run"; "info";
      "k6's summary is of the whole run, warm-up and setup included, and rates are by the length of all of it."),
    (select(($dropped // 0) > 0) | text::finding("dropped-by-generator"; "warn";
      "k6 dropped \($dropped | numbers::count("iteration")) for want of free users: what they would have waited is in no latency.")) ];

# the file => a round
def round:
  _metrics as $metrics
  | _seconds($metrics) as $seconds
  | $metrics.http_reqs.count as $count
  | if $count == null or $count == 0 then text::problem(null; "has no HTTP requests (http_reqs)")
    elif $seconds == null or $seconds <= 0 then text::problem(null; "does not say how long the run was")
    else ($metrics.http_req_failed | if . == null then null else .matches // .passes end) as $errors
    | $metrics.dropped_iterations.count as $dropped
    | { tool: "k6", version: (.metadata.k6_version // null), time: _time($seconds), seconds: $seconds,
        counts: { requests: $count, errors: $errors, expected: (if $errors == null then null else $count - $errors end),
                  iterations: $metrics.iterations.count, received_bytes: $metrics.data_received.count,
                  sent_bytes: $metrics.data_sent.count, dropped: $dropped,
                  due: (if $dropped then $dropped + ($metrics.iterations.count // 0) else null end) },
        users_max: $metrics.vus.max,
        latency: ($metrics.http_req_duration | _distribution($count)),
        waiting: ($metrics.http_req_waiting | _distribution($count)),
        requests: ($metrics | _requests), groups: {}, findings: _findings($dropped) }
    end;
