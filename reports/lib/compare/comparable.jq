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

# What of a processor is behind its name: one cloud gives several kinds the same. A key that one of the two does not have is another.
def _of_processor: ["cpu_model", "cpu_family", "cpu_model_number", "cpu_stepping", "microcode", "caches"];

# { base: fingerprint, head: fingerprint } => what is another one
def _of_machine:
  (. as $pair | _of_processor[] | select($pair.base[.] != $pair.head[.])),
  (if .base.kernel != .head.kernel then "kernel" else empty end),
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
  elif $key == "cpu_family" then another("family of CPU"; .cpu_family)
  elif $key == "cpu_model_number" then another("model of CPU"; .cpu_model_number)
  elif $key == "cpu_stepping" then another("stepping of the CPU"; .cpu_stepping)
  elif $key == "microcode" then another("microcode"; .microcode)
  elif $key == "caches" then another("set of caches"; .caches)
  elif $key == "kernel" then another("kernel"; .kernel)
  elif $key == "cores" then another("number of cores"; .cores)
  elif $key == "memory_bytes" then another("size of memory"; .memory_bytes | values | numbers::bytes)
  elif $key == "runner" then another("kind of runner"; .runner)
  else another("version of k6"; .k6 | _minor)
  end;

# { base: record, head: record } => [why they may not be compared]; [] when they may
def obstacles:
  [ differences[] as $key | _sentence($key) ]
  + if .base.verdict == "invalid" then ["the baseline's record is invalid"] else [] end;

# What the probe of a machine's speed times (src/base/process/speed-probe.ts).
def _work: ("one", "all") as $threads | ("integer_ms", "memory_ms", "hash_ms") | [$threads, .];

def _work_named:
  { integer_ms: "integers", memory_ms: "memory", hash_ms: "hashing" }[.[1]]
  + (if .[0] == "one" then " on one core" else " on all cores" end);

# [number, number] => by which share the second is longer than the first, or shorter
def _share_apart: if (map(select(. > 0)) | length) < 2 then null else .[1] / .[0] - 1 end;

# [{ work, share }] => that which is most beyond what may be, $times as much as between records; null: none is
def _most_apart($times):
  map(select(.share != null)
    | .excess = (.share | fabs) / ($times * limits::limits.speed_differences[.work[1]])
    | select(.excess > 1))
  | max_by(.excess);

# record => what a machine did while it was measured: null, or { work, share } that it became slower by
def _speed_changed:
  [_work as $work | { work: $work, share: ([.speed.before, .speed.after | getpath($work)] | _share_apart) }] | _most_apart(2);

# record => the mean of both of its probes
def _mean_speed($work): [.speed.before, .speed.after | getpath($work)] | add / 2;

def _changed_text($of):
  "the machine's speed changed by \(.share | fabs | numbers::percent) while \($of) was measured (\(.work | _work_named))";

# { base: record, head: record } of two sessions => [why their times may not be compared, though all that is known of the machine is
# the same]: behind the same names it may be another host, or have other guests. Other tools have no probe.
def speed_obstacles:
  if .base.imported or .head.imported then []
  elif .base.speed == null or .head.speed == null then
    (if .base.speed == null then "the baseline" else "this measurement" end) as $which
    | ["how fast the machine was is not known of \($which), so that a difference may be the machine's"]
  else . as { $base, $head }
  | [ ($base | _speed_changed | values | _changed_text("the baseline")),
      ($head | _speed_changed | values | _changed_text("this")),
      ([_work as $work | { work: $work, share: ([$base, $head | _mean_speed($work)] | _share_apart) }]
        | _most_apart(1)
        | values
        | (if .share > 0 then "slower" else "faster" end) as $how
        | "the machine was \(.share | fabs | numbers::percent) \($how) than for the baseline (\(.work | _work_named))") ]
  end;
