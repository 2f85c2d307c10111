# The first line that anybody reads: the verdict, how much it covers, and what to do.
import "lib/metrics" as metrics;
import "lib/numbers" as numbers;
import "lib/compare/reasons" as reasons;
import "lib/sub_metric" as sub_metric;
import "lib/reduce/thresholds" as thresholds;

def _with($verdict): [.cases[] | select(.verdict == $verdict)];
def _run: [.cases[] | select(.verdict != "todo" and .verdict != "n-a")];

# comparison => "1 of 3 cases"
def _part($verdict):
  (_run | length | numbers::count("case")) as $all
  | (_with($verdict) | length) as $some
  | if $some == (_run | length) then $all else "\($some | numbers::count) of \($all)" end;

def _stop: if test("[.!?]$") then . else . + "." end;

# case => the sentence about other programs that kept the machine busy, where its reason does not begin with it: they come
# before what may be their doing; "" without. What a duet finds to be worse is not: they took from both sides.
def _disturbed:
  .reason as $reason
  | if .verdict == "fail" and (.comparison.kind // "sessions") != "sessions" then .findings = [] else . end
  | [.findings[]? | select(.id == "disturbed") | .text | sub("(: |, and the load ).*"; "")
    | . as $text | select($reason // "" | startswith($text) | not) | . + ". "][0] // "";

# comparison => the first case of a verdict, with its reason
def _first($verdict): _with($verdict)[0] | _disturbed + ("\(.system) \(.environment) \(.case): \(.reason)" | _stop);

# comparison => what cases were compared with; null: nothing
def _baseline: [.cases[].comparison.baseline | values] | unique | if . == [] then null else join(", ") end;

# comparison => was base measured beside head? Then thresholds are those of the load lane
def _paired: any(.cases[].comparison | values; .kind == "duet" or .kind == "interleaved");

# [threshold] => "http_req_duration p(95)<50 and 2 more"
def _some:
  (map(if .implicit then "errors" else "\(sub_metric::name) \(.expr)" end) | unique) as $names
  | $names[0] + if ($names | length) > 1 then " and \($names | length - 1 | numbers::count) more" else "" end;

# comparison => what came of the thresholds in the load lane, in the cases that pass
def _met_under_load:
  (_with("pass") | map([.thresholds[]? | select(.lane)])) as $of_cases
  | ($of_cases | map(select(. == [])) | length) as $without
  | ($of_cases | add // []) as $all
  | [$all[] | select(.outcome == "met")] as $met
  | [$all[] | select(.outcome == "missed" and .base.outcome == "missed")] as $both
  | ($all - $met - $both | map(select(.outcome == "missed"))) as $missed
  | [$all[] | select(.outcome == "unknown")] as $open
  | if $all == [] then "thresholds not judged, without a load lane"
    else
      [ (if $met == $all then "every threshold met under load"
         elif $met == [] then "no threshold met under load"
         else "\($met | length | numbers::count) of \($all | length | numbers::count("threshold")) met under load" end),
        ($both | select(. != []) | "missed on both sides: \(_some)"),
        ($missed | select(. != []) | "missed, as a warning: \(_some)"),
        ($open | select(. != []) | "not judged: \(_some) (\(.[0].reason))"),
        ($without | select(. > 0) | "not judged in \(numbers::count("case")) without a load lane") ]
      | join("; ")
    end;

# comparison => "every threshold met", and which were not judged since latencies of a saturated system don't count
def _met:
  if _paired then _met_under_load
  else ([_with("pass")[] | .thresholds[]? | select(.outcome == "unknown" and .reason == thresholds::excuse)]
    | length) as $open
  | if $open == 0 then "every threshold met"
    else "\($open | numbers::count("threshold")) on latencies not judged (saturated, as expected), the others met"
    end
  end;

# comparison => what is worse and does not decide; null: nothing
def _worse_beside:
  [_with("pass")[].metrics[] | select((.gated | not) and .verdict == "worse") | .metric]
  | if . == [] then null else "Not gated, but worse: \(reasons::titles)." end;

# comparison => where the logs are of the first case that failed to run
def _logs:
  if .folder then "Its logs: \(.folder)/\(_with("error")[0] | "\(.system)/\(.environment)")/" else "Its log says more." end;

# comparison => the verb that goes with the number of its cases of a verdict
def _verb($verdict; $one; $many): if _with($verdict) | length == 1 then $one else $many end;

# comparison => what to know of two sides that are the same files (src/measure/duet/ruler/compare-sides.js); null: they differ
def _same_files:
  [.cases[].changes[]? | select(.subject == "files" and (.looser | not)) | .base][0]
  | if . then "Base and head are the same files (\(.)): an A/A trial, in which any difference is a false positive." else null end;

# comparison => the sentences, without mark-up
def _verdict:
  .verdict as $verdict
  | _part($verdict) as $part
  | if .cases == [] and .baseline then "Inconclusive: nothing was measured, for the change since \(.baseline) concerns no system."
    elif _run == [] then "Inconclusive: nothing was measured."
    elif $verdict == "error" then
      "Error: a service or a tool failed in \($part). \(_first($verdict)) \(_logs)"
    elif $verdict == "fail" then "Fail: \($part). \(_first($verdict))"
    elif $verdict == "invalid" then "Invalid: \($part) \(_verb($verdict; "has"; "have")) no trustworthy measurement. \(_first($verdict))"
    elif $verdict == "inconclusive" then "Inconclusive: nothing failed, but \($part) \(_verb($verdict; "is"; "are")) undecided. \(_first($verdict))"
    elif _baseline == null then "Pass: \($part), \(_met). No baseline."
    else "Pass: \($part), \(_baseline as $baseline | _with("pass") | reasons::looked_at($baseline)); \(_met). \(_worse_beside // "")" | rtrimstr(" ")
    end;

# comparison => the sentences, without mark-up
def headline: [_verdict, (_same_files | values)] | join(" ");

# comparison => what was not run, in words; null when all was
def not_run:
  [("todo", "n-a") as $verdict | _with($verdict) | select(. != []) | "\(length) \($verdict)"]
  | if . == [] then null else "Not run: \(join(", "))." end;

# [comparison of a case] that was made => how much sessions are taken to differ
def _session_sd:
  (map(.session_sd_source) | unique) as $sources
  | if $sources == ["assumed"] then "a standard deviation of \(.[0].session_sd | numbers::percent) is assumed."
    else "their standard deviation is that of \($sources | join(", "))."
    end;

# comparison => "99 %": of this level all of its confidence intervals hold together
def _confidence: .budget.alpha | numbers::level;

# comparison => the heading of the column of ratios
def ratio_column: "ratio [\(_confidence) CI]";

# comparison => how its confidence intervals were made; null when none was
def method:
  [.cases[].comparison | select(.possible)] as $made
  | if .cases == [] then null
    elif all(.cases[]; .comparison == null) then "No baseline: nothing was compared, thresholds alone decide."
    elif $made == [] then null
    else "\(_confidence) confidence intervals (CI), simultaneous over \(.budget.metrics | numbers::count("gated metric")); \"same\" is shown by the narrower interval of each alone. "
      + if any($made[]; .apart) and all($made[]; .kind == "duet") then
          "Base and head ran at the same time; a script that brings its own load has a k6 process for each."
        elif all($made[]; .kind == "duet") then "Base and head ran at the same time, and each request went to both."
        elif all($made[]; .kind == "interleaved") then "Base and head were measured interleaved, in random order."
        else "Base and head are of different sessions, which differ by themselves: \($made | _session_sd)"
        end
    end;

# case => its place in tables: the worst first
def rank: .verdict as $verdict | ["error", "fail", "invalid", "inconclusive", "pass", "n-a", "todo"] | index($verdict);
