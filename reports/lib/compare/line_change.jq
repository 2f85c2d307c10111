# How much a number changes from one line of a declared table to another: two records of which the benchmark differs as the table
# says, so that they are no series, but can be told apart from what sessions differ by.
import "lib/compare/comparable" as comparable;
import "lib/compare/comparison" as comparison;
import "lib/numbers" as numbers;
import "lib/tables/limits" as limits;

# "2026-11-27T00:14:07.153Z" => seconds
def _seconds: sub("\\.[0-9]+Z$"; "Z") | fromdateiso8601;

# pair => by how many seconds the records were begun apart; 0 where one does not say when
def _apart: [.base.time, .head.time] | if index([null]) then 0 else map(_seconds) | .[1] - .[0] | fabs end;

# pair => why a difference may be the machine's; null: not as far as is known. Of about one session its speed need not be known.
def _of_machine:
  _apart as $apart
  | if $apart <= limits::limits.session_seconds and any(.base, .head; .speed == null) then null
    else comparable::speed_obstacles
      | if . == [] then null else "measured \($apart | numbers::duration) apart; \(join("; "))" end
    end;

# pair => why there is no interval of a number; null: there is one
def _of_number($scale):
  { base: .base.metric, head: .head.metric }
  | if .base == null or .head == null then "one is missing"
    elif .base.unit != .head.unit then "not of one unit"
    else comparison::obstacle($scale; false)
    end;

# { base: { metric, time, speed, imported, compare }, head } and the suite's [compare] => { text, why, apart, confidence }: text:
# "+89.6 % [+60.1, +125]", "" where it cannot be said, for that reason; apart: it is the records' and so of all their numbers;
# confidence: "99 %"
def line_change($suite):
  (.head | comparison::settings($suite)) as $settings
  | (if .base.metric.unit == "ratio" then "difference" else "ratio" end) as $scale
  | _of_machine as $machine
  | ($machine // _of_number($scale)) as $why
  | { apart: ($machine != null), confidence: ($settings.alpha | numbers::level) }
    + if $why then { text: "", why: $why }
      else .base.metric.unit as $unit
        | { base: .base.metric, head: .head.metric }
        | comparison::interval($scale; { sd: $settings.session_sd, df: null }; $settings.alpha)
        | { text: ({ unit: $unit, scale: $scale, ratio: .estimate, low, high } | numbers::change_interval), why: "" }
      end;
