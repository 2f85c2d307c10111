# Numbers as people read them, and rounded so that jq and gojq, whose logarithms differ in the last bit, print the same.

# number => the same to $digits significant digits; null and NaN => null
def significant($digits):
  if . == null or isnan or isinfinite then null
  elif . == 0 then 0
  else (fabs | log10 | floor | $digits - 1 - .) as $shift
  | if $shift >= 0 then pow(10; $shift) as $scale | (. * $scale | round) / $scale
    else pow(10; -$shift) as $scale | (. / $scale | round) * $scale
    end
  end;

# number => rounded for a record: seven significant digits, integers as they are
def rounded: if . == null then null elif . == floor and fabs < 9e15 then . else significant(7) end;

# 1234567 => "1,234,567"
def grouped:
  tostring
  | length as $length
  | [range($length - 3; -3; -3) as $from | .[([$from, 0] | max):$from + 3]]
  | reverse
  | join(",");

# number => with $decimals decimals and thousands grouped: 1234.5 | fixed(2) => "1,234.50"
def fixed($decimals):
  pow(10; $decimals) as $scale
  | (fabs * $scale | round) as $units
  | ($units / $scale | floor) as $whole
  | (if . < 0 and $units > 0 then "-" else "" end)
  + ($whole | grouped)
  + (if $decimals == 0 then ""
     else "." + ($units - $whole * $scale + $scale | tostring | .[1:])
     end);

# number => about three significant digits, never an exponent: 0.01234 => "0.0123", 12345.6 => "12,346"
def short:
  if . == null then "-"
  elif . == 0 then "0"
  elif fabs >= 100 then fixed(0)
  elif fabs < 0.0000005 then "0"
  else ([fabs | 2 - (log10 | floor), 6] | min) as $decimals | fixed([$decimals, 0] | max)
  end;

# 5.1234 => "+5.12"; -1.9 => "-1.90"
def signed: (if . > 0 then "+" else "" end) + (significant(3) | short);

# a factor => the change in percent: 1.0512 => "+5.12 %"; 0.981 => "-1.90 %"
def change: (. - 1) * 100 | signed + " %";

# a ratio around 1, to the tenth of a percent: 1.05123 => "1.051"; far away to three digits: 12.34 => "12.3"
def factor: if . >= 10 or . < 0.1 then if . >= 1000 then "> 1,000" else significant(3) | short end else fixed(3) end;

# "1.50" => "1.5"; "80.0" => "80"
def trimmed: if test("\\.") then sub("\\.?0+$"; "") else . end;

# 0.01234 => "1.23 %"; 0.8 => "80 %"
def percent: if . == null then "-" else (. * 100 | short | trimmed) + " %" end;

# bytes => "12.3 MB"
def bytes:
  if . == null then "-"
  elif fabs >= 1e9 then (. / 1e9 | short) + " GB"
  elif fabs >= 1e6 then (. / 1e6 | short) + " MB"
  elif fabs >= 1e3 then (. / 1e3 | short) + " kB"
  else (short | trimmed) + " B"
  end;

# number => in its unit, as a word to stand in a sentence or a cell
def in_unit($unit):
  if . == null then "-"
  elif $unit == "ratio" then percent
  elif $unit == "bytes" then bytes
  elif $unit == "bytes/s" then bytes + "/s"
  elif $unit == "1/s" then short + "/s"
  elif $unit == "1" then short
  else short + " " + $unit
  end;

# 1 | count("case") => "1 case"; 2 => "2 cases"
def count($noun): grouped + " " + $noun + (if . == 1 then "" else "s" end);

# ["a","b","c"] => "a, b and c"
def listed: if length < 2 then join("") else (.[:-1] | join(", ")) + " and " + .[-1] end;
