# JMeter's results, a line a sample: CSV with the names of its columns in the first line (jmeter -l results.jtl).
import "import/lib/csv" as csv;
import "import/lib/tallies" as tallies;
import "import/lib/text" as text;
import "lib/numbers" as numbers;

def _needed: ["timeStamp", "elapsed", "label", "success"];

# the first line => { delimiter, columns: { name: index }, width }
def _head:
  . as $line
  | ([",", ";", "\t", "|"]
      | map(select(. as $one | $line | contains("timeStamp" + $one) or contains($one + "timeStamp")))[0] // ",") as $delimiter
  | ($line | ltrimstr("\ufeff") | rtrimstr("\r") | csv::fields($delimiter)) as $names
  | { delimiter: $delimiter, width: ($names | length),
      columns: (reduce range($names | length) as $i ({}; .[$names[$i]] = $i)) };

# Is this row the sum of others? A transaction controller's; JMeter's report leaves it out of the total
def _is_group($columns):
  $columns.responseMessage as $at
  | $at != null and (.[$at] | startswith("Number of samples in transaction"));

def _row_problem($head):
  $head.columns as $columns
  | if . == [] or . == [""] then "is empty"
    elif length != $head.width then "has \(length) of \($head.width) columns"
    elif .[$columns.elapsed] | test("^[0-9]{1,9}$") | not then "has no elapsed time: \"\(.[$columns.elapsed] | text::short)\""
    elif .[$columns.timeStamp] | test("^[1-9][0-9]{10,13}$") | not then
      "has a timeStamp that is not a number of milliseconds: \"\(.[$columns.timeStamp] | text::short)\""
    elif .[$columns.success] | test("^(true|false)$"; "i") | not then
      "says neither true nor false for success: \"\(.[$columns.success] | text::short)\""
    else empty
    end;

# rows of one label => their tally
def _tally($columns):
  ($columns.timeStamp) as $start
  | ($columns.elapsed) as $elapsed
  | map(.[$elapsed] | tonumber) as $times
  | map(.[$start] | tonumber) as $from
  | map(select(.[$columns.success] != "true" and .[$columns.success] != "TRUE")) as $failed
  | ($failed | map(select($columns.responseCode and (.[$columns.responseCode] | startswith("Non HTTP")))) | length) as $net
  | def sum($name): $columns[$name] as $at | if $at == null then null else map(.[$at] | tonumber) | add end;
    { count: length, errors: ($failed | length), network_errors: (if $columns.responseCode then $net else null end),
      status_errors: null, bad_status: 0, received_bytes: sum("bytes"), sent_bytes: sum("sentBytes"),
      users: ($columns.allThreads as $at | if $at == null then null else map(.[$at] | tonumber) | max end),
      from_ms: ($from | min), to_ms: ([$from, $times] | transpose | map(.[0] + .[1]) | max), times: [$times] };

# chunk => [{ name, is_group, tally }] | a problem
def _of_chunk($head):
  $head.columns as $columns
  | csv::tallied($head.width;
      group_by([.[$columns.label], _is_group($columns)])
      | map({ name: .[0][$columns.label], is_group: (.[0] | _is_group($columns)), tally: _tally($columns) });
      _row_problem($head));

def _named(part): with_entries(.value |= part);

def _findings($all; $files_groups):
  [ text::finding("jmeter-times"; "info";
      "JMeter's times are whole milliseconds from before the connection is opened to the last byte: a service of less than a millisecond cannot be distinguished from none. "
        + "Percentiles are by the rule of JMeter's report\(
        if $all.count > 20000 then ", though over all samples: its own are those of the last 20,000" else "" end)."),
    text::finding("jmeter-load"; "info";
      "A thread of JMeter sends its next request after the response (a closed loop): what a stall held back was never sent, and is in no latency."),
    (select($files_groups) | text::finding("jmeter-transactions"; "info";
      "Transaction controllers are groups here and not requests, as in the total of JMeter's report.")) ];

# raw lines => a round
def round:
  [limit(1; inputs)] as [$first]
  | ($first // "" | _head) as $head
  | (_needed - ($head.columns | keys)) as $missing
  | if $missing != [] then text::problem(1; "does not name the columns of a JTL: there is no \($missing | numbers::listed)")
    else
      csv::read($head.delimiter; 2; _of_chunk($head)) as $read
      | if $read.problem then { problem: $read.problem }
        elif $read.parts == [] then text::problem(null; "has no samples: only the names of its columns")
        else
          ($read.parts | map(select(.is_group | not)) | tallies::by_name | _named(tallies::joined)) as $requests
          | ($read.parts | map(select(.is_group)) | tallies::by_name | _named(tallies::joined)) as $groups
          | if $requests == {} then text::problem(null; "has only sums of transaction controllers, no samples") else
          ([$requests[]] | tallies::joined) as $all
          | { tool: "JMeter", time: ($all.from_ms | text::time), seconds: (($all.to_ms - $all.from_ms) / 1000),
              counts: ($all | tallies::counts), users_max: $all.users,
              latency: [$all | tallies::distribution(1; true)],
              requests: ($requests | _named({ counts: tallies::counts, latency: [tallies::distribution(1; true)] })),
              groups: ($groups | _named({ count: .count, duration: [tallies::distribution(1; true)] })),
              findings: _findings($all; $groups != {}) }
          end
        end
    end;
