# Text for a terminal: plain characters, as wide as it is (`--argjson width 80`), at most 100 columns.

# => columns
def width: [$ARGS.named.width // 100, 100] | min | [., 40] | max;

# text => without line breaks, escape sequences and other control characters: names are data
def plain: tostring | gsub("[\\p{Cc}\\p{Cf}]+"; " ");

def _spaces($n): if $n > 0 then " " * $n else "" end;

# text => padded to $n columns
def left($n): . + _spaces($n - length);
def right($n): _spaces($n - length) + .;

# text => lines of at most $width columns, all but the first indented by $indent
def wrapped($width; $indent):
  reduce (plain | split(" ") | .[] | select(. != "")) as $word ([];
    if length == 0 then [$word]
    elif (.[-1] | length) + 1 + ($word | length) <= $width then .[-1] += " " + $word
    else . + [_spaces($indent) + $word]
    end)
  | join("\n");

def _widest: map(length) | max // 0;

# row of cells => one line; the first cell is too long for $most columns: a line of its own
def _line($align; $first; $widths; $most):
  . as $row
  | [range(1; $align | length) as $i
    | $row[$i]
    | if $align[$i] == "r" then right($widths[$i]) else left($widths[$i]) end]
  | join("  ") as $rest
  | ($row[0] | if length <= $most then left($first) else . + "\n" + _spaces($first) end)
  + "  " + $rest
  | sub("\\s+$"; "");

# rows of cells => lines; $align: "l" or "r" a column; $most: the widest first cell that shares its line
def table($align; $most):
  . as $rows
  | ([.[][0] | select(length <= $most)] | _widest) as $first
  | [range($align | length) as $i | [$rows[][$i]] | _widest] as $widths
  | map(_line($align; $first; $widths; $most))
  | join("\n");
