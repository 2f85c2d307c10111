# Artillery's report (artillery run --output report.json), of version 2.
import "import/lib/text" as text;
import "lib/numbers" as numbers;

def _endpoints: "plugins.metrics-by-endpoint.";

# a summary => a distribution; Artillery gives percentiles of its own histogram, and names p50 twice
def _distribution:
  if . == null or .count == 0 then []
  else [{ count, mean, p: [0, 50, 75, 90, 95, 99, 99.9, 100], values: [.min, .p50 // .median, .p75, .p90, .p95, .p99, .p999, .max] }
    | ([.values, .p] | transpose | map(select(.[0] != null))) as $known
    | .p = ($known | map(.[1])) | .values = ($known | map(.[0]))]
  end;

# counters => the sum of those that begin so
def _sum_of($prefix): [to_entries[] | select(.key | startswith($prefix)) | .value] | add // 0;

# aggregate => { path: { counts, latency } } of the plugin metrics-by-endpoint
def _requests:
  .counters as $counters
  | .summaries
  | with_entries(select(.key | startswith(_endpoints + "response_time."))
      | .key |= .[(_endpoints + "response_time." | length):]
      | .key as $path
      | ($counters | _sum_of("\(_endpoints)\($path).errors.")) as $errors
      | (.value.count + $errors) as $all
      | .value |= { counts: { requests: $all, errors: $errors }, latency: _distribution });

def _bad_statuses:
  [.counters | to_entries[] | select(.key | test("^http[.]codes[.][45]")) | { code: .key[-3:], count: .value }];

def _findings($codes; $responses; $rate; $rps):
  [ text::finding("artillery-buckets"; "info";
      "Artillery counts latencies in buckets, at whole milliseconds: its percentiles are off by up to 1 % and 1 ms, and of a few samples by more. They are of responses; a request without one has no latency."),
    (select($rate != null and ($rate - $rps | fabs) > 0.02 * $rps) | text::finding("artillery-rate"; "info";
      "Artillery's own http.request_rate is \($rate)/s, the mean of its rates by period; requests/s here are \($rps | numbers::number), all requests by the time from the first count to the last.")),
    (select($codes != []) | text::finding("artillery-statuses"; "warn";
      "Artillery does not count a status as an error: \($codes | map("\(.count) of \(.code)") | numbers::listed) "
        + "among \($responses) responses are in the throughput.")) ];

# the file => a round
def round:
  .aggregate as $all
  | $all.counters as $counters
  | if $counters == null then
      text::problem(null; if $all.latency or $all.scenariosCreated
        then "is a report of Artillery 1: version 2 has `counters`; run it again with Artillery 2"
        else "has no `aggregate.counters`, as Artillery 2 writes them" end)
    elif ($counters["http.requests"] // 0) == 0 then text::problem(null; "has no HTTP requests")
    else (($all.lastCounterAt - $all.firstCounterAt) / 1000) as $seconds
    | ($counters | _sum_of("errors.")) as $failures
    | ([$failures, $counters["http.requests"]] | min) as $errors
    | ($all | _bad_statuses) as $codes
    | { tool: "Artillery", time: ($all.firstCounterAt | text::time), seconds: $seconds,
        counts: { requests: $counters["http.requests"], errors: $errors, expected: ($counters["http.requests"] - $errors),
                  iterations: $counters["vusers.completed"], received_bytes: $counters["http.downloaded_bytes"] },
        latency: ($all.summaries["http.response_time"] | _distribution),
        requests: ($all | _requests), groups: {},
        findings: _findings($codes; $counters["http.responses"]; $all.rates["http.request_rate"];
          if $seconds > 0 then $counters["http.requests"] / $seconds else 0 end) }
    end;
