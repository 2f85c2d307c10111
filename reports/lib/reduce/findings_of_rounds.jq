# Findings about rounds: whether all of them count, and whether the window was stationary.
import "lib/reduce/finding" as finding;
import "lib/reduce/load" as load;
import "lib/numbers" as numbers;
import "lib/reduce/steady" as steady;

# rounds that were asked for do not count
def missing_rounds:
  (.rounds | length) as $done
  | .run.rounds as $asked
  | select($done > 0 and ($done < $asked or .discarded != []))
  | ([.discarded[] | ": round \(.round) \(.reason)"] | join("")) as $why
  | finding::finding("missing-rounds"; "warn";
      "\($done | numbers::count) of \($asked | numbers::count("round")) count\($why)."; []);

# rounds that did not count, for what was not the system's doing, and that the runner measured again
def repeated_rounds:
  [.asked[]? | .[0].end | .round as $round | .repeated[]? | "Round \($round): \(.)"]
  | select(. != [])
  | finding::finding("repeated-rounds"; "info";
      "\(length | numbers::count("round")) did not count and \(if length == 1 then "was" else "were" end) measured again. "
      + .[0]; []);

# warming up, or filling up; a load that is meant to change is not expected to be stationary
def not_stationary:
  (.case.window // { from_s: 0, to_s: null }) as $window
  | select(.case.load | load::constant($window.from_s; $window.to_s))
  | .steady
  | steady::lasting_change
  | finding::finding("not-stationary"; "warn";
      "Median latency in the second half of the window is \(numbers::change) from the first: not warm yet, or filling "
      + "up. Start the window later, or make it longer."; []);
