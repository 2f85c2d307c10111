# What a script checks (k6's `check`), by name: { passes, fails }. k6 counts names over the whole run, warm-up and both sides of
# a duet together; of the window it has the sum of all only (the metric `checks`).
import "lib/tables/limits" as limits;
import "lib/numbers" as numbers;
import "lib/text" as text;

# root_group of a summary => [{ name, passes, fails }], those of groups within it too; "browse > status is 200"
def _listed($path):
  ($path + if .name == "" then [] else [.name] end) as $path
  | (.checks[]? | { name: ($path + [.name] | join(" > ")), passes, fails }),
    (.groups[]? | _listed($path));

# [process] => { name: { passes, fails } }, over all of them
def by_name:
  reduce (.[].root_group | values | _listed([])) as $check ({};
    .[$check.name] |= { passes: ((.passes // 0) + $check.passes), fails: ((.fails // 0) + $check.fails) });

# [process] => { name: { passes, fails } } of a record: those that failed most first, as many as it has room for
def of_record:
  by_name
  | to_entries
  | sort_by(-.value.fails)
  | .[:limits::limits.checks]
  | map(.key |= .[:limits::limits.check_letters])
  | from_entries;

# [process] => the finding that names those that failed
def findings($case):
  [by_name | to_entries[] | select(.value.fails > 0)]
  | sort_by(-.value.fails)
  | if . == [] or $case.checks == "ignore" then []
    else length as $all
    | [{ id: "failed-checks", level: "warn", metrics: [],
        text: ("Checks failed: "
          + (.[:3] | map("\(.key[:80] | text::plain): \(.value.fails | numbers::count) of \(.value.passes + .value.fails | numbers::count)") | join("; "))
          + (if $all > 3 then "; and \($all - 3 | numbers::count) more" else "" end)
          + (if $case.side and ($case | .apart or .interleaved or .lane | not) then " (both sides together, warm-up included)."
              elif ($case.window.from_s // 0) > 0 then " (warm-up included)."
              else "." end)) }]
    end;
