# Was it the same work, of one user and in the lanes of a duet? What came back from base is what head's answers are held
# to: a page that is missing, empty or another one is served fast.
# A pair is { base: record, head: record, system, environment, case, lanes }.
import "lib/compare/answer_fields" as answer_fields;
import "lib/compare/answer_shares" as answer_shares;
import "lib/tables/limits" as limits;
import "lib/metrics" as metrics;
import "lib/numbers" as numbers;

def _shares($what; f):
  answer_shares::others
  | select(. != [])
  | map("\($what) \(.value | f) \(.base | numbers::percent) -> \(.head | numbers::percent)")
  | join(", ");

def _statuses: { base: .base.statuses, head: .head.statuses } | _shares("status"; .);
def _types: { base: .base.types, head: .head.types } | _shares("content type"; if . == "" then "none" else . end);
def _redirects:
  map_values({ redirected, straight: (.count - .redirected) } | map_values(select(. > 0)))
  | answer_shares::others
  | map(select(.value == "redirected"))[0]
  | select(.)
  | "redirected \(.base | numbers::percent) -> \(.head | numbers::percent)";

# Sizes that vary by nature have a large error, and a word more is still the same work; none where there was one is.
def _is_other_size($factor):
  . as { $base, $head }
  | ([.[] | .sd * .sd / .count] | add | sqrt) as $error
  | ($base.mean - $head.mean | fabs) as $off
  | ([.[].mean] | min) as $less
  | ([.[].mean] | max) as $more
  | $off > limits::limits.work_errors * $error
    and ($less == 0 or $off >= limits::limits.work_size_bytes and $more > $factor * $less);

# { base: answers, head: answers } => how their sizes differ; nothing if they do not by the factor
def _sizes($factor):
  map_values(.bytes)
  | select(all(.[]; . != null and .count >= limits::limits.work_answers))
  | select(_is_other_size($factor))
  | "mean size \(.base.mean | numbers::bytes) -> \(.head.mean | numbers::bytes)";

def _bodies:
  map_values(.bodies)
  | select(all(.[]; .count >= limits::limits.work_answers))
  | select(.base.distinct >= limits::limits.work_bodies and .head.distinct == 1)
  | "\(.base.distinct | numbers::count) different bodies -> all the same";

# { base: answers, head: answers } => are there enough to tell?
def _are_enough: all(.[]; . != null and .count >= limits::limits.work_answers);

# { base: answers, head: answers } => [what is another about them]: no comparison of times holds then
def differences:
  if _are_enough | not then []
  else map_values({ count, redirected, statuses, types, bytes, bodies, fields })
  | [_statuses, _redirects, _types, _sizes(limits::limits.work_size_factor), _bodies, (map_values(.fields) | answer_fields::texts(true))]
  end;

# { base: answers, head: answers } => [what is another about what they hold, and may be the same work]
def notes:
  if _are_enough | not then []
  else [
    select([_sizes(limits::limits.work_size_factor)] == []) | _sizes(limits::limits.work_size_noted)
  ] + [map_values(.fields) | answer_fields::texts(false)]
  end;

# pair => [{ request, text }] of requests of whose answers f says something
def _saying(f):
  . as { $base, $head }
  | [$head.requests | keys[] as $name
    | { base: $base.requests[$name].answers, head: $head.requests[$name].answers }
    | f
    | select(. != [])
    | { request: $name, text: join(", ") }];

# pair => [{ request, text }] of requests that other answers came to
def _others: _saying(differences);

# record => did more requests fail than may?
def _failing: any(.thresholds[]; .implicit and .outcome == "missed");

def _number: "[0-9]+(?:,[0-9]+)*(?:[.][0-9]+)?";
def _unit: "%|[kMG]?B";

# text => the quantities in it: [{ unit, value }]; sizes in bytes
def _quantities:
  [scan("(\(_number)) (\(_unit))") as [$number, $unit]
    | { unit: (if $unit == "%" then "%" else "B" end),
        value: (($number | gsub(","; "") | tonumber) * ({ kB: 1e3, MB: 1e6, GB: 1e9 }[$unit] // 1)) }];

# text => what it says but for its quantities
def _words: gsub("\(_number) %"; "# %") | gsub("\(_number) [kMG]?B"; "# B");

# text => with shares in place of counts, which are others in each duet
def _without_counts:
  gsub("in (?<n>[0-9,]+) of (?<of>[0-9,]+) answers";
    "in \((.n | gsub(","; "") | tonumber) / ([(.of | gsub(","; "") | tonumber), 1] | max) * 100 | round) % of answers")
  | gsub("[0-9,]+ different bodies"; "different bodies");

# [text, text] => do both say the same of answers? What is measured is never quite the same: shares may be off by
# `accepted_points`, sizes by the factor `accepted_size_factor`.
def say_the_same:
  map(_without_counts)
  | (map(_words) | .[0] == .[1])
    and (map(_quantities) | transpose | all(.[];
      . as [$one, $other]
      | if $one == null or $other == null or $one.unit != $other.unit then false
        elif $one.unit == "%" then ($one.value - $other.value | fabs) <= limits::limits.accepted_points
        else ([$one, $other | .value] | min * limits::limits.accepted_size_factor >= max)
        end));

# pair => { change: as `accept` names it, reason: why base accepts it, or null }: other answers than these are another change
def _change($request; $text; $accepted):
  "\(.system)/\(.environment)/\(.case): answers to request \($request): " as $what
  | { change: ($what + $text),
      reason: [$accepted[]
        | select(.change | startswith($what))
        | select([.change[($what | length):], $text] | say_the_same)
        | .reason][0] };

def _to_accept: "If they are meant, accept them in base's bench.toml: [[accept]] change = \(.change | tojson).";

# pair => the protocols that base's answers came by and head's, where they are not the same
def _protocols:
  [.base, .head]
  | map(.protocols // {} | keys)
  | select(all(.[]; . != []) and .[0] != .[1])
  | map(join(" and "))
  | "Another protocol than base's: \(.[0]) -> \(.[1]). What differs may be the protocol's.";

# pair => [finding]; $accepted: [{ change, reason }] of base's bench.toml. Where more requests failed than may, that is the
# verdict, and other answers are no news.
def findings($accepted):
  # A failed request is one, whatever it answers.
  ([.head.metrics | keys[]] - (["errors"] | metrics::names_of_groups)) as $metrics
  | (.head | _failing) as $failing
  | . as $pair
  | [_others[] as { $request, $text }
    | $pair
    | _change($request; $text; $accepted)
    | if .reason then
        { id: "other-answers", level: "info", metrics: [],
          text: "Other answers than base's to request \($request), as accepted (\(.reason)): \($text)." }
      else
        { id: "not-the-same-work", level: (if $failing then "warn" else "error" end), metrics: $metrics,
          text: "Not the same work: request \($request): \($text). Responses differ from base's, so their latencies are not comparable. \(_to_accept)" }
      end]
  + [_saying(notes)[] as { $request, $text }
    | $pair
    | select(_change($request; $text; $accepted).reason == null)
    | { id: "other-contents", level: "info", metrics: [], text: "Other contents than base's: request \($request): \($text)." }]
  + [$pair | _protocols | { id: "other-protocol", level: "info", metrics: [], text: . }];

# pair => [finding] of requests that other answers came to in a lane, and not as base accepts it: a head that answers less when
# it is busy. They make no metric invalid, for what is worse stays worse; but a pass they are not. Where a side failed more
# requests than may, that is the verdict.
def in_lanes($accepted):
  . as $pair
  | [select(.lanes) | ("load", "saturation", "age") as $lane
    | { base: $pair.base.lanes[$lane], head: $pair.head.lanes[$lane] }
    | select(all(.[]; . != null and (_failing | not)))
    | _others[] as { $request, $text }
    | $pair
    | _change($request; $text; $accepted)
    | select(.reason == null)
    | { id: "not-the-same-work", level: "warn", metrics: [],
        text: "Not the same work \($lane | metrics::lane): request \($request): \($text). \(_to_accept)" }];

# pair => its head with what is wrong with its answers
def onto_head($accepted):
  findings($accepted) as $found
  | if $found == [] then .head
    else .head
    | .findings = $found + .findings
    | reduce ($found[] | select(.level == "error").metrics[]) as $name
          (.; .metrics[$name] |= (.valid = false | .reason = "not-the-same-work"))
    end;
