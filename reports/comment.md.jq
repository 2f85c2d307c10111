# A comparison => the comment on a pull request:
#   jq -n -r -L reports -f reports/comment.md.jq comparison.json [context.json]
# The context is what the comparison does not know: { title, head, site, artifact, machine, marker, before }. head: the
# commit of the pull request; site, artifact: addresses; marker: what the comment is found by; before: the results posted
# so far, the last first. They go on in the comment's last line, which is hidden, and from there into the next context.
import "lib/write/by_metric" as by_metric;
import "lib/write/columns" as columns;
import "lib/write/finding" as finding;
import "lib/write/fit_to_size" as fit_to_size;
import "lib/write/headline" as headline;
import "lib/write/looked_at" as looked_at;
import "lib/write/history" as history;
import "lib/write/markdown_lists" as markdown_lists;
import "lib/write/markdown" as markdown;
import "lib/metrics" as metrics;
import "lib/numbers" as numbers;
import "lib/write/problems" as problems;
import "lib/compare/reasons" as reasons;
import "lib/write/rows" as rows;
import "lib/compare/verdicts" as verdicts;
import "lib/tables/limits" as limits;

# GitHub takes 65,536 characters, of which none is more than one byte here.
def _most_bytes: 65000;

# A name or a reason beyond this is neither a name nor a reason.
def _most_characters: 500;

# The first line is one line, on a wide screen.
def _most_of_title: 300;

# Lines of a list that are in sight.
def _most_lines: 10;

def _cut_to($most): if length > $most then .[:$most] + " …" else . end;

# any => strings in it cut
def _cut: walk(if type == "string" then _cut_to(_most_characters) else . end);

# comparison => what to do; null: nothing
def _advice:
  if .cases == [] then null
  elif .verdict == "error" then "Fix what failed to run, then re-run."
  elif .verdict == "invalid" then "Fix the load or the machine, then re-run: what was measured is not trustworthy."
  elif .verdict == "inconclusive" and any(.cases[]; verdicts::weakened != []) then
    "Merge what is looser by itself first, or accept it on base."
  elif .verdict == "inconclusive" then "Nothing failed, but this is not a pass: re-run, or measure longer."
  else null
  end;

# A mark for each verdict; the words after it say the same.
def _mark: if .cases == [] then "–" else { pass: "✓", fail: "✕", inconclusive: "?", invalid: "⚠", error: "⚠" }[.verdict] end;

def _capitalised: (.[:1] | ascii_upcase) + .[1:];
def _title: "### \(_mark) \(finding::finding | _cut_to(_most_of_title) | _capitalised | markdown::escaped)";

# comparison => what else there is to know, a line each
def _notes:
  (if .verdict == "pass" then []
      else [.cases[] | select(.comparison.possible == true)] | [looked_at::undecided, looked_at::missing] end) as [$open, $missing]
  | [ headline::notes[], (_advice | values),
      # Where it is undecided as a whole, the list below says more.
      (select(.verdict != "inconclusive") | $open | values | "Undecided: \(.)."), ($missing | values | "Not checked: \(.).") ]
  | map("- " + markdown::escaped)
  | join("\n");

# comparison => the system and environment of all its cases: "shop local"; null: they differ
def _place_of_all: [.cases[] | "\(.system) \(.environment)"] | unique | if length == 1 then .[0] else null end;

# comparison => of which commits it is, and of what
def _of_commits($context):
  _place_of_all as $place
  | ($context.title | if . then " (\(markdown::escaped))" else "" end) as $key
  | [ ($context.head | values | "of " + (.[:10] | markdown::code)),
      (.baseline // finding::baseline | values | "against " + markdown::code) ]
  | select(. != [])
  | "Benchmarks\($key) \(join(" "))\($place | if . then ": \(markdown::code)" else "" end).";

# [line] => a part of the text
def _part($title; $unit):
  { title: $title, unit: $unit, head: null, lines: map("- " + .), most: _most_lines, folded: false };

# [column] => a part
def _table($title; $unit):
  (columns::markdown | split("\n")) as $lines
  | ($lines[:2] | join("\n")) as $head
  | { title: $title, unit: $unit, head: $head, lines: $lines[2:], most: _most_lines, folded: false };

def _folded: .folded = true | .title += ": " + (.lines | length | numbers::count);

def _name: .case | markdown::code;

# comparison => cases of a verdict, with the reason
def _of($verdict): [.cases[] | select(.verdict == $verdict) | "\(_name): \(.reason | markdown::escaped)"];

# case => why it is open: "missing" (there are no numbers), "apart" (nothing to compare them with) or "unclear"
def _gap: if .record == null then "missing" elif .comparison.possible then "unclear" else "apart" end;
def _open($gap):
  [.cases[] | select(.verdict == "inconclusive" and _gap == $gap) | "\(_name): \(.reason | markdown::escaped)"];

# A number stays on a line with its unit.
def _unbroken: gsub(" "; "\u00a0");

def _escaped: .cells |= map(markdown::escaped | _unbroken);

# [{ case, metric: row }], of a comparison => a table of them; which case it is, where there is more than one
def _rows($title; $comparison):
  [select($comparison | finding::run | length > 1) | map(.case | _name) | columns::column("case"; "l")]
  + (rows::of_compared($comparison)
    | [(.metric | .cells |= map(markdown::escaped)), (.change, .base, .head | _escaped), .rounds, .verdict])
  | _table($title; "row");

# { case, metric: row } => its place among what is decided: what is worse first, and of that the most
def _place:
  .metric as { $verdict, $gated }
  | [if $verdict == "worse" then (if $gated then 0 else 1 end) elif $verdict == "better" then 2 else 3 end]
  + if $verdict == "same" then [0, 0] else .metric | finding::weight end;

# comparison => the table of what is decided, the worst first
def _decided:
  . as $comparison
  | [rows::compared[] | select(.metric.verdict != "unclear")]
  | sort_by(_place)
  | _rows("Decided"; $comparison);

def _unclear: . as $comparison | [rows::compared[] | select(.metric.verdict == "unclear")] | _rows("Undecided"; $comparison);

# comparison of many cases => how often each metric is worse
def _by_metric:
  select(finding::run | length > 1)
  | by_metric::of_comparison
  | (.[:1][].cells |= map(markdown::escaped)) | (.[1:][].cells |= map(_unbroken))
  | _table("Cases by metric"; "row");

def _numbers:
  .cases
  | rows::run
  | (if rows::intended then " (†: from the intended start)" else "" end) as $signs
  | (if rows::own_load then " under their own load" else "" end) as $load
  | rows::sorted
  | [map(_name) | columns::column("case"; "l")] + rows::of_cases
  | _table("Numbers of all cases\($load)\($signs)"; "case");

def _not_run:
  [.cases[]
    | select(.verdict == "todo" or .verdict == "n-a")
    | "\(_name): \(.verdict), \(.reason | markdown::escaped)"];

# comparison => the parts that may be long, those that matter most first
def _parts($history):
  [ (_by_metric | _folded), # short, so that there is room for it whatever comes after
    (.notes // [] | map(markdown::escaped) | _part("Notes"; "note")),
    (markdown_lists::changes | _part("Changes of the benchmark (judged by base's)"; "change")),
    (markdown_lists::to_accept | _part("To accept on base, in bench.toml, each with its reason"; "change") | _folded),
    (_of("error") | _part("Failed to run"; "case")),
    (_open("missing") | _part("Not measured"; "case")),
    (_open("apart") | _part("Not compared"; "case")),
    (markdown_lists::thresholds | _part("Thresholds missed"; "threshold")),
    (_of("invalid") | _part("No trustworthy measurement"; "case")),
    _decided,
    # The first line says it of one case, if it is not cut.
    (select((finding::run | length > 1) or (finding::finding | length > _most_of_title))
      | _open("unclear") | _part("Undecided, with the minimum detectable effect"; "case")),
    (markdown_lists::undecided | _part("No confidence interval"; "line")),
    ($history.since.gone | history::problems | _part("Gone since \($history | history::last)"; "problem")),
    ($history.since.open
      | history::problems
      | _part("Wrong at \($history | history::last), and undecided this time"; "problem")),
    (markdown_lists::findings | _part("Findings"; "finding") | _folded),
    (_not_run | _part("Not run"; "case") | _folded),
    ($history | history::lines | _part("Earlier on this pull request"; "result") | _folded),
    (_numbers | _folded),
    (_unclear | _folded) ];

def _machine:
  [ .cpu_model, (.cores | values | numbers::count("core")), (.memory_bytes | values | numbers::bytes), .os,
    (.kernel | values | "kernel " + .), (.k6 | values | "k6 " + .) | values | strings ]
  | join(", ")
  | markdown::escaped;

def _sides($context):
  [ (.baseline | values | "base " + markdown::code), (.head | values | "head " + markdown::code),
    ($context.head | values | "pull request at " + (.[:10] | markdown::code)),
    (.time | numbers::time | markdown::escaped) ]
  | join(", ");

# comparison => its minimum detectable effects
def _mde:
  [.cases[].metrics[] | select(.gated and .scale == "ratio") | .mde | values]
  | select(. != [])
  | (min | numbers::percent) as $least
  | (max | numbers::percent) as $most
  | (if $least == $most then $least else "\($least) to \($most), by case and metric" end) as $effects
  | "Minimum detectable effect (\(limits::limits.power | numbers::percent) power): \($effects)";

# context => where all of it is; null: nowhere
def _whole:
  [(.site | values | "[pages](\(.))"), (.artifact | values | "[files](\(.))")]
  | if . == [] then null else "The full comparison: " + join(", ") + "." end;

def _foot($context):
  [ (headline::method | values | markdown::escaped),
    _mde,
    (.command | values | "Reproduce: " + markdown::code),
    ($context.machine | values | "Measured on: " + _machine),
    ("Commits: " + _sides($context)) ]
  | ["**How it was measured**\n"] + map("- " + .)
  | join("\n");

# [part] => what the fold says it has
def _more:
  "More: " + ([.[] | select(.folded and .lines != []) | .title | (.[:1] | ascii_downcase) + .[1:]] + ["how it was measured"] | join(", "));

[inputs | _cut]
| .[0] as $comparison
| (.[1] // {}) as $context
| $comparison
| history::after($context.head; $context.before // []) as $history
| [_title, (_of_commits($context) | values), (_notes | select(. != ""))] as $top
| [($context | _whole | values), ($history | history::carried($context.marker))] as $bottom
| ($top + $bottom | map(utf8bytelength + 2) | add) as $taken
| (if _place_of_all == null then .cases |= map(.case = "\(.system) \(.environment) \(.case)") else . end)
| _parts($history) as $parts
| $top + [_foot($context) as $foot | $parts | fit_to_size::fitted(_most_bytes - $taken; _more; $foot)] + $bottom
| join("\n\n")
