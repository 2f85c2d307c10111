# A calibration => what it found, as Markdown for a README: jq -n -r -L reports -f reports/calibration.md.jq calibration.json
import "lib/calibrate/calibration_tables" as calibration_tables;
import "lib/metrics" as metrics;
import "lib/numbers" as numbers;
import "lib/stats" as stats;
import "lib/tables/limits" as limits;
import "lib/write/markdown" as markdown;

# of { count, of, high } => "0 of 30", with the share that it is at most
def _of: "\(.count) of \(.of)";
def _at_most: "at most \(.high // 1 | numbers::percent)";

def _aa:
  .conditions[]
  | select(.is_aa)
  | .judged.verdicts as $verdicts
  | [.name, (.as_shipped | _of, _at_most), "\(.trials - $verdicts.pass - $verdicts.fail) of \(.trials)",
      (.at_zero | "\(_of), \(_at_most)")];

def _kinds:
  [.conditions[] | select(.is_aa | not)]
  | select(. != [])
  | (map(.judged.found) | add) as $found
  | (map(.trials) | add) as $of
  | [(map(.condition) | unique | length | numbers::count("kind") + " of change"), "\($found) of \($of)",
     "at least \(stats::binomial_lower($found; $of; 0.95) | numbers::percent)", "\($of - $found) of \($of)", ""];

# why trials ended as errors
def _why: if .reasons == [] then "" else ", \(.judged.verdicts.error) ended as errors (\(.reasons | map(markdown::code) | join(", ")))" end;

# What the kinds are, and which were not always found: a condition has a kind with a size.
def _named:
  [.conditions[] | select(.is_aa | not)]
  | select(. != [])
  | map(select(.judged.found < .trials) | "\(.name | markdown::code) \(.judged.found) of \(.trials)\(_why)") as $missed
  | "The kinds of change: \(map(.condition | markdown::code) | unique | numbers::listed). A head that does not do the same work counts as found where the duet says so. "
    + if $missed == [] then "Each was found in each trial." else "Not always found: \($missed | join("; "))." end;

# [[metric, the smallest change that is found, one for each condition without a change]]: of one user, then under load
def _mde:
  .rule.gate as $gate
  | [.conditions[] | select(.power)]
  | (map(.power[-1].change + 1) | max) as $most
  | . as $conditions
  | select($conditions != [])
  | [$gate[] | [metrics::title, ($conditions[].mde[.] | calibration_tables::found_at($most))]]
    + [reduce $conditions[].under_load[].metric as $name ([]; if index([$name]) then . else . + [$name] end) | .[] as $name
      | [($name | metrics::title),
          ($conditions[] | [.under_load[] | select(.metric == $name) | calibration_tables::found_under_load][0] // "–")]]
  | [["smallest change found"] + [$conditions[].name]] + .;

# What the second table says.
def _power:
  select(any(.conditions[]; .power))
  | "A change is found where \(limits::limits.power | numbers::percent) of the A/A trials, were head so much worse, would call it so, "
    + "the tolerance included; in brackets its 95 % confidence bounds (…: more than so few trials can bound).";

# what a conventional rule calls all A/A trials
def _conventional($title; $name):
  [.conditions[] | select(.is_aa) | .conventional[$name]]
  | (map(.worse + .better) | add) as $called
  | (map(add) | add) as $all
  | select($all > 0)
  | "\($called) of \($all) (\($title))";

def _by_others:
  [_conventional("10 % over a stored baseline"; "fixed_threshold"), _conventional("Mann-Whitney U on stored blocks"; "mann_whitney")]
  | select(. != [])
  | "Conventional rules call the same A/A trials different: \(join(", ")).";

def _stored:
  .stored
  | select(. and .pairs > 0)
  | "Judged as stored versions, base's side alone, \(.compared | numbers::count) of \(.pairs | numbers::count) pairs of other sessions "
    + "may be compared, and \(.worse | numbers::count) of these are called worse"
    + (if .compared == 0 then ": how fast the machine was is not known of trials that were kept before they had a probe." else "." end);

inputs
| [calibration_tables::head("\(.case.system) \(.case.environment) \(.case.case)" | markdown::code),
   ([["trials", "failed", "95 % bound", "undecided", "called different with no tolerance"], _aa, _kinds]
       | markdown::table(["l", "l", "l", "l", "l"])),
   (_mde | markdown::table(.[0] | map("l"))),
   ([_named, _power, _by_others, _stored] | join(" "))]
| join("\n\n")
