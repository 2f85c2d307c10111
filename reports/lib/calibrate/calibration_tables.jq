# A calibration as people read it: [{ title, note, head: [text], rows: [[text]] }], the first column to the left.
import "lib/tables/limits" as limits;
import "lib/metrics" as metrics;
import "lib/numbers" as numbers;
import "lib/text" as text;

# condition => "A/A", "small (ADDED_LOOPS=2500), busy machine"
def name:
  (if .env == {} then "A/A"
   else .condition + " (" + ([.env | keys[] as $key | "\($key)=\(.[$key])"] | join(" ")) + ")"
   end
   | text::plain)
  + { quiet: "", busy: ", busy machine", bursts: ", random bursts" }[.others];

def _change($tried): if . == null then "over \($tried | numbers::change)" else 1 + . | numbers::change end;

# { change, low, high } of an effect => "+7.0 % [+6.0 %, +8.0 %]"
def _found_at($tried):
  (.change | _change($tried))
  + " [\(.low // $tried - 1 | _change($tried)), \(if .high then .high | _change($tried) else "…" end)]";

# change of a metric, with its confidence interval
def _interval: if . == null then "–" else . + { scale: "ratio" } | numbers::change_interval end;

# { count, of, high } => cells
def _cells: ["\(.count) of \(.of)", (.high | numbers::percent)];

def _false_positives:
  { title: "False positives",
    note: "A/A trials: nothing changed. With no tolerance every verdict but unclear is a false positive, at the interim look where a duet ends and, stricter, at any of them. The same recordings with head made slower by exactly the tolerance: worse is a false positive (on the scale of ratios that is the same as worse with no tolerance; real slowdowns near it are below). Trials that could decide nothing are not counted.",
    head: ["judged", "false positives", "95 % upper bound"],
    rows: ([.conditions[] | select(.at_zero) | name as $name
        | (["\($name), with no tolerance"] + (.at_zero.any | _cells)),
          (["\($name), with no tolerance, at any interim look"] + (.at_any_look | _cells)),
          (["\($name), slower by the tolerance"] + (.at_edge.any | _cells))]
      + [["all A/A, with no tolerance"] + (.unchanged.at_zero | _cells),
         ["all A/A, with no tolerance, at any interim look"] + (.unchanged.at_any_look | _cells),
         ["all A/A, slower by the tolerance"] + (.unchanged.at_edge | _cells)]) };

# { count, of, low, high } => "8.8 % of 170 [5.5 %, 13 %]"
def _part: if .of == 0 then "–" else "\(.count / .of | numbers::percent) of \(.of) [\(.low | numbers::percent), \(.high | numbers::percent)]" end;

def _coverage:
  .rule.gate as $gate
  | { title: "Coverage of confidence intervals",
      note: "A/A trials, intervals over all blocks of a trial: how many leave out \"no change\" (observed miscoverage). Of correct 90 % intervals 10 % do (nominal miscoverage). In brackets bounds of the observed miscoverage, each with 95 % confidence.",
      head: (["confidence interval", "nominal miscoverage"] + ($gate | map(metrics::title))),
      rows: [.unchanged.miscoverage[]
        | [(.confidence | numbers::percent), (1 - .confidence | numbers::percent)] + [.observed[$gate[]] | _part]] };

def _verdicts:
  { title: "Verdicts",
    note: "With the tolerance of the rule. A duet is worse when any gated metric is, and unclear when one was not decided.",
    head: ["condition", "trials", "errors", "worse", "better", "same", "unclear", "blocks"],
    rows: [.conditions[]
      | [name] + ([.trials, .errors, .judged.any.worse, .judged.any.better, .judged.any.same, .judged.any.unclear,
          .judged.blocks_mean] | map(tostring))] };

def _sizes:
  .rule.gate as $gate
  | { title: "Trials with a known effect: its size, and how many find it",
      note: "A/B trials with known effect, and A/A trials. Head by base over the blocks of all trials together, from CPU accounting and from k6; worse: as if it alone were judged.",
      head: ["condition", "metric", "head/base [95 % CI]", "worse in"],
      rows: [.conditions[] | name as $name | . as $condition | $gate[] | . as $metric | $condition
        | [$name, ($metric | metrics::title), (.ratios[$metric] | _interval),
           "\(.judged.metrics[$metric].worse) of \(.trials)"]] };

def _found:
  .rule.gate as $gate
  | { title: "Minimum detectable effect (\(limits::limits.power | numbers::percent) power)",
      note: "A/A recordings with head made slower by more and more; the tolerance is a part of it. Each metric as if it alone were judged, with its part of the budget. In brackets between which changes it lies with 95 % confidence; …: more than was tried.",
      head: (["condition", "trials"] + ($gate | map(metrics::title)) + ["any of them"]),
      rows: [.conditions[] | select(.power) | (.power[-1].change + 1) as $most
        | [name, (.judgeable | tostring)] + [.mde[$gate[], "any"] | _found_at($most)]] };

def _flagged: "\(.worse) + \(.better) of \(.worse + .better + .same + .unclear)";

def _conventional:
  { title: "Conventional rules, on the same recordings",
    note: "How many trials each calls worse + better: of an A/A trial both are false positives, of a slowdown better is. Fixed threshold: 10 % over the mean of a stored baseline, the base of the trial before. Mann-Whitney U: the same two at 0.05, as benchstat has it. Alternating runs: base of one block, head of the next, judged as a duet is, with half as many pairs. Fixed threshold and Mann-Whitney U know no other tolerance, so the duet stands there twice.",
    head: ["condition", "fixed threshold", "Mann-Whitney U", "alternating runs", "duet, no tolerance", "duet"],
    rows: [.conditions[]
      | [name] + [.conventional.fixed_threshold, .conventional.mann_whitney, .conventional.alternating, .conventional.duet, .judged.any | _flagged]] };

def _sessions:
  { title: "Calibration sessions", note: null,
    head: ["when", "trials", "machine", "others kept busy", "commit"],
    rows: [.sessions[]
      | ["\(.from[:10]) \(.from[11:16]) to \(.to[11:16]) UTC", (.trials | tostring),
         ("\(.fingerprint.cpu_model), \(.fingerprint.cores) cores" | text::plain),
         "\(.others_cpu_ratio_median // 0 | numbers::significant(3)) cores",
         (.commit // "none" | .[:10]) + (if .dirty then " with changes" else "" end)]] };

# calibration => " (10 % for latency p95)"
def _other_tolerances:
  .rule as $rule
  | [$rule.gate[] as $name | select($rule.tolerances[$name]) | "\($rule.tolerances[$name] | numbers::percent) for \($name | metrics::title)"]
  | if . == [] then "" else " (\(join(", ")))" end;

# calibration => ", with interim looks after 6 and 9 blocks"
def _interim_looks:
  [.rule.interim_looks[:-1][].blocks | tostring]
  | if . == [] then "" else ", with interim looks after \(numbers::listed) blocks" end;

# calibration => what was measured, and by which rule it is judged
def head:
  "\(.trials | numbers::count("trial")) of \(.case.environment) \(.case.case | text::plain) in "
  + "\(.sessions | length | numbers::count("calibration session")), of up to \(.rule.interim_looks[-1].blocks) blocks of "
  + "\(.timing.warmup_s) s to get warm and \(.timing.seconds) s measured, sent by the \({ native: "native", javascript: "JavaScript" }[.player]) player. Judged with a tolerance of "
  + "\(.rule.tolerance | numbers::percent)\(_other_tolerances) and an alpha of \(.rule.alpha | numbers::percent) over "
  + "\(.rule.gate | map(metrics::title) | numbers::listed)\(_interim_looks)."
  + if .left_out > 0 then " \(.left_out | numbers::count("trial")) of another definition, player, number or length of blocks \(if .left_out == 1 then "is" else "are" end) not counted." else "" end;

def tables: [_false_positives, _coverage, _verdicts, _sizes, _found, _conventional, _sessions];
