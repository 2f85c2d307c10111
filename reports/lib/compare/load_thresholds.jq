# Thresholds in the load lane of a duet: both sides had the declared load there, at the same time or in the same blocks.
# A threshold says what head must meet; what base does not meet either is not the change's doing.
# A pair is { base: record, head: record, lanes }; the records have those of their lanes in `lanes`.
import "lib/compare/block_by_block" as block_by_block;
import "lib/compare/lanes" as lanes;

# threshold => what it is on, and what it asks for
def _key: [.metric, .selector, .expr];

# threshold of a lane; record of the lane => as it counts: what was measured beside an error does not count
def _counting($record):
  if .implicit or .outcome == "unknown" or $record.verdict != "invalid" then .
  else .outcome = "unknown" | .reason = [$record.findings[] | select(.level == "error") | .text][0]
  end;

# records of a lane, of base and head => are there blocks on head alone with iterations that could not be sent, by more than chance?
# "some": in at least two more of head's
def _overloaded($base; $head):
  ($base | lanes::overloaded) as $of_base
  | ($head | lanes::overloaded) as $of_head
  | if { one: $of_head, other: $of_base } | block_by_block::only_on_one then "all"
    elif ($of_head | map(select(.)) | length) >= ($of_base | map(select(.)) | length) + 2 then "some"
    else null
    end;

# record of a lane => is there an error that is not of its load? It says why nothing was judged, not that all is well.
def _failed: any(.findings[]; .level == "error" and .id != "saturated");

# { base: threshold, head: threshold }; records => what head is, beside base. Together, blocks decide whether a threshold is
# met; whether that differs by more than chance, each of them: they are few, and have few requests.
def _verdict($base; $head):
  def separated($worse; $better):
    { one: ($worse.met_in | map(. != true)), other: ($better.met_in | map(. != true)) } | block_by_block::only_on_one;
  [.base.outcome, .head.outcome] as $outcomes
  | if $outcomes == ["met", "missed"] then if separated(.head; .base) then "worse" else "unclear" end
    elif $outcomes == ["missed", "met"] then if separated(.base; .head) then "better" else "same" end
    elif $outcomes == ["unknown", "missed"] then "unclear"
    elif $outcomes == ["met", "unknown"] then
      _overloaded($base; $head) as $overloaded
      | if $overloaded == "all" then "worse"
        elif $overloaded == "some" or .head.observed == null or ($head | _failed) then "unclear"
        else null
        end
    elif $outcomes[1] == "unknown" then null
    else "same"
    end;

# pair => [threshold] of the load lane, with what came of it on both sides
def judged:
  .base.lanes.load as $base
  | .head.lanes.load as $head
  | if $head == null then []
    else (reduce $base.thresholds[]? as $one ({}; .[$one | _key | tojson] = ($one | _counting($base)))) as $of_base
    | [$head.thresholds[]
      | _counting($head)
      | . as $one
      | ($of_base[_key | tojson] // { observed: null, outcome: "unknown", reason: "it was not measured", met_in: [] }) as $other
      | ({ base: $other, head: $one } | _verdict($base; $head)) as $verdict
      | del(.met_in)
      + { lane: "load", base: ($other | { observed, outcome, reason }), verdict: $verdict }]
    end;

# threshold of a case => does it fail the case? In a lane, where head misses what base meets
def fails: .level == "fail" and if .lane then .verdict == "worse" else .outcome == "missed" end;

# threshold of a case => may it be that it fails?
def is_open: .lane != null and .level == "fail" and .verdict == "unclear";
