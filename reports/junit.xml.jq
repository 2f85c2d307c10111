# A comparison => JUnit's XML, as GitLab and Jenkins read it:
#   jq -n -r -L reports -f reports/junit.xml.jq comparison.json
# A case is a test. What could not be measured or decided is an error, not a skipped test: never green by silence.
import "lib/write/finding" as finding;
import "lib/write/headline" as headline;
import "lib/write/xml" as xml;

# verdict => what JUnit calls it; null: a test that passed
def _outcome:
  if . == "pass" then null
  elif . == "fail" then "failure"
  elif . == "todo" or . == "n-a" then "skipped"
  else "error"
  end;

# case => what came out of it alone
def _alone: { verdict, cases: [.] };

def _detail:
  (.verdict | _outcome) as $tag
  | { message: (if .verdict == "fail" then _alone | finding::finding else .reason // .verdict end),
      type: (if $tag == "skipped" then null else .verdict end) } as $attributes
  | "      <\($tag)\($attributes | xml::attributes)"
    + if .verdict == "fail" then ">\(.reason | xml::escaped)</\($tag)>" else "/>" end;

# case that passes => what was found, and what is unknown
def _looked_at: _alone | headline::headline + headline::tolerances | xml::escaped | "      <system-out>\(.)</system-out>";

# case => lines
def _test:
  ({ classname: "\(.system).\(.environment)", name: .case } | xml::attributes) as $attributes
  | if .verdict | _outcome then "    <testcase\($attributes)>", _detail, "    </testcase>"
    elif .comparison.possible then "    <testcase\($attributes)>", _looked_at, "    </testcase>"
    else "    <testcase\($attributes)/>"
    end;

# [case] => ' errors="1" …'
def _counts:
  (map(.verdict | _outcome) | map(values)) as $outcomes
  | def count($tag): $outcomes | map(select(. == $tag)) | length;
  { tests: length, failures: count("failure"), errors: count("error"), skipped: count("skipped") };

# [case] of one system and environment => lines
def _suite($time):
  ({ name: "\(.[0].system) \(.[0].environment)", timestamp: $time } + _counts | xml::attributes) as $attributes
  | "  <testsuite\($attributes)>", (.[] | _test), "  </testsuite>";

inputs
| .time[:19] as $time
| "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
  "<testsuites\({ name: "benchfolio" } + (.cases | _counts) | xml::attributes)>",
  (.cases | group_by(.system, .environment)[] | _suite($time)),
  "</testsuites>"
