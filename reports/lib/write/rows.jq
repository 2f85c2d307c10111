# The tables and lists that several texts show, the worst first. A table is a list of columns (columns.jq).
import "lib/write/columns" as columns;
import "lib/write/headline" as headline;
import "lib/metrics" as metrics;
import "lib/numbers" as numbers;
import "lib/compare/reasons" as reasons;
import "lib/compare/verdicts" as verdicts;
import "lib/write/shown_verdict" as shown_verdict;

# measured metric => its cell; in brackets what does not count, with † what stands in its place
def _cell(f):
  if . == null or .value == null then "–"
  elif .valid then .value | f
  elif .intended then "\(.intended | f)†"
  else "(\(.value | f))"
  end;

# [case] => what † means, where it stands; null where it does not
def intended:
  if any(.[].measured.latency_ms_p50, .[].measured.latency_ms_p95; .intended?) then
    "†: from the intended start, so with the wait for what could not be sent: the case is saturated."
  else null end;

# [case] => what load the numbers of a duet are of; null where there is no duet with a load lane
def own_load:
  (map(select(.measured)) | map(.measured_lane == "load")) as $own
  | if $own == [] or ($own | any | not) then null
    else "Head's numbers under the scenario's own load" + (if $own | all then "." else ", where it was measured; else of one user." end)
    end;

# [measured metric] => their cells, as numbers of a column
def _column:
  . as $all
  | (map(if .valid then .value else null end) | numbers::column) as $texts
  | [range(length) as $i | $all[$i] | _cell(if $all[$i].valid then $texts[$i] else numbers::number end)];

# cell => with its unit, within the brackets of what does not count
def _percent: if . == "–" then . elif endswith(")") then .[:-1] + " %)" else . + " %" end;

def _in_percent: if .value then .value *= 100 else . end;

# [measured share] => their cells
def _shares: map(_in_percent) | _column | map(_percent);

# name of a metric => the heading of a column of its numbers: "latency p50 ms"; a share has its percent sign in each cell
def _heading: metrics::title + ({ "1/s": "/s", "ms": " ms" }[metrics::named(.).unit] // "");

# [case] => columns of their numbers: [{ title, short, align, cells }]; short: its title on a terminal. What was not sent stands beside
# the errors, which are a share of what was.
def _columns:
  [ { title: ("throughput_rps" | _heading), short: "throughput/s", cells: (map(.measured.throughput_rps) | _column) },
    { title: ("latency_ms_p50" | _heading), short: "p50 ms", cells: (map(.measured.latency_ms_p50) | _column) },
    { title: ("latency_ms_p95" | _heading), short: "p95 ms", cells: (map(.measured.latency_ms_p95) | _column) },
    { title: null, short: "p99 ms", cells: (map(.measured.latency_ms_p99) | _column) },
    { title: ("errors_ratio" | _heading), short: "errors", cells: (map(.measured.errors_ratio) | _shares) },
    (select(any(.[]; shown_verdict::falls_short))
      | { title: "not sent", short: "not sent", cells: (map(.measured.dropped_iterations_ratio) | _shares) }),
    { title: "verdict", short: "verdict", align: "l", cells: map(shown_verdict::shown_verdict) } ]
  | map(.align //= "r");

# [case of a comparison] => columns of them: throughput, p50, p95, errors, verdict
def of_cases: _columns | map(select(.title));

# [case of a comparison] => the same where there is room for more: on a terminal
def of_cases_at_length: _columns | map(.title = .short);

# [case] => the same, worst first; the order of the plan within a verdict
def sorted: to_entries | sort_by((.value | headline::rank), .key) | map(.value);

# [case] => those that were to be run
def run: map(select(.verdict != "todo" and .verdict != "n-a"));

# comparison => "blocks" when all were duets, else "rounds"
def _rounds: if all(.cases[].comparison | values; .kind == "duet") then "blocks" else "rounds" end;

# [{ case, metric: row }] of a comparison => the columns of what was compared, by name: each text chooses of them
def of_compared($comparison):
  { metric: (map(.metric.metric | metrics::title) | columns::column("metric"; "l")),
    change: (map(.metric | numbers::change_interval) | columns::column("change [\($comparison | headline::confidence) CI]"; "l")),
    base: (map(.metric | .unit as $unit | .base | numbers::in_unit($unit)) | columns::column("base"; "r")),
    head: (map(.metric | .unit as $unit | .head | numbers::in_unit($unit)) | columns::column("head"; "r")),
    ratio: (map(.metric | numbers::ratio_interval) | columns::column($comparison | headline::ratio_column; "l")),
    rounds: (map(.case.rounds // "–" | tostring) | columns::column($comparison | _rounds; "r")),
    verdict: (map(.metric | .verdict + (if .gated then "" else " (not in the gate)" end)) | columns::column("verdict"; "l")) };

# row => its place in the table
def _rank:
  .verdict as $verdict
  | [(if .gated then 0 else 1 end), (verdicts::order_of_metrics | index($verdict))];

# comparison => [{ case, metric: row }] worth a look: gated ones, and others that changed; worst first
def compared:
  [.cases | sorted[] | . as $case
    | .metrics[] | select(.gated or .verdict == "worse" or .verdict == "better")
    | { case: $case, metric: . }]
  | to_entries
  | sort_by((.value.metric | _rank), .key)
  | map(.value);

# comparison => [{ case, metrics: [title], text }]: gated metrics without a confidence interval, and why
def undecided:
  [.cases | sorted[] | .case as $case
    | .metrics[] | select(.gated and .reason != null)
    | { case: $case, metric: (.metric | metrics::title), text: .reason }]
  | [group_by(.case, .text)[] | { case: .[0].case, metrics: map(.metric), text: .[0].text }];

# comparison => [{ case, text, level }]: missed thresholds
def thresholds:
  [.cases | sorted[] | .case as $case
    | .thresholds[] | select(.outcome == "missed")
    | { case: $case, level, text: reasons::of_threshold }];

# change of a benchmark => "was accepted: …", "is looser", "is stricter"
def _how: if .accepted then "accepted: \(.accepted)" elif .looser then "looser" else "stricter, or another" end;

# comparison => [{ case, text }]: how head's benchmark differs from base's, what makes it looser first
def changes:
  [.cases | sorted[] | .case as $case | .changes[]? | select(.looser or .subject != "files")
      | { case: $case, looser, text: "\(reasons::of_change) (\(_how))" }]
  | sort_by(.looser | not);

# comparison => [{ case, text }]: what base's bench.toml has to say for a change that stops a pass
def to_accept:
  [.cases | sorted[] | .case as $case | .changes[]? | select(.looser and .accepted == null and (.accept // "") != "")
      | { case: $case, text: "[[accept]] change = \(.accept | tojson)" }];

# fault of a record => "27 errors, the last 350 ms after its end"
def _errors:
  (.errors | add // 0) as $errors
  | (.recovery_ms | map(values) | max) as $last
  | if $last == null then "what came of it is not known"
    elif $errors == 0 then "no error"
    elif $last == 0 then "\($errors | numbers::count("error")), none after its end"
    else "\($errors | numbers::count("error")), the last \($last / 1000 | numbers::duration) after its end"
    end;

# comparison => [{ case, text }]: what faults did, over all rounds
def faults:
  [.cases | sorted[] | .case as $case
    | .faults[]?
    | { case: $case, text: "\(.action) \(.service) at \(.at_s | numbers::duration) for \(.for_s | numbers::duration): \(_errors)" }];

# comparison => [{ case, text }]: how long groups of requests took
def groups:
  [.cases | sorted[] | .case as $case
    | .groups // {}
    | keys[] as $name
    | .[$name]
    | (.duration_ms_p50, .duration_ms_p95) |= _cell(numbers::in_unit("ms"))
    | "p50 \(.duration_ms_p50), p95 \(.duration_ms_p95), \(.count | numbers::count("time"))" as $text
    | { case: $case, text: "\($name): \($text)" }];

# comparison => [{ case, text }]: how fast users that are told apart received
def users:
  [.cases | sorted[] | .case as $case
    | select((.users // 0) > 0)
    | .users as $users
    | .measured
    | [.receiving_bytes_per_second_min, .receiving_bytes_per_second_p50, .receiving_bytes_per_second_max
      | _cell(numbers::in_unit("bytes/s"))] as [$min, $p50, $max]
    | "received \($min) to \($max), the median is \($p50)" as $text
    | { case: $case, text: "\($users | numbers::count("user")) \($text)" }];

def _same_text: [group_by(.text)[] | .[0] + { cases: map(.case) } | del(.case)];

# Of findings of one cause in several cases, which differ only in their numbers, one stands for all: `such_as` is its case.
def _same_id:
  [group_by(.level, .id)[]
    | (map(.cases[]) | unique) as $cases
    | if length == 1 or ($cases | length) == 1 then .[] else .[0] + { cases: $cases, such_as: .[0].cases[0] } end];

# comparison => [{ level, id, text, cases: [name], such_as }], the same sentence once, the worst first
def findings:
  [.cases | sorted[] | .case as $case | .findings[] | { level, id, text, case: $case }]
  | _same_text
  | _same_id
  | sort_by(.level as $level | ["error", "warn", "info"] | index($level));
