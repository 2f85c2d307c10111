# Earlier results on the same pull request. They go with the comment, in its last line, which is hidden.
# A result is { head, problems: [{ case, what }], text, time, verdict }; head is a commit. Keys are in order, as gojq
# writes them.
import "lib/write/headline" as headline;
import "lib/numbers" as numbers;
import "lib/write/markdown" as markdown;
import "lib/write/problems" as problems;

# Earlier results that are kept, problems of one, characters of a sentence, and bytes of all.
def _most: { earlier: 20, problems: 30, characters: 200, bytes: 20000 };

def _short: _most.characters as $most | if length > $most then .[:$most] + " …" else . end;

# comparison => its result; what was wrong before and is not known to be gone goes on with it
def _result($head; $open):
  { head: $head, problems: (problems::now + $open | unique | .[:_most.problems] | map(map_values(_short))),
    text: (headline::short | _short), time, verdict };

# comparison, with the results before it => { now, earlier, since }: the newest first; since: what became of the
# problems of the last one. Telling the same comparison once more is not a new result.
def after($head; $before):
  _most as $most
  | .time as $time
  | [$before[] | select(.head != $head or .time != $time)] as $earlier
  | problems::since($earlier[0].problems // [] | .[:$most.problems]) as $since
  | { now: _result($head; $since.open), earlier: $earlier[:$most.earlier], since: $since };

def _commit: if .head // "" | test("^[0-9a-f]{40,64}$") then .head[:10] else "an earlier commit" end;

# history => the result that problems are gone since
def last: .earlier[0] // {} | _commit;

# [{ case, what }] => lines
def problems: map("\(.case | markdown::code) \(.what | markdown::escaped)");

# history => a line for each earlier result
def lines: [.earlier[] | "\(.time | numbers::time | markdown::escaped) \(_commit): \(.text | markdown::escaped)"];

# history => the line that carries it: problems are asked for of the last two only, and left behind if they are too long
def carried($marker):
  _most as $most
  | select($marker)
  | [.now] + .earlier
  | to_entries
  | map(if .key < 2 then .value else .value | .problems = [] end)
  | if tojson | utf8bytelength > $most.bytes then map(.problems = []) else . end
  | "<!-- \($marker) \(tojson | @base64) -->";
