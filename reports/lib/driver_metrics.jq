# What the metrics of our driver are called.
import "lib/tables/driver_metrics" as driver_metrics;

# => the name that k6 has a metric under
def name($word): driver_metrics::driver_metrics[$word].name // error("the driver has no metric \($word)");

# => { our word: the name that k6 has it under } of those that count what goes wrong
def errors: driver_metrics::driver_metrics | with_entries(select(.value.error)) | map_values(.name);
