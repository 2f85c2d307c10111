# Why a case has its verdict, in one sentence: the same in the terminal, in Markdown and on pages.
import "lib/numbers" as numbers;
import "lib/sub_metric" as sub_metric;
import "lib/compare/verdicts" as verdicts;

def _cap: .expr | ltrimstr("value<=") | tonumber | numbers::percent;

# threshold => "http_req_duration p(95)<50: 55.1"
def of_threshold:
  if .implicit then "\(.observed | numbers::percent) of the requests failed, the cap is \(_cap)"
  elif .observed == null then "\(sub_metric::name) \(.expr): \(.reason)"
  else "\(sub_metric::name) \(.expr): \(.observed | numbers::number)"
  end;

# row of a comparison => "latency_ms_p50 +12.0 % [+7.0, +18.0]"
def of_row: if .reason then "\(.metric): \(.reason)" else "\(.metric) \(numbers::change_interval)" end;

# row => the smallest change that it would have found with 80 % power
def _mde:
  if .mde == null then ""
  elif .mde > 9 then ": minimum detectable effect above tenfold"
  elif .scale == "ratio" then ": minimum detectable effect \(.mde | numbers::percent)"
  else ": minimum detectable effect \(.mde * 100 | numbers::plain) points"
  end;

# [row] that might be worse => the first of them, and how many more
def _open:
  (length - 1) as $more
  | .[0]
  | of_row
  + (if $more > 0 then " and \($more | numbers::count("metric")) more" else "" end)
  + _mde;

# change of a benchmark => "threshold http_req_duration p(95) at most: < 50 -> gone"
def of_change: "\(.subject): \(.base) -> \(.head)";

# case => how its benchmark was made looser, and how many more ways
def _weakened:
  verdicts::weakened
  | (length - 1) as $more
  | if .[0].subject == "files" then "both sides are the same files (\(.[0].base))"
    else "head's benchmark measures or expects less: \(.[0] | of_change)"
    end
  + if $more > 0 then " and \($more | numbers::count("change")) more" else "" end;

# case of a comparison => the sentence; null for a pass
def of_case:
  if .verdict == "todo" or .verdict == "n-a" or .verdict == "error" then .reason
  elif .verdict == "invalid" then [.findings[] | select(.level == "error") | .text][0]
  elif .verdict == "fail" then
    [.thresholds[] | select(.level == "fail" and .outcome == "missed") | of_threshold]
    + [.metrics[] | select(.gated and .verdict == "worse") | of_row]
    | join("; ")
  elif .verdict != "inconclusive" then null
  elif .record == null then .reason // .comparison.reason // "it was not measured"
  elif verdicts::weakened != [] then _weakened
  elif .comparison.possible then
    (if .status == "interrupted" and .reason then "\(.reason); " else "" end) + ([.metrics[] | select(.gated and .may_be_worse)] | _open)
  else .comparison.reason
  end;
