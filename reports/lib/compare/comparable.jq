# Which records may be compared: the same benchmark on the same kind of machine.
import "lib/tables/limits" as limits;
import "lib/numbers" as numbers;

# "2.2.0" | "v2.2.0" => "2.2"
def _minor: tostring | ltrimstr("v") | split(".") | .[:2] | join(".");

def _another($what; $base; $head):
  select($base != $head)
  | "another \($what) (\($base // "unknown"), now \($head // "unknown"))";

def _memory($base; $head):
  select(($base - $head | fabs) > limits::limits.memory_difference * ([$base, $head] | max))
  | _another("size of memory"; $base | numbers::bytes; $head | numbers::bytes);

# record => who measured it; null: we did
def _source: if .imported then "imported from \(.imported.format)" else null end;

# Numbers of other tools are not ours, nor each other's
def _another_source($base; $head):
  select($base != $head)
  | "one was \($base // "measured by benchfolio"), the other was \($head // "measured by benchfolio")";

# { base: record, head: record } => [why they may not be compared]; [] when they may
def obstacles:
  .base.fingerprint as $base
  | .head.fingerprint as $head
  | (.base | _source) as $from
  | (.head | _source) as $to
  | if $from != $to then [_another_source($from; $to)]
    else [ (select(.base.definition != .head.definition) | "the benchmark's definition has changed: a new series starts"),
      _another("CPU"; $base.cpu_model; $head.cpu_model),
      _another("number of cores"; $base.cores; $head.cores),
      _memory($base.memory_bytes // 0; $head.memory_bytes // 0),
      _another("kind of runner"; $base.runner; $head.runner),
      _another("version of k6"; $base.k6 | _minor; $head.k6 | _minor),
      (select(.base.verdict == "invalid") | "the baseline's record is invalid") ]
    end;
