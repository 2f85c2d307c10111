# Lists in Markdown that the report and the comment share: [line] each, the worst first.
import "lib/write/markdown" as markdown;
import "lib/write/rows" as rows;

# Cases that are named where a sentence is about many.
def _most_names: 5;

def _name: .case | markdown::code;

# [name] => "`a`, `b` and 3 more"
def _names:
  (length - _most_names) as $more
  | (.[:_most_names] | map(markdown::code) | join(", "))
  + if $more > 0 then " and \($more) more" else "" end;

# comparison => thresholds missed
def thresholds:
  [rows::thresholds[] | (if .level == "warn" then "warning: " else "" end) + "\(_name): \(.text | markdown::escaped)"];

# comparison => how head's benchmark differs from base's
def changes: [rows::changes[] | "\(_name): \(.text | markdown::escaped)"];

# comparison => what base's bench.toml has to say for them
def to_accept: [rows::to_accept[] | .text | markdown::code];

# comparison => gated metrics without a confidence interval, and why
def undecided:
  [rows::undecided[] | "\(_name) \(.metrics | join(", ") | markdown::escaped): \(.text | markdown::escaped)"];

# comparison => findings
def findings:
  rows::findings
  | map("\(.level): \(.text | markdown::escaped) "
    + if .such_as then "(\(.such_as | markdown::code), and much the same in \(.cases | length - 1) more)"
      else "(\(.cases | _names))"
      end);
