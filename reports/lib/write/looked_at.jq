# What was checked, by how much it may be worse, what is undecided, and what was not checked: a pass says no more than that.
import "lib/metrics" as metrics;
import "lib/numbers" as numbers;

# [name of a metric] => their titles; of requests and services, where they are many, how many
def titles:
  (map(select(metrics::parsed.kind | . == "request" or . == "service")) | unique) as $parts
  | if ($parts | length) < 3 then map(metrics::title) | unique
    else (. - $parts | map(metrics::title) | unique) + ["\($parts | length | numbers::count) metrics of requests or services"]
    end
  | numbers::listed;

# row => by how much it may be worse: "5 %", "0.1 points"
def tolerated:
  if .scale == "ratio" then .tolerance | numbers::percent else . as $row | .tolerance | numbers::difference_in($row.unit) end;

# [gated row] => "5 % for CPU per request and latency p50; 0.1 points for errors"
def tolerances:
  reduce .[] as $row ([]; ($row | tolerated) as $most
    | (map(.most) | index($most)) as $at
    | if $at == null then . + [{ $most, names: [$row.metric] }] else .[$at].names += [$row.metric] end)
  | map("\(.most) for \(.names | titles)")
  | join("; ");

# What can be checked, and the names of metrics that stand for it; of a duet, its tail and lanes.
def _topics: [
  { title: "CPU", names: "^cpu_" }, { title: "latency", names: "^(latency|intended_latency|waiting)_" },
  { title: "errors", names: "errors_ratio" }, { title: "memory", names: "^memory_" } ];
def _lanes: [{ title: "tail", names: "^tail_ratio$" },
  { title: "load", names: "\\{lane:load\\}" }, { title: "saturation", names: "\\{lane:saturation\\}" },
  { title: "age", names: "^latency_growth_ratio\\{lane:age\\}" }];

# case => what could be checked, and was not
def _not_looked_at:
  [.metrics[] | select(.gated and .reason == null) | .metric] as $names
  | (_topics + if .comparison.kind == "sessions" then [] else _lanes end)[]
  | select(.names as $one | any($names[]; test($one)) | not)
  | .title;

# [case] => titles of what may be worse, though not for certain, in one of them; null: nothing
def undecided:
  [.[].metrics[] | select(.gated and .may_be_worse and .verdict != "worse" and .reason == null) | .metric]
  | unique
  | if . == [] then null else titles end;

# [case] => what could be checked, and was not in one of them; null: nothing
def missing:
  reduce (.[] | _not_looked_at) as $title ([]; if index([$title]) then . else . + [$title] end)
  | if . == [] then null else numbers::listed end;
