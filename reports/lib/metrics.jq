# Metrics by the table of them.
import "lib/tables/metrics" as metrics;

def _rows: [metrics::metrics.sections[].metrics[]];

# => the rows of the table: those that a case may have, and those of a group of requests that is timed as one
def of_cases: [_rows[] | select(.of != "group")];
def of_group: [_rows[] | select(.of == "group")];

# => those that every case has
def table: [of_cases[] | select(.when == null)];

# => the row of a metric; null when there is none of that name
def named($name): [of_cases[] | select(.name == $name)][0];

# "latency_ms_p50{request:create}" => { metric: "latency_ms_p50", kind: "request", part: "create" }; of a metric of the case
# kind is null. A name may hold any letter.
def parsed:
  index("{") as $brace
  | if $brace == null then { metric: ., kind: null }
    else { metric: .[:$brace], kind: (.[$brace + 1:] | split(":")[0]), part: (.[$brace + 1:-1] | split(":")[1:] | join(":")) }
    end;

# lane of a duet => how it is said of what was measured in it
def lane: { load: "under load", saturation: "at saturation", age: "with age" }[.];

# name of a metric => what people read; that of a metric from Prometheus is its name
def title:
  . as $name
  | parsed as { $metric, $kind, $part }
  | if $kind == "script" then "\($metric | sub("_"; " ")) of \($part)"
    else named($metric).title
    | if . == null then $name
      elif $kind == "lane" then "\(.) \($part | lane)"
      elif $kind then "\(.) of \($part)"
      else .
      end
    end;

# what a page shows of one request by name, and of one service
def of_request: [named(metrics::metrics.of_request[]) | values];
def of_service: [of_cases[] | select(.group == "services")];

# => the latency from the intended start that stands for one from the actual start: the same name with this before it
def intended: "intended_" + .;

# => the names of those that are compared whether gated or not, and that tables of the terminal and of comments show
def compared: metrics::metrics.compared;
def summary: metrics::metrics.summary;

# [group] => the names of their metrics
def names_of_groups: . as $groups | [table[] | select(.group as $group | $groups | index($group)) | .name];

# row => is it a share? A share can be zero on both sides, and is compared as a difference.
def is_share: .from.ratio != null;

# row => is it compared as a difference? A share is, and what may be zero or less by itself.
def is_difference: is_share or .compared == "difference";
