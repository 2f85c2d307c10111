# What JSON answers hold, field by field: base's and head's were asked the same with the same values. Of a side:
# { count: answers, paths: { "items[].id": { kinds: { "number": answers }, values: { digest: answers } or null, distinct } } }.
import "lib/compare/answer_shares" as answer_shares;
import "lib/numbers" as numbers;
import "lib/tables/limits" as limits;

# Differences of more fields than these are counted.
def _most: 4;

# path => that of the object that it is a key of, which is in $paths: a key may have dots itself; null: of an element of an array,
# or the body
def _parent($paths):
  if . == "" or endswith("[]") then null
  else split(".")[:-1] | join(".") | if . == "" or $paths[.] then . else _parent($paths) end
  end;

# fields => { kind: answers } of a path, "missing" where the object that should have it does not
def _kinds($path; $parent):
  (.paths[$path].kinds // {}) as $kinds
  | (if $parent == null then 0
     else ([.paths[$parent].kinds // {} | to_entries[] | select(.key | test("object")) | .value] | add // 0) - ([$kinds[]] | add // 0)
     end) as $missing
  | $kinds + if $missing > 0 then { missing: $missing } else {} end;

# kind => does the key lack, in all or in some elements?
def _lacks: . == "missing" or test("absent");

# kind => the types, whether empty or not
def _types: [split("|")[] | select(. != "absent") | ltrimstr("empty ")] | unique;

# path => as a message has it
def _named: if . == "" then "the body" else tojson end;

# "number|string" => "a number or a string", "empty array" => "an empty array"
def _as_read:
  [split("|")[] | select(. != "absent") | if . == "null" then . elif test("^[aeo]") then "an " + . else "a " + . end] | join(" or ");

# { base: fields, head: fields } => { error, text } of a path whose kinds differ by more than chance; empty: none
def _other_kind($path):
  (.base.paths + .head.paths) as $paths
  | ($path | _parent($paths)) as $parent
  | map_values(_kinds($path; $parent)) as $kinds
  | ($kinds.head | add // 0) as $of
  | ($kinds | answer_shares::others) as $all
  | [$all[] | select(.head > .base)] as $more
  | ([$all[] | select(.head < .base)]
        | if . == [] then [$kinds.base | to_entries | max_by(.value) | { value: .key, base: 1 }] else . end) as $less
  | select($more != [])
  | (($more | map(.head - .base) | add) * $of | round) as $count
  | "in \($count) of \($of) answers" as $often
  | ($path | _named) as $name
  | if any($more[]; .value | _lacks) then { error: true, text: "\($name) is missing \($often)" }
    elif all($less[]; .value | _lacks) then { error: false, text: "\($name) is new \($often)" }
    elif ([$more[].value | _types[]] | unique) == ([$less[].value | _types[]] | unique) then
      { error: false, text: "\($name) is \(if all($more[]; .value | test("empty")) then "empty" else "not empty" end) \($often)" }
    else { error: true, text: "\($name) is \($more | max_by(.head) | .value | _as_read) \($often), on base \($less | max_by(.base) | .value | _as_read)" }
    end;

# field => are its values known, and the same ones in each block? Others differ from start to start of one side, too.
def _is_steady: .values != null and (.values | length) == .distinct;

# { base: fields, head: fields } => { error, text } of a path of which head has other values; empty: none
def _other_value($path):
  map_values(.paths[$path])
  | select(all(.[]; . != null) and (.base | _is_steady))
  | (.base.kinds | keys) as $kinds
  | (.base.values | length) as $different
  | map_values(.values)
  | if .head == null then select($different > 0) | "more than \(limits::limits.answer_values) different values, on base \($different)"
    else (.head | add // 0) as $of
    | answer_shares::others
    | select(. != [])
    | ([.[] | select(.head > .base) | .head - .base] | add // 0) as $share
    | (if all($kinds[]; endswith("array")) then "another length" else "other values" end)
      + " in \($share * $of | round) of \($of) answers"
    end
  | { error: false, text: "\($path | _named) has \(.)" };

# { base: fields, head: fields } => one text: of what makes the answers another work, or else of what does not; empty: of nothing
def texts($errors):
  select(all(.[]; . != null and .count >= limits::limits.work_answers))
  | [([.base.paths, .head.paths | keys[]] | unique[]) as $path
    | first(_other_kind($path), _other_value($path))
    | select(.error == $errors)
    | .text]
  | select(. != [])
  | (length - _most) as $more
  | .[:_most]
  | join(", ")
  + if $more > 0 then " and \($more | numbers::count("more field"))" else "" end;
