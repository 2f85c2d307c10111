# k6's end-of-test summary: values by metric and tags. k6 has a value for a set of tags only if a threshold names it,
# and no value at all for a counter that never counted.

def _unquoted: gsub("^[\\s\"']+|[\\s\"']+$"; "");

# "phase:steady,name:GET /" => { phase: "steady", name: "GET /" }; a value may hold colons
def _tags:
  split(",")
  | map(split(":") | { key: (.[0] | _unquoted), value: (.[1:] | join(":") | _unquoted) })
  | from_entries
  | del(.scenario);

# "http_req_duration{phase:steady,name:GET /}" => { metric, tags }; without `scenario`: a process has one
def _key:
  index("{") as $brace
  | if $brace == null then { metric: ., tags: {} } else { metric: .[:$brace], tags: (.[$brace + 1:-1] | _tags) } end;

# tags => one string for them, whatever their order
def _address: . as $tags | keys | map([., $tags[.]]) | tojson;

# summary => { metric: { address of the tags: k6's entry { type, values } } }
def indexed:
  .metrics as $metrics
  | reduce ($metrics | keys[]) as $name ({};
      ($name | _key) as $key | .[$key.metric][$key.tags | _address] = $metrics[$name]);

# indexed summary => the values of a metric over the whole process
def whole($metric): .[$metric]["[]"].values;

# indexed summary => the values of a metric within the measured window; null when k6 has none
def window($metric; $tags): .[$metric][{ phase: "steady" } + $tags | _address].values;

# indexed summary => the values of what no user emits, and so has no phase
def without_phase($metric; $tags): .[$metric][$tags | _address].values;

# indexed summary => the type of a metric: counter, gauge, rate or trend; null when k6 has never heard of it
def type_of($metric): [.[$metric] // {} | .[].type][0];

# indexed summary => how often something that is reported only when it happens did happen in the window; absent: 0
def events($metric; $tags):
  (window($metric; $tags) // if $tags == {} then whole($metric) else null end)
  | .count // 0;

# indexed summary => the names of the requests it has latencies of
def names:
  [.http_req_duration // {} | keys[]
    | fromjson
    | map({ key: .[0], value: .[1] })
    | from_entries
    | select(length == 2 and .phase == "steady" and .name != null)
    | .name];
