# The few numbers of a record that stand in every table.

def _shown:
  ["throughput_rps", "rate_asked_rps", "latency_ms_p50", "latency_ms_p95", "latency_ms_p99", "errors_ratio",
   "cpu_ms_per_request"];

# record => { metric: { value, unit, valid } }; null of null
def of_record:
  if . == null then null
  else .metrics as $metrics
  | reduce (_shown[] | select($metrics[.])) as $name ({}; .[$name] = ($metrics[$name] | { value, unit, valid }))
  end;
