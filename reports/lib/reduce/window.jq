# The window: the part of a scenario's time that is measured, for k6's and the services' metrics alike.
# k6's counts are those of iterations that start in it (tag phase:steady). Rates are count / seconds of the window:
# k6's own rates divide by the whole run. What is around a fault is not in it.
import "lib/driver_metrics" as driver_metrics;
import "lib/tables/limits" as limits;
import "lib/numbers" as numbers;
import "lib/reduce/summary" as summary;

# case => [[from, to]] around each fault, in seconds from the start; as k6/plan/faults.js has it
def around_faults:
  [.faults[]? | [.at_s - limits::limits.fault_lead_s, .at_s + .for_s + .recover_within_s]];

# [[from, to]] => the same without what lies between two times
def _without($from; $to): [.[] | [.[0], ([.[1], $from] | min)], [([.[0], $to] | max), .[1]] | select(.[0] < .[1])];

# [[from, to]] => how much that is
def _length: map(.[1] - .[0]) | add // 0;

# end of a process (round.json) => when k6 ended the load, in ms since the epoch, because a threshold with abort_on_fail was missed;
# null: it did not
def ended_early($case):
  if any($case.thresholds[]?; .abort) and .k6_exit == 99 and $case.window.to_s != null
    and .ended - .started < $case.window.to_s * 1000 then .ended
  else null
  end;

# [process] => the finding that says so
def findings($case):
  [.[] | select(.ended_early) | .window // { to_s: 0 } | .to_s]
  | if . == [] then []
    else [{ id: "ended-early", level: "warn", metrics: [],
        text: ("k6 ended the load after \(min | numbers::number) s of \($case.window.to_s | numbers::number) s: a threshold with "
          + "abort_on_fail was missed.") }]
    end;

# indexed summary; $ended_early: when it was, or null => { started_ms, from_ms, to_ms, seconds, from_s, to_s, steady }, ms since
# the epoch; steady: [{ from_s, to_s, from_ms, to_ms, seconds }], its pieces without faults; null when no iteration ever
# started
def of($case; $ended_early):
  (summary::whole(driver_metrics::name("started")).min) as $started
  | (summary::whole(driver_metrics::name("ended")).max) as $ended
  | if $started == null then null
    else ($case.window.from_s // 0) as $from_s
    | (if $ended_early != null then ($ended_early - $started) / 1000
       elif $case.window.to_s != null then $case.window.to_s
       elif $ended != null then ($ended - $started) / 1000
       else null end) as $to_s
    | if $to_s == null or $to_s <= $from_s then null
      else reduce ($case | around_faults[]) as [$from, $to] ([[$from_s, $to_s]]; _without($from; $to))
      | if . == [] then null else
        { started_ms: $started, from_s: $from_s, to_s: $to_s, seconds: _length,
          from_ms: ($started + $from_s * 1000), to_ms: ($started + $to_s * 1000),
          steady: map(. as [$from, $to]
            | { from_s: $from, to_s: $to, seconds: ($to - $from),
                from_ms: ($started + $from * 1000), to_ms: ($started + $to * 1000) }) }
        end
      end
    end;
