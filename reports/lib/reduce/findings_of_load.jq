# Findings about the load: whether it was the one that was asked for, and what else the machine did meanwhile.
import "lib/reduce/finding" as finding;
import "lib/reduce/keeping_up" as keeping_up;
import "lib/tables/limits" as limits;
import "lib/reduce/load" as load;
import "lib/numbers" as numbers;
import "lib/other_programs" as other_programs;

# nothing was sent: there is nothing to judge
def no_load:
  .measure.counts as $counts
  | select($counts.requests == 0 and (.case.requests != null or $counts.iterations == 0))
  | (if .rounds == [] then "No round was completed."
     elif .measure.seconds == 0 then "k6 started no iteration."
     elif $counts.iterations == 0 then "No request was sent in the window."
     else "No request was sent in the window, though \($counts.iterations | numbers::count("iteration")) ran."
     end) as $text
  | finding::finding("no-load"; "error"; $text; finding::everything);

# over before the clock went on: there are no rates, and a single stall would be all that was measured
def too_short:
  .measure as $measure
  | select($measure.seconds == 0 and $measure.counts.requests > 0)
  | finding::finding("too-short"; "error";
      "The load lasted less than a millisecond (\($measure.counts.requests | numbers::count("request"))): too short to measure. "
      + "Give it more iterations, or a duration."; finding::everything);

# iterations did not reach their end, most likely the slow ones
def unfinished:
  .measure.counts as $counts
  | ($counts.interrupted + $counts.abandoned) as $unfinished
  | select($unfinished > 0 and finding::share($unfinished; $counts.started) > .case.error_cap)
  | "\($unfinished | numbers::count) of \($counts.started | numbers::count("iteration"))" as $some
  | finding::finding("unfinished";
      finding::unless_failing(if $counts.abandoned > $counts.interrupted then "error" else finding::unless_expected end);
      "\($some) did not reach their end: \($counts.interrupted | numbers::count) were cut off when the time was up, "
      + "\($counts.abandoned | numbers::count) gave up after an error. "
      + "Latencies are without the slowest, and don't count.";
      ["latency"]);

# counts => did it fall short of the rate? A window holds whole iterations: one missing at its edge is not a shortfall.
def _short: .target != null and .started < limits::limits.rate_achieved_ratio * .target - 1;

# k6 options => why iterations that were due did not start
def _dropped: if load::open then "were not sent, for want of a free user" else "had not begun when the time was up" end;

# Was the machine so full that a service may have been kept from the CPU?
def _full:
  (limits::limits.machine_full_ratio * 1000 * .measure.seconds * (.run.fingerprint.cores // 1)) as $most
  | (.measure.machine_cpu_ms // 0) >= $most;

# Out of users, and the services had little to do: the plan has too few users, or k6 could not keep up.
def _starved:
  .measure as $measure
  | ([$measure.services[]? | finding::share(.cpu_ms // 0; .seconds * 1000)] | max // 0) as $busiest
  | (.case.load | load::open)
    and $measure.used.cpu_ms != null
    and finding::share($measure.counts.dropped; $measure.counts.due) > limits::limits.dropped_ratio
    and $busiest < limits::limits.service_busy_cores
    and (_full | not);

# what was due could not be sent
def saturated:
  .measure as $measure
  | .measure.counts as $counts
  | (.case.load | _dropped) as $why_dropped
  | finding::share($counts.dropped; $counts.due) as $dropped
  | ($counts | _short) as $short
  | select($dropped > limits::limits.dropped_ratio or $short)
  | (if keeping_up::behind or _starved then []
     else [(select((.measure.intended // []) != []) | "those from the intended start"), "throughput", "errors"]
     end) as $counting
  | [ (select($dropped > 0)
        | "\($dropped | numbers::percent) of the iterations that were due \($why_dropped)"),
      (select($short)
        | "\(finding::share($counts.started; $measure.seconds) | numbers::number)/s of the target rate of "
        + "\(finding::share($counts.target; $measure.seconds) | numbers::number)/s were reached") ] as $why
  | finding::finding("saturated"; finding::unless_failing(finding::unless_expected);
      "Saturated: \($why | join("; ")). "
      + "What was not sent would have waited: latencies don't count"
      + if $counting == [] then "." else ", \($counting | numbers::listed) do." end;
      ["latency"]);

# { case, measure } => is it saturated, and meant to be?
def excused: .case.saturation == "expected" and [saturated, unfinished] != [];

# The generator was the limit, not the system. In a duet it never is: in the solo lane one user waits for each answer; in the
# others what limits k6 limits it on both sides, and users who are all waiting on one side alone are that side's doing. Where
# other programs took the machine from it, that is what is wrong (disturbed); where it waited for the CPU, and who had it is
# not known, it was delayed.
def generator_limited:
  select((.case.side | not) and (keeping_up::others_to_blame | not))
  | (.measure.users_max // 0 | numbers::count) as $users
  | "\(keeping_up::how), more than \(keeping_up::limit)" as $behind
  | if keeping_up::behind and keeping_up::had_room
    then finding::finding("generator-delayed"; finding::unless_failing("error");
      "\($behind), and had used \(.measure.generator_cpu_ratio | numbers::percent) of the CPU time that other programs "
      + "left it: services or other programs kept it waiting. Repeat on a quiet machine, or give k6 cores of its own."; finding::everything)
    elif keeping_up::behind
    then finding::finding("generator-limited"; finding::unless_failing("error");
      "\($behind): these are its own limits, not the system's. Use a lower rate, or more cores for k6."; finding::everything)
    elif _starved
    then finding::finding("generator-limited"; finding::unless_failing("error");
      "k6 had no user left of \($users) while the services were not busy: raise preAllocatedVUs or maxVUs."; finding::everything)
    else empty
    end;

# Other programs were at work. Where k6 could not keep up because of them, or the load was not reached, nothing here is the
# system's, however the scenario takes saturation.
def disturbed:
  keeping_up::others as $others
  | ([saturated] != []) as $short
  | (other_programs::shares | other_programs::named($others)) as $programs
  | "Other programs kept \($others | numbers::percent) of this machine's CPU time busy\($programs.named)" as $busy
  | if keeping_up::behind and keeping_up::fits_alone then
      finding::finding("disturbed"; finding::unless_failing("error");
        "\($busy): \(keeping_up::how). Repeat on a quiet machine.\($programs.hint)"; finding::everything)
    elif $short and (keeping_up::behind | not) then
      finding::finding("disturbed"; finding::unless_failing("error");
        "\($busy), and the load was not reached: that may be their doing. Repeat on a quiet machine.\($programs.hint)"; finding::everything)
    else finding::finding("disturbed"; "warn"; "\($busy): numbers may be off.\($programs.hint)"; [])
    end;

# several machines made the load, and did not begin together
def uneven_start:
  ([.asked[]?[]?.end.start_skew_ms | values] | max) as $skew
  | select($skew != null and $skew > limits::limits.start_skew_ms)
  | finding::finding("uneven-start"; "error";
      "The machines that made the load began \($skew / 1000 | numbers::in_unit("s")) apart: for that long it was a smaller one. "
      + "Are their clocks right, and do they answer?"; finding::everything);

# the solo lane of a duet is measured by one user, whatever load the scenario declares
def one_user:
  select(.case.side and (.case.lane | not))
  | finding::finding("one-user"; "info";
      "The solo lane of a duet has one user who waits for each answer, not the scenario's own load: rates and users that it "
      + "declares do not apply. Each side has one connection: of a service with several processes one answers in a block."; []);

# k6 and services on the same cores
def colocated:
  select(.measure.used != null and (.run.generator_pinned | not))
  | finding::finding("colocated"; "info";
      "k6 and the services shared the cores of one machine: each takes time from the other."; []);
