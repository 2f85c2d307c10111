# What a comparison found, in a table of a few rows for any number of cases: how many gated metrics are worse, better,
# the same or unclear, and by how much.
import "lib/write/headline" as headline;
import "lib/numbers" as numbers;

def _kinds: ["worse", "better", "same", "unclear"];

# row of a comparison => head against base, turned so that more is worse
def _turned:
  if .reason then null
  elif .direction == "lower" then .ratio
  elif .scale == "ratio" then 1 / .ratio
  else -.ratio
  end;

# comparison => [{ case, verdict, scale, value }] of the gated metrics
def _gated:
  [.cases[] | .case as $case | .metrics[]
    | select(.gated)
    | { case: $case, verdict, scale: (if .reason then null elif .scale == "difference" and .unit == "bytes" then "bytes" else .scale end), value: _turned }];

def _mean($scale): if $scale == "ratio" then (map(log) | add / length | exp) else add / length end;
def _shown($scale): if $scale == "ratio" then numbers::change elif $scale == "bytes" then numbers::bytes else numbers::points end;

# [{ verdict, scale, value }] of one verdict and scale => the cells
def _row:
  .[0] as { $verdict, $scale }
  | map(.value) as $values
  | [ $verdict + (if $scale == "difference" then ", shares" elif $scale == "bytes" then ", bytes" elif $scale == null then ", no CI" else "" end),
      "\(length | numbers::count) in \(map(.case) | unique | length | numbers::count("case"))" ]
  + if $scale == null then ["–", "–"]
    elif length == 1 then [($values[0] | _shown($scale)), "–"]
    else [ ($values | _mean($scale) | _shown($scale)),
           "\($values | min | _shown($scale)) to \($values | max | _shown($scale))" ]
    end;

# comparison => [[verdict, how many, mean, range]]: no rows where nothing was compared
def rows:
  _gated as $all
  | [_kinds[] as $kind | ("ratio", "difference", "bytes", null) as $scale
    | [$all[] | select(.verdict == $kind and .scale == $scale)]
    | select(. != [])
    | _row];

# comparison => are there metrics of which more is better?
def is_turned: any(.cases[].metrics[]; .gated and .reason == null and .direction == "higher");

# comparison => [[verdict, how many]] of its cases, the worst first
def cases: .cases | group_by(headline::rank) | map([.[0].verdict, (length | numbers::count)]);
