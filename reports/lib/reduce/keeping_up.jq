# Could k6 keep up with the load, and if not, were other programs to blame? Of what findings.jq reads:
# { case, run, measure }.
import "lib/tables/limits" as limits;
import "lib/reduce/load" as load;
import "lib/numbers" as numbers;
import "lib/reduce/quantiles" as quantiles;

# => how late one in a hundred was sent, in milliseconds; null where the generator does not know
def _lateness: .measure.lateness // [] | quantiles::quantile(99);

# => how late it may be
def _lateness_allowed:
  [limits::limits.lateness_ms, limits::limits.lateness_ratio * (.measure.latency // [] | quantiles::quantile(50) // 0)] | max;

# Could k6 not keep up? One that knows how late it is says so itself; of others, CPU time is all that is known.
def behind:
  _lateness as $late
  | if $late != null then $late > _lateness_allowed
    else .measure.generator_cpu_ratio as $busy | $busy != null and $busy > limits::limits.generator_busy_ratio
    end;

# Is a program of this machine measured that is not a service of ours? It would be one of the others.
def _measures_another:
  (.case.services // []) == [] and (.case.url // "" | test("//(127\\.|localhost\\b|\\[::1\\])"));

# Would it have kept up, had it been alone with the services? At a rate it needs what it needs. Users who send as fast as they
# can take all that there is: one that does not know how late it was may be the limit on a quiet machine, too, and is not
# shown to be as long as others take more of this one than it does.
def fits_alone:
  if _measures_another then false
  elif _lateness != null and (.case.load | load::open | not) then true
  else (.measure.generator_alone_ratio // infinite) <= limits::limits.generator_busy_ratio
  end;

# => the share of the machine that other programs kept busy, where that is too much. In a duet one of the others is the other
# side, and what disturbs one disturbs both.
# Pods of one node are each other's other programs.
def others:
  select((.case.side | not) and (.case.generators | not))
  | (.run.fingerprint.cores // 1) as $cores
  | .measure
  | select(.machine_cpu_ms != null and .generator_cpu_ms != null and .seconds >= limits::limits.disturbed_seconds)
  | (.machine_cpu_ms - .generator_cpu_ms - (.unsampled_cpu_ms // 0) - (.used.cpu_ms // 0)) / 1000 / .seconds / $cores
  | select(. > limits::limits.others_busy_ratio);

# Are other programs to blame for what k6 or the services could not do?
def others_to_blame: [others] != [] and ((behind | not) or fits_alone);

# Was k6 late, and yet not at the limit of its CPU time? Then it waited for the CPU, which others had.
def had_room:
  .measure.generator_cpu_ratio as $busy
  | _lateness != null and $busy != null and $busy <= limits::limits.generator_busy_ratio;

# => how k6 could not keep up
def how:
  _lateness as $late
  | if $late != null then "k6 sent one in a hundred \($late | numbers::in_unit("ms")) late or later"
    else "k6 used \(.measure.generator_cpu_ratio | numbers::percent) of the CPU time that other programs left it"
    end;

# => what it may be
def limit:
  if _lateness != null then _lateness_allowed | numbers::in_unit("ms")
  else limits::limits.generator_busy_ratio | numbers::percent
  end;
