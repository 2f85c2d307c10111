# Every number that decides what counts, what is judged and how, once, with its reason. What only bounds a wait, a buffer or a list
# stands where it is used.
def limits: {
  # An iteration that was not sent is a response time that was not seen, most likely a slow one. One in a thousand is as far as
  # p99.9 can be off; k6 dropped 191 of 1,000 while it reported p95 = 0.6 ms (coordinated omission).
  "dropped_ratio": 0.001,

  # Arrival executors keep their rate to well under 1 % when there are users to send: 2 % short is another load.
  "rate_achieved_ratio": 0.98,

  # Above four fifths of the cores it may use, k6 queues behind itself and its times are its own.
  "generator_busy_ratio": 0.8,

  # A generator that knows how late it is (the native player) is judged by that and not by its CPU time: busy is not a fault,
  # late is. In one of a hundred it may send this late, or by this share of the median latency, which is little beside it.
  # Timers alone are 1 ms late; with other programs on 80 % of two cores it was 5 to 30 ms.
  "lateness_ms": 10,
  "lateness_ratio": 0.1,

  # Several machines share one load: so far apart in milliseconds they may begin. Beyond, for that long at its edges, it was
  # another load.
  "start_skew_ms": 1000,

  # Before the load each request is sent once. One that fails so often in a row, where at most such a share may fail, was not
  # unlucky: with one in ten that would be one case in a thousand. Where more may fail, that may be meant. What takes longer
  # than so many seconds is left to the load.
  "smoke_tries": 3,
  "smoke_error_cap": 0.1,
  "smoke_seconds": 10,

  # A single-threaded service that uses half of a core on average was at its limit for seconds on end, as one of 0.794 was
  # that all of 500 users waited for. Below, running out of users is the plan's fault.
  "service_busy_cores": 0.5,

  # With less than a tenth of the machine idle a service may want CPU time and not get it: not busy means nothing then.
  "machine_full_ratio": 0.9,

  # Of a window, the share that samples of services must cover; the rest is filled at the same rate.
  "services_coverage": 0.8,

  # A round in which a service took less than this share of the CPU time that an iteration takes in the others, where that
  # would be so much: sampling lost some of its processes. Warm-up and noise are far from it.
  "lost_cpu_ratio": 0.25,
  "lost_cpu_ms": 200,

  # The halves of a window are compared only where each has this many seconds, in this many batches …
  "steady_points": 8,
  "steady_batches": 4,
  # … and called different when a t-test at this level says so, and the size matters too: of a hundred steady cases
  # about one in ten suites has a false positive.
  "steady_alpha": 0.001,
  "steady_difference": 0.1,

  # A percentile needs so many observations on its rarer side: of fewer, it is one of the last few, whichever they were.
  "rarer_samples": 20,

  # What a scenario takes where it does not say: the share of requests that may fail, and by how much the shares of weighted requests
  # may be off.
  "error_cap": 0.01,
  "mix_tolerance": 0.05,

  # Requests of a duet's sides may differ by this share: those that were on their way when a block ended.
  "duet_requests_ratio": 0.001,

  # … and by this share at most where the edges of blocks cut long iterations in two.
  "duet_cut_ratio": 0.05,

  # Requests below which shares of the mix are not judged, and beyond how many standard errors it is not chance.
  "mix_count": 100,
  "mix_errors": 4,

  # Two machines of one size report slightly different memory.
  "memory_difference": 0.05,

  # What the machine did beside us, as a share of all its cores: more than this disturbs what is measured. Its CPU time
  # is counted in hundredths of a second, so short windows say nothing.
  "others_busy_ratio": 0.25,
  "disturbed_seconds": 2,

  # A probe of `find` that says nothing because of other programs is tried so often: a burst of theirs has most likely ended.
  "disturbed_tries": 4,
  # So many rounds of a case are measured again, at the most, because they did not count for what others did.
  "disturbed_repeats": 3,

  # The minimum detectable effect is found in four of five comparisons of its size.
  "power": 0.8,

  # Two records whose probes of the machine's speed are further apart are not compared; nor is one during which it changed by twice
  # as much. On a shared host a copy of memory takes 10 to 20 % more or less from second to second, integers and hashes 2 to 4 %.
  "speed_differences": { "integer_ms": 0.05, "memory_ms": 0.25, "hash_ms": 0.05 },
  # How much sessions differ is seen in records of at least so many boots of the machine: those of one afternoon say nothing of it …
  "session_boots": 3,
  # … and what is assumed counts beside them as so many more: of three, the estimate alone would often be far too small.
  "session_prior_df": 4,
  # Of a trial that is judged as if its base had been stored, so many blocks are taken for rounds: as many as a run has.
  "stored_rounds": 5,

  # For shares (errors), compared as differences: one request in a thousand more.
  "share_tolerance": 0.001,

  # What a comparison takes where neither the spec nor bench.toml says.
  "tolerance": 0.02,
  "alpha": 0.01,
  "session_sd": 0.1,
  "gate": ["cpu_ms_per_request", "latency_ms_p50", "latency_ms_p95"],

  # Records that were begun so many seconds apart, at the most, are of about one session: where the machine's speed is not known of
  # them, it is taken to have been the same. Beyond, it has to be known.
  "session_seconds": 3600,

  # The default gate of a duet has the median latency of each request too, of so many at the most. Where a side has fewer samples of
  # it a block, on average, the interval would leave most duets undecided: it is a guardrail then.
  "parts": 100,
  "part_samples": 100,
  # Their part of alpha, however many they are, so that the case's own metrics stay nearly as sharp: the simulation is in
  # test/reports/parts-simulation.test.js.
  "parts_alpha_ratio": 0.5,

  # When a duet is judged: after so many blocks, which spends such a part of alpha. The parts of alpha add up to one: however looks depend
  # on each other, all of them together keep alpha (Bonferroni). Most of it is for the later ones: what is seen with few blocks is a large
  # change, which is seen with a small share too, while small ones need many blocks and all that can be spent. A duet of other than these
  # blocks ends with a look after its last one, which spends what is left.
  "interim_looks": [[6, 0.05], [9, 0.1], [12, 0.25], [18, 0.2], [24, 0.4]],

  # Before so many blocks a duet ends only where something is worse. Each is a start of both sides: a head that is slow in one start
  # of ten is not met in 53 % of six, and in 39 % of nine.
  "pass_blocks": 9,

  # Of the machine's cores, the share that both sides and their generators may need together to be loaded at once.
  "lanes_busy_ratio": 0.7,

  # The lanes of a duet beside solo: what is gated of them where the gate names none …
  "lanes_gate": [
    "throughput_rps{lane:saturation}", "throughput_rps{lane:load}", "latency_ms_p50{lane:load}", "latency_ms_p95{lane:load}",
    "throughput_rps{lane:age}", "latency_ms_p50{lane:age}", "latency_ms_p95{lane:age}"
  ],
  # … their part of alpha: with them and the guardrails, the intervals of twelve blocks of solo are 12 % wider than with guardrails alone,
  # and production's load is what people ask about …
  "lanes_alpha_ratio": 0.4,
  # … and what they may be worse by at the least, where the spec does not say: queues amplify a difference.
  "lanes_tolerances": { "throughput_rps": 0.05, "latency_ms_p50": 0.1, "latency_ms_p95": 0.15 },

  # Each side is started once for the age lane, and two processes of one program differ for as long as they live: by so much (a
  # standard deviation, log scale), of which their seconds say nothing. At 250/s the medians of equal sides were 5 % apart in
  # ten pairs of starts, though their seconds said 1 to 2 %; the p95 were 3 to 15 % apart in eight of them, and 43 % in one.
  "age_start_sd": { "throughput_rps": 0.02, "latency_ms_p50": 0.06, "latency_ms_p95": 0.12 },

  # What a duet watches besides its gate and its lanes, and by how much head may be worse.
  # errors_ratio: one request in a thousand more, of one user and under load.
  # tail_ratio: 1.2 % of the requests slower than base's p99, in place of 1 %,
  # and 1.5 % of those of one name, which are fewer, and under load, where both sides' tails are those of their queues; 3 % with age,
  # where each side is started once.
  # slow_starts_ratio: one start in fifty more; a duet has at most 24, so that a single one is more.
  # memory_bytes_max: a ratio. Collectors of garbage make a peak scatter by some percent. memory_growth_bytes: of a thousand
  # requests, 500 bytes of each. latency_growth_ratio: as of a latency in the load lane.
  "guardrails": {
    "errors_ratio": 0.001, "errors_ratio{lane:load}": 0.001, "tail_ratio": 0.002, "tail_ratio{request}": 0.005,
    "tail_ratio{lane:load}": 0.005, "tail_ratio{lane:age}": 0.02, "memory_bytes_max": 0.1,
    "slow_starts_ratio": 0.02, "errors_ratio{lane:age}": 0.001, "memory_growth_bytes{lane:age}": 500000,
    "latency_growth_ratio{lane:age}": 0.25
  },
  # The window of the age lane is compared in so many parts at the most: a second each in the shortest.
  "age_parts": 30,

  # A start is slow where the ratio of its block is off that of the others by so many standard deviations (by the median of how far all
  # are off), and by this factor: with one user none of 9,000 blocks of A/A trials was. In lanes, where both sides share the machine,
  # the larger factor: none of 1,600.
  "slow_start_deviations": 4,
  "slow_start_factor": 1.5,
  "slow_start_lane_factor": 2,

  # Blocks of which one is set beside the others, or in the order of their time: of fewer it is not known what is usual.
  "least_blocks": 6,

  # Blocks of a duet depend on each other for certain where chance alone gives this in one of a hundred.
  "dependence_level": 0.99,

  # Requests a side, of which fewer tell nothing of the slowest hundredth.
  "tail_count": 3000,
  # Their part of alpha.
  "guardrails_alpha_ratio": 0.2,
  # What seems worse, and is not for certain, leaves a case undecided: failed requests always, for where nothing changed there
  # are none; under load, where a service that is near its limit fails some, and of a tail, where of 3,000 requests the error
  # is as large as the tolerance, only what chance would show in one of a hundred. Times and throughput under load keep no case from
  # passing; where they seem worse, what chance would show in one of ten, more blocks are measured.
  "seems_levels": { "throughput_rps{lane:saturation}": 0.9, "throughput_rps{lane:load}": 0.9, "latency_ms_p50{lane:load}": 0.9,
    "latency_ms_p95{lane:load}": 0.9, "tail_ratio": 0.99, "tail_ratio{request}": 0.99, "latency_ms_p50{request}": 0.99,
    "tail_ratio{lane:load}": 0.99, "tail_ratio{lane:age}": 0.99, "errors_ratio{lane:load}": 0.99, "errors_ratio{lane:age}": 0.99 },
  # A lane that could hide a throughput of less than this share of base's leaves a case undecided. Latencies of two seconds
  # under load scatter too much to ask it of them; what overloads a system shows in the throughput too.
  "guardrail_ratio": 0.5,

  # What is undecided under load and could be worse by so much is in the first words of an outcome.
  "half_worse_ratio": 1.5,

  # A threshold that head misses and base meets under load fails a case where that is so in each block, and there are as many:
  # near a threshold, chance does that at most once in 64 times with three, once in 4,096 with six. Of many blocks it is enough that
  # chance would not give so many more of them to head than to base but once in 1,000 times.
  "threshold_blocks": 3,
  "threshold_level": 0.001,

  # A request may be on its way when a fault comes: this much before it, iterations are not measured with the rest. One
  # that comes or goes by more than this off schedule was not the one that was planned.
  "fault_lead_s": 1,
  "fault_late_ms": 250,

  # The 40 ms that Linux waits before it acknowledges what it need not answer, and what a response takes besides: 42 to 51 ms of a
  # Node.js service; the share of requests that wait, and the least of those that do not, for the first requests of a connection never
  # do; fewer requests show no gap.
  "delayed_ms": [39, 52],
  "delayed_share": 0.05,
  "delayed_fast": 0.01,
  "delayed_count": 100,

  # A response that was received in less came in a few packets, which tell no rate.
  "receiving_ms": 50,

  # Requests whose rates are drawn over time; the record would be little else.
  "timeline_requests": 12,

  # Answers to each request that are sampled in a round, of all requests together, and the largest body that is hashed:
  # each is a line in k6's log, and takes as long as ten requests whose answers are not sampled.
  "answers": 50,
  "answers_all": 1000,
  "answer_bytes": 1000000,
  # In a duet the structure of the first so many JSON bodies is compared, of one user, or of the first 300 kB of them: the
  # native player takes 0.14 ms for one of 3 kB and 4 ms for one of 95 kB.
  "answer_fields": 20,
  # Of a field with more different values than these, none is named.
  "answer_values": 20,

  # Another work: fewer answers than these tell nothing; shares (of a status, a content type, of redirects) may differ by
  # this much, and by as many standard errors; mean sizes by this factor, by as many standard errors, and by so many
  # bytes; by the smaller factor a note names them. What is the same on every answer of head was so many different bodies on base.
  "work_answers": 10,
  "work_share": 0.05,
  "work_errors": 4,
  "work_size_factor": 2,
  "work_size_noted": 1.1,
  "work_size_bytes": 32,
  "work_bodies": 5,
  # An accepted change of answers is measured anew in each duet: shares may be off by so many points, sizes by this factor.
  "accepted_points": 10,
  "accepted_size_factor": 1.25,

  # A head that is ready later than base for certain by this factor, and by more than the pause between two looks, is named.
  "starts_factor": 1.25,
  "starts_seconds": 0.25,

  # A record is read by people's browsers and kept in git for good.
  "record_bytes": 64000,
  "timeline_points": 300,

  # Of what a script measures itself a record has so many, with names and tags of so many letters: 20 of five numbers each take
  # 12 kB. Over time it has so many, those of which there were most.
  "script_metrics": 20,
  "script_metric_letters": 64,
  "script_metric_tag_letters": 200,
  "timeline_script_metrics": 8,

  # Of the checks of a script it has so many, those that failed most first.
  "checks": 50,
  "check_letters": 120
};
