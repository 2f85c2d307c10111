# Where one user of both sides waits for a timer of TCP (lib/delayed_acknowledgment.jq), chance decides how many requests do. Where it
# decides what the median of a block is, the latency of one user says nothing of the code: then that under load has to.
# A pair is { base: record, head: record, pair }; the records have those of their lanes.
import "lib/compare/lanes" as lanes;
import "lib/delayed_acknowledgment" as delayed_acknowledgment;
import "lib/metrics" as metrics;

# What takes the place of the latencies of one user.
def _stand_in: "latency_ms_p50{lane:load}";

def _reason: "delayed-acknowledgments";

# metrics of a record, or of one of its requests => without its latencies
def _without_latencies:
  (["latency"] | metrics::names_of_groups) as $names
  | with_entries(if .key | IN($names[]) then .value |= (.valid = false | .reason = _reason) else . end);

# record => do some of its requests wait for the timer?
def _waits: .distribution? | delayed_acknowledgment::shares != null;

# record => does chance decide in which of its blocks the median does?
def _jumps: .metrics.latency_ms_p50 | .valid == true and (.samples | delayed_acknowledgment::are_mixed);

# pair => does the metric that takes their place decide, and is it known of both sides?
def _has_stand_in: (lanes::gated | index(_stand_in)) != null and all(.base, .head; .lanes.load?.metrics.latency_ms_p50.valid == true);

# pair => the same, resting on the load lane if it has to and can. Where the medians of one side alone are now of the timer and now
# not, the other side's are always of it or never: that is a difference, and latencies are compared as any other.
def resting_on_load:
  if .pair == null or .base == null or .head == null then .
  elif all(.base, .head; _waits and _jumps) and _has_stand_in then .rests_on_load = true
    | (.base, .head) |= (.metrics |= _without_latencies | .requests |= map_values(.metrics |= _without_latencies))
  else .
  end;

# pair, name of a metric => does it decide in place of others, and is more than a guardrail?
def stands_in($name): .rests_on_load == true and $name == _stand_in;

# pair => [finding]
def findings:
  select(.rests_on_load)
  | { id: "rests-on-load", level: "warn", metrics: [],
      text: ("On both sides some requests of one user waited for a timer of TCP, as chance had it: latencies of one user do not count, "
        + "and the verdict rests on CPU time and on \(_stand_in | metrics::title), where users acknowledge by their next requests.") };
