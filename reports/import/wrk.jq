# What wrk and wrk2 print.
import "import/lib/text" as text;

# "18.25ms" => 18.25
def _ms:
  capture("^(?<n>[0-9.]+)(?<unit>us|ms|s|m|h)$")
  | (.n | tonumber) * { us: 0.001, ms: 1, s: 1000, m: 60000, h: 3600000 }[.unit];

# "43.44KB" => 44482.56
def _bytes:
  capture("^(?<n>[0-9.]+)(?<unit>[KMGTP]?)B$")
  | (.n | tonumber) * { "": 1, K: 1024, M: 1048576, G: 1073741824, T: 1099511627776, P: 1125899906842624 }[.unit];

# [line] => what the first line that matches has captured; null of none
def _found($pattern): first(.[] | capture($pattern)) // null;
def _number: if . == null then 0 else tonumber end;

# [line] => [[percent, ms]] of "Latency Distribution"
def _percentiles:
  [.[] | capture("^ +(?<p>[0-9.]+)% +(?<value>[0-9.]+(us|ms|s|m|h))$") | [(.p | tonumber), (.value | _ms)]];

# [line] => [[percent, ms]] of wrk2's "Detailed Percentile spectrum", one for each percentage
def _spectrum:
  [.[] | capture("^ +(?<value>[0-9.]+) +(?<p>[01][.][0-9]+) +[0-9]+ +([0-9.]+|inf)$")
    | [(.p | tonumber * 1e8 | round / 1e6), (.value | tonumber)]]
  | group_by(.[0]) | map(.[-1]);

# evenly thinned to what a record holds, both ends and the usual percentages kept
def _thinned:
  . as $all
  | length as $n
  | if $n <= 101 then .
    else [range(0; 101) | (. * ($n - 1) / 100 | round)] as $at
    | [range(0; $n) as $i | select(($at | index($i)) or ([50, 90, 95, 99] | index($all[$i][0]))) | $all[$i]]
    | until(length <= 101; del(.[1]))
    end;

# percentiles => a distribution with its maximum. $max in ms
def _latency($count; $mean; $max; $exact):
  (map(select(.[0] != 100)) + [[100, $max]]) as $all
  | { count: $count, mean: $mean, exact: $exact, p: ($all | map(.[0])), values: ($all | map(.[1])) };

def _findings($is_wrk2; $corrected; $of):
  [ (if $is_wrk2 then
      text::finding("wrk-constant-rate"; "info";
        if $corrected then "wrk2's latencies are from when a request was due by the target rate (coordinated omission is corrected), to about a millisecond."
        else "wrk2's latencies here are uncorrected (-U): from when a request was really sent, so that what a stall held back is in none of them." end)
     else text::finding("wrk-closed-loop"; "warn";
      "wrk sends the next request on a connection after the response (a closed loop) and does not correct for it: what a stall held back was never sent, so the high percentiles are too low.") end),
    (select($of.timeouts > 0) | text::finding("wrk-timeouts"; "warn";
      "\($of.timeouts) responses took longer than wrk's timeout: it counts them as errors, and they are in none of its latencies.")),
    (select($of.lost > 0) | text::finding("wrk-socket-errors"; "warn";
      "\($of.lost) requests ended with an error of the socket (connect \($of.connect), read \($of.read), write \($of.write)): they are requests here, and not in wrk's own count of \($of.responses).")) ];

# [line] => a round
def _read:
  _found("^Running (?<duration>[0-9.a-z]+) test @ (?<url>.*)$") as $running
  | _found("^ +(?<threads>[0-9]+) threads? and (?<connections>[0-9]+) connections?$") as $users
  | _found("^ +Latency +(?<mean>[0-9.]+[a-z]+) +[0-9.]+[a-z]+ +(?<max>[0-9.]+[a-z]+) ") as $latency
  | _found("^ +(?<count>[0-9]+) requests in (?<time>[0-9.]+[a-z]+), (?<bytes>[0-9.]+[KMGTP]?B) read$") as $total
  | _found("^Requests/sec: +(?<rps>[0-9.]+)$") as $rate
  | _found("^Transfer/sec: +(?<bytes>[0-9.]+[KMGTP]?B)$") as $transfer
  | _found("^ +Non-2xx or 3xx responses: (?<count>[0-9]+)$") as $bad
  | _found("^ +Socket errors: connect (?<connect>[0-9]+), read (?<read>[0-9]+), write (?<write>[0-9]+), timeout (?<timeout>[0-9]+)$") as $socket
  | any(.[]; test("Thread calibration|HdrHistogram|Detailed Percentile")) as $is_wrk2
  | any(.[]; test("Uncorrected")) as $has_uncorrected
  | any(.[]; test("HdrHistogram - Recorded Latency")) as $has_corrected
  # wrk2 -U prints both: what counts is the corrected one, which is the first
  | (if $has_corrected and $has_uncorrected then .[:([.[] | test("Uncorrected")] | index(true))] else . end) as $lines
  | if $running == null then text::problem(null; "does not begin like wrk's text: \"Running 30s test @ …\"")
    elif [.[] | select(startswith("Running ") and contains(" test @ "))] | length > 1 then
      text::problem(null; "has the text of several runs: split it, a file a run")
    elif $total == null or $rate == null or $latency == null then
      text::problem(null; "is truncated: there is no line \(if $latency == null then "\"Latency\""
            elif $total == null then "\"… requests in …, … read\"" else "\"Requests/sec\"" end)")
    elif ($total.count | tonumber) == 0 or ($rate.rps | tonumber) == 0 then
      text::problem(null; "has no requests: wrk completed none")
    else
      ($lines | _percentiles) as $percentiles
      | ($lines | _spectrum) as $spectrum
      | ($total.count | tonumber) as $responses
      | (if $socket then $socket | map_values(tonumber) else { connect: 0, read: 0, write: 0, timeout: 0 } end) as $socket
      | ($socket.connect + $socket.read + $socket.write) as $lost
      | ($bad.count | _number) as $bad
      | ($responses / ($rate.rps | tonumber)) as $seconds
      | ([$bad + $socket.timeout, $responses] | min) as $unexpected
      | { tool: (if $is_wrk2 then "wrk2" else "wrk" end), time: null, seconds: $seconds,
          counts: { requests: ($responses + $lost), errors: ($unexpected + $lost), expected: ($responses - $unexpected),
                    status_errors: $bad, network_errors: ($lost + $socket.timeout),
                    received_bytes: (if $transfer then ($transfer.bytes | _bytes) * $seconds else null end) },
          users_max: ($users.connections | _number),
          latency: [if $spectrum != [] then
              $spectrum | _thinned | _latency($responses; ($latency.mean | _ms); ($latency.max | _ms); true)
            else $percentiles | _latency($responses; ($latency.mean | _ms); ($latency.max | _ms); false) end],
          requests: {}, groups: {},
          findings: _findings($is_wrk2; ($has_uncorrected and ($has_corrected | not)) | not;
            $socket + { timeouts: $socket.timeout, lost: $lost, responses: $responses }) }
    end;

# raw lines => a round
def round: [inputs | rtrimstr("\r")] | _read;
