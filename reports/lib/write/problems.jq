# What is wrong with a comparison, and what has become of what was wrong with an earlier one.
import "lib/compare/load_thresholds" as load_thresholds;
import "lib/metrics" as metrics;
import "lib/sub_metric" as sub_metric;

# case => { what, state } of everything that can be wrong with it; state: "is", "gone", or "open": not known
def _answers:
  (.verdict == "error") as $error
  | (.verdict == "invalid") as $invalid
  | { what: "failed to run", state: (if $error then "is" elif .record then "gone" else "open" end) },
    { what: "invalid", state: (if $invalid then "is" elif .record and ($error | not) then "gone" else "open" end) },
    (.thresholds[] | select(.level == "fail")
      | { what: ("missed \(sub_metric::name) \(.expr)" + if .lane then " \(.lane | metrics::lane)" else "" end),
          state: (if load_thresholds::fails then "is" elif .outcome == "met" then "gone" else "open" end) }),
    (.metrics[] | select(.gated)
      | { what: "\(.metric | metrics::title) worse",
          state: (if .verdict == "worse" then "is" elif .may_be_worse then "open" else "gone" end) });

# comparison => [{ case, what, state }]; the case with its system and environment
def _all:
  [.cases[]
    | select(.verdict != "todo" and .verdict != "n-a")
    | { case: "\(.system) \(.environment) \(.case)" } + _answers];

# comparison => [{ case, what }]: what is wrong
def now: [_all[] | select(.state == "is") | { case, what }];

# comparison; [{ case, what }] of an earlier one => those that are solved, and those not known to be:
# { gone, open }
def since($before):
  (_all | map({ key: "\(.case)\n\(.what)", value: .state }) | from_entries) as $states
  | (.cases == []) as $untouched # the change that it came from is not there any more
  | [$before[] | . + { state: (if $untouched then "gone" else $states["\(.case)\n\(.what)"] // "open" end) }]
  | { gone: map(select(.state == "gone")), open: map(select(.state == "open")) }
  | map_values(map({ case, what }));
