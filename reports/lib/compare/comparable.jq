# Which records may be compared: the same benchmark on the same kind of machine. site/assets/js/comparable.js has the same
# rule: test/fixtures/rules/comparable.json has the cases for both.
import "lib/numbers" as numbers;
import "lib/tables/limits" as limits;

# "2.2.0" | "v2.2.0" => "2.2"
def _minor: if . == null then null else ltrimstr("v") | split(".") | .[:2] | join(".") end;

# Two machines of one size report slightly different memory.
def _is_other_memory:
  [.base, .head | .memory_bytes // 0] as [$base, $head]
  | ($base - $head | fabs) > limits::limits.memory_difference * ([$base, $head] | max);

# { base: fingerprint, head: fingerprint } => what is another one
def _of_machine:
  (if .base.cpu_model != .head.cpu_model then "cpu_model" else empty end),
  (if .base.cores != .head.cores then "cores" else empty end),
  (if _is_other_memory then "memory_bytes" else empty end),
  (if .base.runner != .head.runner then "runner" else empty end),
  (if (.base.k6 | _minor) != (.head.k6 | _minor) then "k6" else empty end);

# record => what sent its requests
def _player: .player // "javascript";

# { base: record, head: record } => [what is another one]: "tool", "player", "definition", and keys of the fingerprint.
# Another player makes another definition: then that is all there is to say of it. Numbers of
# other tools are not ours, nor each other's.
def differences:
  if .base.imported.format != .head.imported.format then ["tool"]
  else [(if (.base | _player) != (.head | _player) then "player"
         elif .base.definition != .head.definition then "definition"
         else empty end),
        ({ base: .base.fingerprint, head: .head.fingerprint } | _of_machine)]
  end;

def _tool: if .imported then "imported from \(.imported.format)" else "measured by benchfolio" end;

# what is another one => how it is said of { base: record, head: record }
def _sentence($key):
  def another($what; f): "another \($what) (\(.base.fingerprint | f // "unknown"), now \(.head.fingerprint | f // "unknown"))";
  if $key == "tool" then "another tool: one was \(.base | _tool), the other was \(.head | _tool)"
  elif $key == "player" then
    "another player: \(.base | _player), now \(.head | _player) (`[run] player`): a new series starts"
  elif $key == "definition" then "another definition: a new series starts"
  elif $key == "cpu_model" then another("CPU"; .cpu_model)
  elif $key == "cores" then another("number of cores"; .cores)
  elif $key == "memory_bytes" then another("size of memory"; .memory_bytes | values | numbers::bytes)
  elif $key == "runner" then another("kind of runner"; .runner)
  else another("version of k6"; .k6 | _minor)
  end;

# { base: record, head: record } => [why they may not be compared]; [] when they may
def obstacles:
  [ differences[] as $key | _sentence($key) ]
  + if .base.verdict == "invalid" then ["the baseline's record is invalid"] else [] end;
