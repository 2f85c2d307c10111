# Markdown that must not be longer than so many bytes. A part of it is { title, head, lines, unit, most, folded }: lines
# below a title and the head of a table, as many as there is room for; the others are counted. At most `most` of them
# are in sight, more are folded. What is in sight gets its room before what is folded; all that is folded is in one fold.
import "lib/write/markdown" as markdown;
import "lib/numbers" as numbers;

# part => one or two: what is in sight, and what is folded below it
def _parted:
  . as { $most, $unit }
  | (.lines | length - $most) as $more
  | if .folded or $more <= 0 then .
    else (.lines |= .[:$most]),
      (.title += ": \($more | numbers::count($unit)) more" | .lines |= .[$most:] | .folded = true)
    end;

def _left_out($count):
  .unit as $unit | "*\($count | numbers::count($unit)) more left out: there is no room for more in a comment.*";

# part => its text with so many of its lines
def _text($shown):
  (.lines | length - $shown) as $hidden
  | (if $shown > 0 then [((.head | values), .lines[:$shown][]) + "\n"] | add else "" end) as $lines
  | (if $hidden > 0 then "\n" + _left_out($hidden) else "" end) as $left_out
  | ($lines + $left_out | ltrimstr("\n") | rtrimstr("\n")) as $text
  | "**\(.title)**\n\n\($text)";

# part => bytes of what stands around its lines
def _frame: _text(0) + (.head // "") | utf8bytelength + 10;

# part => how many of its lines have room in so many bytes, and what they take
def _room($bytes):
  reduce .lines[] as $line ({ shown: 0, taken: 0, full: false };
    (.taken + ($line | utf8bytelength) + 1) as $taken
    | if .full or $taken > $bytes then .full = true else .shown += 1 | .taken = $taken end);

# [part], and what is folded whatever room is left => their text; parts without lines are not there
def fitted($bytes; $summary; $last):
  [.[] | select(.lines != []) | _parted]
  | ($bytes - ([.[] | _frame] | add // 0) - ($summary + $last | utf8bytelength) - 60) as $room
  | to_entries
  | sort_by(.value.folded, .key)
  | reduce .[] as $entry ({ left: $room, sighted: [], folded: [] };
      .left as $left
      | ($entry.value | _room($left)) as $fits
      | .left -= $fits.taken
      | .[if $entry.value.folded then "folded" else "sighted" end] += [$entry.value | _text($fits.shown)])
  | .sighted + [.folded + [$last] | join("\n\n") | markdown::folded($summary)]
  | join("\n\n");
