# What a file that cannot be read says, and small things that several formats need.

# => what cannot be read, and where. $line: null when no line is to blame
def problem($line; $text): { problem: { line: $line, text: $text } };

# milliseconds since 1970 => "2026-11-21T20:54:21.175Z"
def time:
  (. / 1000 | floor) as $seconds
  | ($seconds | todate | rtrimstr("Z")) + "." + (. - $seconds * 1000 | floor + 1000 | tostring | .[1:]) + "Z";

# => a finding; $metrics: names of those that do not count because of it
def finding($id; $level; $text): { id: $id, level: $level, text: $text, metrics: [] };

# at most 60 characters of a text
def short: if length > 60 then .[:60] + "…" else . end;
