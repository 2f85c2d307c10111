# A plan (which cases, which files) and the records it names => the comparison: every case's verdict, and that of all.
#   jq -n -L reports -f reports/comparison.json.jq plan.json record…
import "lib/compare/plan" as plan;

# inputs => { plan, records: { file: record } }
def _read:
  [inputs | { key: input_filename, value: . }]
  | { plan: (.[] | .value | select(.cases)), records: (map(select(.value.cases | not)) | from_entries) };

_read
| .records as $records
| .plan
| plan::judged($records)
