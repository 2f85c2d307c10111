# Every number that decides something, once, with its reason.
def limits: {
  # An iteration that was not sent is a response time nobody saw, most likely a slow one. One in a thousand is as far as
  # p99.9 can be off; k6 dropped 191 of 1,000 while it reported p95 = 0.6 ms (coordinated omission).
  "dropped_ratio": 0.001,

  # Arrival executors keep their rate to well under 1 % when there are users to send: 2 % short is another load.
  "rate_achieved_ratio": 0.98,

  # Above four fifths of the cores it may use, k6 queues behind itself and its times are its own.
  "generator_busy_ratio": 0.8,

  # A single-threaded service that uses four fifths of a core is busy; below, running out of users is the plan's fault.
  "service_busy_cores": 0.8,

  # With less than a tenth of the machine idle a service may want CPU time and not get it: not busy means nothing then.
  "machine_full_ratio": 0.9,

  # Of a window, the share that samples of services must cover; the rest is filled at the same rate.
  "services_coverage": 0.8,

  # The halves of a window are compared only where each has this many seconds, in this many batches …
  "steady_points": 8,
  "steady_batches": 4,
  # … and called different when a t-test at this level says so, and the size matters too: of a hundred steady cases
  # about one in ten suites has a false positive.
  "steady_alpha": 0.001,
  "steady_difference": 0.1,

  # Requests of a duet's sides may differ by this share: those that were on their way when a block ended.
  "duet_requests_ratio": 0.001,

  # Requests below which shares of the mix are not judged, and how many standard errors are no chance any more.
  "mix_count": 100,
  "mix_errors": 4,

  # Two machines of one size report slightly different memory.
  "memory_difference": 0.05,

  # What the machine did beside us, as a share of all its cores: more than this disturbs what is measured. Its CPU time
  # is counted in hundredths of a second, so short windows say nothing.
  "others_busy_ratio": 0.25,
  "disturbed_seconds": 2,

  # The minimum detectable effect is found in four of five comparisons of its size.
  "power": 0.8,

  # Records of a series before its own session_sd is used: of fewer, the estimate is worse than the assumption.
  "series_records": 5,

  # For shares (errors), compared as differences: one request in a thousand more.
  "share_tolerance": 0.001,

  # What a comparison takes where neither the spec nor bench.toml says.
  "tolerance": 0.02,
  "alpha": 0.01,
  "session_sd": 0.1,
  "gate": ["cpu_ms_per_request", "latency_ms_p50", "latency_ms_p95"],

  # A request may be on its way when a fault comes: this much before it, iterations are not measured with the rest. One
  # that comes or goes by more than this beside its time was another than was asked for.
  "fault_lead_s": 1,
  "fault_late_ms": 250,

  # A response that was received in less came in a few packets, which tell no rate.
  "receiving_ms": 50,

  # Requests whose rates are drawn over time; the record would be little else.
  "timeline_requests": 12,

  # A record is read by people's browsers and kept in git for good.
  "record_bytes": 64000,
  "timeline_points": 300
};
