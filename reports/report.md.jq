# A comparison => Markdown: jq -n -r -L reports -f reports/report.md.jq comparison.json
import "lib/write/columns" as columns;
import "lib/write/headline" as headline;
import "lib/write/markdown_lists" as markdown_lists;
import "lib/write/markdown" as markdown;
import "lib/metrics" as metrics;
import "lib/numbers" as numbers;
import "lib/write/rows" as rows;

# Passes beyond this many rows are only counted.
def _most_rows: 50;

def _name: .case | markdown::code;
def _full_name: "\(.system) \(.environment) \(.case)" | markdown::code;
def _list($title): select(. != []) | "**\($title)**\n\n" + (map("- " + .) | join("\n"));

def _title: headline::headline | markdown::escaped | sub("^(?<word>\\w+):"; "**\(.word):**");

def _cases:
  .cases
  | rows::run
  | rows::intended as $signs
  | rows::own_load as $load
  | rows::sorted
  | ([(map(select(.verdict != "pass")) | length), _most_rows] | max) as $most
  | (length - $most) as $more
  | select(. != [])
  | .[:$most]
  | [map(_full_name) | columns::column("case"; "l")] + rows::of_cases
  | columns::markdown
  + if $more > 0 then "\n\nand \($more | numbers::count("case")) more that pass" else "" end
  + if $load then "\n\n\($load)" else "" end
  + if $signs then "\n\n\($signs)" else "" end;

def _of_verdict($verdict): [.cases[] | select(.verdict == $verdict) | "\(_full_name): \(.reason | markdown::escaped)"];

def _comparison:
  . as $comparison
  | rows::compared as $all
  | ($all | length - _most_rows) as $more
  | select($all != [])
  | $all[:_most_rows]
  | [map(.case | _full_name) | columns::column("case"; "l")]
    + (rows::of_compared($comparison) | [.metric, .base, .head, .ratio, .verdict] | map(.cells |= map(markdown::escaped)))
  | columns::markdown
  + if $more > 0 then "\n\nand \($more | numbers::count("row")) more in comparison.json" else "" end;

# [{ case, text }] => items of a list
def _items:
  (length - _most_rows) as $more
  | [.[:_most_rows][] | "\(_name) \(.text | markdown::escaped)"]
  + if $more > 0 then ["and \($more) more in the records"] else [] end;

def _findings:
  markdown_lists::findings
  | select(. != [])
  | (length | numbers::count("finding")) as $count
  | map("- " + .)
  | join("\n")
  | markdown::folded($count);

def _foot:
  [(headline::method, headline::not_run | values | markdown::escaped), (.command | values | "Reproduce: " + markdown::code)]
  | select(. != [])
  | join("\n\n");

inputs
| [ _title,
    (.notes[]? | markdown::escaped),
    (rows::changes | _items | _list("Changes of the benchmark (judged by base's)")),
    _cases,
    (_of_verdict("error") | _list("Failed to run")),
    (markdown_lists::thresholds | _list("Thresholds missed")),
    (_of_verdict("inconclusive") | _list("Undecided")),
    (rows::faults | _items | _list("Faults")),
    (rows::groups | _items | _list("Groups of requests")),
    (rows::users | _items | _list("Users")),
    _comparison,
    (markdown_lists::undecided | _list("No confidence interval")),
    _findings,
    _foot ]
| join("\n\n")
