# What came out, in one line of words: what a comment, a check, a terminal and a page begin with.
import "lib/metrics" as metrics;
import "lib/numbers" as numbers;
import "lib/compare/lanes" as lanes;
import "lib/compare/load_thresholds" as load_thresholds;
import "lib/write/looked_at" as looked_at;
import "lib/write/met" as met;
import "lib/compare/reasons" as reasons;
import "lib/compare/verdicts" as verdicts;
import "lib/write/shown_verdict" as shown_verdict;

# comparison => its cases of a verdict; those that were to be run
def with($verdict): [.cases[] | select(.verdict == $verdict)];
def run: [.cases[] | select(.verdict != "todo" and .verdict != "n-a")];

# comparison => "1 of 3 cases"
def part($verdict):
  (run | length | numbers::count("case")) as $all
  | (with($verdict) | length) as $some
  | if $some == (run | length) then $all else "\($some | numbers::count) of \($all)" end;

# comparison => "is" or "are", as it goes with the number of its cases of a verdict
def verb($verdict; $one; $many): if with($verdict) | length == 1 then $one else $many end;

# comparison => what cases were compared with; null: nothing
def baseline: [.cases[].comparison.baseline | values] | unique | if . == [] then null else join(", ") end;

# comparison => where a case of it is: "" where there is one; " (list)", or with its system and environment where these differ
def _place($case):
  run
  | if length < 2 then ""
    elif map([.system, .environment]) | unique | length == 1 then " (\($case.case))"
    else " (\($case.system) \($case.environment) \($case.case))"
    end;

# "12.0 ms" => "12.0"
def _without_unit: sub(" [^ ]+$"; "");

# row that changed => "latency p50 rose by 25.0 %: 1.36 → 1.70 ms [+24.6, +25.5]", in the metric's own direction
def of_change:
  .unit as $unit
  | numbers::change_interval as $interval
  | (if .scale == "ratio" then .ratio > 1 else .ratio > 0 end | if . then "rose" else "fell" end) as $verb
  | ([.base, .head] | map(numbers::in_unit($unit))) as [$base, $head]
  | (if ($base | ltrimstr($base | _without_unit)) == ($head | ltrimstr($head | _without_unit))
        then $base | _without_unit else $base end) as $from
  | "\(.metric | metrics::title) \($verb) by \($interval | sub(" \\[.*"; "") | sub("^[+−]"; "")): "
      + "\($from) → \($head) \($interval | sub("^[^\\[]*"; ""))";

# row that is worse or better => its place among such: failed requests first, then what changed most, at least
def weight:
  if .metric | startswith("errors_ratio") then [0, 0]
  elif .scale == "ratio" then [1, -([.low, .high | log | fabs] | min)]
  else [2, 0]
  end;

# [row] of a case => of which requests or services one is surely worse, those that changed most first
def _worse_in($metric; $kind):
  ($metric + "{" + $kind + ":") as $start
  | [.[] | select((.metric | startswith($start)) and .verdict == "worse")]
  | sort_by(weight)
  | map(.metric | metrics::parsed.part);

# [name] => "requests create, list and 3 more"
def _names($kind):
  (if length > 3 then .[:2] + ["\(length - 2) more"] else . end) as $shown
  | "\($kind)\(if length > 1 then "s" else "" end) \($shown | numbers::listed)";

# row of a case that is worse => ", in service app (request create)": where the change is, as far as that is known for certain
def _where($case):
  if .metric | metrics::parsed.kind | . == "request" or . == "service" then ""
  else [["cpu_ms_per_request", "service"], ["latency_ms_p50", "request"]]
    | [.[] as [$metric, $kind] | $case.metrics | _worse_in($metric; $kind) | select(. != []) | _names($kind)]
    | if . == [] then "" else ", in \(.[0])" + (.[1:] | map(" (\(.))") | add // "") end
  end;

# "1.05" of 1 => "5.0", "0.02" of 0 => "2.00": the size of a change without sign and unit
def _size: sub(" (%|points)$"; "") | sub("^[+−]"; "");

# row that did not change => "CPU per request 0.0 % ± 0.4"
def _of_same:
  (.equivalence // { low, high }) as { $low, $high }
  | "\(.metric | metrics::title) \(.ratio | numbers::change) ± \(1 + ([$high - .ratio, .ratio - $low] | max) | numbers::change | _size)";

# [row of one metric] => "CPU per request by 0.4 % at most": by how much it may be worse in any of them
def _at_most:
  . as $rows
  | map((.equivalence // { low, high }) as { $low, $high } | if .direction == "higher" then 2 - $low else $high end)
  | max
  | if . <= 1 then "\($rows[0].metric | metrics::title) not at all"
    else "\($rows[0].metric | metrics::title) by \(numbers::change | sub("^\\+"; "")) at most"
    end;

# What stands for a service where all is well: metrics of one user and of its lanes.
def _telling: ["cpu_ms_per_request", "latency_ms_p50", "latency_ms_p50{lane:age}", "throughput_rps{lane:saturation}"];

# [row] => those of some metrics that tell most, in this order; else of the first three
def _most_telling:
  . as $rows
  | [_telling[] as $name | [$rows[] | select(.metric == $name)] | select(. != [])]
  | if . == [] then [$rows | group_by(.metric)[]] | .[:3] else . end;

# [row] => by how much they may be worse: "5 %", and "5 to 15 %" where they differ
def _limit:
  ([.[] | select(.scale == "ratio") | .tolerance] | unique) as $shares
  | if $shares == [] then map(looked_at::tolerated) | unique | numbers::listed
    elif $shares | length == 1 then $shares[0] | numbers::percent
    else "\($shares[0] | numbers::percent | rtrimstr(" %")) to \($shares[-1] | numbers::percent)"
    end;

# [row] => "8 metrics within their tolerances"; where there is one tolerance, the sentence has it already
def _within:
  (length | numbers::count("metric")) + if map(looked_at::tolerated) | unique | length == 1 then "" else " within their tolerances" end;

# [case] => its gated rows that are decided: not worse
def _not_worse: [.[].metrics[] | select(.gated and (.may_be_worse | not) and .reason == null)];

# comparison that passes => "not slower than main by more than 5 %", which is what was tested, and in how many cases, where there
# are several
def _not_slower:
  (with("pass") | _not_worse | _limit) as $limit
  | "not slower than \(baseline) by more than \($limit)" + if run | length > 1 then " in \(part("pass"))" else "" end;

# [case] => what is not decided under the load that was asked for, though it could be worse by half: it comes first
def _undecided_under_load:
  [.[].metrics | verdicts::undecided_under_load[]]
  | unique
  | if . == [] then "" else "undecided under load: \(map(metrics::title) | numbers::listed); " end;

# comparison that passes with a baseline => what was found
def _of_pass:
  baseline as $baseline
  | . as $all
  | (with("pass") | _not_worse) as $rows
  | ([with("pass")[] | . as $case | .metrics[] | select(.gated and .verdict == "better")
        | { row: ., $case }] | sort_by(.row | weight)) as $better
  | (with("pass") | _undecided_under_load)
  + if $rows == [] then "no gated metric is decided against \($baseline) in \(part("pass"))"
    elif $better != [] then
      ($better[0].case as $case | "\($better[0].row | of_change)\($all | _place($case)); ")
      + (($rows | length) - 1 | if . == 0 then "nothing else was judged"
          else "\(numbers::count("other metric")) not worse by more than \($rows | _limit)" end)
    else
      [$rows[] | select(.scale == "ratio")]
      | _most_telling
      | (if $all | run | length == 1 then map(.[0] | _of_same) else map(_at_most) end) as $named
      | ($all | _not_slower)
        + (if $named == [] then "" else ": " + ($named | join(", ")) end)
        + " (\($rows | _within))"
    end;

# comparison => [{ kind, weight, text, case }]: all that makes its cases fail, what comes first first
def _wrong:
  [with("fail")[] | . as $case
    | ((.falls // [])[] | { kind: "service", weight: [-2, 0], text: "head \(lanes::of_fall)" }),
      (.metrics // [] | verdicts::worse[] | { kind: "metric", weight: weight, text: (of_change + _where($case)) }),
      ((.thresholds // [])[] | select(load_thresholds::fails)
        | { kind: "threshold", weight: [3, 0], text: ((if .implicit then "" else "threshold missed: " end) + reasons::of_threshold) })
    | . + { $case }]
  | sort_by(.weight);

# comparison that fails => the worst of what was found, and how much more there is
def _of_fail:
  . as $all
  | _wrong as $wrong
  | if $wrong == [] then with("fail")[0] as $case | "\($case.reason)\(_place($case))"
    else
      ([("metric", "threshold", "service") as $kind | [$wrong[1:][] | select(.kind == $kind)]
          | select(. != []) | length | numbers::count($kind)]
        | if . == [] then "" else "; \(numbers::listed) more" end) as $more
      | $wrong[0]
      | .text
        + (.case as $case | $all | _place($case))
        + $more
        + ($all | if run | length > 1 then "; \(part("fail")) \(verb("fail"; "fails"; "fail"))" else "" end)
    end;

# case that is undecided => is it so for rows whose intervals are too wide, and for nothing else?
def _is_unclear:
  .comparison.possible == true and .status != "interrupted" and verdicts::weakened == [] and (.other_work // []) == []
  and (any((.thresholds // [])[]; load_thresholds::is_open) | not)
  and any(.metrics[]; verdicts::is_open and .reason == null and .mde != null);

# row => the change for the worse that would be found, in the metric's own direction: "a rise of 40.2 %", "a fall of 29 %"
def _found:
  . as $row
  | if .scale != "ratio" then "a rise of \(.mde | numbers::difference_in($row.unit))"
    elif .direction == "higher" then "a fall of \(1 - 1 / (1 + .mde) | numbers::percent)"
    elif .mde > 9 then "a rise to more than tenfold"
    else "a rise of \(.mde | numbers::percent)"
    end;

# comparison that is undecided => its first case, and what is open there
def _of_inconclusive:
  with("inconclusive")[0] as $case
  | [$case.metrics[]? | select(verdicts::is_open)] as $open
  | [$open[] | select(.reason == null and .mde != null)][0] as $row
  | if $case | _is_unclear then
      "\($row | reasons::of_row) is undecided\(_place($case)): \($row | _found) would be found"
      + (($open | length) - 1 | if . == 0 then "" else "; \(numbers::count("metric")) more" end)
      + if run | length > 1 then "; \(part("inconclusive")) \(verb("inconclusive"; "is"; "are")) undecided" else "" end
    elif $case | verdicts::weakened | map(select(.subject != "files")) != [] then
      ($case | verdicts::weakened) as $looser
      | "the change makes its own benchmark looser: \($looser[0] | reasons::of_change)"
        + (($looser | length) - 1 | if . == 0 then "" else " and \(numbers::count("change")) more" end)
        + _place($case)
    else "nothing failed, but \(part("inconclusive")) \(verb("inconclusive"; "is"; "are")) "
      + "undecided: \($case.system) \($case.environment) \($case.case): \($case.reason)"
    end;

# comparison => " (8 saturated, as the spec expects)": passes that did not cope with the load; "" where each did
def _of_saturated:
  [.cases[] | select(shown_verdict::is_saturated)] | length
  | if . == 0 then "" else " (\(numbers::count) saturated, as the spec expects)" end;

# comparison => the line, without a full stop; the verdict stands before it
def finding:
  .verdict as $verdict
  | part($verdict) as $part
  | (with($verdict)[0] // {} | "\(.system) \(.environment) \(.case): \(.reason)") as $first
  | if .cases == [] and .baseline then "nothing was measured, for the change since \(.baseline) concerns no system"
    elif run == [] then "nothing was measured"
    elif $verdict == "error" then "a service or a tool failed in \($part): \($first)"
    elif $verdict == "fail" then _of_fail
    elif $verdict == "invalid" then "\($part) \(verb("invalid"; "has"; "have")) no trustworthy measurement: \($first)"
    elif $verdict == "inconclusive" then _of_inconclusive
    elif baseline == null then "\($part)\(_of_saturated), \(met::met)"
    else _of_pass
    end;

# comparison => the same for a list, where a pass is one of many, and its numbers stand on its own page
def brief:
  finding as $finding
  | if .verdict == "pass" and baseline != null then
      (with("pass") | _undecided_under_load) as $first
      | if $finding | ltrimstr($first) | startswith("not slower than ") then $first + _not_slower else $finding end
    else $finding end;
