# What load a scenario asks for, from k6's own options.

# 2 | "1m30s" | "500ms" => seconds; k6 takes a bare number for milliseconds
def seconds:
  if type == "number" then . / 1000
  else { ms: 0.001, s: 1, m: 60, h: 3600, d: 86400, us: 0.000001, "µs": 0.000001, ns: 0.000000001 } as $units
  | [match("([0-9.]+)(ms|us|µs|ns|d|h|m|s)"; "g").captures | (.[0].string | tonumber) * $units[.[1].string]]
  | add
  end;

# k6 options => is the number of iterations started independent of how fast they end?
def open: .executor | . == "constant-arrival-rate" or . == "ramping-arrival-rate";

# k6 options => is the load the same from one second to another? Of stages, those in between must keep what they find.
def constant($from; $to):
  if .executor | startswith("ramping") | not then true
  else (.startVUs // .startRate // if .executor == "ramping-vus" then 1 else 0 end) as $first
  | reduce .stages[] as $stage ({ t: 0, at: $first };
      (.t + ($stage.duration | seconds)) as $ends
      | .changes = (.changes or ($ends > $from and .t < ($to // infinite) and $stage.target != .at))
      | .t = $ends
      | .at = $stage.target)
    | .changes | not
  end;

# the area under a line from (0, $a) to ($length, $b), between 0 and $to
def _area($a; $b; $length; $to): $a * $to + ($b - $a) * $to * $to / (2 * $length);

# k6 options => iterations that the stages ask for in their first $until seconds
def _staged($until):
  (.timeUnit // "1s" | seconds) as $unit
  | reduce .stages[] as $stage ({ t: 0, rate: (.startRate // 0), sum: 0 };
      ($stage.duration | seconds) as $length
      | ([[$until - .t, 0] | max, $length] | min) as $part
      | if $length > 0 then .sum += _area(.rate; $stage.target; $length; $part) else . end
      | .t += $length
      | .rate = $stage.target)
  | .sum / $unit;

# k6 options => target iterations per second of the window from $from to $to seconds; null when the users decide
def asked_per_second($from; $to):
  if .executor == "constant-arrival-rate" then .rate / (.timeUnit // "1s" | seconds)
  elif .executor == "ramping-arrival-rate" and $to > $from then (_staged($to) - _staged($from)) / ($to - $from)
  else null
  end;
