# Many plans with the records that they name, and comparisons that are there => each comparison with the words said of
# it, in the same order: a site has one for every version, and a process for each would cost more than judging it.
#   jq -n -L reports -f reports/comparisons.json.jq '{ plans, records: { file: record }, comparisons }'
import "lib/write/finding" as finding;
import "lib/write/headline" as headline;
import "lib/compare/plan" as plan;

inputs
| .records as $records
| [ (.plans[] | plan::judged($records)), .comparisons[] ]
| map({ comparison: ., finding: finding::finding, brief: finding::brief,
      headline: headline::headline, notes: headline::notes, method: headline::method })
