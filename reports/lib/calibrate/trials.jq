# Trials, which are comparisons whose truth is known, judged as a duet judges itself, by the same program: at each interim look,
# until it is decided. A rule is { gate, tolerance, tolerances, alpha, guardrails,
# interim_looks: [{ blocks, alpha_spent }] }; alpha_spent adds up to 1.
import "lib/compare/intervals" as intervals;
import "lib/compare/load_thresholds" as load_thresholds;
import "lib/stats" as stats;
import "lib/compare/plan" as plan;
import "lib/compare/verdicts" as verdicts;

# metric of a trial => of its first blocks
def _metric_of_first($blocks):
  (.samples | length) as $all
  | .samples |= .[:$blocks]
  | (if .count and $all > 0 then .count = .count * (.samples | length) / $all else . end)
  | .value = (.samples | if all(. != null) then stats::mean else null end);

# what may have a tail => with that of its first blocks
def _tail_of_first($blocks): if .tail then .tail |= (.counts |= .[:$blocks] | .values |= .[:$blocks]) else . end;

# side of a trial, or of a lane => of its first blocks. Its findings are those of all: what a block adds to them is not known.
def _first($blocks):
  .rounds = ([.rounds, $blocks] | min)
  | .metrics |= map_values(_metric_of_first($blocks))
  | .services |= map_values(.metrics |= map_values(_metric_of_first($blocks)))
  | .requests |= map_values((.metrics |= map_values(_metric_of_first($blocks))) | _tail_of_first($blocks))
  | _tail_of_first($blocks);

# trial => { file: record } as a plan names them
def _records($blocks):
  { definition, fingerprint, player, title: null, command: null, faults: [], per_user: null, groups: {}, compare: null } as $common
  | [("base", "head") as $side
    | .[$side]
    | select(.)
    | { key: $side, value: (_first($blocks) | del(.lanes) | . + $common) },
      (.lanes // {} | to_entries[] | select(.value) | (if .key == "age" then infinite else $blocks end) as $first
        | { key: "\($side)/\(.key)", value: (.value | _first($first) | . + $common) })]
  | from_entries;

# trial => the plan by which a duet would judge it
def _plan($rule; $alpha_spent; $records):
  def file: if $records[.] then . else null end;
  { cases: [{ system, environment, scenario, case, values, status, reason, base_reason: null, baseline: "base", series: [],
      head: ("head" | file), base: ("base" | file), changes: [],
      pair: { alpha_spent: $alpha_spent, interleaved: .pair.interleaved, apart: .pair.apart },
      lanes: (if .lanes == null or .status == "error" then null
        else { interleaved: .pair.lanes_interleaved, falls: .pair.falls }
          + (reduce ("load", "saturation", ("age" | select($records["base/age"] or $records["head/age"]))) as $lane ({};
                .[$lane] = { base: ("base/\($lane)" | file), head: ("head/\($lane)" | file) }))
        end),
      compare: ($rule | { gate, tolerance, tolerances, alpha, guardrails }) }] };

# trial => what its verdict comes from after so many blocks, as lib/compare/plan.jq says
def _evidence($rule; $look):
  _records($look.blocks) as $records
  | _plan($rule; $look.alpha_spent; $records)
  | plan::evidence($records)[0]
  | .head |= (if . then { findings: [.findings[] | { id, level }], thresholds: [.thresholds[] | { level, outcome, lane }] } else . end);

# trial => [{ blocks, evidence }] an interim look
def at_interim_looks($rule): [$rule.interim_looks[] as $look | { blocks: $look.blocks, evidence: _evidence($rule; $look) }];

# row => judged by this tolerance: what an interval covers does not depend on it
def _with_tolerance($tolerance):
  if .low == null then .
  else .tolerance = $tolerance
    | .verdict = verdicts::of_metric(.scale; .direction; $tolerance)
    | .may_be_worse = verdicts::may_be_worse(.scale; .direction; $tolerance)
  end;

# interim looks => judged without any tolerance
def without_tolerance: map(.evidence.metrics |= map(_with_tolerance(0)));

# row => is it of the work per request, alone: of the case or of a request?
def _is_of_work: .guardrail != true and .scale == "ratio" and .direction == "lower" and .low != null;

# interim looks => were each request of head slower by a factor; f: of a row
def slower(f):
  map(.evidence.metrics |= map(
    if _is_of_work then
      f as $factor
      | .low *= $factor | .high *= $factor
      | (if .equivalence then .equivalence |= map_values(. * $factor) else . end)
      | _with_tolerance(.tolerance)
    else . end));

# interim looks => as if one metric alone were judged, with its part of alpha: another that ends a trial early
# says nothing of this one
def alone($name): map(.evidence |= (.metrics |= map(select(.metric == $name)) | .falls = [] | .thresholds = [] | .other_work = []));

# interim looks => { blocks, metrics: [row], verdict } at the one where the duet ends
def ended:
  (([.[] | select(.evidence | verdicts::is_decided)][0]) // .[-1])
  | { blocks, metrics: .evidence.metrics, verdict: (.evidence | verdicts::of_case),
      finds: ([.evidence.metrics[] | select(.verdict == "worse" or .verdict == "better") | { metric, verdict }]
        + [.evidence.falls[] | { metric: "fall", verdict: "worse" }]
        + [.evidence.thresholds[] | select(load_thresholds::fails) | { metric: "threshold", verdict: "worse" }]
        + (if any(.evidence | .other_work[], .head.findings[]?; .id == "not-the-same-work")
            then [{ metric: "answers", verdict: "worse" }] else [] end)) };

# interim looks => could it have decided anything? Not without an interval for every metric of the gate at the end.
def judgeable($rule):
  .[-1].evidence.metrics as $rows
  | all($rule.gate[] as $name | $rows[] | select(.metric == $name); .low != null)
  and any($rows[]; .metric as $name | $rule.gate | index([$name]) != null);

# interim looks => is there a metric whose interval leaves out "no change", at any interim look?
def strays: without_tolerance | any(.[].evidence.metrics[]; .verdict == "worse" or .verdict == "better");

# ended trial => the verdict of a row; "unclear" where there is none
def verdict_of($name): [.metrics[] | select(.metric == $name) | .verdict][0] // "unclear";

# trial => { base: [sample of a block], head, valid } of a metric of the solo lane
def samples($name):
  [.base, .head | if . then .metrics[$name] else null end] as [$base, $head]
  | { base: ($base.samples // []), head: ($head.samples // []), valid: ($base.valid == true and $head.valid == true) };

# samples => [head by base of each of the first $blocks blocks]; null: there are not as many
def _ratios($blocks):
  (.base[:$blocks]) as $base
  | (.head[:$blocks]) as $head
  | if .valid != true or ($base | length) < $blocks or ($head | length) < $blocks then null
    elif any($base[], $head[]; . == null or . <= 0) then null
    else [$base, $head] | transpose | map(.[1] / .[0])
    end;

# trial => by how many of its own standard errors a metric over $blocks blocks is off "no change" (the size of Student's t);
# null: it was not measured
def off_by($name; $blocks):
  samples($name)
  | _ratios($blocks)
  | if . == null then null
    else map(log)
    | (stats::mean | fabs) as $off
    | (stats::variance / length | sqrt) as $se
    | if $off == 0 then 0 elif $se == 0 then infinite else $off / $se end
    end;

# [trial] => the ratio of all their blocks together, with its interval: how large the change really is
def true_ratio($metric; $alpha):
  [.[] | samples($metric) | select(.valid) | [.base, .head] | transpose[]
    | select(.[0] != null and .[1] != null and .[0] > 0 and .[1] > 0) | .[1] / .[0]]
  | if length < 2 then null else length as $n | intervals::pairs($alpha) | { ratio: .estimate, low, high, blocks: $n } end;
