# A calibration => text for the terminal: jq -n -r -L reports -f reports/calibration.txt.jq calibration.json
import "lib/text" as text;

def _paragraph: text::wrapped(text::width; 0);

def _table:
  (["l"] + [.head[1:][] | "r"]) as $align
  | [(.title), (if .note then .note | _paragraph else empty end), ([.head] + .rows | text::table($align; 50))]
  | join("\n");

inputs
| ["Calibration of \(.case.system): \(.head)" | _paragraph] + (.tables | map(_table))
| join("\n\n")
