# The tail of a duet: the share of requests that took longer than base's own p99, of all its blocks together. Base has 1 % of
# them by definition; a ratio of two p99s would rest on a few requests.
# A pair is { base: record, head: record, pair }; what a record has of its blocks is { p: [percent], counts: [requests],
# values: [[ms, one per p]] }.
import "lib/stats" as stats;
import "lib/tables/limits" as limits;

# tail of a record => [share of each block above $x]
def shares($x): .p as $p | [.values[] | stats::share_above($p; $x)];

# tail of a record => the share of all its requests above $x
def share($x): .counts as $counts | [shares($x), $counts] | transpose | (map(.[0] * .[1]) | add) / ($counts | add);

# tail => what such a share of its requests took longer than, by halving
def slower($share):
  . as $tail
  | reduce range(30) as $_ ([([.values[][0]] | min), ([.values[][-1]] | max)];
      (add / 2) as $x | if $tail | share($x) > $share then [$x, .[1]] else [.[0], $x] end)
  | .[1];

def _metric($tail; $x):
  .metrics.latency_ms_p99 as $of
  | { unit: "ratio", direction: "lower", value: ($tail | share($x)), samples: ($tail | shares($x)),
      count: ($tail.counts | add), valid: $of.valid, reason: $of.reason };

# { base: record, head: record } => both with the metric tail_ratio, where both have blocks, and requests enough to tell
def _of_both:
  [.base, .head | .tail | values | select(.values != [] and (.counts | add) >= limits::limits.tail_count)] as $tails
  | if ($tails | length) < 2 then .
    else ($tails[0] | slower(0.01)) as $x
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

# pair, and the name of a lane => both records with the metric tail_ratio of the lane
def _of_lane($lane):
  if .base.lanes[$lane] == null or .head.lanes[$lane] == null then .
  else ({ base: .base.lanes[$lane], head: .head.lanes[$lane] } | _of_both) as $both
  | .base.lanes[$lane] = $both.base
  | .head.lanes[$lane] = $both.head
  end;

# tail => of its first blocks
def first($blocks): .counts |= .[:$blocks] | .values |= .[:$blocks];

# pair => the age lane with the metric tail_ratio, of its seconds as blocks, as many on both sides: they follow each other in time
def _of_seconds:
  [.base, .head | .lanes.age.age.seconds?.counts | values | length] as $counts
  | if ($counts | length) < 2 then .
    else (.base, .head) |= (.lanes.age |= (.tail = (.age.seconds | first($counts | min))))
    | _of_lane("age")
    | (.base, .head) |= (if .lanes.age.metrics.tail_ratio then .lanes.age.metrics.tail_ratio.in_order = true else . end)
    end;

# pair => both records with the metric tail_ratio: of one user, of each of its requests, under load and with age
def with_tails:
  if .pair == null then .
  else _of_both
  | _of_requests
  | _of_lane("load")
  | _of_seconds
  end;
