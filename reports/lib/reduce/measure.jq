# What was measured in a window, in a form that adds up: first of a process, then of a round, then of a case.
import "lib/reduce/answers" as answers;
import "lib/driver_metrics" as driver_metrics;
import "lib/reduce/faults" as faults;
import "lib/reduce/generator" as generator;
import "lib/reduce/load" as load;
import "lib/reduce/metric_values" as metric_values;
import "lib/reduce/quantiles" as quantiles;
import "lib/reduce/services" as services;
import "lib/reduce/summary" as summary;
import "lib/reduce/timeline" as timeline;
import "lib/reduce/unit" as unit;
import "lib/reduce/users" as users;

# summary => { requests, network_errors, … } as k6 counts them, of the requests with these tags
def _counted($tags):
  . as $summary
  | reduce (metric_values::counters | keys[]) as $name ({};
      .[$name] = ($summary | summary::window(metric_values::counters[$name]; $tags).count))
  | reduce (driver_metrics::errors | keys[]) as $name (.;
      .[$name] = ($summary | summary::events(driver_metrics::name($name); $tags)));

# summary => how many checks of a script failed in the window; 0 where they are ignored
def _failed_checks($case): if $case.checks == "ignore" then 0 else summary::window("checks"; {}).fails // 0 end;

# summary => the same with errors and expected. k6 has requests as failed that a script made without telling us; we have
# some as errors that k6 lets pass (a redirect that was not expected): the larger is right. A failed check of a script is a
# failed expectation; most often it is about a request that has failed otherwise, too, and is not counted twice. $others: how many
# there were of what is counted in place of requests; null: it is requests. A script may switch off what k6 counts as failed, for all
# requests or for some (setResponseCallback): then nobody knows how many failed.
def _requests($tags; $checks; $others):
  summary::window("http_req_failed"; $tags) as $seen
  | _counted($tags)
  | (if $seen then $seen.passes + $seen.fails else 0 end) as $counted
  | .requests = (if $counted == 0 and $others then $others else .requests // $counted end)
  | ([$seen.passes // 0, .network_errors + .status_errors] | max) as $failed
  | (($others == null or $counted > 0) and $counted < .requests) as $is_unknown
  | .errors = (if $is_unknown then null else [.requests, ([$failed + .failed_expectations, $checks] | max)] | min end)
  | .failed_expectations += $checks
  | .expected = (if $is_unknown then null else .requests - .errors end);

# process => iterations that were due within the window but not sent: the summary says how many, the recorder when
def _dropped:
  (.summary | summary::whole("dropped_iterations").count // 0) as $all
  | .window as $window
  | if $all == 0 or $window == null or ($window.from_s == 0 and ($window.steady | length) == 1) then $all
    else [$window.steady[] as $piece | .rows | timeline::dropped($piece.from_ms; $piece.to_ms)] | add
    end;

# process => iterations that were cut off when the time was up, and had begun within the window: of those that began
# after it, the driver counts all, and k6 those that reached their end
def _interrupted:
  ((.summary | summary::whole(driver_metrics::name("begun_after")).count // 0)
    - (.summary | summary::window("iterations"; { phase: "cooldown" }).count // 0)) as $after
  | ((.end.interrupted_iterations // 0) - $after) as $interrupted
  | if $interrupted < 0 and (.end.instances // 1) == 1 then 0 else $interrupted end;

# process => { target, iterations, … }; target is null when the users decide
def _iterations($case):
  .window as $window
  | [$window.steady[]? as $piece
    | $case.load
    | load::due($piece.from_s; $piece.to_s)] as $target
  | { iterations: (.summary | summary::window("iterations"; {}).count // 0),
      moved: (.summary | summary::events(driver_metrics::name("iterations_moved"); {})),
      dropped: _dropped,
      interrupted: _interrupted,
      target: (if $target == [] or any($target[]; . == null) then null else $target | add end) };

# summary => { name: { duration } } of each group that is timed as one
def _groups($case):
  . as $summary
  | reduce $case.groups[]? as $name ({};
      .[$name].duration = ($summary
        | summary::window(driver_metrics::name("group_duration"); { group: $name })
        | quantiles::from_trend));

# summary => { name: { counts, latency } } of each request, call or session
def _by_name($unit):
  . as $summary
  | (if $unit == "call" or $unit == "session" then $unit else "request" end) as $named
  | ($named | unit::timed) as $timed
  | reduce summary::names($timed)[] as $name ({};
      .[$name] = ($summary
        | { counts: _requests({ name: $name }; 0; unit::count($named; { name: $name })),
            latency: (summary::window($timed; { name: $name }) | quantiles::from_trend) }));

# process with its window => measure
def of_process($file):
  .window as $window
  | .summary as $summary
  | (.used | services::used($window)) as $used
  | (.end.answers // {}) as $answers
  | faults::of_process($file.case) as $faults
  | ($summary | unit::of($file.case)) as $unit
  | { seconds: ($window.seconds // 0),
      users_max: ($summary | summary::whole("vus_max").max),
      services: $used.services, used: $used.total, died: $used.died,
      generator_cpu_ms: $used.generator_cpu_ms, unsampled_cpu_ms: $used.unsampled_cpu_ms, machine_cpu_ms: $used.machine_cpu_ms,
      unit: $unit,
      counts: (($summary | _requests({}; _failed_checks($file.case); unit::count($unit; {})))
        + _iterations($file.case) + faults::counts($faults)),
      requests: ($summary | _by_name($unit) | with_entries(.value.answers = $answers[.key])),
      groups: ($summary | _groups($file.case)),
      users: ($summary | users::of_summary),
      faults: $faults, recovery_ms_max: ([$faults[].recovery_ms] | max) }
  | reduce (metric_values::distributions | keys[]) as $of (.;
      metric_values::distributions[$of] as [$metric, $tags]
      | (if $of == "latency" then $unit | unit::timed else $metric end) as $metric
      | .[$of] = ($summary | summary::window($metric; $tags) | quantiles::from_trend))
  | .counts.started = .counts.iterations + .counts.interrupted + .counts.moved
  | .counts.due = .counts.started + .counts.dropped
  | .counts.unfinished = .counts.interrupted + .counts.exceptions + .counts.abandoned
  # Where two sides take turns, the time of each is its own turns.
  | (if $file.case.turns then (.seconds, (.used | values | .seconds), .services[].seconds) |= . / 2 else . end)
  | generator::ratios($file);

def _sum: if any(. == null) then null else add end;

# [{ name: x }] => { name: f of [x] }
def _by_key(f):
  . as $all
  | [.[] | keys[]]
  | unique
  | map(. as $name | { key: $name, value: ([$all[][$name]] | f) })
  | from_entries;

# [{ name: { duration } }] => the groups of all of them
def _groups_together: _by_key(map(values) | { duration: (map(.duration[]) | quantiles::together) });

# [{ name: { counts, latency } }] => the requests of all of them
def _requests_together:
  _by_key(map(values)
    | { counts: (map(.counts) | _by_key(_sum)), latency: (map(.latency[]) | quantiles::together),
        answers: (map(.answers) | answers::joined) });

def _nothing: {
  unit: "request", seconds: 0, users_max: null, services: {}, used: null, died: [],
  generator_cpu_ms: null, unsampled_cpu_ms: null, machine_cpu_ms: null,
  counts: ((metric_values::counters + driver_metrics::errors | map_values(0))
    + { errors: 0, expected: 0, iterations: 0, dropped: 0, interrupted: 0, target: null, started: 0, due: 0,
        unfinished: 0, moved: 0, fault_requests: 0, fault_errors: 0 }),
  requests: {}, groups: {}, users: {}, faults: [], recovery_ms_max: null,
  generator_cpu_ratio: null, generator_alone_ratio: null
} + (metric_values::distributions | map_values([]));

# [measure] of the instances that share a load => the measure of all of them together: what they sent adds up, in the
# same seconds; the services were sampled with the first
def alongside($file):
  . as $all
  | if length <= 1 then .[0] // _nothing
    else .[0]
    | .counts = ([$all[].counts] | _by_key(_sum) | .target = $all[0].counts.target)
    | .users_max = ([$all[].users_max] | _sum)
    | .requests = ([$all[].requests] | _requests_together)
    | .groups = ([$all[].groups] | _groups_together)
    | .users = ([$all[].users] | users::joined)
    | .faults = ([$all[].faults] | faults::alongside)
    | .recovery_ms_max = ([$all[].recovery_ms_max] | max)
    | reduce (metric_values::distributions | keys[]) as $of (.; .[$of] = ([$all[][$of][]] | quantiles::together))
    | generator::ratios($file)
    # Pods have each its own machine: the busiest says whether they kept up.
    | if $file.case.generators then
        .generator_cpu_ratio = ([$all[].generator_cpu_ratio] | max)
        | .generator_alone_ratio = ([$all[].generator_alone_ratio] | max)
      else .
      end
    end;

# [measure] one after the other => the measure of all of them together
def joined($file):
  . as $all
  | if length == 0 then _nothing
    elif length == 1 then .[0]
    else { unit: .[0].unit, seconds: (map(.seconds) | add), users_max: (map(.users_max) | max),
        services: (map(.services) | _by_key(map(values) | services::joined)),
        used: (map(.used) | if any(. == null) then null else services::joined end),
        died: (map(.died[]) | unique),
        generator_cpu_ms: (map(.generator_cpu_ms) | _sum), unsampled_cpu_ms: (map(.unsampled_cpu_ms) | _sum),
        machine_cpu_ms: (map(.machine_cpu_ms) | _sum),
        counts: (map(.counts) | _by_key(_sum)),
        requests: (map(.requests) | _requests_together), groups: (map(.groups) | _groups_together),
        users: (map(.users) | users::joined), faults: [], recovery_ms_max: (map(.recovery_ms_max) | max) }
    | reduce (metric_values::distributions | keys[]) as $of (.; .[$of] = ([$all[][$of][]] | quantiles::together))
    | generator::ratios($file)
    end;
