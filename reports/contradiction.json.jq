# A comparison that anybody may have written => in a sentence, how it contradicts itself; null when it does not
#   jq -n -L reports -f reports/contradiction.json.jq comparison.json
import "lib/compare/load_thresholds" as load_thresholds;
import "lib/compare/verdicts" as verdicts;

# case that claims to pass => why it cannot
def _unfounded:
  if any(.thresholds[]; load_thresholds::fails or load_thresholds::is_open) then "a threshold was missed"
  elif any(.metrics[]; .gated and .verdict == "worse") then "a gated metric is worse"
  elif any(.findings[]; .level == "error") then "a finding is an error"
  elif verdicts::weakened != [] then "its benchmark was made looser"
  elif .record == null then "it has no record"
  else empty
  end;

inputs
| . as $comparison
| ($comparison.cases | map(.verdict) | verdicts::of_all) as $verdict
| if .verdict != $verdict then "its verdict is \(.verdict), and that of its cases \($verdict)"
  elif .exit != ($verdict | verdicts::exit_code) then "its exit code is not that of its verdict"
  else [.cases[] | select(.verdict == "pass") | _unfounded | "a case passes, though \(.)"][0]
  end
