# Trials, which are comparisons whose truth is known, judged as a duet judges itself: at each interim look, until it is
# decided. A rule is { gate, tolerance, tolerances, alpha, interim_looks: [{ blocks, alpha_spent }] }; alpha_spent adds up
# to 1.
import "lib/compare/intervals" as intervals;
import "lib/stats" as stats;
import "lib/compare/verdicts" as verdicts;

# metric of a trial => [head by base of each of its first $blocks blocks]; null: it would be "unclear", with the reason
def _ratios($blocks):
  (.base[:$blocks]) as $base
  | (.head[:$blocks]) as $head
  | if .valid != true or ($base | length) < $blocks or ($head | length) < $blocks then null
    elif any($base[], $head[]; . == null or . <= 0) then null
    else [$base, $head] | transpose | map(.[1] / .[0])
    end;

# metric of a trial => the interval of these blocks
def _interval($blocks; $alpha): _ratios($blocks) | if . then intervals::pairs($alpha) | { low, high } else null end;

# trial => by how many of its own standard errors a metric over $blocks blocks is off "no change" (the size of Student's t);
# null: it was not measured
def off_by($name; $blocks):
  .metrics[$name] // { valid: false }
  | _ratios($blocks)
  | if . == null then null
    else map(log)
    | (stats::mean | fabs) as $off
    | (stats::variance / length | sqrt) as $se
    | if $off == 0 then 0 elif $se == 0 then infinite else $off / $se end
    end;

# trial => [{ blocks, intervals: { metric: { low, high } } }] an interim look: what does not depend on tolerances
def at_interim_looks($rule):
  .metrics as $metrics
  | ($rule.alpha / ($rule.gate | length)) as $each
  | [$rule.interim_looks[] as $look
    | { blocks: $look.blocks,
        intervals: (reduce $rule.gate[] as $name ({};
          .[$name] = ($metrics[$name] // { valid: false } | _interval($look.blocks; $each * $look.alpha_spent)))) }];

# interval => the verdict of a metric whose head is slower than measured by a factor
def _verdict($factor; $tolerance):
  if . == null then "unclear"
  else { low: (.low * $factor), high: (.high * $factor) } | verdicts::of_metric("ratio"; "lower"; $tolerance)
  end;

# interim looks => { blocks, verdicts: { metric: verdict } } at the one where it ended, were head slower by a factor
def ended($rule; $factor):
  [.[] | { blocks, verdicts: (.intervals | with_entries(
      ($rule.tolerances[.key] // $rule.tolerance) as $tolerance | .value |= _verdict($factor; $tolerance))) }]
  | ([.[] | select(any(.verdicts[]; . == "worse") or all(.verdicts[]; . != "unclear"))][0]) // .[-1];

# interim looks => as if nothing but one metric were judged, with its part of alpha: another that ends a trial early
# says nothing of this one
def alone($name): map(.intervals |= { ($name): .[$name] });

# interim looks => could it have decided anything? Not without an interval for every metric at the end.
def judgeable: all(.[-1].intervals[]; . != null);

# interim looks => is there a metric whose interval leaves out "no change", at any interim look?
def strays: any(.[].intervals[] | values; .low > 1 or .high < 1);

# { blocks, verdicts } => fail, pass or inconclusive: an interval across the better edge alone passes elsewhere; here
# what matters is what was decided
def outcome:
  if any(.verdicts[]; . == "worse") then "worse"
  elif any(.verdicts[]; . == "better") then "better"
  elif any(.verdicts[]; . == "unclear") then "unclear"
  else "same"
  end;

# [trial] => the ratio of all their blocks together, with its interval: how large the change really is
def true_ratio($metric; $alpha):
  [.[].metrics[$metric] // { valid: false } | select(.valid) | [.base, .head] | transpose[]
    | select(.[0] != null and .[1] != null and .[0] > 0 and .[1] > 0) | .[1] / .[0]]
  | if length < 2 then null else length as $n | intervals::pairs($alpha) | { ratio: .estimate, low, high, blocks: $n } end;
