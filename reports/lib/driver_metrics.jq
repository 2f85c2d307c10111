# What the metrics of our driver are called.
import "lib/tables/driver_metrics" as table;

# => the name that k6 has a metric under
def name($word): table::driver_metrics[$word].name // error("the driver has no metric \($word)");

# => { our word: the name that k6 has it under } of those that count what goes wrong
def errors: table::driver_metrics | with_entries(select(.value.error)) | map_values(.name);
