# k6's names of sub-metrics, as src/suite/cases/sub-metric.ts reads and writes them.

def _trimmed: gsub("^\\s+|\\s+$"; "");

# k6 drops quotes around a tag's name and value
def _unquoted: _trimmed | gsub("^[\"']+|[\"']+$"; "");

# "phase:steady,name:GET /a:b" => { phase: "steady", name: "GET /a:b" }
def _selector:
  split(",")
  | map(split(":") | { key: (.[0] | _unquoted), value: (.[1:] | join(":") | _unquoted) })
  | from_entries;

# "http_req_duration{phase:steady,name:GET /}" => { metric, selector }; {} where it has no tags
def parse:
  index("{") as $brace
  | if $brace == null then { metric: _trimmed, selector: {} }
    else { metric: (.[:$brace] | _trimmed), selector: (.[$brace + 1:-1] | _selector) }
    end;

# { metric, selector } => its name; of the tags, phase comes first, the rest by name
def name:
  .selector as $selector
  | [("phase" | select($selector[.] != null)), ($selector | keys[] | select(. != "phase")) | "\(.):\($selector[.])"] as $tags
  | if $tags == [] then .metric else "\(.metric){\($tags | join(","))}" end;
