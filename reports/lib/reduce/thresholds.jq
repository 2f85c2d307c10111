# Thresholds in k6's grammar, judged over all rounds together. A percentile without enough observations decides
# nothing: its outcome is unknown, which is never a pass.
import "lib/error_cap" as error_cap;
import "lib/metrics" as metrics;
import "lib/reduce/metric_values" as metric_values;
import "lib/numbers" as numbers;
import "lib/reduce/observed" as observed;
import "lib/reduce/summary" as summary;

# left side => is `left $op right` true?
def holds($op; $right):
  if $op == "<" then . < $right
  elif $op == "<=" then . <= $right
  elif $op == ">" then . > $right
  elif $op == ">=" then . >= $right
  elif $op == "!=" then . != $right
  else . == $right
  end;

# threshold of a case => is it about how long requests take?
def _on_time:
  .source == "k6"
  and (.metric
    | . == "iteration_duration" or . == "group_duration" or (startswith("http_req_") and . != "http_req_failed"));

# Response times of failed requests do not count.
def _without_responses($measure): _on_time and $measure.counts.requests > 0 and $measure.counts.expected == 0;

# Why a threshold on time is left undecided where a scenario goes beyond the knee on purpose: that is not a fault.
def excuse: "saturated, as the scenario expects: latencies don't count";

# threshold of a case; [process] => is it of what never happened, and need not?
def is_idle($processes):
  . as $threshold
  | .optional == true
    and all($processes[]; .summary | summary::window($threshold.metric; $threshold.selector)
      | . == null or ((.count // 0) + (.passes // 0) + (.fails // 0)) == 0);

# { observed, count } => { observed, count, outcome, reason }
def _judged($threshold; $measure; $excused):
  def unknown($reason): . + { outcome: "unknown", reason: $reason };
  .observed |= numbers::rounded
  | if $threshold.not_judged then { observed: null, count: 0 } | unknown($threshold.not_judged)
    elif $threshold | _without_responses($measure) then
      { observed: null, count: 0 } | unknown("no response was as expected")
    elif $excused and ($threshold | _on_time) then unknown(excuse)
    elif .observed == null then
      unknown(if $threshold.source == "service" then "no service was sampled in the window"
        else "nothing was observed"
        end)
    elif .count < ($threshold.min_samples // 1) then
      unknown("\(.count | numbers::count("observation")), \($threshold.min_samples | numbers::count) are needed "
        + "(these would \(if .observed | holds($threshold.op; $threshold.value) then "meet" else "miss" end) it)")
    elif .observed | holds($threshold.op; $threshold.value) then . + { outcome: "met", reason: null }
    else . + { outcome: "missed", reason: null }
    end;

# measure => the threshold that is always there where requests are: how many may fail
def error_cap($case):
  select(.counts.requests > 0 or $case.requests != null)
  | metric_values::value(metrics::named("errors_ratio")) as $observed
  | error_cap::of($case.error_cap) + { observed: ($observed | numbers::rounded), count: .counts.requests }
  + if $observed == null and .counts.requests > 0 then { outcome: "unknown", reason: metric_values::uncounted }
    elif $observed == null then { outcome: "unknown", reason: "no request was sent" }
    else { outcome: (if $observed <= $case.error_cap then "met" else "missed" end), reason: null }
    end;

# processes => every threshold of a case with its outcome, the error cap last; $excused: latencies don't count, on
# purpose
def judged($case; $measure; $rounds; $excused):
  . as $processes
  | [$case.thresholds[] as $threshold
    | $processes
    | observed::for_threshold($threshold; $measure; $rounds)
    | _judged($threshold; $measure; $excused)
    | ($processes | observed::unit_of($threshold; $case) // "1") as $unit
    | ($threshold | { metric, selector, expr, aggregation, percentile, op, value, level, implicit: false, $unit }) + .]
  + [$measure | error_cap($case)];

# [threshold] judged => the same, each with whether it is met in each round; $rounds: [[[process]]], by round and part
def by_round($case; $rounds; $measures):
  [range(length) as $i
    | .[$i]
    | . as $judged
    | $case.thresholds[$i] as $threshold
    | .met_in = [range($rounds | length) as $round
        | $measures[$round] as $measure
        | if $judged.implicit then $measure | metric_values::value(metrics::named("errors_ratio")) | values | . <= $case.error_cap
          elif $threshold.not_judged then empty
          else [$rounds[$round][][]]
            | observed::for_threshold($threshold; $measure; [$measure])
            | .observed | values | holds($threshold.op; $threshold.value)
          end]];
