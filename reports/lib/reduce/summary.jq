# k6's end-of-test summary: values by metric and tags. k6 has a value for a set of tags only if a threshold names it,
# and no value at all for a counter that never counted.
import "lib/sub_metric" as sub_metric;

# { metric, selector } => its name; without `scenario`: a process has one
def _name: del(.selector.scenario) | sub_metric::name;

# summary => { name of a sub-metric: k6's entry { type, values } }
def indexed: .metrics | with_entries(.key |= (sub_metric::parse | _name));

# indexed summary => the sub-metrics of a metric: [{ selector, entry }]
def _parts($metric):
  . as $all
  | [keys[]
    | select(. == $metric or startswith($metric + "{"))
    | . as $name
    | { selector: (sub_metric::parse | .selector), entry: $all[$name] }];

# indexed summary => the values of a metric over the whole process
def whole($metric): .[$metric].values;

# indexed summary => the values of what no user emits, and so has no phase
def without_phase($metric; $tags): .[{ metric: $metric, selector: $tags } | _name].values;

# indexed summary => the values of a metric within the measured window; null when k6 has none
def window($metric; $tags): without_phase($metric; { phase: "steady" } + $tags);

# indexed summary => the type of a metric: counter, gauge, rate or trend; null when k6 has never heard of it
def type_of($metric): _parts($metric)[0].entry.type;

# indexed summary => what the values of a metric are: time, data or default; null when k6 has never heard of it
def contains_of($metric): _parts($metric)[0].entry.contains;

# indexed summary => how often something that is reported only when it happens did happen in the window; absent: 0
def events($metric; $tags):
  (window($metric; $tags) // if $tags == {} then whole($metric) else null end)
  | .count // 0;

# indexed summary => the values of a tag that a metric has sub-metrics of, with the window's phase and no other tag
def values_of($metric; $tag):
  [_parts($metric)[].selector | select(length == 2 and .phase == "steady") | .[$tag] | values];

# indexed summary => the names of the requests it has latencies of, by the metric that times them
def names($timed): values_of($timed; "name");
