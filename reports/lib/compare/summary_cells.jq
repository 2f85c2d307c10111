# The few numbers of a record that stand in every table.
import "lib/metrics" as metrics;

def _cell: { value, unit, valid };

# what a record may not have
def _unknown_ms: { value: null, unit: "ms", valid: false };

# { metrics } => { intended: x } where a latency does not count and the one from the intended start does
def _instead($name):
  if .metrics[$name].valid then {}
  else .metrics[$name | metrics::intended] | if .valid and .value != null then { intended: .value } else {} end
  end;

# record => { metric: { value, unit, valid } }; null of null
def of_record:
  if . == null then null
  else . as $record
  | reduce (metrics::summary[] | select($record.metrics[.])) as $name ({};
      .[$name] = ($record | (.metrics[$name] | _cell) + _instead($name)))
  end;

# record => { name: { count, duration_ms_p50, duration_ms_p95 } } of its groups; {} of null
def groups_of_record:
  .groups // {}
  | map_values({ count, duration_ms_p50: (.metrics.duration_ms_p50 // _unknown_ms | _cell),
                 duration_ms_p95: (.metrics.duration_ms_p95 // _unknown_ms | _cell) });
