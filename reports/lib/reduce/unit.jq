# The unit of work of a case: a request of HTTP, or where its script makes none, a call of gRPC, a message of WebSockets, or an
# iteration. It is what throughput, errors and CPU time are counted by; where requests are named, it is meant.
import "lib/reduce/summary" as summary;

# our word => how it is counted, and the k6 metric that times it
def _units: {
  request: { timed: "http_req_duration" },
  call: { timed: "grpc_req_duration", title: "a gRPC call", latency: "of a call" },
  message: { timed: "iteration_duration", title: "a WebSocket message", latency: "of an iteration" },
  iteration: { timed: "iteration_duration", title: "an iteration", latency: "of an iteration" }
};

def _count($metric): summary::window($metric; {}).count // 0;

def _messages: [_count("ws_msgs_sent"), _count("ws_msgs_received")] | max;

# summary => "request", "call", "message" or "iteration"
def of($case):
  if $case.script == null or _count("http_reqs") > 0 then "request"
  elif _count("grpc_req_duration") > 0 then "call"
  elif _messages > 0 then "message"
  elif _count("iteration_duration") > 0 then "iteration"
  else "request"
  end;

# summary => how often there was one, where it is not a request
def count($unit): if $unit == "message" then _messages else _count(_units[$unit].timed) end;

# unit => the k6 metric that times it
def timed: _units[.].timed;

# unit => the names of the recorder's metrics that are drawn over time
def over_time:
  if . == "request" then {}
  else { requests: (if . == "message" then "ws_msgs_received" else "iterations" end), latency: timed }
  end;

# unit => the finding that says so
def finding:
  select(. != "request")
  | _units[.] as $unit
  | { id: "unit-of-work", level: "info", metrics: [],
      text: "The script makes no HTTP requests: a request is \($unit.title) here, and latency is that \($unit.latency) (\($unit.timed))." };
