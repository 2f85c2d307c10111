# Why a case has its verdict, in one sentence: the same in the terminal, in Markdown and on pages.
import "lib/compare/lanes" as lanes;
import "lib/compare/load_thresholds" as load_thresholds;
import "lib/metrics" as metrics;
import "lib/numbers" as numbers;
import "lib/sub_metric" as sub_metric;
import "lib/compare/verdicts" as verdicts;

# threshold of ours => the share of failed requests that it allows
def cap: .value | numbers::percent;

# threshold of a lane => ", on base 49.2 ms"
def _on_base:
  .unit as $unit
  | .base
  | if .outcome == "unknown" then ", not judged on base: \(.reason)"
    else ", on base \(.observed | numbers::observed_in($unit))"
      + if .outcome == "missed" then ", which misses it too" else "" end
    end;

# threshold => "http_req_duration p(95)<50: 55.1 ms"; of a lane, "http_req_duration p(95)<50 under load: 55.1 ms, on base 49.2 ms"
def of_threshold:
  (if .lane then " \(.lane | metrics::lane)" else "" end) as $where
  | if .implicit and .observed == null then "failed requests\($where): \(.reason)"
    elif .implicit then "\(.observed | numbers::percent) of the requests failed\($where), the cap is \(cap)"
    elif .outcome == "unknown" or .observed == null then "\(sub_metric::name) \(.expr)\($where): \(.reason)"
    else . as $threshold | "\(sub_metric::name) \(.expr)\($where): \(.observed | numbers::observed_in($threshold.unit))"
    end
  + if .lane then _on_base else "" end;

# record or case => why each of the thresholds was missed that make it fail; not under a load that is too much anyway
def _missed:
  any(.falls[]?; .overloaded) as $is_said
  | [.thresholds[] | select(load_thresholds::fails) | select(($is_said and .lane == "load") | not) | of_threshold];

# case => the threshold that head may miss and base does not
def _open_thresholds: [.thresholds[] | select(load_thresholds::is_open) | of_threshold + ", not in each block"];

# record => why it is invalid or fails by itself; null for a pass
def of_record:
  if .verdict == "invalid" then [.findings[] | select(.level == "error") | .text][0]
  elif .verdict == "fail" then _missed | join("; ")
  else null
  end;

# row of a comparison => "latency p50 +12.0 % [+7.0, +18.0]"
def of_row: (.metric | metrics::title) + if .reason then ": \(.reason)" else " \(numbers::change_interval)" end;

# row => the smallest change that it would have found with 80 % power
def _mde:
  if .mde == null then ""
  elif .scale == "ratio" and .mde > 9 then ": minimum detectable effect above tenfold"
  elif .scale == "ratio" then ": minimum detectable effect \(.mde | numbers::percent)"
  else . as $row | ": minimum detectable effect \(.mde | numbers::difference_in($row.unit))"
  end;

# What a duet may have at the most, as specs/bench.schema.json says.
def _most_blocks: 100;

# row => after how many blocks in place of $blocks it would be decided if its estimate stayed: an interval's width is that of one over
# the square root of their number
def _blocks_needed($blocks):
  .scale as $scale
  | def on_scale: if $scale == "ratio" then log else . end;
  (.equivalence // { low, high } | ((.high | on_scale) - (.low | on_scale)) / 2) as $half
  | (.direction == "higher") as $more_is_better
  | (.ratio | on_scale | if $more_is_better then -. else . end) as $estimate
  | (if $scale == "ratio" then 1 + .tolerance else .tolerance end | on_scale) as $limit
  | ($limit - ($estimate | fabs) | fabs) as $room
  | if $room == 0 then infinite else $blocks * pow($half / $room; 2) | ceil end;

# case of a duet => "; after 12 blocks its budget of 5 min was over; about 18 would decide it", where more blocks can
def _takes($row):
  .rounds as $blocks
  | (if .comparison.budget_s then "; after \($blocks) blocks its budget of \(.comparison.budget_s | numbers::duration) was over"
     else "" end)
  + ($row
    | if .ratio == null or .low == null or (.metric | contains("{lane:age}")) then ""
      else _blocks_needed($blocks) as $needed
      | if $needed > _most_blocks then "; more than \(_most_blocks) blocks would be needed"
        elif $needed > $blocks then "; about \($needed) blocks would decide it"
        else ""
        end
      end);

# case with rows that might be worse => the first of them, and how many more
def _open:
  . as $case
  | [.metrics[] | select(verdicts::is_open)]
  | (length - 1) as $more
  | select($more >= 0)
  | .[0] as $row
  | $row
  | of_row
  + (if $more > 0 then " and \($more | numbers::count("metric")) more" else "" end)
  + _mde
  + if $case.comparison.kind | . == "duet" or . == "interleaved" then $case | _takes($row) else "" end;

# case of two sessions => what would help most where they have the fewest rounds that there can be
def _of_few:
  if .comparison.kind == "sessions" and .rounds == 2 then ", since two rounds make wide intervals: measure three or more" else "" end;

# text => the object that it is in JSON; null: it is not one
def _as_object: try (fromjson | if type == "object" then . else null end) catch null;

# [object, object] => what the second has in another way: "+ POOL = \"10\", - DEBUG = \"1\", rate: 100 -> 1"
def _differences:
  . as [$base, $head]
  | [map(keys[]) | unique[] as $key
    | [$base, $head | [select(has($key)) | .[$key] | tojson]] as [$of_base, $of_head]
    | if $of_base == $of_head then empty
      elif $of_base == [] then "+ \($key) = \($of_head[0])"
      elif $of_head == [] then "- \($key) = \($of_base[0])"
      else "\($key): \($of_base[0]) -> \($of_head[0])"
      end]
  | join(", ");

# change of a benchmark => "threshold http_req_duration p(95) at most: < 50 -> gone"; of two objects what differs in them
def of_change:
  ([.base, .head] | map(_as_object)) as $objects
  | if $objects | index([null]) then "\(.subject): \(.base) -> \(.head)" else "\(.subject): \($objects | _differences)" end;

# case => how its benchmark was made looser, and how many more ways
def _weakened:
  verdicts::weakened
  | (length - 1) as $more
  | if .[0].subject == "files" then "both sides are the same files (\(.[0].base))"
    elif .[0].subject == "program" then "both sides run the same program (\(.[0].base)), though \(.[0].head): was it built anew?"
    elif .[0].subject == "sides" then "the sides are not apart: \(.[0].head)"
    else "head's benchmark measures or expects less, or in another way: \(.[0] | of_change)"
    end
  + if $more > 0 then " and \($more | numbers::count("change")) more" else "" end;

# case of a comparison => the sentence; null for a pass
def of_case:
  if .verdict == "todo" or .verdict == "n-a" or .verdict == "error" then .reason
  elif .verdict == "invalid" then of_record
  elif .verdict == "fail" then _missed + [(.falls // [])[] | "head \(lanes::of_fall)"]
    + [.metrics | verdicts::worse[] | of_row]
    + [select(.comparison.possible == false and (.metrics | verdicts::worse) != []) | "nothing else was compared: \(.comparison.reason)"]
    | join("; ")
  elif .verdict != "inconclusive" then null
  elif .record == null then .reason // .comparison.reason // "it was not measured"
  elif verdicts::weakened != [] then
    [(select(.comparison and (.comparison.possible | not)) | .comparison.reason), _weakened] | map(select(.)) | join("; ")
  elif (.other_work // []) != [] then .other_work[0].text
  elif .comparison.possible then
    _of_few as $few
    | [select(.status == "interrupted" and .reason) | .reason] + _open_thresholds
    + [_open + $few]
    + [.load_unjudged // empty | "under load nothing was judged: \(.)"]
    | join("; ")
  else .comparison.reason
  end;
