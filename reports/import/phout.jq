# Phantom's and Pandora's phout: twelve columns with tabs between them, a line a request, times in microseconds.
import "import/lib/csv" as csv;
import "import/lib/tallies" as tallies;
import "import/lib/text" as text;

# time, tag, interval_real, connect_time, send_time, latency, receive_time, interval_event, size_out, size_in, net_code,
# proto_code
def _width: 12;

def _row_problem:
  if . == [] or . == [""] then "is empty"
  elif length != _width then "has \(length) of \(_width) columns"
  elif .[0] | test("^[0-9]+([.][0-9]+)?$") | not then "does not begin with a time: \"\(.[0] | text::short)\""
  else [.[2:][] | select(test("^-?[0-9]+$") | not)] as $wrong
  | select($wrong != []) | "has \"\($wrong[0] | text::short)\" where a whole number belongs"
  end;

# "tag#42" => "tag"; the number tells samples apart
def _tag: .[1] | split("#")[0] // "" | if . == "__EMPTY__" then "" else . end;

def _sum($at): map(.[$at] | tonumber) | add;

# rows of one tag => their tally
def _tally:
  map(.[2] | tonumber) as $times
  | map(.[0] | tonumber * 1000) as $from
  | map(select(.[10] != "0")) as $failed
  | { count: length, errors: ($failed | length), network_errors: ($failed | length), status_errors: null,
      bad_status: (map(select(.[10] == "0" and (.[11] | tonumber) >= 400)) | length), users: null,
      received_bytes: _sum(9), sent_bytes: _sum(8),
      from_ms: ($from | min), to_ms: ([$from, $times] | transpose | map(.[0] + .[1] / 1000) | max), times: [$times] };

def _of_chunk:
  csv::tallied(_width; group_by(_tag) | map({ name: (.[0] | _tag), tally: _tally }); _row_problem);

def _findings($all):
  [ text::finding("phout-times"; "info";
      "Times are interval_real, in microseconds, and include the time to connect. Percentiles are of all lines, by k6's rule."),
    (select($all.bad_status > 0) | text::finding("phout-statuses"; "warn";
      "\($all.bad_status) of \($all.count) responses had a status of 400 or more: phout counts what the network lost as an error (net_code), not a status, and they are in the throughput.")) ];

# raw lines => a round
def round:
  csv::read("\t"; 1; _of_chunk) as $read
  | if $read.problem then { problem: $read.problem }
    elif $read.parts == [] then text::problem(null; "has no lines")
    else ($read.parts | tallies::by_name | with_entries(.value |= tallies::joined)) as $requests
    | ([$requests[]] | tallies::joined) as $all
    | { tool: "Pandora or Phantom", time: ($all.from_ms | text::time), seconds: (($all.to_ms - $all.from_ms) / 1000),
        counts: ($all | tallies::counts), latency: [$all | tallies::distribution(0.001; false)],
        requests: (if ($requests | keys) == [""] then {} else
          $requests | with_entries(.key |= (if . == "" then "(no tag)" else . end)
            | .value |= { counts: tallies::counts, latency: [tallies::distribution(0.001; false)] }) end),
        groups: {}, findings: _findings($all) }
    end;
