# The window: the part of a scenario's time that is measured, for k6's and the services' metrics alike.
# k6's counts are those of iterations that start in it (tag phase:steady). Rates are count / seconds of the window:
# k6's own rates divide by the whole run.

# indexed summary, in a process of $parts parts => { from_ms, to_ms, seconds, from_s, to_s }, ms since the epoch;
# null when no iteration ever started
def of($case; $parts):
  (.bench_started["[]"].values.min) as $started
  | (.bench_ended["[]"].values.max) as $ended
  | if $started == null then null
    else ($case.window.from_s // 0) as $from_s
    | (if $case.window.to_s != null then $from_s + ($case.window.to_s - $from_s) / $parts
       elif $ended != null then ($ended - $started) / 1000
       else null end) as $to_s
    | if $to_s == null or $to_s <= $from_s then null
      else { started_ms: $started, from_s: $from_s, to_s: $to_s, seconds: ($to_s - $from_s),
             from_ms: ($started + $from_s * 1000), to_ms: ($started + $to_s * 1000) }
      end
    end;
