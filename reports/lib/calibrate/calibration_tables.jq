# A calibration as people read it: a sentence, and [{ title, note, head: [text], rows: [[text]] }], the first column to the left.
import "lib/calibrate/calibration" as calibration;
import "lib/tables/limits" as limits;
import "lib/metrics" as metrics;
import "lib/numbers" as numbers;
import "lib/text" as text;

# { name: value } => "ADDED_LOOPS=2500 POOL=2"
def _variables: [keys[] as $key | "\($key)=\(.[$key])"] | join(" ");

# condition => "A/A", "A/A, busy machine", "pool (POOL=2; both sides POOL=50)"
def name:
  if .is_aa then
    "A/A"
    + (if .condition == calibration::of_checkouts then ", two checkouts" else "" end)
    + { quiet: "", busy: ", busy machine", bursts: ", random bursts" }[.others]
  else "\(.condition) (\(.env | _variables)\(if .both != {} then "; both sides \(.both | _variables)" else "" end))" | text::plain
  end;

def _change($tried): if . == null then "over \($tried | numbers::change)" else 1 + . | numbers::change end;

# { change, low, high } of an effect => "+7.0 % [+6.0 %, +8.0 %]"
def found_at($tried):
  (.change | _change($tried))
  + " [\(.low // $tried - 1 | _change($tried)), \(if .high then .high | _change($tried) else "…" end)]";

# the same of a metric under load, of which as large a change is tried as it takes
def found_under_load:
  def change: if . == null then "…" else 1 + . | numbers::change end;
  "\(.change | change) [\(.low | change), \(.high | change)]";

# change of a metric, with its confidence interval
def _interval: if . == null then "–" else . + { scale: "ratio" } | numbers::change_interval end;

# { count, of, high } => cells
def _cells: ["\(.count) of \(.of)", (.high // 1 | numbers::percent)];

def _false_positives:
  . as $all
  | def rows($name): [
    [$name] + (.as_shipped | _cells),
    ["\($name), with no tolerance"] + (.at_zero | _cells),
    ["\($name), with no tolerance, at any interim look"] + (.at_any_look | _cells),
    ["\($name), each request slower by the tolerance"] + (.at_edge | _cells)];
  { title: "False positives",
    note: "A/A trials: nothing changed. A duet is wrong where it fails. With no tolerance anything that is called worse or better is wrong, at the interim look where the duet ends and, stricter, at any of them. The same recordings with each request of head made slower by exactly the tolerance: a fail is a false positive. Trials that could decide nothing are not counted.",
    head: ["judged", "false positives", "95 % upper bound"],
    rows: ([.conditions[] | select(.is_aa) | rows(name)[]]
      | if . == [] then . else . + ($all.unchanged | rows("all A/A")) end) };

# { metric: trials } => ["latency p50 5", "tail 3"]: the four that are worse most often
def _by: [to_entries | sort_by(-.value, .key)[:4][]
    | "\({ fall: "a service that ended", threshold: "a threshold", answers: "other answers" }[.key]
        // (.key | metrics::title)) \(.value)"];

# condition => what was worse in its trials, and why others ended as errors
def _worse: (.judged.finds | _by) + .reasons | if . == [] then "–" else join(", ") end;

def _kinds:
  { title: "Kinds of change",
    note: "A/B trials with known effect, each by variables that the service reads. Fail is right; inconclusive and invalid are not a pass, and say why (other answers are not the same work); a pass missed the change, and an error compared nothing. Beside it what was worse, and in how many trials, or the error.",
    head: ["kind", "trials", "fail", "inconclusive", "invalid", "pass", "error", "blocks", "worse"],
    rows: [.conditions[] | select(.is_aa | not)
      | .judged.verdicts as $verdicts
      | [name] + ([.trials, $verdicts.fail, $verdicts.inconclusive, $verdicts.invalid,
              $verdicts.pass, $verdicts.error, (.judged.blocks_mean // "–")] | map(tostring))
        + [_worse]] };

def _verdicts:
  { title: "Verdicts of A/A trials",
    note: "As a duet says them by default. Inconclusive: a gated metric was not decided, with the noise of that machine.",
    head: ["condition", "trials", "pass", "inconclusive", "fail", "invalid", "error", "blocks", "seconds"],
    rows: [.conditions[] | select(.is_aa)
      | .judged.verdicts as $verdicts
      | [name] + ([.trials, $verdicts.pass, $verdicts.inconclusive, $verdicts.fail, $verdicts.invalid, $verdicts.error,
          (.judged.blocks_mean // "–"), (.seconds_median | numbers::significant(3))] | map(tostring))] };

# { count, of, low, high } => "8.8 % of 170 [5.5 %, 13 %]"
def _part: if .of == 0 then "–" else "\(.count / .of | numbers::percent) of \(.of) [\(.low | numbers::percent), \(.high | numbers::percent)]" end;

def _coverage:
  .rule.gate as $gate
  | { title: "Coverage of confidence intervals",
      note: "A/A trials, intervals over all blocks of a trial: how many leave out \"no change\" (observed miscoverage). Of correct 90 % intervals 10 % do (nominal miscoverage). In brackets bounds of the observed miscoverage, each with 95 % confidence.",
      head: (["confidence interval", "nominal miscoverage"] + ($gate | map(metrics::title))),
      rows: [.unchanged.miscoverage[]
        | select(any(.observed[]; .of > 0))
        | [(.confidence | numbers::percent), (1 - .confidence | numbers::percent)] + [.observed[$gate[]] | _part]] };

# { mean, low, high, trials } => "+0.03 [-0.01, +0.07]"
def _signed: if . > 0 then "+" + numbers::plain else numbers::plain end;
def _correlation: if . == null then "–" else "\(.mean | _signed) [\(.low | _signed), \(.high | _signed)]" end;

def _neighbours:
  .rule.gate as $gate
  | { title: "Do blocks depend on each other?",
      note: "The correlation of the ratios of blocks that follow each other in a trial (lag 1, less what chance gives so few), the mean of all trials of a condition, and its 95 % confidence interval. Intervals take it to be 0; where it is 0.2, a nominal 0.6 % of false positives is 1.7 %, with 0.4 it is 5.8 %.",
      head: (["condition", "trials"] + ($gate | map(metrics::title))),
      rows: [.conditions[] | select(.is_aa) | .neighbours as $neighbours
        | select(any($gate[]; $neighbours[.]))
        | [name, (.trials | tostring)] + [$neighbours[$gate[]] | _correlation]] };

def _sizes:
  .rule.gate as $gate
  | { title: "How large the changes are",
      note: "Head by base over the blocks of all trials of a condition together, one user: from CPU accounting and from k6.",
      head: (["condition"] + ($gate | map("\(metrics::title), head/base [95 % CI]"))),
      rows: [.conditions[] | name as $name | .ratios as $ratios | [$name] + [$ratios[$gate[]] | _interval]] };

def _found:
  .rule.gate as $gate
  | { title: "Minimum detectable effect (\(limits::limits.power | numbers::percent) power)",
      note: "A/A recordings with each request of head made slower by more and more; the tolerance is a part of it. Each metric as if it alone were judged, with its part of the budget. In brackets between which changes it lies with 95 % confidence; …: more than was tried.",
      head: (["condition", "trials"] + ($gate | map(metrics::title)) + ["any of them"]),
      rows: [.conditions[] | select(.power) | (.power[-1].change + 1) as $most
        | [name, (.judgeable | tostring)] + [.mde[$gate[], "any"] | found_at($most)]] };

def _found_under_load:
  { title: "Minimum detectable effect under load (\(limits::limits.power | numbers::percent) power)",
    note: "A/A recordings: how much worse head would have to be to be called so, with the tolerance. In brackets between which changes it lies with 95 % confidence; …: more than the trials can bound.",
    head: ["condition", "metric", "trials", "tolerance included"],
    rows: [.conditions[] | select(.under_load) | name as $name | .under_load[]
        | [$name, (.metric | metrics::title), (.of | tostring), found_under_load]] };

def _flagged: "\(.worse) + \(.better) of \(.worse + .better + .same + .unclear)";

def _conventional:
  { title: "Conventional rules, on the same recordings",
    note: "How many trials each calls worse + better: of an A/A trial both are false positives, of a change better is. They know the metrics of the gate only. Fixed threshold: 10 % over the mean of a stored baseline, the base of the trial before. Mann-Whitney U: the same two at 0.05, as benchstat has it. Alternating runs: base of one block, head of the next, judged as a duet is, with half as many pairs. Fixed threshold and Mann-Whitney U know no other tolerance, so the duet stands there twice.",
    head: ["condition", "fixed threshold", "Mann-Whitney U", "alternating runs", "duet, no tolerance", "duet"],
    rows: [.conditions[]
      | [name] + [.conventional.fixed_threshold, .conventional.mann_whitney, .conventional.alternating,
              .conventional.duet, .conventional.duet_judged | _flagged]] };

def _sessions:
  { title: "Calibration sessions", note: null,
    head: ["when", "trials", "machine", "others kept busy", "commit"],
    rows: [.sessions[]
      | ["\(.from[:10]) \(.from[11:16]) to \(.to[11:16]) UTC", (.trials | tostring),
         ("\(.fingerprint.cpu_model), \(.fingerprint.cores) cores" | text::plain),
         "\(.others_cpu_ratio_median // 0 | numbers::significant(3)) cores",
         (.commit // "none" | .[:10]) + (if .dirty then " with changes" else "" end)]] };

# condition => "CPU per request +9.4 %": the gated metric that a kind changes most; null: none of them, with 95 % confidence
def effect:
  [select(.is_aa | not) | .ratios | to_entries[] | select(.value and (.value.low > 1 or .value.high < 1))]
  | max_by(.value.ratio | log | fabs)
  | if . then "\(.key | metrics::title) \(.value.ratio | numbers::change)" else null end;

# calibration => "on 2026-11-25", "from 2026-11-25 to 2026-12-02"
def _when:
  [.sessions[] | .from, .to | .[:10]] | unique
  | if length == 1 then "on \(.[0])" else "from \(.[0]) to \(.[-1])" end;

# calibration => " (10 % for latency p95)"
def _other_tolerances:
  .rule as $rule
  | [$rule.gate[] as $name | select($rule.tolerances[$name])
        | "\($rule.tolerances[$name] | numbers::percent) for \($name | metrics::title)"]
  | if . == [] then "" else " (\(join(", ")))" end;

# calibration => ", with interim looks after 6 and 9 blocks"
def _interim_looks:
  [.rule.interim_looks[:-1][].blocks | tostring]
  | if . == [] then "" else ", with interim looks after \(numbers::listed) blocks" end;

# calibration => what else than one user was measured: in blocks of its own, before the others, or at the end of each
def _lanes_before:
  if .lanes == null then "without load lane and saturation probe, "
  elif .lanes.blocks then
    "\(.lanes.blocks) blocks of \(.lanes.load.seconds) s under load and \(.lanes.saturation.seconds) s at saturation, then "
  else "" end;
def _lanes_within:
  if .lanes and (.lanes | has("blocks") | not)
  then ", then \(.lanes.saturation.seconds) s at saturation and \(.lanes.load.seconds) s under load" else "" end;

# calibration => how many trials have an age lane, and how long it is at the most
def _aged:
  if .aged.count == 0 then ", without an age lane"
  else ", and \(.aged.seconds) s of age\(if .aged.count < .trials then " in \(.aged.count | numbers::count) of them" else "" end)"
  end;

# calibration => what was measured, and by which rule it is judged; $case: as the case is written there
def head($case):
  "\(.trials | numbers::count("trial")) of \($case) in "
  + "\(.sessions | length | numbers::count("calibration session")) \(_when), \(_lanes_before)"
    + "up to \(.rule.interim_looks[-1].blocks) blocks of one user, "
  + "\(.timing.warmup_s) s to get warm and \(.timing.seconds) s measured\(_lanes_within)\(_aged), sent by the \({ native: "native", javascript: "JavaScript" }[.player]) player. Judged as a duet is, with a tolerance of "
  + "\(.rule.tolerance | numbers::percent)\(_other_tolerances) for "
  + "\(.rule.gate | map(metrics::title) | numbers::listed) and an alpha of \(.rule.alpha | numbers::percent) over all that is gated\(_interim_looks)."
  + if .left_out > 0 then " \(.left_out | numbers::count("trial")) of another method (definition, player, lanes, swapped or awake cores, number or length of blocks) \(if .left_out == 1 then "is" else "are" end) not counted." else "" end;

def head: head("\(.case.environment) \(.case.case)" | text::plain);

# calibration => "latency p50 of 8 %": the smallest slowdown that is found on the quietest machine that there was; null: none was
def _smallest:
  .rule.gate as $gate
  | [.conditions[] | select(.power and .judgeable > 0)][0]
  | select(.)
  | [.mde as $mde | $gate[] | { name: metrics::title, change: $mde[.].change } | select(.change)
        | "\(.name) by \(.change | numbers::percent)"]
  | select(. != [])
  | numbers::listed;

# calibration => how often a duet was wrong where nothing had changed
def _unchanged:
  .unchanged.as_shipped as $wrong
  | ([.conditions[] | select(.is_aa) | .judged.verdicts.pass] | add // 0) as $passed
  | if $wrong.of == 0 then "No trial without a change could be judged, so how often a duet is wrong there is not known."
    else "Where nothing had changed, a duet failed \($wrong.count) of \($wrong.of | numbers::count("trial")) (95 % upper bound \($wrong.high | numbers::percent)) and passed \($passed); the others stayed undecided."
    end;

# calibration => how many kinds of change were always found
def _changed:
  [.conditions[] | select(.is_aa | not)]
  | select(. != [])
  | ([.[] | select(.judged.found == .trials)] | length) as $always
  | "Of \(length | numbers::count("kind")) of change, \($always) \(if $always == 1 then "was" else "were" end) found in each trial.";

# calibration => what it found, in one or two sentences
def summary:
  [_unchanged, _changed, ([_smallest][0] | if . then "It finds requests that are slower in four of five trials: \(.)." else empty end)]
  | join(" ");

def tables:
  [_false_positives, _kinds, _verdicts, _found, _found_under_load, _coverage, _neighbours, _sizes, _conventional, _sessions]
  | map(select(.rows != []));
