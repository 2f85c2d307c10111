# The raw files of a case, told apart by their names: case.json and round-<n>[.<part>]/*.
# A round that was cut into consecutive k6 processes has parts; a process is one of them.

# "…/round-2.1/summary.json" => { kind, round, part }
def _name:
  split("/")
  | (.[-1] | split(".")[0]) as $kind
  | if $kind == "case" then { kind: $kind }
    else (.[-2] | ltrimstr("round-") | split(".") | map(tonumber)) as $at
    | { kind: $kind, round: $at[0], part: ($at[1] // 1) }
    end;

# Of the recorder's lines only those of one second are of use: the cumulative ones repeat them.
def _useful: .event != "cumulative";

# => [[{ kind, round, part }, value]], a line each; files come one after the other, so a name is read once
def _lines:
  [foreach (inputs | select(type == "object" and _useful)) as $value ({};
    input_filename as $file
    | if .file == $file then . else { file: $file, at: ($file | _name) } end;
    [.at, $value])];

# lines of one process => { round, part, summary, timeline, services, end }; end is null when it did not finish
def _process:
  def of($kind): [.[] | select(.[0].kind == $kind)[1]];
  { round: .[0][0].round,
    part: .[0][0].part,
    summary: of("summary")[0],
    timeline: of("timeline"),
    services: of("services"),
    end: of("round")[0] };

# process => why it is no measurement; null when it is one. k6 ends with 0, or with 99 when a threshold was missed.
def _fault:
  if .end == null then "did not end"
  elif .end.signal != null then "was stopped by \(.end.signal)"
  elif .end.k6_exit != 0 and .end.k6_exit != 99 then .end.reason // "ended with k6's exit code \(.end.k6_exit)"
  elif .summary == null then "left no summary"
  else null
  end;

# processes of one round => why it does not count; null when it does
def _round_fault:
  ((map(.end.parts // 1) | max) - length) as $missing
  | (map(_fault | values)[0]) // if $missing > 0 then "is not whole" else null end;

# inputs => { file: case.json, rounds: [[process]], faults: [{ round, reason }] }; rounds: those that count
def read:
  _lines
  | ([.[] | select(.[0].kind == "case")[1]][0]) as $file
  | [map(select(.[0].kind != "case")) | group_by(.[0].round, .[0].part)[] | _process]
  | [group_by(.round)[] | { processes: ., fault: _round_fault }]
  | { file: $file,
      rounds: map(select(.fault == null) | .processes),
      faults: map(select(.fault != null) | { round: .processes[0].round, reason: .fault }) };
