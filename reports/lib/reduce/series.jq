# The timeline of a record: the first round, drawn.
import "lib/reduce/faults" as faults;
import "lib/tables/limits" as limits;
import "lib/numbers" as numbers;
import "lib/reduce/queries" as queries;
import "lib/reduce/services" as services;
import "lib/reduce/timeline" as timeline;

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

# cumulative bytes at $times => [bytes a second in each row]; null where a counter began anew
def _bytes_per_second($times; $rows):
  def grown($from; $to): services::at($times; $to) - services::at($times; $from);
  . as $bytes
  | [$rows[]
    | .from_ms as $from
    | .to_ms as $to
    | if ($times | length) == 0 or $times[0] > $to or $times[-1] < $from or any($bytes[]?; . == null) then null
      else $bytes | grown($from; $to) * 1000 / ($to - $from) | if . < 0 then null else numbers::significant(4) end
      end];

# values at $times => [the value at the end of each row]
def _at_ends($times; $rows):
  . as $values
  | [$rows[].to_ms
    | . as $to
    | if ($times | length) == 0 then null else $values | services::at($times; $to) | numbers::significant(4) end];

# columns of services.ndjson => { services: { name: series }, machine: series, k6: series } at the rows. Network bytes
# are those of a whole network namespace, which services share more often than not: the machine's, in most cases.
def _usage($rows):
  .t as $times
  | { services: (.services | map_values({
        cpu_ratio: (.cpu_ns | _cores_used($times; $rows)),
        memory_bytes: (.memory_bytes | _at_ends($times; $rows)) })),
      k6: { cpu_ratio: (.k6 | _cores_used($times; $rows)) } }
  + if .total.network_rx_bytes == null then {}
    else { machine: {
        network_rx_bytes_per_second: (.total.network_rx_bytes | _bytes_per_second($times; $rows)),
        network_tx_bytes_per_second: (.total.network_tx_bytes | _bytes_per_second($times; $rows)) } }
    end;

# rows => { throughput_rps: [x], … }
def _series($started_ms):
  { step_s: ((.[0].to_ms - .[0].from_ms) / 1000 | numbers::significant(3)),
    t: map((.to_ms - $started_ms) / 1000 | numbers::significant(5)),
    throughput_rps: map(.expected = .requests - .failed | _per_second("expected")),
    latency_ms_mean: map(.mean | numbers::significant(4)),
    latency_ms_p50: map(.p50 | numbers::significant(4)),
    latency_ms_p90: map(.p90 | numbers::significant(4)),
    latency_ms_p95: map(.p95 | numbers::significant(4)),
    latency_ms_p99: map(.p99 | numbers::significant(4)),
    latency_ms_max: map(.max | numbers::significant(4)),
    iterations_rps: map(_per_second("iterations")),
    received_bytes_per_second: map(_per_second("received")),
    sent_bytes_per_second: map(_per_second("sent")),
    errors_rps: map(_per_second("failed")),
    dropped_rps: map(_per_second("dropped")),
    users: map(.users) };

# rows => { requests: { name: { requests_rps } } } of the requests that were sent most; {} where there is but one
def _by_request:
  . as $rows
  | reduce ($rows[].by_name // {} | to_entries[]) as $one ({}; .[$one.key] += $one.value)
  | (to_entries | sort_by(-.value) | map(.key) | .[:limits::limits.timeline_requests]) as $names
  | if length < 2 then {}
    else { requests: (reduce $names[] as $name ({};
        .[$name] = { requests_rps: [$rows[] | .requests = (.by_name[$name] // 0) | _per_second("requests")] })) }
    end;

# rows => { script: { name: { p50: [x], p95: [x] } } } of what a script measures itself; {} where it does not
def _of_script:
  . as $rows
  | ([$rows[].own // {} | to_entries[] | select(any(.value[]; . != null)) | .key]
      | group_by(.) | sort_by(-length, .[0]) | map(.[0]) | .[:limits::limits.timeline_script_metrics]) as $names
  | if $names == [] then {}
    else { script: (reduce $names[] as $name ({};
        ([$rows[].own[$name] | values | keys[]] | unique) as $numbers
        | .[$name] = (reduce $numbers[] as $number ({};
            .[$number] = [$rows[] | .own[$name][$number] | if . == null then null else numbers::significant(4) end])))) }
    end;

# processes of the first round => what faults did when: { faults: [[from, to]] }; {} without any
def _faults($case; $started_ms):
  (.[0] | faults::of_process($case) | faults::spans($case; $started_ms)
    | map(map(numbers::significant(6)))) as $spans
  | if $spans == [] then {} else { faults: $spans } end;

# processes of the first round => what Prometheus was asked for over time: { queries: { name: [x] } }; {} without any
def _queries($case; $rows): queries::timeline($case; $rows) | if . == {} then {} else { queries: . } end;

# processes of the first round => the timeline in at most $points; null without a recording. Where nobody knows which requests failed,
# nobody knows which were answered as expected.
def timeline($case; $points):
  .[0].window as $first
  | (.[-1].window // $first) as $last
  | all(.knows_failed) as $knows_failed
  | (map(.rows | timeline::rounded_off) | add // [] | timeline::thinned($points)) as $rows
  | if $rows == [] or $first == null then null
    else (map(.used) | services::chained | _usage($rows))
    + ($rows | _series($first.started_ms)
        | if $knows_failed then . else (.throughput_rps, .errors_rps) |= map(null) end)
    + ($rows | _by_request + if $case.script then _of_script else {} end)
    + _faults($case; $first.started_ms)
    + _queries($case; $rows)
    + { phase_steady: [$first.from_s, (($last.to_ms - $first.started_ms) / 1000 | numbers::significant(6))] }
    end;
