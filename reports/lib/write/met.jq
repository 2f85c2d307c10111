# What came of thresholds in the cases that pass.
import "lib/numbers" as numbers;
import "lib/sub_metric" as sub_metric;

def _passing: [.cases[] | select(.verdict == "pass")];

# comparison => was base measured beside head? Then thresholds are those of the load lane
def _paired: any(.cases[].comparison | values; .kind == "duet" or .kind == "interleaved");

# [threshold] => "http_req_duration p(95)<50 and 2 more"
def _some:
  (map(if .implicit then "errors" else "\(sub_metric::name) \(.expr)" end) | unique) as $names
  | $names[0] + if ($names | length) > 1 then " and \($names | length - 1 | numbers::count) more" else "" end;

# [threshold]; where they were judged: "" or " under load" => what came of them, as parts of a sentence
def _parts($where):
  . as $all
  | [$all[] | select(.outcome == "met")] as $met
  | [$all[] | select(.outcome == "missed" and .base.outcome == "missed")] as $both
  | ($all - $met - $both | map(select(.outcome == "missed"))) as $missed
  | [$all[] | select(.outcome == "unknown")] as $open
  | (if $met == $all then "every threshold met\($where)"
     elif $met == [] then "no threshold met\($where)"
     else "\($met | length | numbers::count) of \($all | length | numbers::count("threshold")) met\($where)" end),
    ($both | select(. != []) | "missed on both sides: \(_some)"),
    ($missed | select(. != []) | "missed, as a warning: \(_some)"),
    ($open | group_by(.reason)[] | "not judged: \(_some) (\(.[0].reason))");

# comparison => what came of the thresholds in the load lane, in the cases that pass
def _met_under_load:
  (_passing | map([.thresholds[]? | select(.lane)])) as $of_cases
  | ($of_cases | map(select(. == [])) | length) as $without
  | ($of_cases | add // []) as $all
  | if $all == [] then "thresholds not judged, without a load lane"
    else
      [ ($all | _parts(" under load")),
        ($without | select(. > 0) | "not judged in \(numbers::count("case")) without a load lane") ]
      | join("; ")
    end;

# comparison => "every threshold met", or "9 of 12 thresholds met; not judged: http_req_duration p(95)<50 and 2 more (too few requests)"
def met:
  if _paired then _met_under_load else [[_passing[] | .thresholds[]?] | _parts("")] | join("; ") end;
