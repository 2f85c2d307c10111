# What must be known of a duet before its ratios are believed: that both sides did the same, and what else was at work.
# A pair is { base: record, head: record, pair: { alpha_spent, interleaved, apart, lives_on } or null }; apart: each side had a k6 of its
# own; lives_on: a side has no service that is started for a block.
import "lib/compare/intervals" as intervals;
import "lib/tables/limits" as limits;
import "lib/numbers" as numbers;
import "lib/other_programs" as other_programs;

def _value($name): .metrics[$name].value;
def _requests: .metrics.requests_rps.count // 0;

# record => how many requests an iteration of it sends
def _of_iteration:
  (.metrics.iterations_rps.count // 0) as $iterations
  | if $iterations > 0 then [_requests / $iterations | ceil, 1] | max else 1 end;

# pair => why its ratios would not be of the same work; nothing when they are
def obstacle:
  select(.pair)
  | (.base | _requests) as $base
  | (.head | _requests) as $head
  | ([$base, $head] | max) as $most
  | (2 * .head.rounds) as $edges
  # An iteration goes to one side, then to the other: of one that meets an edge of a block, all requests of one side may be within,
  # and none of the other's. Which side it is is random, so that most of it evens out: beyond a share it is something else.
  | ($edges * ([.base, .head | _of_iteration] | max)) as $cut
  | ([$edges, ([$cut, limits::limits.duet_cut_ratio * $most] | min)] | max + limits::limits.duet_requests_ratio * $most) as $few
  | [.base, .head | .metrics.errors_ratio.value // 0] as [$base_errors, $head_errors]
  | ({ base: [$base_errors], head: [$head_errors], base_count: $base, head_count: $head }
    | intervals::shares(0; null; limits::limits.alpha)) as $errors
  | if (.pair | .interleaved or .apart | not) and ($base - $head | fabs) > $few then
      "the sides did not get the same requests (base \($base | numbers::count), head \($head | numbers::count))"
    elif ($errors.low > limits::limits.share_tolerance or $errors.high < -limits::limits.share_tolerance) then
      "base failed \($base_errors | numbers::percent) of its requests and head \($head_errors | numbers::percent): "
      + "times of failed requests are not times of the work"
    else empty
    end;

# pair => a metric of what both sides have in common; where each has its own, that of both; null when that is not known
def _of_both($metric):
  if .pair.apart then [.base, .head | _value($metric)] | if any(. == null) then null else add end
  else .head | _value($metric) end;

# pair => { base, head, generator, unsampled, others }, each a share of the machine; null when that is not known
def shares:
  (.head.fingerprint.cores // 1) as $cores
  | { base: (.base | _value("cpu_ratio_mean") // 0), head: (.head | _value("cpu_ratio_mean") // 0),
      generator: _of_both("generator_cpu_ratio_mean"), unsampled: (_of_both("unsampled_cpu_ratio_mean") // 0),
      machine: (.head | _value("machine_cpu_ratio_mean")) }
  | if .generator == null or .machine == null then null
    else .others = ([.machine - .generator - .unsampled - .base - .head, 0] | max)
    | del(.machine)
    | map_values(. / $cores)
    end;

# pair => [finding] of a side that ran before and goes on, such as an address
def lives_on:
  select(.pair.lives_on and .base and .head)
  | { id: "lives-on", level: "warn", metrics: [],
      text: ("A side was not started anew for each block. What differs between the two that run, and not between their code (an instance "
        + "that fails, what a cache holds, a neighbour), is the same in all blocks: no confidence interval holds it, and it looks like "
        + "the change. Deploy both sides anew, or swap them, and measure again.") };

# pair => [finding]: who had how much of the machine, and was it full, or were others at work
def findings:
  select(.pair and (.pair.interleaved | not) and .base and .head)
  | (.head.other_programs // []) as $programs
  | shares
  | select(.)
  | add as $busy
  | ("base \(.base | numbers::percent), head \(.head | numbers::percent), "
    + (if .unsampled > 0 then "what is not sampled of them \(.unsampled | numbers::percent), " else "" end)
    + "k6 \(.generator | numbers::percent), other programs \(.others | numbers::percent)") as $who
  | (select(.others > limits::limits.others_busy_ratio)
      | .others as $others
      | ($programs | other_programs::named($others)) as { $named, $hint }
      | { id: "disturbed", level: "warn", metrics: [],
          text: ("Other programs kept \($others | numbers::percent) of this machine's CPU time busy\($named): confidence intervals are "
            + "wider than on a quiet machine.\($hint)") }),
    if $busy >= limits::limits.machine_full_ratio then
      { id: "machine-full", level: "warn", metrics: [],
        text: ("The machine was full (\($who)): the sides kept each other waiting, which makes a difference between their "
          + "latencies larger than that between their work. CPU time per request says how large it is.") }
    else
      { id: "machine-shares", level: "info", metrics: [], text: "Of the machine's CPU time, \($who)." }
    end;
