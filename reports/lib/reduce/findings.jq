# Findings: what must be known before any number is believed. Level error makes a case invalid; `metrics` are those
# that don't count, whatever the level. Each takes { case, run, measure, rounds, discarded, thresholds, steady } and prints
# a finding or nothing (asked: what Prometheus was asked for, by round). They stand by subject in findings_of_….jq; those about
# faults, users and Prometheus in the modules of these.
import "lib/reduce/faults" as faults;
import "lib/reduce/finding" as finding;
import "lib/reduce/findings_of_load" as findings_of_load;
import "lib/reduce/findings_of_requests" as findings_of_requests;
import "lib/reduce/findings_of_rounds" as findings_of_rounds;
import "lib/reduce/findings_of_services" as findings_of_services;
import "lib/reduce/metric_values" as metric_values;
import "lib/metrics" as metrics;
import "lib/reduce/queries" as queries;
import "lib/reduce/users" as users;

# what makes everything not count makes so too what only some cases have; what latencies from the intended start have
# that others have not is that being saturated is among them
def _with_more($case):
  (finding::everything | metrics::names_of_groups) as $all
  | ([$case | metric_values::of_case[] | .name] + [$case.queries[]?.name] - $all) as $more
  | [$case | metric_values::of_case[] | select(.group == "intended") | .name] as $intended
  | (["latency"] | metrics::names_of_groups) as $latencies
  | map(if .metrics == $all then .metrics += $more
      elif .id != "saturated" and $latencies - .metrics == [] then .metrics += $intended
      else . end);

# => [finding], the worst first
def all_found:
  .case as $case
  | [findings_of_load::disturbed] as $disturbed
  | [findings_of_services::service_died, findings_of_requests::exceptions, findings_of_load::no_load, findings_of_load::too_short,
    ($disturbed[] | select(.level == "error")),
    findings_of_load::generator_limited, findings_of_load::saturated, findings_of_load::unfinished,
    findings_of_requests::wrong_mix, findings_of_requests::too_few_samples, findings_of_requests::failed_requests,
    findings_of_requests::failures_unknown, findings_of_requests::redirects_stopped,
    findings_of_requests::delayed_acknowledgments,
    findings_of_services::not_sampled, findings_of_services::lost_samples, findings_of_load::uneven_start,
    findings_of_rounds::missing_rounds, findings_of_rounds::not_stationary, findings_of_requests::redirected,
    ($disturbed[] | select(.level != "error")),
    findings_of_load::one_user, findings_of_rounds::repeated_rounds, findings_of_load::colocated]
  + [(.rounds | faults::findings($case)[]), (.measure.users | select($case.per_user) | users::findings($case)[])
    | .metrics = []]
  + (.asked | queries::findings($case; $case.compare.gate))
  | _with_more($case)
  | map(select(.level == "error")) + map(select(.level == "warn")) + map(select(.level == "info"));
