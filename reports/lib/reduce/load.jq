# What a case asks for, as src/suite/cases/executors.ts worked it out: { kind, users, segments: [{ from_s, to_s, from, to }], iterations }.

# load => is the number of iterations started independent of how fast they end?
def open: .kind == "open";

# load => is it the same from one second to another? Segments that the window does not touch say nothing.
def constant($from; $to): all(.segments[] | select(.to_s > $from and .from_s < ($to // infinite)); .from == .to);

# segment => the area under its part between two times
def _area($after; $before):
  ([$after, .from_s] | max) as $first
  | ([$before, .to_s] | min) as $last
  | if $last <= $first then 0
    else ((.to - .from) / (.to_s - .from_s)) as $slope
    | (2 * .from + $slope * ($first + $last - 2 * .from_s)) / 2 * ($last - $first)
    end;

# load => iterations that are due between two times; null when the users decide
def due($from; $to): if open then [.segments[] | _area($from; $to)] | add // 0 else null end;
