# A plan says which cases were measured, and which records are the sides of each; judged, it is a comparison.
import "lib/compare/age" as age;
import "lib/compare/comparable" as comparable;
import "lib/compare/comparison" as comparison;
import "lib/compare/duet" as duet;
import "lib/compare/independence" as independence;
import "lib/compare/lanes" as lanes;
import "lib/compare/load_thresholds" as load_thresholds;
import "lib/tables/limits" as limits;
import "lib/compare/parts" as parts;
import "lib/compare/summary_cells" as summary_cells;
import "lib/compare/reasons" as reasons;
import "lib/compare/slow_starts" as slow_starts;
import "lib/compare/starts" as starts;
import "lib/compare/tail" as tail;
import "lib/compare/timer" as timer;
import "lib/schema" as schema;
import "lib/compare/verdicts" as verdicts;
import "lib/compare/work" as work;

# case of the plan => with its records in place of their files, and what of the series is comparable with it; $accepted:
# changes that base accepts
def _with_records($records; $suite; $accepted):
  def record: if . then $records[.] else null end;
  def side($side; $lanes):
    record
    | if . and $lanes then .lanes = ($lanes | { load, saturation } + if .age then { age } else {} end | map_values(.[$side] | record))
      else . end;
  { head_file: .head, base_file: .base } as $files
  | .lanes as $lanes
  | .head |= side("head"; $lanes)
  | .base |= side("base"; $lanes)
  | .head as $head
  | .series |= map(record | select({ base: ., head: $head } | comparable::obstacles == []))
  | .settings = ((if .compare then { compare } else $head end) | comparison::settings($suite))
  | if .baseline != null and .head and .base and comparable::obstacles == []
    then .other_work = work::in_lanes($accepted) | .head = work::onto_head($accepted)
    else . end
  | timer::resting_on_load
  | tail::with_tails
  | age::with_metrics
  | slow_starts::with_metrics
  | . + $files;

# case => was a comparison asked for? Not of what was not to be run
def _asked: .baseline != null and .status != "todo" and .status != "n-a";

# case => why the comparison that was asked for cannot be made; null when it can
def _obstacle:
  if .head == null then "there is nothing to compare: \(.reason // .base_reason // "it was not measured")"
  elif .base == null then .base_reason // "there is no baseline"
  elif comparable::obstacles != [] then comparable::obstacles | join("; ")
  elif .pair == null and comparable::speed_obstacles != [] then comparable::speed_obstacles | join("; ")
  elif (.head | verdicts::of_record) == "invalid" then "this measurement is invalid"
  elif [duet::obstacle] != [] then [duet::obstacle] | join("; ")
  elif comparison::gated == [] and (.rests_on_load | not) then "no gated metric was measured (\(.settings.gate | join(", ")))"
  else null
  end;

# case => the comparison that was asked for, and whether it can be made; null: none was
def _comparison:
  (.series | comparison::boots) as $boots
  | ($boots >= limits::limits.session_boots) as $known
  | if _asked then
      { possible: (_obstacle == null), reason: _obstacle, baseline }
      + if .pair.interleaved then
          { kind: "interleaved", session_sd: null, session_sd_source: "none: interleaved, in random order: \(.pair.interleaved)" }
        elif .pair.apart
          then { kind: "duet", apart: true, session_sd: null, session_sd_source: "none: both ran at the same time, each with its own k6" }
        elif .pair then { kind: "duet", session_sd: null, session_sd_source: "none: both ran at the same time" }
        else { kind: "sessions", session_sd: .settings.session_sd,
               session_sd_source: (if $known then "\($boots) boots of the machine" else "assumed" end) }
        end
      + if .pair.swapped_cores then { swapped_cores: true } else {} end
      + if .pair.kept_awake then { kept_awake: true } else {} end
      + if .pair.over_budget then { budget_s: .pair.over_budget } else {} end
    else null
    end;

# case => can anything be said of both its sides, though times may not be compared?
def _has_sides: .comparison != null and .head != null and .base != null and comparable::obstacles == [];

# case => its guardrails
def _guardrails:
  if .comparison.possible then comparison::guardrails elif _has_sides then comparison::guardrails_always else {} end;

# $share: what a metric has of alpha, by what it is => of a case. The age lane is measured once: what it has of alpha is not shared by
# interim looks.
def _alphas($share):
  (.pair.alpha_spent // 1) as $spent
  | $share | map_values(. * $spent) + { age: .lane, age_guardrail: .guardrail, age_pass: .pass };

# case => its gated rows
def _gated_rows($alphas):
  if .comparison.possible then comparison::gated_rows($alphas) else comparison::guardrail_rows(_guardrails; $alphas) end;

# case => what its verdict comes from
def _evidence($share):
  .comparison as $comparison
  | _gated_rows(_alphas($share)) as $rows
  | { status, head, comparison: $comparison, metrics: $rows, blocks: (if .pair then .head.rounds else null end),
      load_unjudged: (if _asked and .lanes and $comparison.possible and lanes::judges_load
        then $rows | verdicts::load_unjudged else null end),
      falls: (if _asked then lanes::falls else [] end),
      thresholds: (if _asked and .lanes then load_thresholds::judged else [] end),
      other_work: (if _asked then .other_work // [] else [] end),
      changes };

# case of a duet => { distributions: the latencies of both sides, under the load that `measured` is of }; {} where a side has none
def _distributions:
  if .pair == null then {}
  else [.base, .head | .lanes.load? // . | .distribution?] as [$base, $head]
  | if ($base.count // 0) > 0 and ($head.count // 0) > 0 then { distributions: { base: $base, head: $head } } else {} end
  end;

# case => as it stands in the comparison
def _judged($share):
  _evidence($share) as $evidence
  | (if .comparison.possible then comparison::shown_rows($evidence.metrics; _alphas($share)) else [] end) as $shown
  | ($evidence.metrics + $shown) as $metrics
  | $evidence.thresholds as $under_load
  | { system, environment, scenario, case, values, status, title: .head.title,
      verdict: ($evidence | verdicts::of_case),
      decided: ($evidence | verdicts::is_decided),
      comparison: .comparison,
      metrics: $metrics,
      measured: (.head | .lanes.load? // . | summary_cells::of_record),
      measured_lane: (if .head.lanes.load? then "load" else null end),
      groups: (.head | summary_cells::groups_of_record),
      users: (.head.per_user.users // [] | length),
      faults: (.head.faults // []),
      rounds: .head.rounds, command: .head.command, definition: .head.definition,
      thresholds: ((.head.thresholds // [] | map(del(.met_in))) + $under_load | map(.text = reasons::of_threshold)),
      findings: ((.head.findings // []) + $evidence.other_work
        + [duet::lives_on, duet::findings, lanes::findings, timer::findings, slow_starts::findings, independence::findings]
        + (.starts // {} | starts::findings)),
      changes: (.changes // []),
      record: .head_file, base_record: .base_file,
      reason: .reason } + _distributions
  | .reason = (. + ($evidence | { falls, other_work, load_unjudged }) | reasons::of_case);

# [case] that share a budget => how many there are of what may fail a comparison, by what it is
def _counts:
  { metrics: ([.[] | select(.comparison.possible) | comparison::gated | length] | add // 0),
    parts: ([.[] | select(.comparison.possible) | parts::gated | length] | add // 0),
    lanes: ([.[] | select(.comparison.possible) | (lanes::gated | length) + lanes::to_come.lanes] | add // 0),
    guardrails: ([.[] | (_guardrails | length) + lanes::to_come.guardrails] | add // 0) };

# counts => what a metric has of $alpha, by what it is. Bonferroni: the parts of the budget add up to it, however the metrics depend on
# each other. $whole: what is to be shown of each metric is not shared, since all of it has to be shown.
def _share($alpha; $whole):
  ($alpha * if .lanes > 0 then limits::limits.lanes_alpha_ratio else 0 end) as $of_lanes
  | ($alpha * if .guardrails > 0 then limits::limits.guardrails_alpha_ratio else 0 end) as $of_guardrails
  | (if .parts > 0 then limits::limits.parts_alpha_ratio else 0 end) as $parts_ratio
  | ($alpha - $of_lanes - $of_guardrails) as $of_gate
  | { each: ($of_gate * (1 - $parts_ratio) / ([.metrics, 1] | max)),
      part: ($of_gate * $parts_ratio / ([.parts, 1] | max)),
      lane: ($of_lanes / ([.lanes, 1] | max)),
      guardrail: ($of_guardrails / ([.guardrails, 1] | max)),
      pass: $whole };

# plan => { cases: with their records, and each with what its metrics have of alpha (share), budget }. $records: { file: record } of
# the files that it names. Each case of a duet has its own part of alpha: an interim look, which has one case, judges it as the end
# does. Cases of sessions are all judged at once, and their metrics share alpha.
def _shared_out($records):
  . as $plan
  | [$plan.cases[] | _with_records($records; $plan.compare; $plan.accept // []) | .comparison = _comparison]
  | ([.[].settings.alpha] | min // limits::limits.alpha) as $whole
  | any(.[]; .pair != null) as $is_duet
  # at a look there are more than those that are here
  | ([$plan.sharing // 1, ([.[] | select(.pair != null and .comparison != null)] | length)] | max) as $sharing
  | _counts as $all
  | (if $is_duet then map(.share = ([.] | _counts | _share($whole / $sharing; $whole)))
     else ($all | _share($whole; $whole)) as $share | map(.share = $share) end) as $cases
  | ([$cases[].share] | if . == [] then [$all | _share($whole; $whole)] else . end) as $shares
  # the smallest part that one of them has
  | def least($kind): [$shares[][$kind] | select(. > 0)] | min // 0;
  { cases: $cases,
      budget: ({ alpha: $whole, metrics: ($all | .metrics + .parts + .lanes + .guardrails), each: least("each") }
        + (if $all.parts > 0 then { parts: $all.parts, each_part: least("part") } else {} end)
        + (if $all.lanes > 0 then { lanes: $all.lanes, each_lane: least("lane") } else {} end)
        + (if $all.guardrails > 0 then { guardrails: $all.guardrails, each_guardrail: least("guardrail") } else {} end)) };

# plan => [what the verdict of a case comes from], for those who judge it by more than one tolerance; $records: as below
def evidence($records): [_shared_out($records).cases[] | .share as $share | _evidence($share)];

# plan => the comparison: every case's verdict, and that of all. $records: { file: record } of the files that it names
def judged($records):
  . as $plan
  | _shared_out($records) as { $budget, $cases }
  | ($cases | map(.share as $share | _judged($share))) as $cases
  | ($cases | map(.verdict) | verdicts::of_all) as $verdict
  | ($plan | { run, time, command, folder, baseline, head } + if .commits then { commits } else {} end)
  + { schema: schema::version,
      verdict: $verdict,
      exit: ($verdict | verdicts::exit_code),
      notes: ($plan.notes // []),
      budget: $budget,
      cases: $cases };
