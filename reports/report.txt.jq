# A comparison, and the records that were measured for it => text for the terminal:
#   jq -n -r -L reports --argjson width 80 --argjson terminal true -f reports/report.txt.jq comparison.json record.json…
# width: 100 columns if it is not given; terminal: with bars
import "lib/write/columns" as columns;
import "lib/write/measured" as measured;
import "lib/write/headline" as headline;
import "lib/metrics" as metrics;
import "lib/numbers" as numbers;
import "lib/write/rows" as rows;
import "lib/text" as text;

# Passes beyond this many rows are only counted.
def _most_rows: 20;

def _paragraph: text::wrapped(text::width; 0);
def _item($name; $body): "\($name): \($body)" | "  " + text::wrapped(text::width - 2; 4);
def _section($title): select(. != []) | $title + "\n" + join("\n");

def _place: "\(.system) \(.environment)";
def _name: .case | text::plain;

# comparison => the cases that have a row: all that do not pass, and as many as there is room for
def _shown:
  .cases
  | rows::run
  | rows::sorted
  | (map(select(.verdict != "pass")) | length) as $bad
  | .[:[$bad, _most_rows] | max];

def _table:
  _shown
  | select(. != [])
  | map(_place) as $places
  | [map("  " + _name) | columns::column(""; "l")] + rows::of_cases_at_length
  | columns::under($places)
  | columns::lines([text::width - 2 - 10 * (length - 1), 30] | min);

def _more:
  ((.cases | rows::run | length) - (_shown | length))
  | select(. > 0)
  | "and \(numbers::count("case")) more that \(if . == 1 then "passes" else "pass" end)";

def _brackets:
  select(any(_shown[].measured | values | .[]; .value != null and .valid != true and .intended == null))
  | "(…): does not count, see below.";

def _cases: [_table, _more, (_shown | rows::own_load), _brackets, (_shown | rows::intended)] | map(values) | select(. != []) | join("\n");

def _of_verdict($verdict): [.cases[] | select(.verdict == $verdict) | _item(_name; .reason)];

def _comparison:
  . as $comparison
  | rows::compared as $all
  | ($all | length - _most_rows) as $more
  | select($all != [])
  | $all[:_most_rows]
  | [map("\(.case | _name) \(.metric.metric | metrics::title)") | columns::column(""; "l")]
    + (rows::of_compared($comparison) | [.base, .head, .ratio, .verdict])
  | columns::lines([text::width - 60, 40] | min)
  + if $more > 0 then "\nand \($more | numbers::count("row")) more in comparison.json" else "" end;

# [{ case, text }] => lines of a section
def _lines:
  (length - _most_rows) as $more
  | [.[:_most_rows][] | _item(_name; .text)] + if $more > 0 then ["  and \($more) more in the records"] else [] end;

def _undecided: [rows::undecided[] | _item("\(_name) \(.metrics | join(", "))"; .text)];

# [name] => "hello,rate=500" | "12 cases"
def _cases_named: if length > 2 then length | numbers::count("case") else map(text::plain) | join(", ") end;

def _findings:
  { error: "error", warn: "warning", info: "note" } as $words
  | [rows::findings[]
    | _item("\($words[.level]), \(.cases | _cases_named)"
      + (if .such_as then ", such as \(.such_as | text::plain)" else "" end); .text)];

def _where:
  [ (.folder | values | "Records:   " + text::plain),
    (.command | values | "Reproduce: " + text::plain) ]
  | select(. != [])
  | join("\n");

input
| [inputs] as $records
| [ (headline::headline | _paragraph),
    (.notes[]? | _paragraph),
    (rows::changes | _lines | _section("Changes of the benchmark (judged by base's)")),
    (rows::to_accept | map("  " + (.text | text::plain)) | _section("To accept on base, in bench.toml, each with its reason")),
    _cases,
    (_of_verdict("error") | _section("Failed to run")),
    (measured::thresholds(_most_rows) | _section("Thresholds")),
    (_of_verdict("inconclusive") | _section("Undecided")),
    (rows::faults | _lines | _section("Faults")),
    ($records | measured::requests(_most_rows) | _section("Requests")),
    ($records | measured::services(_most_rows) | _section("Services")),
    ($records | measured::script_metrics(_most_rows) | _section("Measured by the script")),
    ($records | select($ARGS.named.terminal == true) | measured::histograms(text::width) | _section("Latency")),
    (rows::groups | _lines | _section("Groups of requests")),
    (rows::users | _lines | _section("Users")),
    _comparison,
    (_undecided | _section("No confidence interval")),
    (_findings | _section("Findings")),
    ([headline::method, headline::not_run | values | _paragraph] | select(. != []) | join("\n")),
    _where ]
| join("\n\n")
