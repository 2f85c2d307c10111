# Verdicts: of a metric, of a record, of a case, of a comparison. The order of the lines is the order of the rules.
import "lib/tables/limits" as limits;
import "lib/tables/verdicts" as verdicts;
import "lib/compare/load_thresholds" as load_thresholds;
import "lib/stats" as stats;

# interval => [low, high] with more meaning worse: for a ratio around 1, for a difference around 0
def _turned($scale; $direction):
  if $direction == "lower" then [.low, .high]
  elif $scale == "ratio" then [1 / .high, 1 / .low]
  else [-.high, -.low]
  end;

# => [below it is better, above it is worse]
def _limits($scale; $tolerance):
  if $scale == "ratio" then [1 / (1 + $tolerance), 1 + $tolerance] else [-$tolerance, $tolerance] end;

# Two intervals answer two questions. "Did anything change?" is asked of many metrics, so that one of them may seem to by chance:
# its interval shares alpha with theirs. "Is nothing worse?" is answered with yes only if that is shown of each of them: no chance
# of one helps the others, and each has all of alpha (an intersection-union test: Berger, Technometrics 24, 1982). That narrower
# interval is in `equivalence`; where there is none, the first is both.
def _equivalence: .equivalence // { low, high };

# interval => "better", "worse", "same" or "unclear"
def of_metric($scale; $direction; $tolerance):
  (_equivalence | _turned($scale; $direction)) as [$least, $most]
  | _turned($scale; $direction) as [$low, $high]
  | _limits($scale; $tolerance) as [$better, $worse]
  | if $low > $worse then "worse"
    elif $high < $better then "better"
    elif $least >= $better and $most <= $worse then "same"
    else "unclear"
    end;

# interval => might it be worse by more than the tolerance? Not being better stops no change. The ends of an interval
# of counts have different sources: what is worse by one of them stays so.
def may_be_worse($scale; $direction; $tolerance):
  _limits($scale; $tolerance)[1] as $worse
  | (_equivalence | _turned($scale; $direction)[1]) > $worse or _turned($scale; $direction)[0] > $worse;

# interval => where the truth lies, but for a share of 1 - $level on each side
def _likely($scale; $level):
  (stats::normal_quantile($level) * .se) as $reach
  | if $scale == "ratio" then { low: (.estimate * (-$reach | exp)), high: (.estimate * ($reach | exp)) }
    else { low: (.estimate - $reach), high: (.estimate + $reach) }
    end;

# interval => is its estimate worse by more than the tolerance, and at this level not by chance?
def seems_worse($scale; $direction; $tolerance; $level):
  ({ low: .estimate, high: .estimate } | may_be_worse($scale; $direction; $tolerance))
  and (_likely($scale; $level) | _turned($scale; $direction)[0] > _limits($scale; 0)[1]);

# interval => the smallest true change for the worse that would have been found `worse` with probability `power`
def mde($scale; $tolerance):
  (.half + stats::normal_quantile(limits::limits.power) * .se) as $reach
  | if $scale == "ratio" then (1 + $tolerance) * ($reach | exp) - 1 else $tolerance + $reach end;

# record => "invalid", "fail" or "pass": what it is worth by itself
def of_record:
  if any(.findings[]; .level == "error") then "invalid"
  elif any(.thresholds[]; .level == "fail" and .outcome == "missed") then "fail"
  else "pass"
  end;

# name of a metric => is it the share of requests that fail, of one user or in a lane?
def _is_errors: startswith("errors_ratio");

# row => is what seems worse in it enough? Not of times in a lane, which has few blocks.
def _is_telling: .metric | (contains("{lane:") | not) or _is_errors;

# What the memory of one side counts, and that of the other does not.
def _memory_words: { rss: "RSS", pss: "PSS", working_set: "the working set", mixed: "partly the working set" }[.];
def other_memory($base; $head): "memory is \($base | _memory_words) in the baseline, and \($head | _memory_words) here";

# row => is memory all that it could be, for want of one measure on both sides?
def _is_other_memory: (.reason // "") | startswith("memory is ") and endswith(" here");

# row => might the throughput be less than half of base's?
def _may_be_halved: .direction == "higher" and .scale == "ratio" and .low != null and _equivalence.low < limits::limits.guardrail_ratio;

# Why there is no interval where one side has no response at all: in a block, or in all of them.
def zero_has_no_ratio: "zero has no ratio";
def no_direction: "whether more of it is worse is not known: a threshold on it says so";
def overloaded($why): "overloaded on head, and not on base (\($why))";

# row => did head stop answering, so that nothing is left to compare?
def _stopped:
  .direction == "higher" and .scale == "ratio" and (.reason | . == zero_has_no_ratio or . == overloaded("no-load"));

# row => may it keep a case from passing? A guardrail fails a case when it is worse; unclear, it does not keep it from
# passing: the few blocks of a lane find what is large, and would leave most duets undecided for what is small. But blocks
# that could hide half of the throughput have found out nothing, and nor has memory that is counted in two ways.
# Failed requests that seem to be more, though not for certain, do not pass either.
def is_open:
  .gated and .may_be_worse and ((.guardrail | not) or _may_be_halved or _stopped or _is_other_memory)
  or .guardrail and .verdict == "unclear" and .seems_worse and _is_telling;

# row => may it turn out to be better? It is not for certain.
def _seems_better:
  . as $row
  | .ratio != null and ({ low: .ratio, high: .ratio } | of_metric($row.scale; $row.direction; $row.tolerance)) == "better";

# row => may more blocks decide it? Of the age lane there is one, and an unclear guardrail that does not seem worse stays as it is.
def _waits_for_blocks:
  .gated and .verdict == "unclear" and (.metric | contains("{lane:age}") | not)
  and if .guardrail then .seems_worse or _may_be_halved else .may_be_worse or _seems_better end;

# What the load that a scenario declares is judged by. The age lane has the same load as the load lane, for longer.
def _of_load: ["throughput_rps", "latency_ms_p50", "latency_ms_p95"];
def _under_load($name): [.[] | select(.gated and (.metric == "\($name){lane:load}" or .metric == "\($name){lane:age}"))];

# row => could it be worse by half?
def _may_be_half_worse:
  .ratio == null or (. as $row | _equivalence | _turned($row.scale; $row.direction)[1]) > limits::limits.half_worse_ratio;

# [row] of a case => names of the metrics that are undecided under load and could be worse by half, in both lanes
def undecided_under_load:
  [_of_load[] as $name
    | _under_load($name)
    | select(. != [] and all(.[]; .verdict == "unclear" and _may_be_half_worse))
    | $name];

# [row] of a case with lanes => why nothing of its load was judged; null: something was
def load_unjudged:
  [_under_load(_of_load[])[]]
  | if any(.[]; .ratio != null) then null else ([.[].reason | values][0] // "no block of it was measured on both sides") end;

# what a verdict comes from, as below; blocks: of a duet, so far => is it decided, so that no more blocks are needed: something is
# worse, or nothing waits for them?
def is_decided:
  .falls != []
  or any(.thresholds[]; load_thresholds::fails)
  or (.comparison.possible == true and (any(.metrics[]; .gated and .verdict == "worse")
    or (.blocks == null or .blocks >= limits::limits.pass_blocks) and all(.metrics[]; _waits_for_blocks | not)));

# case => what head measures less of than base, and base did not accept
def weakened: [(.changes // [])[] | select(.looser and .accepted == null)];

# [row] => what head is worse in, and may not be
def worse: map(select(.gated and .verdict == "worse"));

# [row] => do more requests fail than on base? That is the change's doing, whatever else is not known of it.
def _fails_more: any(worse[]; .metric | _is_errors);

# { status, head: record or null, comparison: null or { possible }, metrics: [{ gated, guardrail, verdict, may_be_worse }],
# falls: [services that ended on head alone], other_work: [findings of lanes], thresholds: [of the load lane],
# changes: [{ looser, accepted }], load_unjudged: why nothing was judged under the load that was asked for, or null } => the verdict
# of a case
def of_case:
  if .status == "todo" or .status == "n-a" then .status
  elif .status == "error" then "error"
  elif .head == null then "inconclusive"
  else (.head | of_record) as $alone
  | if .metrics | _fails_more then "fail"
    elif $alone == "invalid" then "invalid"
    elif $alone == "fail" or (.falls // []) != [] or any(.thresholds[]?; load_thresholds::fails) or (.metrics | worse) != [] then "fail"
    elif weakened != [] or (.other_work // []) != [] then "inconclusive"
    elif .comparison == null then "pass"
    elif .comparison.possible != true or any(.thresholds[]?; load_thresholds::is_open) or any(.metrics[]; is_open) or .load_unjudged then
      "inconclusive"
    else "pass"
    end
  end;

# verdicts of cases, and of metrics: what has to be seen first comes first
def order: verdicts::verdicts.order;
def order_of_metrics: verdicts::verdicts.order_of_metrics;

# [verdict of a case] => the verdict of all: the first of these that occurs. Nothing measured is not a pass.
def of_all:
  . as $cases
  | [verdicts::verdicts.order[] | select(in(verdicts::verdicts.exit_codes)) | select(. as $verdict | $cases | index($verdict))][0]
    // "inconclusive";

# verdict of all => what the process ends with
def exit_code: verdicts::verdicts.exit_codes[.];
