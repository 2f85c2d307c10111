# The metrics that our driver adds to those of k6, by our word for each. scope: what a sample is of; in a duet, a request
# is of one side. error: it counts what goes wrong.
def driver_metrics: {
  # Requests that got no response.
  "network_errors": { "name": "bench_network_errors", "type": "counter", "scope": "request", "error": true },
  # Responses with a status that was not expected.
  "status_errors": { "name": "bench_status_errors", "type": "counter", "scope": "request", "error": true },
  # Responses with an expected status, and not the expected headers, body or values.
  "failed_expectations": { "name": "bench_failed_expectations", "type": "counter", "scope": "request", "error": true },
  # Iterations that threw.
  "exceptions": { "name": "bench_exceptions", "type": "counter", "scope": "iteration", "error": true },
  # Iterations that ended early because of an error.
  "abandoned": { "name": "bench_abandoned", "type": "counter", "scope": "iteration", "error": true },

  # Connections that were opened; only the native player counts them.
  "connections": { "name": "bench_connections", "type": "counter", "scope": "request" },

  # When the scenario started, in epoch milliseconds; each user adds it once.
  "started": { "name": "bench_started", "type": "gauge", "scope": "process" },
  # When an iteration ended; its maximum is the end of a scenario that ends when its iterations are done.
  "ended": { "name": "bench_ended", "type": "gauge", "scope": "process" },
  # Iterations that began after the window: so many of those that were cut off at the end do not matter.
  "begun_after": { "name": "bench_begun_after", "type": "counter", "scope": "process" },

  # When a request failed near a fault, in milliseconds from the fault's end as planned: below 0 while it lasts.
  "fault_errors": { "name": "bench_fault_errors", "type": "trend", "scope": "request" },
  # Iterations that began before the phase of a fault and met it: they began in the phase that the tag says.
  "iterations_moved": { "name": "bench_iterations_moved", "type": "counter", "scope": "iteration" },

  # How long the requests of a group took together, without pauses: k6 has a group_duration of its own, with them.
  "group_duration": { "name": "bench_group_duration", "type": "trend", "scope": "request" },

  # Of a user: its responses; of those that took long enough to receive, the bytes and the milliseconds.
  "user_requests": { "name": "bench_user_requests", "type": "counter", "scope": "request" },
  "received_bytes": { "name": "bench_received_bytes", "type": "counter", "scope": "request" },
  "receiving_ms": { "name": "bench_receiving_ms", "type": "counter", "scope": "request" }
};
