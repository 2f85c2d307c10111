# The rows of the tables that both texts show: cells as strings, the worst first.
import "lib/headline" as headline;
import "lib/numbers" as numbers;
import "lib/reasons" as reasons;

# measured metric => its cell; in brackets what does not count
def _cell(f): if . == null or .value == null then "-" elif .valid then .value | f else "(\(.value | f))" end;

# case of a comparison => [throughput, p50, p95, errors, verdict]
def of_case:
  [ (.measured.throughput_rps | _cell(numbers::short)),
    (.measured.latency_ms_p50 | _cell(numbers::short)),
    (.measured.latency_ms_p95 | _cell(numbers::short)),
    (.measured.errors_ratio | _cell(numbers::percent)),
    .verdict ];

# [case] => the same, worst first; the order of the plan within a verdict
def sorted: to_entries | sort_by((.value | headline::rank), .key) | map(.value);

# [case] => those that were to be run
def run: map(select(.verdict != "todo" and .verdict != "n-a"));

def _points: . * 100 | numbers::signed;

# row of a comparison => "1.051 [1.020, 1.083]"
def _interval:
  if .reason then "-"
  elif .scale == "ratio" then "\(.ratio | numbers::factor) [\(.low | numbers::factor), \(.high | numbers::factor)]"
  else "\(.ratio | _points) points [\(.low | _points), \(.high | _points)]"
  end;

# row of a comparison => [base, head, head/base [low, high], verdict]
def of_metric:
  .unit as $unit
  | [ (.base | numbers::in_unit($unit)), (.head | numbers::in_unit($unit)), _interval,
      .verdict + (if .gated then "" else " (not gated)" end) ];

# row => its place in the table
def _rank:
  .verdict as $verdict
  | [(if .gated then 0 else 1 end), (["worse", "unclear", "better", "same"] | index($verdict))];

# comparison => [{ case, metric: row }] worth a look: gated ones, and others that changed; worst first
def compared:
  [.cases | sorted[] | . as $case
    | .metrics[] | select(.gated or .verdict == "worse" or .verdict == "better")
    | { case: $case, metric: . }]
  | to_entries
  | sort_by((.value.metric | _rank), .key)
  | map(.value);

# comparison => [{ case, metrics: [name], text }]: gated metrics without an interval, and why
def undecided:
  [.cases | sorted[] | .case as $case
    | .metrics[] | select(.gated and .reason != null)
    | { case: $case, metric, text: .reason }]
  | [group_by(.case, .text)[] | { case: .[0].case, metrics: map(.metric), text: .[0].text }];

# comparison => [{ case, text, level }]: missed thresholds
def thresholds:
  [.cases | sorted[] | .case as $case
    | .thresholds[] | select(.outcome == "missed")
    | { case: $case, level, text: reasons::of_threshold }];

def _same_text: [group_by(.text)[] | .[0] + { cases: map(.case) } | del(.case)];

# Of warnings and notes that differ only in their numbers, one stands for all: `such_as` is its case.
def _same_id:
  [group_by(.level, .id)[]
    | if .[0].level == "error" or length <= 2 then .[]
      else .[0] + { cases: map(.cases[]), such_as: .[0].cases[0] }
      end];

# comparison => [{ level, id, text, cases: [name], such_as }], the same sentence once, the worst first
def findings:
  [.cases | sorted[] | .case as $case | .findings[] | { level, id, text, case: $case }]
  | _same_text
  | _same_id
  | sort_by(.level as $level | ["error", "warn", "info"] | index($level));
