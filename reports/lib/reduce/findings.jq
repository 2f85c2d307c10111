# Findings: what must be known before any number is believed. Level error makes a case invalid; `metrics` are those
# that don't count, whatever the level. Each takes { case, run, measure, rounds, discarded, thresholds, steady } and prints
# a finding or nothing (asked: what Prometheus was asked for, by round). Those about faults, users and Prometheus are in
# the modules of these.
import "lib/reduce/faults" as faults;
import "lib/tables/limits" as limits;
import "lib/reduce/keeping_up" as keeping_up;
import "lib/reduce/load" as load;
import "lib/metrics" as metrics;
import "lib/reduce/metric_values" as metric_values;
import "lib/numbers" as numbers;
import "lib/other_programs" as other_programs;
import "lib/reduce/queries" as queries;
import "lib/stats" as stats;
import "lib/reduce/steady" as steady;
import "lib/sub_metric" as sub_metric;
import "lib/text" as text;
import "lib/reduce/thresholds" as thresholds;
import "lib/reduce/users" as users;

def _finding($id; $level; $text; $groups):
  { id: $id, level: $level, text: $text, metrics: ($groups | metrics::names_of_groups) };

def _everything: ["latency", "throughput", "errors", "load", "services"];

def _share($part; $whole): if $whole > 0 then $part / $whole else 0 end;

# Did more requests fail than may?
def _failing: any(.thresholds[]?; .implicit and .outcome == "missed");

# Where they did, what follows from that is a finding but is not the verdict: the cap on errors is.
def _unless_failing($level): if $level == "error" and _failing then "warn" else $level end;

# Beyond the knee on purpose.
def _unless_expected: if .case.saturation == "expected" then "info" else "error" end;

# nothing was sent: there is nothing to judge
def no_load:
  .measure.counts as $counts
  | select($counts.requests == 0 and (.case.requests != null or $counts.iterations == 0))
  | (if .rounds == [] then "No round was completed."
     elif .measure.seconds == 0 then "k6 started no iteration."
     elif $counts.iterations == 0 then "No request was sent in the window."
     else "No request was sent in the window, though \($counts.iterations | numbers::count("iteration")) ran."
     end) as $text
  | _finding("no-load"; "error"; $text; _everything);

# over before the clock went on: there are no rates, and a single stall would be all that was measured
def too_short:
  .measure as $measure
  | select($measure.seconds == 0 and $measure.counts.requests > 0)
  | _finding("too-short"; "error";
      "The load lasted less than a millisecond (\($measure.counts.requests | numbers::count("request"))): too short to measure. "
      + "Give it more iterations, or a duration."; _everything);

# iterations threw
def exceptions:
  .measure.counts as $counts
  | .case.error_cap as $cap
  | select($counts.exceptions > 0 and _share($counts.exceptions; $counts.started) > $cap)
  | "\($counts.exceptions | numbers::count) of \($counts.started | numbers::count("iteration"))" as $some
  | _finding("exceptions"; "error";
      "\($some) threw an exception, the cap is \($cap | numbers::percent): k6.log says where."; _everything);

# iterations did not reach their end, most likely the slow ones
def unfinished:
  .measure.counts as $counts
  | ($counts.interrupted + $counts.abandoned) as $unfinished
  | select($unfinished > 0 and _share($unfinished; $counts.started) > .case.error_cap)
  | "\($unfinished | numbers::count) of \($counts.started | numbers::count("iteration"))" as $some
  | _finding("unfinished";
      _unless_failing(if $counts.abandoned > $counts.interrupted then "error" else _unless_expected end);
      "\($some) did not reach their end: \($counts.interrupted | numbers::count) were cut off when the time was up, "
      + "\($counts.abandoned | numbers::count) gave up after an error. "
      + "Latencies are without the slowest, and don't count.";
      ["latency"]);

# counts => did it fall short of the rate? A window holds whole iterations: one missing at its edge is no shortfall.
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
  | ([$measure.services[]? | _share(.cpu_ms // 0; .seconds * 1000)] | max // 0) as $busiest
  | (.case.k6 | load::open)
    and $measure.used.cpu_ms != null
    and _share($measure.counts.dropped; $measure.counts.due) > limits::limits.dropped_ratio
    and $busiest < limits::limits.service_busy_cores
    and (_full | not);

# what was due could not be sent
def saturated:
  .measure as $measure
  | .measure.counts as $counts
  | (.case.k6 | _dropped) as $why_dropped
  | _share($counts.dropped; $counts.due) as $dropped
  | ($counts | _short) as $short
  | select($dropped > limits::limits.dropped_ratio or $short)
  | (if keeping_up::behind or _starved then []
     else [(select((.measure.intended // []) != []) | "those from the intended start"), "throughput", "errors"]
     end) as $counting
  | [ (select($dropped > 0)
        | "\($dropped | numbers::percent) of the iterations that were due \($why_dropped)"),
      (select($short)
        | "\(_share($counts.started; $measure.seconds) | numbers::number)/s of the target rate of "
        + "\(_share($counts.target; $measure.seconds) | numbers::number)/s were reached") ] as $why
  | _finding("saturated"; _unless_failing(_unless_expected);
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
    then _finding("generator-delayed"; _unless_failing("error");
      "\($behind), and had used \(.measure.generator_cpu_ratio | numbers::percent) of the CPU time that other programs "
      + "left it: services or other programs kept it waiting. Repeat on a quiet machine, or give k6 cores of its own."; _everything)
    elif keeping_up::behind
    then _finding("generator-limited"; _unless_failing("error");
      "\($behind): these are its own limits, not the system's. Use a lower rate, or more cores for k6."; _everything)
    elif _starved
    then _finding("generator-limited"; _unless_failing("error");
      "k6 had no user left of \($users) while the services were not busy: raise preAllocatedVUs or maxVUs."; _everything)
    else empty
    end;

# [request] by weight => { name: its declared share }; what a user sends once has none
def _declared_shares:
  map(select(.weight != null))
  | (map(.weight) | add) as $all
  | reduce .[] as $request ({}; .[$request.name] += $request.weight / $all);

# share => is it another than was wanted, by more than the tolerance and than chance?
def _wrong($wanted; $tolerance; $count):
  ($wanted * (1 - $wanted) / $count | sqrt) as $error
  | (. - $wanted | fabs) > ([$tolerance * $wanted, limits::limits.mix_errors * $error] | max);

# requests were not mixed by their weights
def wrong_mix:
  select(.case.order == "weighted" and .case.requests != null)
  | .case.mix_tolerance as $tolerance
  | (.case.requests | _declared_shares) as $declared
  | (.measure.requests | map_values(.counts.requests)) as $sent
  | ([$declared | keys[] | $sent[.] // 0] | add) as $all
  | select($all >= limits::limits.mix_count)
  | [$declared | keys[] as $name
    | (($sent[$name] // 0) / $all) as $share
    | select($share | _wrong($declared[$name]; $tolerance; $all))
    | "\($name) \($share | numbers::percent) instead of \($declared[$name] | numbers::percent)"]
  | select(. != [])
  | _finding("wrong-mix"; "error"; "The mix of requests is not the declared one: \(numbers::listed).";
      ["latency", "throughput", "services"]);

# a service was not there to the end
def service_died:
  .measure.died
  | select(. != [])
  | _finding("service-died"; "error"; "\(numbers::listed) ended during the run: its log says why."; _everything);

# a threshold has nothing to decide by; without any load that goes without saying, and of queries and in lanes of a duet it is
# said elsewhere
def too_few_samples:
  select([no_load] == [] and (.case.lane | not))
  | (if _failing then "warn" else "error" end) as $level
  | [.case.queries[]?.name] as $queries
  | .thresholds[]
  | select(.outcome == "unknown" and (.implicit | not) and .reason != thresholds::excuse)
  | select(.metric as $name | $queries | index([$name]) == null)
  | _finding("too-few-samples"; if .level == "fail" then $level else "warn" end;
      "The threshold \(sub_metric::name) \(.expr) is not judged: \(.reason)."; []);

# => how requests failed, in the words of the first that did
def _how: [.asked[]?[]?.end.problems[]?][0] | if . then " (the first: \(text::plain))" else "" end;

# times of failed requests are among the others
def failed_requests:
  select(_failing)
  | _share(.measure.counts.errors; .measure.counts.requests) as $failed
  | _finding("failed-requests"; "warn";
      "\($failed | numbers::percent) of the requests failed\(_how); their times are among the latencies, which don't count.";
      ["latency"]);

# services that should have been sampled were not
def not_sampled:
  select(.measure.seconds > 0 and .measure.used.cpu_ms == null)
  | select(any(.case.services[]?; .sampled != false))
  | _finding("services-not-sampled"; "warn";
      "What the services used is not known: samples cover too little of the window."; ["services"]);

# [used of a service, and iterations] by round => the rounds in which it used too little CPU time to be whole: a process
# that does the work was not seen
def _lost_rounds:
  map(select(.used.cpu_ms != null and .started > 0) | .each = .used.cpu_ms / .started)
  | (map(.each) | stats::median) as $usual
  | map(select(length > 1 and .each < limits::limits.lost_cpu_ratio * $usual
      and $usual * .started >= limits::limits.lost_cpu_ms));

# In some rounds the samples of a service lack most of its CPU time: what works there was not followed
def lost_samples:
  .rounds as $rounds
  | [([$rounds[].services | keys[]] | unique[]) as $name
    | [$rounds | to_entries[] | { round: (.key + 1), used: .value.services[$name], started: .value.counts.started } | select(.used)]
    | (_lost_rounds | map(.round)) as $lost
    | select($lost != [])
    | "\($name) in round \($lost | map(tostring) | join(", "))"]
  | select(. != [])
  | _finding("lost-samples"; "error";
      "The CPU time of \(numbers::listed) is less than a quarter of what the other rounds took for the same work: some of its "
      + "processes were not sampled. Was it restarted, or are they started by another program?"; ["services"]);

# several machines made the load, and did not begin together
def uneven_start:
  ([.asked[]?[]?.end.start_skew_ms | values] | max) as $skew
  | select($skew != null and $skew > limits::limits.start_skew_ms)
  | _finding("uneven-start"; "error";
      "The machines that made the load began \($skew / 1000 | numbers::in_unit("s")) apart: for that long it was a smaller one. "
      + "Are their clocks right, and do they answer?"; _everything);

# rounds that were asked for do not count
def missing_rounds:
  (.rounds | length) as $done
  | .run.rounds as $asked
  | select($done > 0 and ($done < $asked or .discarded != []))
  | ([.discarded[] | ": round \(.round) \(.reason)"] | join("")) as $why
  | _finding("missing-rounds"; "warn";
      "\($done | numbers::count) of \($asked | numbers::count("round")) count\($why)."; []);

# rounds that did not count, for what was not the system's doing, and that the runner measured again
def repeated_rounds:
  [.asked[]? | .[0].end | .round as $round | .repeated[]? | "Round \($round): \(.)"]
  | select(. != [])
  | _finding("repeated-rounds"; "info";
      "\(length | numbers::count("round")) did not count and \(if length == 1 then "was" else "were" end) measured again. "
      + .[0]; []);

# warming up, or filling up; a load that is meant to change is not expected to be stationary
def not_stationary:
  (.case.window // { from_s: 0, to_s: null }) as $window
  | select(.case.k6 | load::constant($window.from_s; $window.to_s))
  | .steady
  | steady::lasting_change
  | _finding("not-stationary"; "warn";
      "Median latency in the second half of the window is \(numbers::change) from the first: not warm yet, or filling "
      + "up. Start the window later, or make it longer."; []);

# the solo lane of a duet is measured by one user, whatever load the scenario declares
def one_user:
  select(.case.side and (.case.lane | not))
  | _finding("one-user"; "info";
      "The solo lane of a duet has one user who waits for each answer, not the scenario's own load: rates and users that it "
      + "declares do not apply. Each side has one connection: of a service with several processes one answers in a block."; []);

# k6 and services on the same cores
def colocated:
  select(.measure.used != null and (.run.generator_pinned | not))
  | _finding("colocated"; "info";
      "k6 and the services shared the cores of one machine: each takes time from the other."; []);

# Another page answered than was asked for: of most answers to a request that were looked at
def redirected:
  .measure as $measure
  | [$measure.requests | to_entries[]
    | .key as $name
    | .value.answers
    | select(. and .redirected * 2 > .count)
    | "\($name) \(.redirected | numbers::count) of \(.count | numbers::count)"]
  | select(. != [])
  | _finding("redirected"; "warn";
      "Another page answered than was asked for, after a redirect (of the answers that were looked at: "
      + "\(numbers::listed)). A redirect is a request of its own: "
      + "\(_share($measure.counts.requests; $measure.seconds) | numbers::number)/s of them for "
      + "\(_share($measure.counts.started; $measure.seconds) | numbers::number) iterations/s. "
      + "Ask for the page itself, or expect the redirect with redirects = 0."; []);

# Other programs were at work. Where k6 could not keep up because of them, or the load was not reached, nothing here is the
# system's, however the scenario takes saturation.
def disturbed:
  keeping_up::others as $others
  | ([saturated] != []) as $short
  | (other_programs::shares | other_programs::named($others)) as $programs
  | "Other programs kept \($others | numbers::percent) of this machine's CPU time busy\($programs.named)" as $busy
  | if keeping_up::behind and keeping_up::fits_alone then
      _finding("disturbed"; _unless_failing("error"); "\($busy): \(keeping_up::how). Repeat on a quiet machine.\($programs.hint)"; _everything)
    elif $short and (keeping_up::behind | not) then
      _finding("disturbed"; _unless_failing("error");
        "\($busy), and the load was not reached: that may be their doing. Repeat on a quiet machine.\($programs.hint)"; _everything)
    else _finding("disturbed"; "warn"; "\($busy): numbers may be off.\($programs.hint)"; [])
    end;

# what makes everything not count makes so too what only some cases have; what latencies from the intended start have
# that others have not is that being saturated is among them
def _with_more($case):
  (_everything | metrics::names_of_groups) as $all
  | ([$case | metric_values::of_case[] | .name] + [$case.queries[]?.name] - $all) as $more
  | [$case | metric_values::of_case[] | select(.group == "intended") | .name] as $intended
  | (["latency"] | metrics::names_of_groups) as $latencies
  | map(if .metrics == $all then .metrics += $more
      elif .id != "saturated" and $latencies - .metrics == [] then .metrics += $intended
      else . end);

# => [finding], the worst first
def all_found:
  .case as $case
  | [disturbed] as $disturbed
  | [service_died, exceptions, no_load, too_short, ($disturbed[] | select(.level == "error")), generator_limited, saturated, unfinished, wrong_mix, too_few_samples,
   failed_requests, not_sampled, lost_samples, uneven_start, missing_rounds, not_stationary, redirected, ($disturbed[] | select(.level != "error")),
   one_user, repeated_rounds, colocated]
  + [(.rounds | faults::findings($case)[]), (.measure.users | select($case.per_user) | users::findings($case)[])
    | .metrics = []]
  + (.asked | queries::findings($case; $case.compare.gate))
  | _with_more($case)
  | map(select(.level == "error")) + map(select(.level == "warn")) + map(select(.level == "info"));
