# The values of metrics in a measure (measure.jq). A rate is a count by the window's seconds; a share without its whole is
# null, not zero.
import "lib/driver_metrics" as driver_metrics;
import "lib/reduce/load" as load;
import "lib/metrics" as metrics;
import "lib/reduce/quantiles" as quantiles;
import "lib/stats" as stats;
import "lib/reduce/users" as users;

# our word for a count => the k6 metric that has it
def counters: {
  requests: "http_reqs",
  iterations: "iterations",
  received_bytes: "data_received",
  sent_bytes: "data_sent",
  connections: driver_metrics::name("connections")
};

# our word for a distribution => the k6 metric that has it, and in which phase if not in the window's
def distributions: {
  latency: ["http_req_duration", {}],
  waiting: ["http_req_waiting", {}],
  intended: ["bench_intended_duration", {}],
  lateness: ["bench_lateness", {}],
  fault_latency: ["http_req_duration", { phase: "fault" }]
};

# Why it is not known how many requests failed, where there were some.
def uncounted: "the script switches off what k6 counts as failed (setResponseCallback)";

# case => all its metrics but those of queries and of find
def of_case:
  .load as $load
  | [ if (.faults // []) != [] then "faults" else empty end,
      if .per_user then "users" else empty end,
      if any(.services[]?; .container) then "containers" else empty end,
      if any(.services[]?; .container or .sampled == false) then "unsampled" else empty end,
      if .player == "native" then "native", ("due" | select($load | load::open)) else empty end ] as $has
  | [metrics::of_cases[] | select(.when == null or (.when as $when | $has | index([$when])))];

def _over($whole): if . == null or $whole == null or $whole == 0 then null else . / $whole end;

# What a compiler of a runtime does is done once, and not for a request: of two starts of one program, it never does the same.
def _of_requests: .cpu_ms - (.compilers_ms // 0);

def _used($what; $requests):
  if . == null then null
  elif $what == "cpu_ms_per_request" then (if .cpu_ms == null then null else _of_requests end) | _over($requests)
  elif $what == "cpu_ratio_mean" then .seconds as $s | .cpu_ms | _over($s * 1000)
  elif $what == "memory_bytes_mean" then .memory_count as $n | .memory_sum | _over($n)
  elif $what == "memory_bytes_max" then .memory_max
  elif $what == "descriptors_count_max" then .descriptors_max
  else .seconds as $s | .[$what | rtrimstr("_per_second")] | _over($s)
  end;

# measure => the value of a metric of the table; null when it cannot be known
def value($metric):
  . as $measure
  | $metric.from
  | if .quantile then .quantile as [$of, $p] | $measure[$of] | quantiles::quantile($p)
    elif .mean then $measure[.mean] | quantiles::mean
    elif .per_second then $measure.counts[.per_second] | _over($measure.seconds)
    elif .ratio then .ratio as [$part, $whole] | $measure.counts[$part] | _over($measure.counts[$whole])
    elif .cores then $measure.seconds as $s | $measure[.cores] | _over($s * 1000)
    elif .used then .used as $what | $measure.used | _used($what; $measure.counts.requests)
    elif .users then .users as $what | $measure.users | users::rates
      | if $what == "min" then min elif $what == "max" then max else stats::median end
    else $measure[.field]
    end;

# measure => how many observations a metric rests on; null where that makes no sense
def observations($metric):
  . as $measure
  | $metric.from
  | if .quantile then $measure[.quantile[0]] | quantiles::count
    elif .mean then $measure[.mean] | quantiles::count
    elif .per_second then $measure.counts[.per_second]
    elif .ratio then $measure.counts[.ratio[1]]
    elif .used == "cpu_ms_per_request" then $measure.counts.requests
    elif .users then $measure.users | users::rates | length
    else null
    end;
