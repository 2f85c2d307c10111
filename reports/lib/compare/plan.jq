# A plan says which cases were measured, and which records are the sides of each; judged, it is a comparison.
import "lib/compare/comparable" as comparable;
import "lib/compare/comparison" as comparison;
import "lib/compare/duet" as duet;
import "lib/tables/limits" as limits;
import "lib/compare/summary_cells" as measured;
import "lib/compare/reasons" as reasons;
import "lib/compare/verdicts" as verdicts;

# case of the plan => with its records in place of their files, and what of the series is comparable with it
def _with_records($records; $suite):
  def record: if . then $records[.] else null end;
  { head_file: .head, base_file: .base } as $files
  | .head |= record
  | .base |= record
  | .head as $head
  | .series |= map(record | select({ base: ., head: $head } | comparable::obstacles == []))
  | .settings = (if .compare then .compare else $head | comparison::settings($suite) end)
  | . + $files;

# case => was a comparison asked for? Not of what was not to be run
def _asked: .baseline != null and .status != "todo" and .status != "n-a";

# case => why the comparison that was asked for cannot be made; null when it can
def _obstacle:
  if .head == null then "there is nothing to compare: \(.reason // .base_reason // "it was not measured")"
  elif .base == null then .base_reason // "there is no baseline"
  elif comparable::obstacles != [] then comparable::obstacles | join("; ")
  elif (.head | verdicts::of_record) == "invalid" then "this measurement is invalid"
  elif [duet::obstacle] != [] then [duet::obstacle] | join("; ")
  elif comparison::gated == [] then "no gated metric was measured (\(.settings.gate | join(", ")))"
  else null
  end;

# case => the comparison that was asked for, and whether it can be made; null: none was
def _comparison:
  (.series | length) as $records
  | ($records >= limits::limits.series_records) as $known
  | if _asked then
      { possible: (_obstacle == null), reason: _obstacle, baseline }
      + if .pair.interleaved then
          { kind: "interleaved", session_sd: null, session_sd_source: "none: interleaved, in random order: \(.pair.interleaved)" }
        elif .pair then { kind: "duet", session_sd: null, session_sd_source: "none: both ran at the same time" }
        else { kind: "sessions", session_sd: .settings.session_sd,
               session_sd_source: (if $known then "\($records) records of the series" else "assumed" end) }
        end
    else null
    end;

# case => as it stands in the comparison
def _judged($each):
  .comparison as $comparison
  | (if $comparison.possible then comparison::rows($each * (.pair.alpha_spent // 1)) else [] end) as $metrics
  | { system, environment, scenario, case, values, status, title: .head.title,
      verdict: ({ status, head, comparison: $comparison, metrics: $metrics, changes } | verdicts::of_case),
      comparison: $comparison,
      metrics: $metrics,
      measured: (.head | measured::of_record),
      groups: (.head | measured::groups_of_record),
      users: (.head.per_user.users // [] | length),
      faults: (.head.faults // []),
      rounds: .head.rounds, command: .head.command, definition: .head.definition,
      thresholds: (.head.thresholds // []), findings: ((.head.findings // []) + [duet::findings]),
      changes: (.changes // []),
      record: .head_file, base_record: .base_file,
      reason: .reason }
  | .reason = reasons::of_case;

# plan => the comparison: every case's verdict, and that of all. $records: { file: record } of the files that it names
def judged($records):
  . as $plan
  | [$plan.cases[] | _with_records($records; $plan.compare) | .comparison = _comparison]
  | ([.[] | select(.comparison.possible) | comparison::gated | length] | add // 0) as $metrics
  | ([.[].settings.alpha] | min // limits::limits.alpha) as $budget
  # Bonferroni: the parts of the budget add up to it, however the metrics depend on each other
  | ($budget / ([$metrics, 1] | max)) as $each
  | map(_judged($each)) as $cases
  | ($cases | map(.verdict) | verdicts::of_all) as $verdict
  | ($plan | { run, time, command, folder, baseline, head })
  + { schema: 1,
      verdict: $verdict,
      exit: ($verdict | verdicts::exit_code),
      notes: ($plan.notes // []),
      budget: { alpha: $budget, metrics: $metrics, each: $each },
      cases: $cases };
