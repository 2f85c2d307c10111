# What was sent under one name, added up chunk by chunk; times are kept as they are, to be sorted once at the end.
import "import/lib/samples" as samples;

# [{ name, tally }] => { name: [tally] }
def by_name:
  reduce .[] as { $name, $tally } ({}; .[$name] += [$tally]);

# [tally] => one. Chunks of times stay chunks: lists that grow by each other would be copied each time
def joined:
  { count: (map(.count) | add), errors: (map(.errors) | add), network_errors: (map(.network_errors) | add),
    status_errors: (map(.status_errors) | add), bad_status: (map(.bad_status) | add),
    received_bytes: (map(.received_bytes) | if any(.[]; . == null) then null else add end),
    sent_bytes: (map(.sent_bytes) | if any(.[]; . == null) then null else add end),
    users: (map(.users) | max), from_ms: (map(.from_ms) | min), to_ms: (map(.to_ms) | max),
    times: [.[].times[]] };

# tally => its distribution in milliseconds; $unit: how long one of its times is
def distribution($unit; $of_jmeter):
  [.times[][] | . * $unit] | samples::distribution($of_jmeter);

# tally => what adds up to a measure
def counts:
  { requests: .count, errors, expected: (.count - .errors), network_errors, status_errors, received_bytes, sent_bytes };
