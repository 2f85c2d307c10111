# The metrics that our driver adds to those of k6: driver_metrics.json.
import "lib/driver_metrics" as $driver_metrics;

# => the name that k6 has a metric under
def name($word): $driver_metrics::driver_metrics[0][$word].name // error("the driver has no metric \($word)");

# => { our word: the name that k6 has it under } of those that are counted only when something goes wrong
def errors: $driver_metrics::driver_metrics[0] | with_entries(select(.value.error)) | map_values(.name);
