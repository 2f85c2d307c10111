# Findings about services: whether they lived to the end, and whether what they used is known.
import "lib/reduce/finding" as finding;
import "lib/tables/limits" as limits;
import "lib/numbers" as numbers;
import "lib/stats" as stats;

# a service was not there to the end
def service_died:
  .measure.died
  | select(. != [])
  | finding::finding("service-died"; "error"; "\(numbers::listed) ended during the run: its log says why."; finding::everything);

# services that should have been sampled were not
def not_sampled:
  select(.measure.seconds > 0 and .measure.used.cpu_ms == null)
  | select(any(.case.services[]?; .sampled != false))
  | finding::finding("services-not-sampled"; "warn";
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
  | finding::finding("lost-samples"; "error";
      "The CPU time of \(numbers::listed) is less than a quarter of what the other rounds took for the same work: some of its "
      + "processes were not sampled. Was it restarted, or are they started by another program?"; ["services"]);
