# What the native player counted: the lines of histograms.ndjson (k6/native/README.md has the format). Buckets are 1/256
# of their values wide at most, and histograms of processes, rounds and instances add up exactly.
import "lib/sub_metric" as sub_metric;

# What the first line of a file says: other lines would mean something else.
def _format: { format: "benchfolio-histograms", version: 1, sub_bits: 8, unit: "ns" };

# Buckets for each power of two: 2 to the power of sub_bits. A number, since each bucket asks for it.
def _per_power: 256;

# Relative: wherever in its bucket an observation lies.
def relative_error: 1 / _per_power;

# index of a bucket => [its lowest value, how many values it has], in nanoseconds
def _bounds:
  if . < _per_power then [., 1]
  else (. / _per_power | floor | pow(2; . - 1)) as $width | [(_per_power + . % _per_power) * $width, $width]
  end;

# trend of a line => histogram { count, sum, min, max, buckets: [[index, count]], ascending }; times in nanoseconds
def of_trend:
  .buckets as $flat
  | { count, sum, min, max,
      buckets: [foreach range(0; $flat | length; 2) as $i (0; . + $flat[$i]; [., $flat[$i + 1]])] };

# [histogram] => the histogram of all of them together; null of none
def together:
  map(select(.count > 0))
  | if length < 2 then .[0]
    else { count: (map(.count) | add), sum: (map(.sum) | add), min: (map(.min) | min), max: (map(.max) | max),
           buckets: (map(.buckets[]) | group_by(.[0]) | map([.[0][0], (map(.[1]) | add)])) }
    end;

# histogram => its mean in milliseconds
def mean: .sum / .count / 1e6;

# histogram => its quantiles at ascending percentages, in milliseconds. Like k6's they take observations for steps of
# equal size between the first and the last; within a bucket these are taken to lie evenly.
def quantiles($percents):
  . as { $count, $min, $max, $buckets }
  | [foreach $buckets[] as $bucket (0; . + $bucket[1]; .)] as $upto
  | [$percents[]
    | if . <= 0 then $min
      elif . >= 100 then $max
      else (. / 100 * ($count - 1)) as $rank
      # the first bucket that has more observations up to its end than there are before the rank
      | ($upto | bsearch($rank) | if . < 0 then -1 - . else . + 1 end) as $at
      | ($buckets[$at][0] | _bounds) as [$low, $width]
      | (($rank - $upto[$at] + $buckets[$at][1] + 0.5) / $buckets[$at][1]) as $share
      | if $width == 1 then $low else [$min, ([$max, $low + $width * ([$share, 1] | min)] | min)] | max end
      end
    | . / 1e6];

def quantile($percent): quantiles([$percent])[0];

# a line of a second => the same without what is never read
def _counted: { from_ms, to_ms, name: .tags.name, counts, latency: .times.http_req_duration };

# [line] of a second, and its last => a row, as lib/reduce/timeline.jq has them
def _row($last):
  def sum($of): map(.counts[$of] // 0) | add // 0;
  sum("http_reqs") as $requests
  | ([.[].latency | values | of_trend] | together) as $latency
  | (if $latency then [$latency | mean, quantiles([50, 90, 95, 99, 100])[]] else [] end)
    as [$mean, $p50, $p90, $p95, $p99, $max]
  | { from_ms: $last.from_ms, to_ms: $last.to_ms,
      requests: $requests, failed: ([$requests, sum("http_req_failed") + sum("bench_failed_expectations")] | min),
      $mean, $p50, $p90, $p95, $p99, $max,
      iterations: sum("iterations"), received: sum("data_received"), sent: sum("data_sent"),
      dropped: sum("dropped_iterations"), users: $last.users,
      by_name: (reduce (.[] | select(.name)) as $line ({}; .[$line.name] += ($line.counts.http_reqs // 0))) };

# the first line => itself
def _checked:
  if with_entries(select(.key | in(_format))) == _format then .
  else error("histograms of the native player are of version \(.version), and this Benchfolio reads version \(_format.version)")
  end;

# lines one after the other => rows and totals, each as soon as it is whole: for `foreach`, with {} as its first state
def step($line):
  if $line.format then .out = ($line | _checked | null)
  elif $line.total then .out = $line
  elif $line.users != null then .out = (.second // [] | _row($line)) | .second = []
  elif $line.tags then .second += [$line | _counted] | .out = null
  else .out = null
  end;

# { name of a sub-metric: entry } of k6's summary => the same, trends with their histograms among their values;
# totals: what was counted in all, by tags
def attached($totals):
  ($totals | group_by(.tags.name) | map({ key: (.[0].tags.name // ""), value: . }) | from_entries) as $by_name
  | with_entries(
    (.key | sub_metric::parse | .selector |= del(.scenario)) as { $metric, $selector }
    | if .value.type != "trend" then .
      else ([(if $selector.name then $by_name[$selector.name] // [] else $totals end)[]
          | select(.tags as $tags | all($selector | to_entries[]; $tags[.key] == .value))
          | .times[$metric] | values | of_trend]
        | together) as $histogram
      | if $histogram then .value.values.histogram = $histogram else . end
      end);
