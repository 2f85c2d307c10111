# A calibration => text for the terminal: jq -n -r -L reports -f reports/calibration.txt.jq calibration.json
import "lib/limits" as limits;
import "lib/numbers" as numbers;
import "lib/text" as text;

def _paragraph: text::wrapped(text::width; 0);
def _change: if . == null then "none tried" else "+" + (. * 100 | numbers::significant(3) | tostring) + " %" end;

# condition => "same", "small (ADDED_LOOPS=2500)"
def _name:
  .condition + (if .env == {} then "" else " (" + ([.env | keys[] as $key | "\($key)=\(.[$key])"] | join(" ")) + ")" end)
  | text::plain;

# calibration => what was measured, and by which rule it is judged
def _head:
  "Calibration of \(.case.system) \(.case.environment) \(.case.case): \(.trials | numbers::count("trial")) in "
  + "\(.sittings | length | numbers::count("sitting")), blocks of \(.timing.warmup_s) + \(.timing.seconds) s. Judged with a "
  + "tolerance of \(.rule.tolerance | numbers::percent), \(.rule.false_alarm | numbers::percent) false alarms over "
  + "\(.rule.gate | numbers::listed), looks after \([.rule.looks[].blocks | tostring] | numbers::listed) blocks.";

# { count, of, high } => cells
def _cells: ["\(.count) of \(.of)", (.high | numbers::percent)];

def _alarms:
  [["Base against itself", "wrong", "in the long run at most"]]
  + [.conditions[] | select(.at_zero) | _name as $name
    | (["\($name): called better or worse, with no tolerance"] + (.at_zero.any | _cells)),
      (["\($name): called worse, slower by the tolerance"] + (.at_edge.any | _cells))]
  | text::table(["l", "r", "r"]; 60);

def _verdicts:
  [["What it says", "trials", "failed", "worse", "better", "same", "unclear", "blocks"]]
  + [.conditions[]
    | [_name, .trials, .failed, .judged.any.worse, .judged.any.better, .judged.any.same, .judged.any.unclear, .judged.blocks_mean]
    | map(tostring)]
  | text::table(["l", "r", "r", "r", "r", "r", "r", "r"]; 40);

def _interval: if . == null then "-" else "\(.ratio | numbers::change) [\(.low | numbers::change), \(.high | numbers::change)]" end;

def _sizes:
  .rule.gate as $gate
  | [["How large it is, all blocks", "metric", "head/base, 95 % interval", "worse in", "of"]]
    + [.conditions[] | . as $condition | $gate[] | . as $metric | $condition
      | [(if $metric == $gate[0] then _name else "" end), $metric, (.ratios[$metric] | _interval),
         (.judged.metrics[$metric].worse | tostring), (.trials | tostring)]]
  | text::table(["l", "l", "l", "r", "r"]; 40);

def _found:
  .rule.gate as $gate
  | [["Smallest change found in \(limits::limits.power | numbers::percent) of trials"] + $gate + ["any"]]
  + [.conditions[] | select(.smallest_found)
    | [_name] + [.smallest_found[$gate[], "any"] | _change]]
  | text::table(["l"] + [$gate[], "any" | "r"]; 50);

def _flagged: "\(.worse + .better) of \(.worse + .better + .same + .unclear)";

def _usual:
  [["Better or worse, by rules of today", "stored run, 10 %", "ranks, p < 0.05", "runs in turn", "duet"]]
  + [.conditions[] | [_name, (.usual.fixed_tolerance, .usual.ranks, .usual.in_turn, .judged.any | _flagged)]]
  | text::table(["l", "r", "r", "r", "r"]; 40);

def _sittings:
  "Sittings\n" + ([.sittings[]
    | "  \(.from[:16])Z to \(.to[11:16])Z, \(.trials | numbers::count("trial")), \(.fingerprint.cpu_model), "
      + "\(.fingerprint.cores) cores, others kept \(.others_cpu_ratio_median // 0) cores busy, commit \(.commit // "none" | .[:10])"
      + (if .dirty then " with changes" else "" end)] | join("\n"));

inputs
| if .trials == 0 then "No trial is kept yet: benchfolio calibrate measures some."
  else [(_head | _paragraph), _alarms, _verdicts, _sizes, _found, _usual, _sittings] | join("\n\n")
  end
