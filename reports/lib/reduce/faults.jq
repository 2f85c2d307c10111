# What faults did: errors around them, and how long it took until there were none.
import "lib/driver_metrics" as driver_metrics;
import "lib/tables/limits" as limits;
import "lib/numbers" as numbers;
import "lib/reduce/summary" as summary;

# indexed summary => what k6 has of one fault: { count, max } of milliseconds from its end to each error
def _errors($number): summary::without_phase(driver_metrics::name("fault_errors"); { fault: "\($number)" }) // { count: 0 };

# process => what really happened to each fault of the case, in its order; null where nothing did
def _actual($case):
  (.end.faults // [] | sort_by(.index)) as $actual
  | [$case.faults[]?]
  | to_entries
  | map($actual[.key]);

# one of those => how long the service was away
def _down_ms: if .ready == null then null else .ready - (.down // .began) end;

# one of those, fault as asked for => by how much off schedule it began or ended; $started_ms: of the load
def _late_ms($asked; $started_ms):
  [ (.began | values | . - $started_ms - $asked.at_s * 1000),
    (.up | values | . - $started_ms - ($asked.at_s + $asked.for_s) * 1000) ]
  | max_by(fabs);

# the same => by how much the service was ready again too late; null: it never was
def _unready_ms($asked; $started_ms):
  if .ready == null then null
  else [.ready - $started_ms - ($asked.at_s + $asked.for_s + $asked.recover_within_s) * 1000, 0] | max
  end;

# process => [{ errors, recovery_ms, down_ms, began, up, late_ms, unready_ms }] a fault of the case
def of_process($case):
  .summary as $summary
  | (.window.started_ms // 0) as $started_ms
  | ($summary | summary::window("http_req_failed"; { phase: "fault" })) as $seen
  | _actual($case)
  | to_entries
  | map((.key + 1) as $number
    | ($summary | _errors($number)) as $errors
    | $case.faults[.key] as $asked
    | .value
    | { errors: $errors.count,
        recovery_ms: (if $seen == null or $seen.passes + $seen.fails == 0 then null
          elif $errors.count == 0 then 0
          else [$errors.max, 0] | max
          end),
        down_ms: _down_ms, began, up,
        late_ms: _late_ms($asked; $started_ms), unready_ms: _unready_ms($asked; $started_ms) });

# process, its faults => requests around them, and how many of those failed
def counts($faults):
  (.summary | summary::window("http_req_failed"; { phase: "fault" })) as $seen
  | (($seen.passes // 0) + ($seen.fails // 0)) as $requests
  | { fault_requests: $requests,
      fault_errors: ([$requests, ([$seen.passes // 0, ([$faults[].errors] | add // 0)] | max)] | min) };

# [faults of a process] that share a load => those of all
def alongside:
  . as $all
  | [range($all[0] | length) as $i
    | $all[0][$i] + { errors: ([$all[][$i].errors] | add), recovery_ms: ([$all[][$i].recovery_ms] | max) }];

# faults of a process, window of it => [[from, to]] of what really happened, in seconds from the start of the load
def spans($case; $started_ms):
  . as $faults
  | [range($case.faults // [] | length) as $i
    | $case.faults[$i] as $asked
    | [ ($faults[$i].began | if . == null then $asked.at_s else (. - $started_ms) / 1000 end),
        ($faults[$i].up | if . == null then $asked.at_s + $asked.for_s else (. - $started_ms) / 1000 end) ]];

# [measure of a round] => the faults of a record
def of_record($case):
  . as $rounds
  | [range($case.faults // [] | length) as $i
    | ($case.faults[$i] | { service, action, at_s, for_s, recover_within_s })
    + { errors: [$rounds[].faults[$i].errors],
        recovery_ms: [$rounds[].faults[$i].recovery_ms],
        down_ms: [$rounds[].faults[$i].down_ms] }];

# fault of a case or record => "kill app at 10 s"
def name: "\(.action) \(.service) at \(.at_s) s";

# [number of a round] => " in round 2 of 3"; "" when it was so in all
def _where($rounds):
  if length == $rounds then ""
  else " in round\(if length == 1 then "" else "s" end) \(map(tostring) | numbers::listed) of \($rounds)"
  end;

# [measure of a round], fault of the case at $i => [number of the round] of those whose fault is so
def _rounds($i; f): [range(length) as $n | select(.[$n].faults[$i] | f) | $n + 1];

# [measure of a round] => [finding without metrics]
def findings($case):
  . as $rounds
  | length as $count
  | [range($case.faults // [] | length) as $i
    | $case.faults[$i] as $asked
    | ($asked | name) as $name
    | $rounds
    | (_rounds($i; .began == null) | select(. != [])
        | { id: "fault-missing", level: "error", text: "The fault \($name) never happened\(_where($count))." }),
      ([.[].faults[$i].late_ms | values] | max_by(fabs)) as $most
      | (_rounds($i; .late_ms != null and (.late_ms | fabs) > limits::limits.fault_late_ms) | select(. != [])
        | { id: "fault-late", level: "warn",
            text: ("The fault \($name) began or ended up to \($most / 1000 | fabs | numbers::duration) off schedule"
              + "\(_where($count)): recovery times have the same error.") }),
      (_rounds($i; .began != null and (.unready_ms == null or .unready_ms > 0)) | select(. != [])
        | { id: "not-ready-again", level: "warn",
            text: ("\($asked.service) was not ready again \($asked.recover_within_s) s after the end of the fault \($name)"
              + "\(_where($count)).") })];
