# A calibration => what it found, as Markdown for a README: jq -n -r -L reports -f reports/calibration.md.jq calibration.json
import "lib/calibrate/calibration_tables" as calibration_tables;
import "lib/metrics" as metrics;
import "lib/numbers" as numbers;
import "lib/tables/limits" as limits;
import "lib/write/markdown" as markdown;

# of the shares of a condition => "0 of 30 (0 %)"; with their upper bound as the next cell
def _share: "\(.count) of \(.of)" + if .of > 0 then " (\(.count / .of | numbers::percent))" else "" end;
def _bounded: [_share, "at most \(.high // 1 | numbers::percent)"];

def _aa:
  .conditions[]
  | select(.is_aa)
  | .judged.verdicts as $verdicts
  | [["\(.name), as a duet ships: failed"] + (.as_shipped | _bounded),
     ["… passed", "\($verdicts.pass) of \(.trials), \(.trials - $verdicts.pass - $verdicts.fail) undecided", ""],
     ["… with no tolerance: called different"] + (.at_zero | _bounded)][];

# Times of other answers compare with nothing: a duet says so, and does not fail for it.
def _kinds:
  .conditions[]
  | select(.is_aa | not)
  | ([.judged.finds.answers // 0, .judged.verdicts.invalid] | min) as $other
  | [(.name | markdown::code) + (if .effect then ": " + .effect else "" end),
     "\(.judged.verdicts.fail) of \(.trials) failed"
     + (if $other > 0 then "; \($other) invalid: not the same work" else "" end), ""];

def _mde:
  .rule.gate as $gate
  | .conditions[]
  | select(.power)
  | (.power[-1].change + 1) as $most
  | .mde as $mde
  | [$gate[] | metrics::title + " " + ($mde[.] | calibration_tables::found_at($most))] as $found
  | ["\(.name): minimum detectable effect (\(limits::limits.power | numbers::percent) power), the tolerance included", ($found | join("; ")), "in brackets"];

# what a conventional rule calls all A/A trials
def _conventional($title; $name):
  [.conditions[] | select(.is_aa) | .conventional[$name]]
  | (map(.worse + .better) | add) as $called
  | (map(add) | add) as $all
  | select($all > 0)
  | ["the same A/A trials by a conventional rule: " + $title, "\($called) of \($all) called different", ""];

inputs
| calibration_tables::head("\(.case.system) \(.case.environment) \(.case.case)" | markdown::code) + "\n\n"
+ ([["trials", "result", "95 % bounds"], _aa, _kinds, _mde,
    _conventional("10 % over a stored baseline"; "fixed_threshold"),
    _conventional("Mann-Whitney U on stored blocks"; "mann_whitney")]
  | markdown::table(["l", "l", "l"]))
