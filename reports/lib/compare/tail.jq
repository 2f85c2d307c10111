# The tail of a duet: the share of requests that took longer than base's own p99, of all its blocks together. Base has 1 % of
# them by definition; a ratio of two p99s would rest on a few requests.
# A pair is { base: record, head: record, pair }; what a record has of its blocks is { p: [percent], counts: [requests],
# values: [[ms, one per p]] }.
import "lib/stats" as stats;
import "lib/tables/limits" as limits;

# tail of a record => [share of each block above $x]
def _shares($x): .p as $p | [.values[] | stats::share_above($p; $x)];

# tail of a record => the share of all its requests above $x
def _share($x): .counts as $counts | [_shares($x), $counts] | transpose | (map(.[0] * .[1]) | add) / ($counts | add);

# tail of base => what 1 % of its requests took longer than, by halving
def p99:
  . as $tail
  | reduce range(30) as $_ ([([.values[][0]] | min), ([.values[][-1]] | max)];
      (add / 2) as $x | if $tail | _share($x) > 0.01 then [$x, .[1]] else [.[0], $x] end)
  | .[1];

def _metric($tail; $x):
  .metrics.latency_ms_p99 as $of
  | { unit: "ratio", direction: "lower", value: ($tail | _share($x)), samples: ($tail | _shares($x)),
      count: ($tail.counts | add), valid: $of.valid, reason: $of.reason };

# { base: record, head: record } => both with the metric tail_ratio, where both have blocks, and requests enough to tell
def _of_both:
  [.base, .head | .tail | values | select(.values != [] and (.counts | add) >= limits::limits.tail_count)] as $tails
  | if ($tails | length) < 2 then .
    else ($tails[0] | p99) as $x
    | .base |= (.metrics.tail_ratio = _metric($tails[0]; $x))
    | .head |= (.metrics.tail_ratio = _metric($tails[1]; $x))
    end;

# { base: record, head: record } => both with the metric tail_ratio for each request that both have a tail of
def _of_requests:
  reduce (.head.requests // {} | to_entries[] | select(.value.tail) | .key) as $name (.;
    if .base.requests[$name].tail == null then .
    else ({ base: .base.requests[$name], head: .head.requests[$name] } | _of_both) as $both
    | .base.requests[$name] = $both.base
    | .head.requests[$name] = $both.head
    end);

# pair => both records with the metric tail_ratio: of one user, of each of its requests, and under load
def with_tails:
  if .pair == null then .
  else _of_both
  | _of_requests
  | if .base.lanes.load == null or .head.lanes.load == null then .
    else ({ base: .base.lanes.load, head: .head.lanes.load } | _of_both) as $load
    | .base.lanes.load = $load.base
    | .head.lanes.load = $load.head
    end
  end;
