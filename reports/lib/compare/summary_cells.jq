# The few numbers of a record that stand in every table.

def _shown:
  ["throughput_rps", "rate_target_rps", "latency_ms_p50", "latency_ms_p95", "latency_ms_p99", "errors_ratio",
   "cpu_ms_per_request", "recovery_ms_max", "fault_errors_ratio", "receiving_bytes_per_second_min",
   "receiving_bytes_per_second_p50", "receiving_bytes_per_second_max"];

def _cell: { value, unit, valid };

# record => { metric: { value, unit, valid } }; null of null
def of_record:
  if . == null then null
  else .metrics as $metrics
  | reduce (_shown[] | select($metrics[.])) as $name ({}; .[$name] = ($metrics[$name] | _cell))
  end;

# record => { name: { count, duration_ms_p50, duration_ms_p95 } } of its groups; {} of null
def groups_of_record:
  .groups // {}
  | map_values({ count, duration_ms_p50: (.metrics.duration_ms_p50 | _cell),
                 duration_ms_p95: (.metrics.duration_ms_p95 | _cell) });
