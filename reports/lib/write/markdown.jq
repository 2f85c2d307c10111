# Text in GitHub's Markdown. Whatever comes from a spec, a branch or a response is data: it may not become a mention, a
# link, a picture, HTML or a table's edge.
import "lib/text" as text;

# A zero-width space: GitHub looks for @names, #1, GH-1 and addresses in the text after escapes are resolved.
def _apart: "\u200b";

# text => the same, read as it stands
def escaped:
  text::plain
  | gsub("(?<c>[\\\\`*_{}\\[\\]()#+!|~<>&-])"; "\\\(.c)")
  | gsub("@"; "@" + _apart)
  | gsub("\\\\#"; "\\#" + _apart)
  | gsub("(?<gh>[Gg][Hh])\\\\-"; .gh + _apart + "\\-")
  | gsub(":(?<emoji>[A-Za-z0-9_+\\\\-]+):"; ":" + _apart + .emoji + ":")
  | gsub("://"; ":" + _apart + "//")
  | gsub("(?<w>[Ww])(?<v>[Ww][Ww])\\."; .w + _apart + .v + ".")
  | gsub("\\$"; "<span>$</span>"); # two of them would be a formula

# text => in a code span, where nothing is read but the pipe of a table; a backslash before it would undo its escape
def code:
  text::plain
  | gsub("`"; "'")
  | gsub("\\\\\\|"; "\\" + _apart + "|")
  | gsub("\\|"; "\\|")
  | if test("^\\s*$") then "" else "`" + . + "`" end;

# rows of cells, the first the head => a table; $align: "l" or "r" a column
def table($align):
  def line: "| " + join(" | ") + " |";
  [(.[0] | line), ($align | map(if . == "r" then "---:" else ":---" end) | line), (.[1:][] | line)]
  | join("\n");

# lines => folded under a title
def folded($title): "<details><summary>" + $title + "</summary>\n\n" + . + "\n\n</details>";
