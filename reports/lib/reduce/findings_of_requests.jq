# Findings about requests: whether they were mixed as declared, answered, and enough to judge by.
import "lib/delayed_acknowledgment" as delayed_acknowledgment;
import "lib/reduce/finding" as finding;
import "lib/reduce/metric_values" as metric_values;
import "lib/reduce/findings_of_load" as findings_of_load;
import "lib/tables/limits" as limits;
import "lib/numbers" as numbers;
import "lib/reduce/quantiles" as quantiles;
import "lib/sub_metric" as sub_metric;
import "lib/text" as text;
import "lib/reduce/thresholds" as thresholds;

# iterations threw
def exceptions:
  .measure.counts as $counts
  | .case.error_cap as $cap
  | select($counts.exceptions > 0 and finding::share($counts.exceptions; $counts.started) > $cap)
  | "\($counts.exceptions | numbers::count) of \($counts.started | numbers::count("iteration"))" as $some
  | finding::finding("exceptions"; "error";
      "\($some) threw an exception, the cap is \($cap | numbers::percent): k6.log says where."; finding::everything);

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
  | finding::finding("wrong-mix"; "error"; "The mix of requests is not the declared one: \(numbers::listed).";
      ["latency", "throughput", "services"]);

# a threshold has nothing to decide by; without any load that goes without saying, and of queries and in lanes of a duet it is
# said elsewhere
def too_few_samples:
  select([findings_of_load::no_load] == [] and (.case.lane | not))
  | (if finding::failing then "warn" else "error" end) as $level
  | [.case.queries[]?.name] as $queries
  | .thresholds[]
  | select(.outcome == "unknown" and (.implicit | not) and .reason != thresholds::excuse)
  | select(.metric as $name | $queries | index([$name]) == null)
  | finding::finding("too-few-samples"; if .level == "fail" then $level else "warn" end;
      "The threshold \(sub_metric::name) \(.expr) is not judged: \(.reason)."; []);

# => how requests failed, in the words of the first that did
def _how: [.asked[]?[]?.end.problems[]?][0] | if . then " (the first: \(text::plain))" else "" end;

# times of failed requests are among the others
def failed_requests:
  select(finding::failing)
  | finding::share(.measure.counts.errors; .measure.counts.requests) as $failed
  | finding::finding("failed-requests"; "warn";
      "\($failed | numbers::percent) of the requests failed\(_how); their times are among the latencies, which don't count.";
      ["latency"]);

# Who cannot tell a failed request from a good one cannot say that head is not worse.
def failures_unknown:
  select(.measure.counts.requests > 0 and .measure.counts.errors == null)
  | finding::finding("failures-unknown"; if .case.side then "error" else "warn" end;
      "It is not known how many requests failed: \(metric_values::uncounted)."
        + if .case.side then " A duet needs to know: let the script name the right statuses, http.expectedStatuses(…)." else "" end;
      []);

# A request that led to a redirect after ten redirects has no answer, and k6 counts the last of them as one. A duet could not see that
# head's pages lead in a circle: such answers are fast.
def redirects_stopped:
  ([.asked[]?[]?.end.redirects_stopped? // 0] | add // 0) as $stopped
  | select($stopped > 0)
  | finding::finding("redirects-stopped"; if .case.side then "error" else "warn" end;
      "k6 stopped \($stopped | numbers::count("time")) after ten redirects, and counted the last of them as the answer: "
      + "these requests have no page, though none of them failed. Do the pages lead in a circle, for want of a cookie or a login?";
      []);

# Most of the sampled answers to a request came from another page than it names.
def redirected:
  .measure as $measure
  | [$measure.requests | to_entries[]
    | .key as $name
    | .value.answers
    | select(. and .redirected * 2 > .count)
    | "\($name) \(.redirected | numbers::count) of \(.count | numbers::count)"]
  | select(. != [])
  | finding::finding("redirected"; "warn";
      "Most responses were redirected (of the sampled ones: \(numbers::listed)). Each redirect counts as a request: "
      + "\(finding::share($measure.counts.requests; $measure.seconds) | numbers::number)/s of them for "
      + "\(finding::share($measure.counts.started; $measure.seconds) | numbers::number) iterations/s. "
      + "Ask for the page itself, or expect the redirect with redirects = 0."; []);

# some requests of a kind waited for a timer of TCP; another kind may take 40 ms by itself
def delayed_acknowledgments:
  .measure.requests
  | keys as $names
  | [$names[] as $name | .[$name].latency | quantiles::kept | delayed_acknowledgment::shares | values | .name = $name]
  | max_by(.waiting)
  | values
  | (if ($names | length) > 1 then " \(.name | text::plain)" else "" end) as $of
  | finding::finding("delayed-acknowledgments"; "info"; delayed_acknowledgment::text($of); []);
