# Text in XML: data, never mark-up.
import "lib/text" as text;

# text => in an attribute or an element; two characters have no place in XML, not even escaped
def escaped:
  text::plain
  | gsub("[\\x{FFFE}\\x{FFFF}]"; " ")
  | gsub("&"; "&amp;")
  | gsub("<"; "&lt;")
  | gsub(">"; "&gt;")
  | gsub("\""; "&quot;");

# { name: text } => ' name="text"', without those that are null
def attributes: [keys[] as $name | .[$name] | values | " \($name)=\"\(escaped)\""] | join("");
