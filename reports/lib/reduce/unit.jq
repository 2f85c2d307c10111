# The unit of work of a case: a request of HTTP; of what is declared in another protocol a call of gRPC or a session of WebSockets; and
# where a script makes no requests, a call, a message of WebSockets, or an iteration. It is what throughput, errors and CPU time are
# counted by; where requests are named, it is meant.
import "lib/reduce/summary" as summary;

# our word => how it is counted, and the k6 metric that times it
def _units: {
  request: { timed: "http_req_duration" },
  call: { timed: "grpc_req_duration", title: "a gRPC call", latency: "of a call" },
  session: { timed: "ws_session_duration", title: "a WebSocket session", latency: "of a session, from its connection to its end" },
  message: { timed: "iteration_duration", title: "a WebSocket message", latency: "of an iteration" },
  iteration: { timed: "iteration_duration", title: "an iteration", latency: "of an iteration" }
};

def _count($metric; $tags): summary::window($metric; $tags).count // 0;

def _messages: [_count("ws_msgs_sent"; {}), _count("ws_msgs_received"; {})] | max;

# summary => "request", "call", "session", "message" or "iteration"
def of($case):
  ($case.requests[0].method?) as $method
  | if $method == "GRPC" then "call"
    elif $method == "WEBSOCKET" then "session"
    elif $case.script == null or _count("http_reqs"; {}) > 0 then "request"
    elif _count("grpc_req_duration"; {}) > 0 then "call"
    elif _messages > 0 then "message"
    elif _count("iteration_duration"; {}) > 0 then "iteration"
    else "request"
    end;

# unit => the k6 metric that times it
def timed: _units[.].timed;

# summary => how many there were with these tags; null: of requests, which others count
def count($unit; $tags):
  if $unit == "request" then null elif $unit == "message" then _messages else _count($unit | timed; $tags) end;

# unit => the names of the recorder's metrics that are drawn over time
def over_time:
  if . == "request" then {}
  else { requests: ({ message: "ws_msgs_received", session: "ws_sessions" }[.] // "iterations"), latency: timed }
  end;

# unit => the finding that says so
def finding:
  select(. != "request")
  | _units[.] as $unit
  | { id: "unit-of-work", level: "info", metrics: [],
      text: "There are no HTTP requests: a request is \($unit.title) here, and latency is that \($unit.latency) (\($unit.timed))." };
