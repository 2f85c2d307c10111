# The raw files of a case, told apart by their names: case.json, speed.json and round-<n>[.<part>]/[instance-<i>/]*.
# A round that was cut into consecutive k6 processes has parts; where several k6 processes share the load, a part has
# instances. A process is one k6.

import "lib/reduce/histograms" as histograms;

# "…/round-2.1/instance-3/summary.json" => { kind, round, part, instance }
def _name:
  split("/")
  | (.[-1] | split(".")[0]) as $kind
  | if $kind == "case" or $kind == "speed" then { kind: $kind }
    else (if .[-2] | startswith("instance-") then (.[-2] | ltrimstr("instance-") | tonumber) else 1 end) as $instance
    | (.[if .[-2] | startswith("instance-") then -3 else -2 end] | ltrimstr("round-") | split(".") | map(tonumber)) as $at
    | { kind: $kind, round: $at[0], part: ($at[1] // 1), instance: $instance }
    end;

# Of the recorder's lines only those of one second are of use: the cumulative ones repeat them.
def _useful: .event != "cumulative";

# => [[{ kind, round, part, instance }, value]], a line each; files come one after the other, so a name is read once. Of
# histograms, which are large, each second is made a row when it ends.
def _lines:
  [foreach (inputs | select(type == "object" and _useful)) as $value ({};
    input_filename as $file
    | (if .file == $file then . else { file: $file, at: ($file | _name), fold: {} } end)
    | if .at.kind == "histograms" then .fold |= histograms::step($value) | .value = .fold.out else .value = $value end;
    select(.value != null) | [.at, .value])];

# lines of one part => its processes [{ round, part, summary, timeline, services, end }]; end is null when it did not
# finish. What was sampled, how it ended and what came back holds for all instances together, and stands with the first.
def _processes:
  (map(select(.[0].kind == "round")[1])[0]) as $finish
  | [group_by(.[0].instance)[]
    | def of($kind): [.[] | select(.[0].kind == $kind)[1]];
      .[0][0] as $at
    | { round: $at.round,
        part: $at.part,
        summary: of("summary")[0],
        timeline: of("timeline"),
        histograms: of("histograms"),
        services: of("services"),
        prometheus: of("prometheus")[0],
        end: (if $at.instance == 1 or $finish == null then $finish
              else $finish + { interrupted_iterations: 0, answers: {}, redirects_stopped: 0 } end) }];

# process => why it is not a measurement; null when it is one. k6 ends with 0, or with 99 when a threshold was missed.
def _discard_reason:
  if .end == null then "did not end"
  elif .end.k6_exit != 0 and .end.k6_exit != 99 then "ended with k6's exit code \(.end.k6_exit)"
  elif .summary == null then "left no summary"
  else null
  end;

# parts of one round, [[process]] => why it does not count; null when it does
def _round_discard_reason:
  .[0][0].end as $finish
  | (length < ($finish.parts // 1) or any(.[]; length < ($finish.instances // 1))) as $missing
  | (map(.[] | _discard_reason | values)[0]) // if $missing then "is not whole" else null end;

# inputs => { file: case.json, speed: speed.json or null, rounds: [[[process]]] by part and instance, discarded: [{ round, reason }] };
# rounds: those that count
def read:
  _lines
  | ([.[] | select(.[0].kind == "case")[1]][0]) as $file
  | ([.[] | select(.[0].kind == "speed")[1]][0]) as $speed
  | [map(select(.[0].round)) | group_by(.[0].round, .[0].part)[] | _processes]
  | [group_by(.[0].round)[] | { parts: ., discarded: _round_discard_reason }]
  | { file: $file, speed: $speed,
      rounds: map(select(.discarded == null) | .parts),
      discarded: map(select(.discarded != null) | { round: .parts[0][0].round, reason: .discarded }) };
