# The few numbers of a record that stand in every table.
import "lib/metrics" as metrics;

def _cell: { value, unit, valid };

# record => { metric: { value, unit, valid } }; null of null
def of_record:
  if . == null then null
  else .metrics as $metrics
  | reduce (metrics::summary[] | select($metrics[.])) as $name ({}; .[$name] = ($metrics[$name] | _cell))
  end;

# record => { name: { count, duration_ms_p50, duration_ms_p95 } } of its groups; {} of null
def groups_of_record:
  .groups // {}
  | map_values({ count, duration_ms_p50: (.metrics.duration_ms_p50 | _cell),
                 duration_ms_p95: (.metrics.duration_ms_p95 | _cell) });
