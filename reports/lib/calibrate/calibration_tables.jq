# A calibration as people read it: [{ title, note, head: [text], rows: [[text]] }], the first column to the left.
import "lib/limits" as limits;
import "lib/numbers" as numbers;
import "lib/text" as text;

# condition => "unchanged", "small (ADDED_LOOPS=2500), busy machine"
def name:
  (if .env == {} then "unchanged"
   else .condition + " (" + ([.env | keys[] as $key | "\($key)=\(.[$key])"] | join(" ")) + ")"
   end
   | text::plain)
  + { quiet: "", busy: ", busy machine", bursts: ", random bursts" }[.others];

def _change($tried): if . == null then "over \($tried | numbers::change)" else 1 + . | numbers::change end;

# { change, low, high } of an effect => "+7.0 % [+6.0 %, +8.0 %]"
def _found_at($tried):
  (.change | _change($tried))
  + " [\(.low // $tried - 1 | _change($tried)), \(if .high then .high | _change($tried) else "…" end)]";

# change of a metric, with its interval
def _interval: if . == null then "-" else "\(.ratio | numbers::change) [\(.low | numbers::change), \(.high | numbers::change)]" end;

# { count, of, high } => cells
def _cells: ["\(.count) of \(.of)", (.high | numbers::percent)];

def _alarms:
  { title: "False positives",
    note: "Base against itself: nothing changed. With no tolerance every verdict but unclear is wrong, at the look where a duet ends and, stricter, at whichever look. The same recordings with head made slower by exactly the tolerance: worse is wrong (on the scale of ratios that is the same as worse with no tolerance; real slowdowns near it are below). Limits hold with 95 % confidence. Trials that could decide nothing are not counted.",
    head: ["judged", "wrong", "in the long run at most"],
    rows: ([.conditions[] | select(.at_zero) | name as $name
        | (["\($name), with no tolerance"] + (.at_zero.any | _cells)),
          (["\($name), with no tolerance, at any look"] + (.at_any_look | _cells)),
          (["\($name), slower by the tolerance"] + (.at_edge.any | _cells))]
      + [["all unchanged, with no tolerance"] + (.unchanged.at_zero | _cells),
         ["all unchanged, with no tolerance, at any look"] + (.unchanged.at_any_look | _cells),
         ["all unchanged, slower by the tolerance"] + (.unchanged.at_edge | _cells)]) };

# { count, of, low, high } => "8.8 % of 170 [5.5 %, 13 %]"
def _part: if .of == 0 then "-" else "\(.count / .of | numbers::percent) of \(.of) [\(.low | numbers::percent), \(.high | numbers::percent)]" end;

def _missed:
  .rule.gate as $gate
  | { title: "How often an interval is wrong",
      note: "Base against itself, intervals over all blocks of a trial: how many leave out \"no change\". Right ones of 90 % do so in 10 % of trials. In brackets what it is in the long run, each limit with 95 % confidence.",
      head: (["interval", "wrong when right"] + $gate),
      rows: [.unchanged.missed[]
        | [(.confidence | numbers::percent), (1 - .confidence | numbers::percent)] + [.missed[$gate[]] | _part]] };

def _verdicts:
  { title: "What it says",
    note: "With the tolerance of the rule. A duet is worse when any gated metric is, and unclear when one was not decided.",
    head: ["condition", "trials", "errors", "worse", "better", "same", "unclear", "blocks"],
    rows: [.conditions[]
      | [name] + ([.trials, .errors, .judged.any.worse, .judged.any.better, .judged.any.same, .judged.any.unclear,
          .judged.blocks_mean] | map(tostring))] };

def _sizes:
  .rule.gate as $gate
  | { title: "How large a change is, and in how many trials it was found",
      note: "Head by base over the blocks of all trials together, with its 95 % interval, from CPU accounting and from k6; worse: as if it alone were judged.",
      head: ["condition", "metric", "head/base", "worse in"],
      rows: [.conditions[] | name as $name | . as $condition | $gate[] | . as $metric | $condition
        | [$name, $metric, (.ratios[$metric] | _interval),
           "\(.judged.metrics[$metric].worse) of \(.trials)"]] };

def _found:
  .rule.gate as $gate
  | { title: "Minimum detectable effect (\(limits::limits.power | numbers::percent) power)",
      note: "Recordings of base against itself, with head made slower by more and more; the tolerance is a part of it. Each metric as if it alone were judged, with its part of the budget. In brackets between which changes it lies with 95 % confidence; …: more than was tried.",
      head: (["condition", "trials"] + $gate + ["any of them"]),
      rows: [.conditions[] | select(.power) | (.power[-1].change + 1) as $most
        | [name, (.judgeable | tostring)] + [.mde[$gate[], "any"] | _found_at($most)]] };

def _flagged: "\(.worse) + \(.better) of \(.worse + .better + .same + .unclear)";

def _usual:
  { title: "What people do today, on the same recordings",
    note: "How many are called worse + better; of an unchanged base both are wrong, of a slowdown better is. Stored run: the base of the trial before, and 10 % over its mean. Ranks: the same two by Mann and Whitney's test at 0.05, as benchstat has it. In turn: base of one block, head of the next, judged as a duet is, with half as many pairs. Stored run and ranks know no other tolerance, so the duet stands there twice.",
    head: ["condition", "stored run", "ranks", "in turn", "duet, no tolerance", "duet"],
    rows: [.conditions[]
      | [name] + [.usual.fixed_tolerance, .usual.ranks, .usual.alternating, .usual.duet, .judged.any | _flagged]] };

def _sittings:
  { title: "Sittings", note: null,
    head: ["when", "trials", "machine", "others kept busy", "commit"],
    rows: [.sittings[]
      | ["\(.from[:10]) \(.from[11:16]) to \(.to[11:16]) UTC", (.trials | tostring),
         ("\(.fingerprint.cpu_model), \(.fingerprint.cores) cores" | text::plain),
         "\(.others_cpu_ratio_median // 0 | numbers::significant(3)) cores",
         (.commit // "none" | .[:10]) + (if .dirty then " with changes" else "" end)]] };

# calibration => " (10 % for latency_ms_p95)"
def _other_tolerances:
  .rule as $rule
  | [$rule.gate[] as $name | select($rule.tolerances[$name]) | "\($rule.tolerances[$name] | numbers::percent) for \($name)"]
  | if . == [] then "" else " (\(join(", ")))" end;

# calibration => what was measured, and by which rule it is judged
def head:
  "\(.trials | numbers::count("trial")) of \(.case.environment) \(.case.case | text::plain) in "
  + "\(.sittings | length | numbers::count("sitting")), of up to \(.rule.looks[-1].blocks) blocks of "
  + "\(.timing.warmup_s) s to get warm and \(.timing.seconds) s measured. Judged with a tolerance of "
  + "\(.rule.tolerance | numbers::percent)\(_other_tolerances) and \(.rule.alpha | numbers::percent) false positives over "
  + "\(.rule.gate | numbers::listed), looked at after \([.rule.looks[].blocks | tostring] | numbers::listed) blocks."
  + if .left_out > 0 then " \(.left_out | numbers::count("trial")) of another definition, number or length of blocks \(if .left_out == 1 then "is" else "are" end) not counted." else "" end;

def tables: [_alarms, _missed, _verdicts, _sizes, _found, _usual, _sittings];
