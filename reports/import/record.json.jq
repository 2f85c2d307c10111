# Rounds of other tools (src/records/import/round/round.ts) => a record:
#   jq -n -L reports -f reports/import/record.json.jq --argjson given '{ … }' round.json…
# $given: { format, id, case: { system, environment, scenario, case, values }, files: [{ name, sha256 }], time, machine,
# definition, command, error_cap }
import "import/rounds" as rounds;
import "lib/compare/reasons" as reasons;
import "lib/compare/verdicts" as verdicts;

[inputs]
| rounds::record($given)
| .thresholds |= map(.text = reasons::of_threshold)
| .verdict = verdicts::of_record
| .reason = reasons::of_record
| rounds::fitted
