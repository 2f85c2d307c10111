# How head compares with base second by second in the age lane, where both have the scenario's load at the same time, for long: its
# throughput, and the middle and the tail of its latency.
# Each is a mean of logarithms over seconds, `logs`. What disturbs the machine for a second disturbs both sides in the same one.
import "lib/compare/tail" as tail;
import "lib/stats" as stats;
import "lib/tables/limits" as limits;

# positive numbers of a part each => their logarithms; null where one is not positive
def _logarithms: if any(.[]; (. // 0) <= 0) then null else map(log) end;

# [responses of a part] => the logarithm of their mean, and by how much each part moves it; null of none
def _of_counts:
  stats::mean as $mean
  | if ($mean // 0) <= 0 then null else ($mean | log) as $log | map($log + . / $mean - 1) end;

# By this factor to both sides of a quantile the density of the requests around it is looked at.
def _near: 1.1;

# tail of seconds => the logarithm of what a share of its requests took longer than, and by how much each second moves it: the share of
# the second beyond it by the density there (Bahadur, Annals of Mathematical Statistics 37, 1966); null where there is no density
def _of_quantile($share):
  tail::slower($share) as $x
  | ((tail::share($x / _near) - tail::share($x * _near)) / (2 * (_near | log))) as $density
  | if $x <= 0 or $density <= 0 then null
    else (.counts | stats::mean) as $mean
    | ($x | log) as $log
    | [[tail::shares($x), .counts] | transpose[] | $log + .[1] / $mean * (.[0] - $share) / $density]
    end;

# metric of the lane => the same made of these logarithms; $why: why there may be none, $none: why there are none
def _made_of($name; $logs; $why; $none):
  if . == null or .valid != true then .
  elif $why != null or $logs == null then .valid = false | .reason = ($why // $none)
  else .logs = $logs | .samples = $logs | .value = ($logs | stats::mean | exp) | .start_sd = limits::limits.age_start_sd[$name]
  end;

# record of the lane, with its age cut to the parts and seconds that both sides have => with what is made of them; $why: why nothing may
# be, null: it may
def with_metrics($why):
  .age as $age
  | .metrics.latency_ms_p50 |= _made_of("latency_ms_p50"; $age.latency_ms_p50 | _logarithms; $why; "there were seconds without requests")
  | .metrics.throughput_rps |= _made_of("throughput_rps";
      [$age.requests, $age.errors_ratio] | transpose | map(.[0] * (1 - (.[1] // 0))) | _of_counts;
      $why; "nothing was answered as expected")
  | if $age.seconds == null then del(.metrics.latency_ms_p95)
    elif ($age.seconds.counts | add) < limits::limits.tail_count then
      .metrics.latency_ms_p95 |= _made_of("latency_ms_p95"; null; $why; "there were fewer than \(limits::limits.tail_count) requests")
    else
      .metrics.latency_ms_p95 |= _made_of("latency_ms_p95"; $age.seconds | _of_quantile(0.05); $why; "its slowest requests are all alike")
    end;
