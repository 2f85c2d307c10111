# A table is a list of columns, [{ title, align, cells }]: the texts that stand in it, align "l" or "r". The terminal, Markdown and the
# comment write the same list; without a title none has one.
import "lib/text" as text;
import "lib/write/markdown" as markdown;

# cells => a column
def column($title; $align): { $title, $align, cells: . };

# [column] => rows of cells, the titles first, if there are some
def rows: (if any(.[]; .title) then [map(.title)] else [] end) + (map(.cells) | transpose);

# [column] => the same with as many rows as there is room for
def most($rows): map(.cells |= .[:$rows]);

# [column]; [heading] of each row => the same in groups, each with its heading on a line of its own
def under($headings):
  [$headings | to_entries | group_by(.value)[] | { heading: .[0].value, rows: map(.key) }] as $groups
  | [range(length) as $i
    | .[$i] as $column
    | $column
    | .cells = [$groups[] | (if $i == 0 then .heading else "" end), $column.cells[.rows[]]]];

# [column] => lines of a terminal; $most: the widest first cell that shares its line
def lines($most): map(.align) as $align | rows | text::table($align; $most);

# [column] => a table in Markdown
def markdown: map(.align) as $align | rows | markdown::table($align);
