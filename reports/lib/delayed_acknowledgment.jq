# Requests that wait for a timer of TCP and for no work. A service that writes the head and the body of a response apart, without
# TCP_NODELAY, holds the body back until the head is acknowledged (Nagle's algorithm, RFC 896); Linux acknowledges after 40 ms where it
# has nothing to send (TCP_DELACK_MIN). One user sees 2 ms or 40 ms, as chance has it; more users acknowledge by their next requests.
# A distribution is { count, p: [percent], values: [ms] }.
import "lib/numbers" as numbers;
import "lib/stats" as stats;
import "lib/tables/limits" as limits;

# => the share of a distribution between two times
def _between($from; $to): .p as $p | .values | stats::share_above($p; $from) - stats::share_above($p; $to);

# distribution => { waiting, fast }: the shares of the requests that took the 40 ms of that timer, or a little more, and of those that
# were far faster; the former stand apart, with hardly any near them. null: there are none that one can tell
def shares:
  if type != "object" or .count < limits::limits.delayed_count then null
  else limits::limits.delayed_ms as [$from, $to]
  | ($to - $from) as $width
  | { waiting: _between($from; $to), fast: _between(0; $from / 2) }
  + { near: ([_between($from - $width; $from), _between($to; $to + $width)] | max) }
  | if .waiting >= limits::limits.delayed_share and .fast >= limits::limits.delayed_fast and .near < .waiting / 5
    then { waiting, fast } else null end
  end;

# [ms] => are some of that timer, and others far faster?
def are_mixed:
  limits::limits.delayed_ms as [$from, $to] | any(.[]; . != null and . >= $from and . < $to) and any(.[]; . != null and . < $from / 2);

# shares => what to do about it; $of: " a name" where it is of some of the requests
def text($of):
  "\(.waiting | numbers::percent) of the requests\($of) took 40 ms or a little more, and hardly any took nearly as long. If the service does "
  + "not wait that long by itself, this is a timer of TCP (Nagle's algorithm waits for a delayed acknowledgment): set TCP_NODELAY in the "
  + "service, or let it write the head and the body of a response at once. Java's own HttpServer: -Dsun.net.httpserver.nodelay=true.";
