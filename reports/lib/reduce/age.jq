# The age lane of a duet: what one long window was like from second to second, so that what grows, fills or slows down over time
# shows. lib/compare/age.jq compares it.
import "lib/tables/limits" as limits;
import "lib/numbers" as numbers;
import "lib/reduce/services" as services;
import "lib/reduce/timeline" as timeline;

# [row] of seconds => the quantiles of each, as lib/compare/tail.jq reads them: { p: [percent], counts: [requests], values: [[ms]] }; a
# second of which there are none has no requests
def _seconds:
  map([.p50, .p90, .p95, .p99, .max] as $quantiles
    | if .requests == 0 or any($quantiles[]; . == null) then { count: 0, values: [0, 0, 0, 0, 0, 0] }
      else { count: .requests, values: [0, $quantiles[] | numbers::significant(5)] } end)
  | { p: [0, 50, 90, 95, 99, 100], counts: map(.count), values: map(.values) };

# process with its window, its rows and its samples => what it had in consecutive parts of the window, a second each or longer where
# it is long: { requests: [count], errors_ratio: [share], latency_ms_p50: [ms], memory_bytes: [bytes of all services] }; null where
# there was nothing. seconds: the quantiles of each second, which a maximum of several would not be.
def of_process:
  . as { $window, $used }
  | [.rows | timeline::within($window.from_ms; $window.to_ms)[]] as $rows
  | [$rows | timeline::thinned(limits::limits.age_parts)[]] as $parts
  | { requests: [$parts[].requests],
      errors_ratio: [$parts[] | if .requests == 0 then null else .failed / .requests | numbers::rounded end],
      latency_ms_p50: [$parts[] | if .requests == 0 then null else .p50 | numbers::rounded end],
      memory_bytes: [$parts[]
        | ((.from_ms + .to_ms) / 2) as $middle
        | $used.total.memory_bytes
        | if . == null or . == [] or any(. == null) then null else services::at($used.t; $middle) | numbers::rounded end],
      seconds: ($rows | _seconds) };
