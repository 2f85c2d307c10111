# THE table of metrics: our name, unit, which direction is good, and where the value comes from in a measure
# (measure.jq). A rate is a count by the window's seconds; a share without its whole is null, not zero.
import "lib/reduce/quantiles" as quantiles;
import "lib/stats" as stats;
import "lib/reduce/users" as users;

# our word for a count => the k6 metric that has it
def counters: {
  requests: "http_reqs",
  iterations: "iterations",
  received_bytes: "data_received",
  sent_bytes: "data_sent"
};

# our word for a distribution => the k6 metric that has it, and in which phase if not in the window's
def distributions: {
  latency: ["http_req_duration", {}],
  waiting: ["http_req_waiting", {}],
  fault_latency: ["http_req_duration", { phase: "fault" }]
};

def _metric($name; $unit; $direction; $group; $from):
  { name: $name, unit: $unit, direction: $direction, group: $group, from: $from };

# group: findings invalidate metrics by the group
def table: [
  _metric("latency_ms_mean"; "ms"; "lower"; "latency"; { mean: "latency" }),
  _metric("latency_ms_p50"; "ms"; "lower"; "latency"; { quantile: ["latency", 50] }),
  _metric("latency_ms_p90"; "ms"; "lower"; "latency"; { quantile: ["latency", 90] }),
  _metric("latency_ms_p95"; "ms"; "lower"; "latency"; { quantile: ["latency", 95] }),
  _metric("latency_ms_p99"; "ms"; "lower"; "latency"; { quantile: ["latency", 99] }),
  _metric("latency_ms_p999"; "ms"; "lower"; "latency"; { quantile: ["latency", 99.9] }),
  _metric("latency_ms_max"; "ms"; "lower"; "latency"; { quantile: ["latency", 100] }),
  _metric("waiting_ms_p50"; "ms"; "lower"; "latency"; { quantile: ["waiting", 50] }),
  _metric("waiting_ms_p95"; "ms"; "lower"; "latency"; { quantile: ["waiting", 95] }),
  _metric("throughput_rps"; "1/s"; "higher"; "throughput"; { per_second: "expected" }),
  _metric("requests_rps"; "1/s"; null; "throughput"; { per_second: "requests" }),
  _metric("iterations_rps"; "1/s"; "higher"; "throughput"; { per_second: "iterations" }),
  _metric("rate_target_rps"; "1/s"; null; "load"; { per_second: "target" }),
  _metric("rate_achieved_ratio"; "ratio"; "higher"; "load"; { ratio: ["started", "target"] }),
  _metric("errors_ratio"; "ratio"; "lower"; "errors"; { ratio: ["errors", "requests"] }),
  _metric("status_errors_ratio"; "ratio"; "lower"; "errors"; { ratio: ["status_errors", "requests"] }),
  _metric("network_errors_ratio"; "ratio"; "lower"; "errors"; { ratio: ["network_errors", "requests"] }),
  _metric("expectation_errors_ratio"; "ratio"; "lower"; "errors"; { ratio: ["failed_expectations", "requests"] }),
  _metric("iterations_unfinished_ratio"; "ratio"; "lower"; "load"; { ratio: ["unfinished", "started"] }),
  _metric("dropped_iterations_ratio"; "ratio"; "lower"; "load"; { ratio: ["dropped", "due"] }),
  _metric("users_max"; "1"; null; "load"; { field: "users_max" }),
  _metric("cpu_ms_per_request"; "ms"; "lower"; "services"; { used: "cpu_ms_per_request" }),
  _metric("cpu_ratio_mean"; "cores"; "lower"; "services"; { used: "cpu_ratio_mean" }),
  _metric("memory_bytes_mean"; "bytes"; "lower"; "services"; { used: "memory_bytes_mean" }),
  _metric("memory_bytes_max"; "bytes"; "lower"; "services"; { used: "memory_bytes_max" }),
  _metric("descriptors_count_max"; "1"; "lower"; "services"; { used: "descriptors_count_max" }),
  _metric("network_rx_bytes_per_second"; "bytes/s"; null; "services"; { used: "network_rx_bytes_per_second" }),
  _metric("network_tx_bytes_per_second"; "bytes/s"; null; "services"; { used: "network_tx_bytes_per_second" }),
  _metric("generator_cpu_ratio"; "ratio"; null; "load"; { field: "generator_cpu_ratio" }),
  _metric("generator_cpu_ratio_mean"; "cores"; null; "load"; { cores: "generator_cpu_ms" }),
  _metric("machine_cpu_ratio_mean"; "cores"; null; "load"; { cores: "machine_cpu_ms" }),
  _metric("received_bytes_per_second"; "bytes/s"; null; "throughput"; { per_second: "received_bytes" }),
  _metric("sent_bytes_per_second"; "bytes/s"; null; "throughput"; { per_second: "sent_bytes" })
];

# what only some cases have: with faults, with users told apart
def fault_table: [
  _metric("recovery_ms_max"; "ms"; "lower"; "fault"; { field: "recovery_ms_max" }),
  _metric("fault_errors_ratio"; "ratio"; "lower"; "fault"; { ratio: ["fault_errors", "fault_requests"] }),
  _metric("fault_latency_ms_p95"; "ms"; "lower"; "fault"; { quantile: ["fault_latency", 95] })
];
def user_table: [
  _metric("receiving_bytes_per_second_min"; "bytes/s"; "higher"; "user"; { users: "min" }),
  _metric("receiving_bytes_per_second_p50"; "bytes/s"; "higher"; "user"; { users: "median" }),
  _metric("receiving_bytes_per_second_max"; "bytes/s"; "higher"; "user"; { users: "max" })
];

# case => all its metrics but those of queries
def of_case:
  (.faults // []) as $faults
  | .per_user as $per_user
  | table + (if $faults == [] then [] else fault_table end) + (if $per_user then user_table else [] end);

# of a group of requests that is timed as one
def of_group: [
  _metric("duration_ms_mean"; "ms"; "lower"; "latency"; { mean: "duration" }),
  _metric("duration_ms_p50"; "ms"; "lower"; "latency"; { quantile: ["duration", 50] }),
  _metric("duration_ms_p90"; "ms"; "lower"; "latency"; { quantile: ["duration", 90] }),
  _metric("duration_ms_p95"; "ms"; "lower"; "latency"; { quantile: ["duration", 95] }),
  _metric("duration_ms_max"; "ms"; "lower"; "latency"; { quantile: ["duration", 100] })
];

# => the row of a metric; null when there is none of that name
def named($name): [table[], fault_table[], user_table[] | select(.name == $name)][0];

# what a page shows of one request by name, and of one service
def of_request: [named("latency_ms_p50", "latency_ms_p95", "latency_ms_p99", "errors_ratio")];
def of_service: [table[] | select(.group == "services")];

# [group] => the names of their metrics
def names_of_groups: . as $groups | [table[] | select(.group as $group | $groups | index($group)) | .name];

# row => is it a share? A share can be zero on both sides, and is compared as a difference.
def is_share: .from.ratio != null;

def _over($whole): if . == null or $whole == null or $whole == 0 then null else . / $whole end;

def _used($what; $requests):
  if . == null then null
  elif $what == "cpu_ms_per_request" then .cpu_ms | _over($requests)
  elif $what == "cpu_ratio_mean" then .seconds as $s | .cpu_ms | _over($s * 1000)
  elif $what == "memory_bytes_mean" then .memory_count as $n | .memory_sum | _over($n)
  elif $what == "memory_bytes_max" then .memory_max
  elif $what == "descriptors_count_max" then .descriptors_max
  elif $what == "network_rx_bytes_per_second" then .seconds as $s | .network_rx_bytes | _over($s)
  else .seconds as $s | .network_tx_bytes | _over($s)
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
