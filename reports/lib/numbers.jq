# Numbers as people read them, and rounded as files hold them. What is printed here, site/assets/js/format.js prints the
# same: test/fixtures/rules/numbers.json has the cases for both. Each step is exact or rounded once by IEEE 754, and done
# in the same order there: no logarithm and no power, whose last bits differ from one engine to the next.

# number => the same to $digits significant digits, for a file; null and NaN => null
def significant($digits):
  if . == null or isnan or isinfinite then null
  elif . == 0 then 0
  else (fabs | log10 | floor | $digits - 1 - .) as $shift
  | if $shift > 300 or $shift < -300 then . # the power of ten would not be a number
    elif $shift >= 0 then pow(10; $shift) as $scale | (. * $scale | round) / $scale
    else pow(10; -$shift) as $scale | (. / $scale | round) * $scale
    end
  end;

# number => rounded for a record: seven significant digits, integers as they are
def rounded: if . == null then null elif . == floor and fabs < 9e15 then . else significant(7) end;

# Within, numbers are printed in full; beyond, with an exponent.
def _is_printed_in_full: . >= 1e-6 and . < 1e15;

# number of decimals => 10 to its power
def _power: [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8][.];

# size => decimals that make three significant digits of it
def _decimals:
  if . >= 99.95 then 0
  elif . >= 9.995 then 1
  elif . >= 0.9995 then 2
  elif . >= 0.09995 then 3
  elif . >= 0.009995 then 4
  elif . >= 0.0009995 then 5
  elif . >= 0.00009995 then 6
  elif . >= 0.000009995 then 7
  else 8
  end;

def _halves_up: . + 0.5 | floor;

# whole number from 0 => "1,234,567"
def _thousands:
  tostring
  | length as $length
  | [range($length - 3; -3; -3) as $from | .[([$from, 0] | max):$from + 3]]
  | reverse
  | join(",");

# size => with so many decimals: 1234.5 | _with(2) => "1,234.50"
def _with($decimals):
  ($decimals | _power) as $scale
  | (. * $scale | _halves_up) as $units
  | ($units / $scale | floor) as $whole
  | ($whole | _thousands)
  + if $decimals == 0 then "" else "." + ($units - $whole * $scale + $scale | tostring | .[1:]) end;

def _without_zeros: if contains(".") then until(endswith("0") | not; .[:-1]) | rtrimstr(".") else . end;

# size => { of: from 1 to below 10, exponent }
def _normalised:
  { of: ., exponent: 0 }
  | until(.of < 1e10; { of: (.of / 1e10), exponent: (.exponent + 10) })
  | until(.of < 10; { of: (.of / 10), exponent: (.exponent + 1) })
  | until(.of >= 1e-10; { of: (.of * 1e10), exponent: (.exponent - 10) })
  | until(.of >= 1; { of: (.of * 10), exponent: (.exponent - 1) });

# size => "1.48e233"
def _scientific(f):
  _normalised
  | (.of * 100 | _halves_up) as $hundredths
  | (if $hundredths == 1000 then { of: 1, exponent: (.exponent + 1) } else { of: ($hundredths / 100), exponent } end)
  | (.of | _with(2) | f) + "e" + (if .exponent < 0 then "−" else "" end) + (.exponent | fabs | tostring);

def _is_no_number: . == null or isnan;

# number => the text f of its size, with a true minus; "–" for none
def _printed(f):
  if _is_no_number then "–"
  else (if . < 0 then "−" else "" end) + (fabs | if isinfinite then "∞" else f end)
  end;

# size => its three digits, each of which f may leave out
def _three(f):
  if . == 0 then "0" elif _is_printed_in_full then _with(_decimals) | f else _scientific(f) end;

# What was measured => three significant digits, or all before the point: "12,346", "312", "31.2", "3.10", "0.000312"
def number: _printed(_three(.));

# What somebody chose, a share, a mean of counts => the same without zeros at the end: "50", "1.5", "0.02"
def plain: _printed(_three(_without_zeros));

# number => with so many decimals; nothing is -0
def _fixed($decimals):
  if _is_no_number or isinfinite or fabs >= 1e15 then number
  elif (fabs * ($decimals | _power) | _halves_up) == 0 then 0 | _with($decimals)
  else _printed(_with($decimals))
  end;

# how many => "1,234"
def count: _fixed(0);

# how many => "1 case", "1,234 cases"
def count($noun): count + " " + $noun + (if . == 1 then "" else "s" end);

# share => "1.23 %", "80 %"
def percent: if _is_no_number then number else (. * 100 | plain) + " %" end;

def _signed($decimals): (if . * ($decimals | _power) >= 0.5 then "+" else "" end) + _fixed($decimals);

def _change: (. - 1) * 100 | _signed(if fabs < 99.95 then 1 else 0 end);

# head/base => the change, to the tenth of a percent: 1.0512 => "+5.1 %", 0.981 => "−1.9 %", 2.345 => "+135 %"
def change: if _is_no_number then number else _change + " %" end;

def _points: . * 100 | _signed(if fabs < 9.995 then 2 else 1 end);

# head - base of shares => in points of a percent: 0.02 => "+2.00 points"
def points: if _is_no_number then number else _points + " points" end;

# head/base => to the thousandth: "1.051"; far from 1 to three digits: "12.3", "0.0123"
def ratio: if _is_no_number then number elif . >= 0.1 and . < 9.9995 then _fixed(3) else number end;

def _byte_units:
  [ { least: 999.5e12, factor: 1e-15, unit: "PB" },
    { least: 999.5e9, factor: 1e-12, unit: "TB" },
    { least: 999.5e6, factor: 1e-9, unit: "GB" },
    { least: 999.5e3, factor: 1e-6, unit: "MB" },
    { least: 999.5, factor: 1e-3, unit: "kB" } ];

# bytes => "12.3 MB", "312 B"
def bytes:
  if _is_no_number then number
  else fabs as $size
  | [_byte_units[] | select($size >= .least and $size < infinite)][0] as $in
  | if $in then "\(. * $in.factor | number) \($in.unit)" else plain + " B" end
  end;

# head - base of bytes => "+1.20 MB", "−312 B"
def _signed_bytes: (if . > 0 then "+" else "" end) + bytes;

# size of a difference of shares or bytes => "0.1 points", "500 kB"
def difference_in($unit): if $unit == "bytes" then bytes else "\(. * 100 | plain) points" end;

def _difference_interval:
  if .unit == "bytes" then "\(.ratio | _signed_bytes) [\(.low | _signed_bytes), \(.high | _signed_bytes)]"
  else "\(.ratio | points) [\(.low | _points), \(.high | _points)]"
  end;

# { unit, scale, ratio, low, high } of a comparison => "1.051 [1.020, 1.083]", "+2.00 points [+1.00, +3.00]", "+1.20 MB [+1.00 MB,
# +1.40 MB]"; "–" without
def ratio_interval:
  if .ratio == null then "–"
  elif .scale == "difference" then _difference_interval
  else "\(.ratio | ratio) [\(.low | ratio), \(.high | ratio)]"
  end;

# the same as changes, for a sentence: "+5.1 % [+2.0, +8.3]"
def change_interval:
  if .ratio == null then "–"
  elif .scale == "difference" then _difference_interval
  else "\(.ratio | change) [\(.low | _change), \(.high | _change)]"
  end;

# how often intervals may miss => their level of confidence, its miss to two digits: 0.00167 => "99.83 %"
def level:
  if _is_no_number then number
  else (. * 100) as $miss
  | (100 - $miss | _fixed([($miss | _decimals) - 1, 0] | max) | _without_zeros) + " %"
  end;

# number => in the unit of a record, as a word to stand in a sentence or a cell
def in_unit($unit):
  if _is_no_number then number
  elif $unit == "ratio" then percent
  elif $unit == "bytes" then bytes
  elif $unit == "bytes/s" then bytes + "/s"
  elif $unit == "1/s" then number + "/s"
  elif $unit == "1" then plain
  else number + " " + $unit
  end;

# number => what was observed for a threshold. null: an old record does not say the unit
def observed_in($unit): if $unit == "1" or $unit == null then number else in_unit($unit) end;

def _hours_and_minutes: [(if .[0] > 0 then "\(.[0] | count) h" else empty end), (if .[1] > 0 then "\(.[1]) min" else empty end)];

# size in seconds => "30 s", "1 min 24 s", "2 h 5 min"
def _lasting:
  if . < 59.95 then (_three(_without_zeros)) + " s"
  elif . >= 1e15 then _three(.) + " s"
  else _halves_up as $seconds
  | (if $seconds < 3600 then $seconds / 60 | floor else $seconds / 60 | _halves_up end) as $minutes
  | ($minutes / 60 | floor) as $hours
  | [$hours, $minutes - $hours * 60]
  | _hours_and_minutes + (if $hours == 0 and $seconds > $minutes * 60 then ["\($seconds - $minutes * 60) s"] else [] end)
  | join(" ")
  end;

# seconds => "30 s", "1 min 24 s", "2 h 5 min"
def duration: _printed(_lasting);

# "2026-03-01T10:15:30.123Z" => "2026-03-01 10:15 UTC"
def time: "\(.[:10]) \(.[11:16]) UTC";

# [number] of a column => [text], all with the same decimals, for it is read by its points: three significant digits in
# the middle, two at the smallest. Numbers of very different sizes are printed each by itself.
def column:
  ([.[] | select(_is_no_number or isinfinite or . == 0 | not) | fabs] | sort) as $sizes
  | if $sizes == [] then map(count)
    elif $sizes[-1] / $sizes[0] > 1000 or ([$sizes[0, -1] | _is_printed_in_full] | all | not) then map(number)
    else [$sizes[0, ($sizes | length / 2 | floor), -1] | _decimals] as [$least, $middle, $most]
    | ([[$middle, $least - 1] | max, $most + 2] | min) as $decimals
    | map(_fixed($decimals))
    end;

# ["a","b","c"] => "a, b and c"
def listed: if length < 2 then join("") else (.[:-1] | join(", ")) + " and " + .[-1] end;
