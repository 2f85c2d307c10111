# The age lane of a duet: what one long window was like from second to second, so that what grows, fills or slows down over time
# shows. lib/compare/age.jq compares it.
import "lib/tables/limits" as limits;
import "lib/numbers" as numbers;
import "lib/reduce/services" as services;
import "lib/reduce/timeline" as timeline;

# process with its window, its rows and its samples => what it had in consecutive parts of the window, a second each or longer where
# it is long: { requests: [count], errors_ratio: [share], latency_ms_p50: [ms], memory_bytes: [bytes of all services] }; null where
# there was nothing
def of_process:
  . as { $window, $used }
  | [.rows | timeline::within($window.from_ms; $window.to_ms) | timeline::thinned(limits::limits.age_parts)[]] as $parts
  | { requests: [$parts[].requests],
      errors_ratio: [$parts[] | if .requests == 0 then null else .failed / .requests | numbers::rounded end],
      latency_ms_p50: [$parts[] | if .requests == 0 then null else .p50 | numbers::rounded end],
      memory_bytes: [$parts[]
        | ((.from_ms + .to_ms) / 2) as $middle
        | $used.total.memory_bytes
        | if . == null or . == [] or any(. == null) then null else services::at($used.t; $middle) | numbers::rounded end] };
