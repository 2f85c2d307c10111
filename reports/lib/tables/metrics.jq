# The metrics of a case, in the order in which pages show them. title: what all texts, pages and charts call it;
# unit: as records have it, and shown_unit as pages do;
# direction: which is better; group: a finding invalidates metrics by the group; of "group": of requests that are timed
# as one; when: only some cases have it; compared: as a difference, where zero would make a ratio nothing;
# from: where its value comes from in a measure (lib/reduce/measure.jq).
def metrics: {
  "sections": [
    {
      "title": "Latency",
      "about": "From the first byte of a request to the last byte of its response, for all requests in the window.",
      "metrics": [
        { "name": "latency_ms_mean", "title": "latency mean", "unit": "ms",
          "direction": "lower", "group": "latency", "from": { "mean": "latency" } },
        { "name": "latency_ms_p50", "title": "latency p50", "unit": "ms",
          "direction": "lower", "group": "latency", "from": { "quantile": ["latency", 50] } },
        { "name": "latency_ms_p90", "title": "latency p90", "unit": "ms",
          "direction": "lower", "group": "latency", "from": { "quantile": ["latency", 90] } },
        { "name": "latency_ms_p95", "title": "latency p95", "unit": "ms",
          "direction": "lower", "group": "latency", "from": { "quantile": ["latency", 95] } },
        { "name": "latency_ms_p99", "title": "latency p99", "unit": "ms",
          "direction": "lower", "group": "latency", "from": { "quantile": ["latency", 99] } },
        { "name": "latency_ms_p999", "title": "latency p99.9", "unit": "ms",
          "direction": "lower", "group": "latency", "from": { "quantile": ["latency", 99.9] } },
        { "name": "latency_ms_max", "title": "latency maximum", "unit": "ms",
          "direction": "lower", "group": "latency", "from": { "quantile": ["latency", 100] } },
        { "name": "tail_ratio", "title": "slower than base's p99", "unit": "ratio",
          "direction": "lower", "group": "latency", "when": "duet", "from": { "ratio": ["tail", "requests"] } },
        { "name": "slow_starts_ratio", "title": "slow starts", "unit": "ratio",
          "direction": "lower", "group": "latency", "when": "duet", "from": { "ratio": ["slow", "starts"] } },
        { "name": "latency_growth_ratio", "title": "latency growth", "unit": "1",
          "direction": "lower", "group": "age", "when": "duet" },
        { "name": "waiting_ms_p50", "title": "latency to the first byte, p50", "unit": "ms",
          "direction": "lower", "group": "latency", "from": { "quantile": ["waiting", 50] } },
        { "name": "waiting_ms_p95", "title": "latency to the first byte, p95", "unit": "ms",
          "direction": "lower", "group": "latency", "from": { "quantile": ["waiting", 95] } }
      ]
    },
    {
      "title": "Latency from the intended start",
      "about": "From when a request was due, so with the time that it waited for a free user; also of those that k6 could not send. Only the native player at an arrival rate knows it. It counts where a case is saturated, when the latency from the actual start does not.",
      "metrics": [
        { "name": "intended_latency_ms_p50", "title": "intended start, p50", "unit": "ms",
          "direction": "lower", "group": "intended", "when": "due", "from": { "quantile": ["intended", 50] } },
        { "name": "intended_latency_ms_p90", "title": "intended start, p90", "unit": "ms",
          "direction": "lower", "group": "intended", "when": "due", "from": { "quantile": ["intended", 90] } },
        { "name": "intended_latency_ms_p95", "title": "intended start, p95", "unit": "ms",
          "direction": "lower", "group": "intended", "when": "due", "from": { "quantile": ["intended", 95] } },
        { "name": "intended_latency_ms_p99", "title": "intended start, p99", "unit": "ms",
          "direction": "lower", "group": "intended", "when": "due", "from": { "quantile": ["intended", 99] } },
        { "name": "intended_latency_ms_max", "title": "intended start, maximum", "unit": "ms",
          "direction": "lower", "group": "intended", "when": "due", "from": { "quantile": ["intended", 100] } }
      ]
    },
    {
      "title": "Load",
      "about": "The target rate, and what was sent and answered as expected.",
      "metrics": [
        { "name": "load_rps_max", "title": "capacity", "unit": "1/s", "shown_unit": "iterations/s",
          "direction": "higher", "group": "load", "when": "search" },
        { "name": "load_users_max", "title": "capacity, users", "unit": "1", "shown_unit": "users",
          "direction": "higher", "group": "load", "when": "search" },
        { "name": "throughput_rps", "title": "throughput", "unit": "1/s", "shown_unit": "responses/s",
          "direction": "higher", "group": "throughput", "from": { "per_second": "expected" } },
        { "name": "requests_rps", "title": "requests", "unit": "1/s", "shown_unit": "requests/s",
          "group": "throughput", "from": { "per_second": "requests" } },
        { "name": "iterations_rps", "title": "iterations", "unit": "1/s", "shown_unit": "iterations/s",
          "direction": "higher", "group": "throughput", "from": { "per_second": "iterations" } },
        { "name": "rate_target_rps", "title": "target rate", "unit": "1/s", "shown_unit": "iterations/s",
          "group": "load", "from": { "per_second": "target" } },
        { "name": "rate_achieved_ratio", "title": "rate achieved", "unit": "ratio",
          "direction": "higher", "group": "load", "from": { "ratio": ["started", "target"] } },
        { "name": "dropped_iterations_ratio", "title": "iterations not sent", "unit": "ratio",
          "direction": "lower", "group": "load", "from": { "ratio": ["dropped", "due"] } },
        { "name": "iterations_unfinished_ratio", "title": "iterations not finished", "unit": "ratio",
          "direction": "lower", "group": "load", "from": { "ratio": ["unfinished", "started"] } },
        { "name": "users_max", "title": "peak users", "unit": "1", "group": "load", "from": { "field": "users_max" } }
      ]
    },
    {
      "title": "Errors",
      "about": "Shares of all requests.",
      "metrics": [
        { "name": "errors_ratio", "title": "errors", "unit": "ratio",
          "direction": "lower", "group": "errors", "from": { "ratio": ["errors", "requests"] } },
        { "name": "status_errors_ratio", "title": "unexpected statuses", "unit": "ratio",
          "direction": "lower", "group": "errors", "from": { "ratio": ["status_errors", "requests"] } },
        { "name": "network_errors_ratio", "title": "network errors", "unit": "ratio",
          "direction": "lower", "group": "errors", "from": { "ratio": ["network_errors", "requests"] } },
        { "name": "expectation_errors_ratio", "title": "failed expectations", "unit": "ratio",
          "direction": "lower", "group": "errors", "from": { "ratio": ["failed_expectations", "requests"] } }
      ]
    },
    {
      "title": "Faults",
      "about": "From one second before a service was stopped, killed or paused until it had to recover; the metrics above exclude this time.",
      "metrics": [
        { "name": "recovery_ms_max", "title": "longest recovery", "unit": "ms",
          "direction": "lower", "group": "fault", "when": "faults", "from": { "field": "recovery_ms_max" } },
        { "name": "fault_errors_ratio", "title": "errors during faults", "unit": "ratio",
          "direction": "lower", "group": "fault", "when": "faults",
          "from": { "ratio": ["fault_errors", "fault_requests"] } },
        { "name": "fault_latency_ms_p95", "title": "latency during faults, p95", "unit": "ms",
          "direction": "lower", "group": "fault", "when": "faults", "from": { "quantile": ["fault_latency", 95] } }
      ]
    },
    {
      "title": "Users",
      "about": "How fast each user received responses that took long enough to measure.",
      "metrics": [
        { "name": "receiving_bytes_per_second_min", "title": "receiving, slowest user", "unit": "bytes/s",
          "direction": "higher", "group": "user", "when": "users", "from": { "users": "min" } },
        { "name": "receiving_bytes_per_second_p50", "title": "receiving, median user", "unit": "bytes/s",
          "direction": "higher", "group": "user", "when": "users", "from": { "users": "median" } },
        { "name": "receiving_bytes_per_second_max", "title": "receiving, fastest user", "unit": "bytes/s",
          "direction": "higher", "group": "user", "when": "users", "from": { "users": "max" } }
      ]
    },
    {
      "title": "Groups",
      "about": "Requests timed as one.",
      "metrics": [
        { "name": "duration_ms_mean", "title": "duration mean", "unit": "ms",
          "direction": "lower", "group": "latency", "of": "group", "from": { "mean": "duration" } },
        { "name": "duration_ms_p50", "title": "duration p50", "unit": "ms",
          "direction": "lower", "group": "latency", "of": "group", "from": { "quantile": ["duration", 50] } },
        { "name": "duration_ms_p90", "title": "duration p90", "unit": "ms",
          "direction": "lower", "group": "latency", "of": "group", "from": { "quantile": ["duration", 90] } },
        { "name": "duration_ms_p95", "title": "duration p95", "unit": "ms",
          "direction": "lower", "group": "latency", "of": "group", "from": { "quantile": ["duration", 95] } },
        { "name": "duration_ms_max", "title": "duration maximum", "unit": "ms",
          "direction": "lower", "group": "latency", "of": "group", "from": { "quantile": ["duration", 100] } }
      ]
    },
    {
      "title": "Services",
      "about": "All sampled services together, read from the operating system once a second. Memory is PSS where the system says it (the record has `memory`), in which a page that processes share counts once; else RSS, summed over processes. Network bytes are those of the whole machine for services that run as processes, and of the container for those that run in one. Bytes read from disks and written to them are known of containers: what the page cache did not answer. CPU per request is without the threads of a JVM or of .NET that only compile; other CPU times are with them.",
      "metrics": [
        { "name": "cpu_ms_per_request", "title": "CPU per request", "unit": "ms",
          "direction": "lower", "group": "services", "from": { "used": "cpu_ms_per_request" } },
        { "name": "cpu_ratio_mean", "title": "CPU, mean", "unit": "cores",
          "direction": "lower", "group": "services", "from": { "used": "cpu_ratio_mean" } },
        { "name": "memory_bytes_mean", "title": "memory, mean", "unit": "bytes",
          "direction": "lower", "group": "services", "from": { "used": "memory_bytes_mean" } },
        { "name": "memory_bytes_max", "title": "peak memory", "unit": "bytes",
          "direction": "lower", "group": "services", "from": { "used": "memory_bytes_max" } },
        { "name": "memory_growth_bytes", "title": "memory growth per 1,000 requests", "unit": "bytes",
          "direction": "lower", "group": "age", "when": "duet", "compared": "difference" },
        { "name": "descriptors_count_max", "title": "peak open descriptors", "unit": "1",
          "direction": "lower", "group": "services", "from": { "used": "descriptors_count_max" } },
        { "name": "network_rx_bytes_per_second", "title": "network of machine or container, in", "unit": "bytes/s",
          "group": "services", "from": { "used": "network_rx_bytes_per_second" } },
        { "name": "network_tx_bytes_per_second", "title": "network of machine or container, out", "unit": "bytes/s",
          "group": "services", "from": { "used": "network_tx_bytes_per_second" } },
        { "name": "block_read_bytes_per_second", "title": "read from disks", "unit": "bytes/s",
          "direction": "lower", "group": "services", "when": "containers", "from": { "used": "block_read_bytes_per_second" } },
        { "name": "block_write_bytes_per_second", "title": "written to disks", "unit": "bytes/s",
          "direction": "lower", "group": "services", "when": "containers", "from": { "used": "block_write_bytes_per_second" } }
      ]
    },
    {
      "title": "Generator",
      "about": "k6 itself: near its own limit, it would measure itself.",
      "metrics": [
        { "name": "generator_cpu_ratio", "title": "CPU of k6, share of its limit", "unit": "ratio",
          "group": "load", "from": { "field": "generator_cpu_ratio" } },
        { "name": "generator_lateness_ms_p99", "title": "lateness of k6, p99", "unit": "ms",
          "direction": "lower", "group": "load", "when": "native", "from": { "quantile": ["lateness", 99] } },
        { "name": "connections_per_second", "title": "connections opened", "unit": "1/s", "shown_unit": "connections/s",
          "group": "throughput", "when": "native", "from": { "per_second": "connections" } },
        { "name": "generator_cpu_ratio_mean", "title": "CPU of k6, mean", "unit": "cores",
          "group": "load", "from": { "cores": "generator_cpu_ms" } },
        { "name": "unsampled_cpu_ratio_mean", "title": "CPU of what is not sampled of the system, mean", "unit": "cores",
          "group": "load", "when": "unsampled", "from": { "cores": "unsampled_cpu_ms" } },
        { "name": "machine_cpu_ratio_mean", "title": "CPU of the whole machine, mean", "unit": "cores",
          "group": "load", "from": { "cores": "machine_cpu_ms" } },
        { "name": "received_bytes_per_second", "title": "received", "unit": "bytes/s",
          "group": "throughput", "from": { "per_second": "received_bytes" } },
        { "name": "sent_bytes_per_second", "title": "sent", "unit": "bytes/s",
          "group": "throughput", "from": { "per_second": "sent_bytes" } }
      ]
    }
  ],

  # What is known of a request, a service or a moment, and is not a metric of a case.
  "others": [
    { "name": "errors_rps", "title": "errors", "unit": "1/s", "shown_unit": "errors/s" },
    { "name": "dropped_rps", "title": "iterations dropped", "unit": "1/s", "shown_unit": "iterations/s" },
    { "name": "users", "title": "users", "unit": "1" },
    { "name": "cpu_ratio", "title": "CPU", "unit": "cores", "shown_unit": "cores in use" },
    { "name": "memory_bytes", "title": "memory", "unit": "bytes" },
    { "name": "count", "title": "requests", "unit": "1" },
    { "name": "share", "title": "share of the requests", "unit": "ratio" },
    { "name": "weight", "title": "weight", "unit": "1" }
  ],

  # At the top of a record, and in tables of cases on pages.
  "headline": [
    "load_rps_max", "load_users_max", "throughput_rps", "latency_ms_p50", "latency_ms_p95", "latency_ms_p99",
    "errors_ratio", "cpu_ms_per_request", "memory_bytes_max"
  ],
  # In tables of the terminal and of comments, where a case has them.
  "summary": [
    "throughput_rps", "rate_target_rps", "latency_ms_p50", "latency_ms_p95", "latency_ms_p99", "errors_ratio",
    "dropped_iterations_ratio", "cpu_ms_per_request", "recovery_ms_max", "fault_errors_ratio", "receiving_bytes_per_second_min",
    "receiving_bytes_per_second_p50", "receiving_bytes_per_second_max"
  ],
  # Compared and shown, whether gated or not.
  "compared": [
    "throughput_rps", "latency_ms_p50", "latency_ms_p95", "latency_ms_p99", "errors_ratio", "cpu_ms_per_request",
    "memory_bytes_max"
  ],
  # Of each request, by its name.
  "of_request": ["count", "share", "weight", "latency_ms_p50", "latency_ms_p95", "latency_ms_p99", "errors_ratio"],
  # Of each second: what charts over time may draw, besides metrics from Prometheus.
  "over_time": [
    "throughput_rps", "requests_rps", "iterations_rps", "errors_rps", "dropped_rps", "latency_ms_mean",
    "latency_ms_p50", "latency_ms_p90", "latency_ms_p95", "latency_ms_p99", "latency_ms_max", "users",
    "received_bytes_per_second", "sent_bytes_per_second", "cpu_ratio", "memory_bytes", "network_rx_bytes_per_second",
    "network_tx_bytes_per_second"
  ]
};
