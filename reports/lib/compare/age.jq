# The age lane of a duet: does memory grow with each request of head more than with one of base, does head get slower the longer it
# runs, and does it fail more? Blocks live a few seconds; what grows, fills or slows down later is seen here alone.
# A pair is { base: record, head: record }, the records with those of their lanes; of the age lane a record has `age`: its window
# in parts, as lib/reduce/age.jq says.
import "lib/compare/intervals" as intervals;
import "lib/compare/memory_growth" as memory_growth;
import "lib/compare/seconds" as seconds;
import "lib/compare/tail" as tail;
import "lib/stats" as stats;

# [x] of the parts => those after the first third: before, a process that has just started still compiles, and grows its heap
def _grown_up: .[length / 3 | floor:];

# What was young and what was old: the first sixth and the last third, so that what changes after ten seconds of life is in between.
def _young: .[:[length / 6 | ceil, 2] | max];
def _old: .[length - (length / 3 | floor):];

# positive numbers of parts => without the seconds that stand out: the first after the warm-up often takes twice as long
def _calmed: map(log) | stats::without_outliers | map(exp);

# Of fewer parts there is no third to speak of.
def _least_parts: 6;

# age => [[thousands of requests until the middle of a part, bytes]]
def _memory:
  [.requests, .memory_bytes]
  | transpose
  | [foreach .[] as [$requests, $bytes] ({ sum: 0 }; .at = .sum + $requests / 2 | .sum += $requests; [.at / 1000, $bytes])]
  | _grown_up;

# age => its first parts, and the first seconds of each of which there are quantiles
def _first($parts; $seconds):
  with_entries(.value |= if type == "array" then .[:$parts] else tail::first($seconds) end);

# record of the lane => with how its memory grew and its latency changed over its first parts, and what it was like over all of them.
# `points`, `over_time` and `logs` are what intervals are made of; a metric without them does not count, for parts are not blocks.
# $interleaved: why the sides were not loaded at the same time; null: they were.
def _with_metrics($parts; $seconds; $interleaved):
  .age |= _first($parts; $seconds)
  | .age as $age
  | (if $parts < _least_parts then "the age lane is too short" else null end) as $short
  | .metrics.errors_ratio.samples = [$age.errors_ratio[] | . // 0]
  | (.metrics.latency_ms_p50 | { valid, reason, count }) as $latency
  | ($short // if any($age.latency_ms_p50[]; (. // 0) <= 0) then "there were seconds without requests" else null end) as $reason
  | .metrics.latency_growth_ratio = ($latency + { unit: "1", direction: "lower", value: null, samples: $age.latency_ms_p50 }
      | if .valid != true then .
        elif $reason then .valid = false | .reason = $reason
        else .over_time = .samples
          | .value = (.samples | _calmed | (_old | stats::geometric_mean) / (_young | stats::geometric_mean))
        end)
  | (.metrics.memory_bytes_max | { valid, reason, count }) as $memory
  | ($short
      // if any($age.memory_bytes[]; . == null) then "memory was not sampled all the time"
         elif ($age.requests | _grown_up | add) == 0 then "there were no requests" else null end) as $reason
  | .metrics.memory_growth_bytes = ($memory + { unit: "bytes", direction: "lower", value: null, samples: $age.memory_bytes }
      | if .valid != true then .
        elif $reason then .valid = false | .reason = $reason
        else .points = ($age | _memory) | .value = (.points | intervals::slope.slope)
        end)
  | seconds::with_metrics($short // if $interleaved then "base and head were not loaded at the same time" else null end);

# pair => with the metrics of its age lane, where it has one; a side that has a second more is cut
def with_metrics:
  [.base, .head | .lanes.age.age.requests | values | length] as $parts
  | [.base, .head | .lanes.age.age.seconds?.counts | values | length] as $seconds
  | if ($parts | length) < 2 then .
    else .lanes.interleaved? as $interleaved
    | (.base, .head) |= (.lanes.age |= _with_metrics($parts | min; $seconds | min; $interleaved))
    end;

# metric => is it of one long window, with no value of a part?
def is_single: .points != null or .over_time != null or .logs != null;

# { base: metric, head: metric } => those that are compared second by second
def _logs: [.base.logs, .head.logs] | transpose | map(.[1] - .[0]);

# { base: metric, head: metric } => are they compared as they are here?
def is_of_age: (.base | is_single) and (.head | is_single);

# { base: metric, head: metric } of one sort => the interval of head against base
def interval($alpha):
  if .base.points then memory_growth::interval(.base.points; .head.points; $alpha)
  elif .base.logs then .base.start_sd as $start_sd | _logs | intervals::in_order($start_sd; $alpha)
  else
    [.base.over_time, .head.over_time] | transpose | map(.[1] / .[0]) | _calmed | intervals::later(_young; _old; $alpha)
  end;
