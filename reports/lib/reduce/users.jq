# Users told apart (per_user): how fast each received, and how many requests it made.
import "lib/driver_metrics" as driver_metrics;
import "lib/tables/limits" as limits;
import "lib/numbers" as numbers;
import "lib/reduce/summary" as summary;

# indexed summary => ["1", "2", …] in order
def _names: summary::values_of(driver_metrics::name("user_requests"); "user") | unique | sort_by(tonumber);

# indexed summary => { user: { requests, bytes, ms } }
def of_summary:
  . as $summary
  | def count($of; $user): $summary | summary::window($of; { user: $user }).count // 0;
    reduce _names[] as $user ({};
      .[$user] = { requests: count(driver_metrics::name("user_requests"); $user),
                   bytes: count(driver_metrics::name("received_bytes"); $user), ms: count(driver_metrics::name("receiving_ms"); $user) });

# [{ user: … }] => the same of all together
def joined:
  reduce (.[] | to_entries[]) as $one ({};
    .[$one.key] |= { requests: (.requests + $one.value.requests), bytes: (.bytes + $one.value.bytes),
                     ms: (.ms + $one.value.ms) });

# { requests, bytes, ms } => bytes a second while it received; null: nothing that took long enough to tell
def _rate: if .ms > 0 then .bytes * 1000 / .ms else null end;

# { user: … } => [rate] of those that have one
def rates: [.[] | _rate | values];

# { user: … } => per_user of a record
def of_record:
  . as $users
  | (keys | sort_by(tonumber)) as $names
  | { users: ($names | map(tonumber)),
      receiving_bytes_per_second: [$names[] | $users[.] | _rate | numbers::rounded],
      requests: [$names[] | $users[.].requests] };

# { user: … } => [user] of those that are so
def _those(f): [to_entries[] | select(.value | f) | .key | tonumber] | sort;

# [user] => "User 3" | "Users 3, 4 and 5 more"
def _named:
  (length - 5) as $more
  | (.[:5] | map(tostring)) as $first
  | "User\(if length == 1 then "" else "s" end) "
  + if $more > 0 then "\($first | join(", ")) and \($more) more" else $first | numbers::listed end;

# { user: … } => [finding without metrics]. A user that received nothing has no rate that a threshold could miss.
def findings($case):
  any($case.thresholds[]?; .metric == "receiving_rate" and .level == "fail") as $needed
  | [ (_those(.requests == 0) | select(. != []) | "\(_named) had no response in the window."),
      (_those(.requests > 0 and .ms == 0) | select(. != [])
        | "\(_named) received nothing that took long enough (\(limits::limits.receiving_ms) ms) to tell a rate.") ]
  | map({ id: "user-without-rate", level: (if $needed then "error" else "warn" end), text: . });
