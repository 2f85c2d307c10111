# Metrics from Prometheus. A process has `prometheus` (prometheus.json): one result for each query of the case, a value
# or a problem, never both; and how k6's streaming went. A round is a list of processes, one after the other.
import "lib/numbers" as numbers;
import "lib/reduce/services" as services;

# query, process => its result
def _result($query): [.prometheus.results[]? | select(.name == $query.name)][0];

# [process] of a round => the value of a query in it: parts of a round are of one length; null when one has none
def _of_round($query): map(_result($query).value) | if any(. == null) or . == [] then null else add / length end;

# [round] => the value of a query in each; not rounded
def samples($query): map(_of_round($query));

# [round] => the mean over the rounds that have a value; null: none has
def mean($query): samples($query) | map(values) | if . == [] then null else add / length end;

# [round] => { observed, count } for a threshold on the metric of this name
def observed($case; $name):
  [($case.queries // [])[] | select(.name == $name)][0] as $query
  | if $query == null then { observed: null, count: 0 }
    else { observed: mean($query), count: (samples($query) | map(values) | length) }
    end;

# Does something depend on the metric that can fail the case?
def _is_needed($case; $gate; $name):
  any($case.thresholds[]?; .metric == $name and .level == "fail" and .source != "k6")
  or any($gate[]?; . == $name);

# problem => the id of its finding
def _finding_id: if . == "missing" then "prometheus-missing" else "query-\(.)" end;

# [round] => [{ query, round, id, text }], the problems of all queries
def _problems($case):
  [range(length) as $i
    | .[$i][]
    | . as $process
    | ($case.queries // [])[]
    | . as $query
    | ($process | _result($query)) as $result
    | select($result.value == null)
    | ($result.problem // { id: "empty", text: "it was not asked for" }) as $problem
    | { query: $query.name, round: ($i + 1), id: $problem.id, text: $problem.text }];

# [problem] of one query and one kind, in $rounds rounds => ", in round 2 of 3"; "" when it was so in all
def _where($rounds):
  (map(.round) | unique) as $in
  | if ($in | length) == $rounds then ""
    else (if ($in | length) == 1 then "" else "s" end) as $s
    | ", in round\($s) \($in | map(tostring) | numbers::listed) of \($rounds)"
    end;

# [round] => a finding for each query and each kind of problem that it had
def _failed($case; $gate):
  length as $rounds
  | _problems($case)
  | map(select(.id != "missing"))
  | group_by([.query, .id])[]
  | .[0] as $first
  | { id: ($first.id | _finding_id),
      level: (if _is_needed($case; $gate; $first.query) then "error" else "warn" end),
      text: "\($first.query) is not known\(_where($rounds)): \($first.text).",
      metrics: [$first.query] };

# [round] => one finding for all queries that had no Prometheus to go to
def _missing($case; $gate):
  _problems($case)
  | map(select(.id == "missing"))
  | select(. != [])
  | (map(.query) | unique) as $names
  | { id: "prometheus-missing",
      level: (if any($names[]; . as $name | _is_needed($case; $gate; $name)) then "error" else "warn" end),
      text: ("\($names | numbers::listed) \(if ($names | length) == 1 then "is" else "are" end) not known: "
        + "\(.[0].text), and the spec names no other. "
        + "Install it (apt-get install prometheus), or name one by `url` in [prometheus]."),
      metrics: $names };

# [round] => a finding when k6 could not stream
def _unstreamed:
  [.[][] | .prometheus.stream // empty | select(.ok | not)]
  | select(. != [])
  | { id: "stream-failed", level: "warn",
      text: "Prometheus may not have all of k6's metrics: \(.[0].problem). What was measured counts.",
      metrics: [] };

# [round] => [finding] about Prometheus; $gate: names of the gated metrics
def findings($case; $gate): [_failed($case; $gate), _missing($case; $gate), _unstreamed];

# [round] => { name: metric } of a record; $invalid: { metric: id of the finding that it does not count for }. Why there is no
# value comes before whatever else was wrong.
def metrics($case; $invalid):
  . as $rounds
  | [_failed($case; []), _missing($case; [])] as $unknown
  | reduce ($case.queries // [])[] as $query ({};
      ($rounds | mean($query)) as $value
      | .[$query.name] =
          { unit: ($query.unit // "1"),
            direction: $query.direction,
            value: ($value | numbers::rounded),
            samples: ($rounds | samples($query) | map(numbers::rounded)),
            count: null,
            valid: ($value != null and $invalid[$query.name] == null),
            reason:
              (if $value != null then $invalid[$query.name]
               else first($unknown[] | select(.metrics | index([$query.name])) | .id) // "nothing was measured"
               end) });

# [[ms, value]] => the value of each row: the mean of those in it, else on the line between its neighbours
def _at_rows($rows):
  map(.[0]) as $times
  | map(.[1]) as $values
  | [$rows[]
    | . as $row
    | ($times | bsearch($row.from_ms) | if . < 0 then -1 - . else . + 1 end) as $first
    | ($times | bsearch($row.to_ms) | if . < 0 then -1 - . else . + 1 end) as $after
    | if $after > $first then $values[$first:$after] | add / length
      elif $times == [] or $row.to_ms < $times[0] or $row.to_ms > $times[-1] then null
      else $values | services::at($times; $row.to_ms)
      end
    | numbers::significant(4)];

# [process] of a round => { name: [value of each row] } of what was asked for over time; rows: those of the timeline
def timeline($case; $rows):
  . as $processes
  | reduce (($case.queries // [])[] | select(.over == "time")) as $query ({};
      .[$query.name] = ([$processes[] | _result($query).series[]?] | _at_rows($rows)));
