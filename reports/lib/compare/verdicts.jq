# Verdicts: of a metric, of a record, of a case, of a comparison. The order of the lines is the order of the rules.
import "lib/tables/limits" as limits;
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

# interval => "better", "worse", "same" or "unclear"
def of_metric($scale; $direction; $tolerance):
  _turned($scale; $direction) as [$low, $high]
  | _limits($scale; $tolerance) as [$better, $worse]
  | if $low > $worse then "worse"
    elif $high < $better then "better"
    elif $low >= $better and $high <= $worse then "same"
    else "unclear"
    end;

# interval => might it be worse by more than the tolerance? Not being better is no reason to stop anybody.
def may_be_worse($scale; $direction; $tolerance): _turned($scale; $direction)[1] > _limits($scale; $tolerance)[1];

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

# case => what head measures less of than base, and base did not accept
def weakened: [(.changes // [])[] | select(.looser and .accepted == null)];

# { status, head: record or null, comparison: null or { possible }, metrics: [{ gated, verdict, may_be_worse }], changes:
# [{ looser, accepted }] } => the verdict of a case
def of_case:
  if .status == "todo" or .status == "n-a" then .status
  elif .status == "error" then "error"
  elif .head == null then "inconclusive"
  else (.head | of_record) as $alone
  | if $alone == "invalid" then "invalid"
    elif $alone == "fail" or any(.metrics[]; .gated and .verdict == "worse") then "fail"
    elif weakened != [] then "inconclusive"
    elif .comparison == null then "pass"
    elif .comparison.possible != true or any(.metrics[]; .gated and .may_be_worse) then "inconclusive"
    else "pass"
    end
  end;

# [verdict of a case] => the verdict of all: the first of these that occurs. Nothing measured is not a pass.
def of_all:
  . as $cases
  | ["error", "fail", "invalid", "inconclusive", "pass"]
  | map(select(. as $verdict | $cases | index($verdict)))[0] // "inconclusive";

# verdict of all => what the process ends with
def exit_code: { error: 4, fail: 1, invalid: 3, inconclusive: 3, pass: 0 }[.];
