# The first sentences that anybody reads: the verdict with the finding, and what else to know.
import "lib/metrics" as metrics;
import "lib/numbers" as numbers;
import "lib/write/finding" as finding;
import "lib/write/looked_at" as looked_at;
import "lib/write/met" as met;
import "lib/compare/verdicts" as verdicts;

def _stop: if test("[.!?/]$") then . else . + "." end;

# case => the sentence about other programs that kept the machine busy, where its reason does not begin with it: they come
# before what may be their doing; null without. What a duet finds to be worse is not: they took from both sides.
def _disturbed:
  .reason as $reason
  | if .verdict == "fail" and (.comparison.kind // "sessions") != "sessions" then .findings = [] else . end
  | [.findings[]? | select(.id == "disturbed") | .text | sub("(: |, and the load ).*"; "")
    | . as $text | select($reason // "" | startswith($text) | not)][0];

# comparison => what is worse and does not decide; null: nothing
def _worse_beside:
  [finding::with("pass")[].metrics[] | select((.gated | not) and .verdict == "worse") | .metric]
  | if . == [] then null else "not gated, but worse: \(looked_at::titles)" end;

# comparison => where the logs are of the first case that failed to run
def _logs:
  if .folder then "Its logs: \(.folder)/\(finding::with("error")[0] | "\(.system)/\(.environment)")/" else "Its log says more." end;

# comparison => what to know of two sides that are the same files (src/run/duet/ruler/compare-sides.ts); null: they differ
def _same_files:
  [.cases[].changes[]? | select(.subject == "files" and (.looser | not)) | .base][0]
  | if . then "Base and head are the same files (\(.)): an A/A trial, in which any difference is a false positive." else null end;

# comparison that passes => [sentence]: what is still unknown, in words
def _open_notes:
  (finding::with("pass") | [looked_at::undecided, looked_at::missing]) as [$open, $missing]
  | [($open | values | "undecided: \(.)"), ($missing | values | "not checked: \(.)"), met::met, (_worse_beside | values)];

# comparison => [sentence]: what else to know beside the finding
def notes:
  .verdict as $verdict
  | if finding::run == [] then []
    elif $verdict == "error" then [_logs]
    elif $verdict == "pass" and finding::baseline == null then ["no baseline"]
    elif $verdict == "pass" then _open_notes
    else [finding::with($verdict)[0] | _disturbed | values]
    end
  + [_same_files | values]
  | map((.[:1] | ascii_upcase) + .[1:] | _stop);

def _word: .verdict | (.[:1] | ascii_upcase) + .[1:];

# comparison => the verdict and the finding, without mark-up
def short: "\(_word): \(finding::finding | _stop)";

# comparison => the same, and what else to know
def headline: [short] + notes | join(" ");

# comparison => what was not run, in words; null when all was
def not_run:
  [("todo", "n-a") as $verdict | finding::with($verdict) | select(. != []) | "\(length) \($verdict)"]
  | if . == [] then null else "Not run: \(join(", "))." end;

# [comparison of a case] that was made => how much sessions are taken to differ
def _session_sd:
  (map(.session_sd_source) | unique) as $sources
  | if $sources == ["assumed"] then "a standard deviation of \(.[0].session_sd | numbers::percent) is assumed."
    else "their standard deviation is that of \($sources | join(", "))."
    end;

# comparison of sessions => how small a change it finds, of each gated metric; "" where it has none
def _found_by_sessions:
  [.cases[] | select(.comparison.kind == "sessions" and .comparison.possible) | .metrics[]?
    | select(.gated and .mde != null and .scale == "ratio")]
  | [group_by(.metric)[] | max_by(.mde) | "\(.metric | metrics::title) by \(.mde | numbers::percent)"]
  | if . == [] then "" else " What it finds in four of five comparisons: \(join(", "))." end;

# comparison => "98 %": of this level all of its confidence intervals hold together, since each end may miss with a chance of alpha
def confidence: 2 * .budget.alpha | numbers::level;

# comparison => the heading of the column of ratios
def ratio_column: "ratio [\(confidence) CI]";

# comparison => by how much each gated metric may be worse, after a sentence; "" where nothing is compared
def tolerances:
  [.cases[] | select(.comparison.possible) | .metrics[]? | select(.gated and .tolerance != null)]
  | if . == [] then "" else " Tolerances: \(looked_at::tolerances)." end;

# comparison => how its confidence intervals were made, and by how much a metric may be worse; null when none was
def method:
  [.cases[].comparison | select(.possible)] as $made
  | if .cases == [] then null
    elif all(.cases[]; .comparison == null) then "No baseline: nothing was compared, thresholds alone decide."
    elif $made == [] then null
    else "\(confidence) confidence intervals (CI), simultaneous over \(.budget.metrics | numbers::count("gated metric")); "
      + "\"same\" is shown by the narrower interval of each alone. "
      + if any($made[]; .apart) and all($made[]; .kind == "duet") then
          "Base and head ran at the same time; a script that brings its own load has a k6 process for each."
        elif all($made[]; .kind == "duet") then "Base and head ran at the same time, and each request went to both."
        elif all($made[]; .kind == "interleaved") then "Base and head were measured interleaved, in random order."
        else "Base and head are of different sessions, which differ by themselves: \($made | _session_sd)" + _found_by_sessions
        end
      + if any($made[]; .swapped_cores) then " With one user, they swapped cores all the time." else "" end
      + if any($made[]; .kept_awake) then " With one user, no core was let fall idle." else "" end
      + tolerances
    end;

# case => its place in tables: the worst first
def rank: .verdict as $verdict | verdicts::order | index($verdict);
