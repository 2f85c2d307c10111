# Lines of separated values, many of them: read a chunk at a time, so that a file of a million lines is never held whole.
import "import/lib/text" as text;

# how many lines are read together
def _size: 5000;

# => the next lines of the input, as raw text; [] at its end
def _lines: [limit(_size; inputs)];

def _quotes: indices("\"") | length;

# [line] => [{ line, text }] with what is within quotes over several lines put together; { open } when it goes on in the
# next chunk. $open: what the chunk before left; $line: the number of the first line
def _logical($open; $line):
  . as $lines
  | reduce range(length) as $i ({ done: [], open: $open };
      $lines[$i] as $text
      | (if .open then { line: .open.line, text: "\(.open.text)\n\($text)" } else { line: ($line + $i), text: $text } end)
      as $one
      | if $one.text | _quotes % 2 == 1 then .open = $one else .open = null | .done += [$one] end);

# a line with quotes => its fields: every other piece between quotes is outside of them
def _unquoted($delimiter):
  split("\"") as $pieces
  | reduce range($pieces | length) as $i ({ fields: [], text: "" };
      $pieces[$i] as $piece
      | if $i % 2 == 1 then .text += $piece
        elif $piece == "" and $i > 0 and $i < ($pieces | length) - 1 then .text += "\"" # "" within quotes is one
        else ($piece | split($delimiter)) as [$first]
        | ($piece | split($delimiter)) as $parts
        | .text += ($first // "")
        | reduce $parts[1:][] as $part (.; .fields += [.text] | .text = $part)
        end)
  | .fields + [.text];

# a line => its fields
def fields($delimiter): if contains("\"") then _unquoted($delimiter) else split($delimiter) end;

# [line] => has none of them a quote? (`any` costs gojq much memory here.)
def _plain: map(select(contains("\""))) == [];

# { parts } => with what of_chunk makes of $chunk, or the problem that it has
def _taken(of_chunk; $chunk):
  ($chunk | of_chunk) as $part
  | if $part | type == "object" then .problem = $part.problem else .parts += $part end;

# the rest of the input, whose first line has the number $line => { parts, problem }: what of_chunk makes of each chunk,
# { rows: [[field]], line: of the first | lines: of each }, until one has a problem. Most files have no quotes at all: then
# lines are split and nothing else. (All within one reduce: of a generator of chunks jq 1.6 keeps more.)
def read($delimiter; $line; of_chunk):
  reduce (label $done | range(0; 1000000) | _lines | if . == [] then break $done else . end) as $lines
    ({ line: $line, open: null, parts: [], problem: null };
      if .problem then .
      elif .open == null and ($lines | _plain) then
        _taken(of_chunk; { line: .line, rows: ($lines | map(split($delimiter))) })
      else
        .line as $first
        | .open as $open
        | ($lines | _logical($open; $first)) as $logical
        | .open = $logical.open
        | { lines: ($logical.done | map(.line)), rows: ($logical.done | map(.text | fields($delimiter))) } as $chunk
        | if $chunk.rows == [] then . else _taken(of_chunk; $chunk) end
      end
      | .line += ($lines | length))
  # what is within quotes to the end: most likely the file is cut off there
  | if .open and .problem == null then _taken(of_chunk; { line: .open.line, rows: [[.open.text]] }) else . end
  | { parts, problem };

# chunk => the number of the line of its row $i
def line_of($i): if .lines then .lines[$i] else .line + $i end;

# chunk => what `tallied` makes of its rows; a problem when one has not $width fields or `tallied` fails: what
# `row_problem` says of the first row that it says something of
def tallied($width; tallied; row_problem):
  . as $chunk
  | try (if .rows | map(select(length != $width)) == [] then .rows | tallied else error("width") end) catch null
  | if . then .
    else first(range($chunk.rows | length) as $i
      | $chunk.rows[$i] | row_problem
      | . as $what | ($chunk | line_of($i)) | text::problem(.; $what))
      // text::problem($chunk | line_of(0); "or one after it cannot be read")
    end;
