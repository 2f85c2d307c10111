# A comparison => the comment on a pull request:
#   jq -n -r -L reports -f reports/comment.md.jq comparison.json [context.json]
# The context is what the comparison does not know: { title, head, site, artifact, machine, marker, before }. head: the
# commit of the pull request; site, artifact: addresses; marker: what the comment is found by; before: the results posted
# so far, the last first. They go on in the comment's last line, which nobody sees, and from there into the next context.
import "lib/write/fit_to_size" as fit_to_size;
import "lib/write/headline" as headline;
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
import "lib/write/metric_counts" as metric_counts;

# GitHub takes 65,536 characters, of which none is more than one byte here.
def _most_bytes: 65000;

# A name or a reason beyond this is no name and no reason.
def _most_characters: 500;

# Lines of a list that are in sight.
def _most_lines: 10;

# any => strings in it cut
def _cut:
  walk(if type == "string" and length > _most_characters then .[:_most_characters] + " …" else . end);

# comparison => what to do
def _advice:
  if .cases == [] then "the change touches no benchmark."
  elif .verdict == "error" then "fix what failed to run, then re-run."
  elif .verdict == "fail" then "look at it before merging."
  elif .verdict == "invalid" then "some measurements are not trustworthy. Fix the load or the machine, then re-run."
  elif .verdict == "inconclusive" and any(.cases[]; verdicts::weakened != []) then
    "the change makes its own benchmark looser. Merge that by itself first, or accept it on base."
  elif .verdict == "inconclusive" then "nothing failed, but this is not a pass: re-run, or measure longer."
  else "nothing to do."
  end;

def _word: if .cases == [] then "Nothing measured" else .verdict | (.[:1] | ascii_upcase) + .[1:] end;
def _title($context):
  ($context.title | if . then " (\(markdown::escaped))" else "" end) as $key
  | ($context.head | if . then " of \(.[:10] | markdown::code)" else "" end) as $commit
  | "### \(_word)\($key): \(_advice) Benchmarks\($commit)";
def _headline: headline::headline | sub("^\\w+: "; "") | (.[:1] | ascii_upcase) + .[1:] | markdown::escaped;

# comparison => the table of a few rows: of metrics, or of cases where nothing was compared
def _tally:
  metric_counts::rows as $rows
  | if .cases == [] then empty
    elif $rows != [] then
      [["gated metrics", "how many", "mean change", "range"]] + $rows | markdown::table(["l", "r", "r", "l"])
    else [["cases", "how many"]] + metric_counts::cases | markdown::table(["l", "r"])
    end;

def _turned: select(metric_counts::is_turned) | "Of metrics where more is better the change is turned: + is worse.";

# [line] => a part of the text
def _part($title; $unit):
  { title: $title, unit: $unit, head: null, lines: map("- " + .), most: _most_lines, folded: false };

# rows of cells, the first the head => a part
def _table($title; $unit; $align):
  (markdown::table($align) | split("\n")) as $lines
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

# comparison => "blocks" when all were duets, else "rounds"
def _rounds: if all(.cases[].comparison | values; .kind == "duet") then "blocks" else "rounds" end;

# A number stays on a line with its unit.
def _unbroken: gsub(" "; "\u00a0");

# comparison => rows of metrics of some verdicts
def _metrics($title; $verdicts):
  _rounds as $rounds
  | headline::ratio_column as $ratio
  | [rows::compared[] | select(.metric.verdict as $verdict | $verdicts | index($verdict))]
  | [["case", "metric", "base", "head", $ratio, $rounds, "verdict"]]
    + map([(.case | _name), (.metric.metric | metrics::title | markdown::escaped)]
      + (.metric | rows::of_metric[:3] | map(markdown::escaped | _unbroken))
      + [(.case.rounds // "–" | tostring), (.metric | rows::of_metric[3])])
  | _table($title; "row"; ["l", "l", "r", "r", "l", "r", "l"]);

def _numbers:
  .cases
  | rows::run
  | (if rows::intended then " (†: from the intended start)" else "" end) as $signs
  | (if rows::own_load then " under their own load" else "" end) as $load
  | rows::sorted
  | [["case"] + rows::headings] + ([map([_name]), rows::of_cases] | transpose | map(add))
  | _table("Numbers of all cases\($load)\($signs)"; "case"; ["l", "r", "r", "r", "r", "l"]);

def _not_run:
  [.cases[]
    | select(.verdict == "todo" or .verdict == "n-a")
    | "\(_name): \(.verdict), \(.reason | markdown::escaped)"];

# comparison => the parts that may be long, those that matter most first
def _parts($history):
  [ (.notes // [] | map(markdown::escaped) | _part("Notes"; "note")),
    (markdown_lists::changes | _part("Changes of the benchmark (judged by base's)"; "change")),
    (_of("error") | _part("Failed to run"; "case")),
    (_open("missing") | _part("Not measured"; "case")),
    (_open("apart") | _part("Not compared"; "case")),
    (markdown_lists::thresholds | _part("Thresholds missed"; "threshold")),
    (_of("invalid") | _part("No trustworthy measurement"; "case")),
    (_metrics("Changed"; ["worse", "better"])),
    (_open("unclear") | _part("Undecided, with the minimum detectable effect"; "case")),
    (markdown_lists::undecided | _part("No confidence interval"; "line")),
    ($history.since.gone | history::problems | _part("Gone since \($history | history::last)"; "problem")),
    ($history.since.open
      | history::problems
      | _part("Wrong at \($history | history::last), and undecided this time"; "problem")),
    (markdown_lists::findings | _part("Findings"; "finding") | _folded),
    (_not_run | _part("Not run"; "case") | _folded),
    ($history | history::lines | _part("Earlier on this pull request"; "result") | _folded),
    (_numbers | _folded),
    (_metrics("Unchanged or unclear"; ["same", "unclear"]) | _folded) ];

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

# context => where all of it is
def _whole:
  [(.site | values | "[pages](\(.))"), (.artifact | values | "[files](\(.))")]
  | select(. != [])
  | "The full comparison: " + join(", ");

def _foot($context):
  [ (headline::method | values | markdown::escaped),
    _mde,
    ($context | _whole),
    (.command | values | "Reproduce: " + markdown::code),
    ($context.machine | values | "Measured on: " + _machine),
    ("Commits: " + _sides($context)) ]
  | map("- " + .)
  | join("\n");

[inputs | _cut]
| .[0] as $comparison
| (.[1] // {}) as $context
| $comparison
| history::after($context.head; $context.before // []) as $history
| [_title($context), _headline, _tally, _turned] as $top
| [_foot($context), ($history | history::carried($context.marker))] as $bottom
| ($top + $bottom | map(utf8bytelength + 2) | add) as $taken
| (.cases |= map(.case = "\(.system) \(.environment) \(.case)"))
| $top + [_parts($history) | fit_to_size::fitted(_most_bytes - $taken) | select(. != "")] + $bottom
| join("\n\n")
