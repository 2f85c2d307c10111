# What services and k6 itself used, from services.ndjson: a line a second. CPU time and network bytes are cumulative and
# are interpolated at the edges of the window, so that they cover the very time that the requests were counted in.
import "lib/tables/limits" as limits;

def _sum: if length == 0 or any(. == null) then null else add end;

def _read: ["cpu_ns", "compilers_ns", "memory_bytes", "descriptors", "network_rx_bytes", "network_tx_bytes", "block_read_bytes",
  "block_write_bytes", "alive"];

# [lines] => as what memory counts: "working_set" where all services are containers, "mixed" where some are, "pss" where each
# sample of each service has it, else "rss"
def memory:
  [.[][].services // {} | .[]]
  | if any(.[]; .memory == "working_set") then if all(.[]; .memory == "working_set") then "working_set" else "mixed" end
    elif . != [] and all(.[]; .pss_bytes != null) then "pss"
    else "rss" end;

# lines => the same, with that as the memory of services
def with_memory($memory):
  if $memory == "pss" or $memory == "mixed"
  then map(.services |= map_values(.memory_bytes = (.pss_bytes // .memory_bytes)))
  else . end;

# [[x]] of one length each => [f of those in one place]
def _across(f): . as $all | [range($all[0] | length) as $i | [$all[][$i]] | f];

# [columns of a service] => the sums of a counter of those services that have it: in each sample, or they would come and go
def _known(counter):
  (map(counter) | map(select(any(.[]; . == null) | not))) as $known
  | if $known == [] then [.[0].cpu_ns[] | null] else $known | _across(add) end;

# [columns of a service] => those of all together. Network bytes are those of a whole network namespace, which services
# share more often than not: the largest stands for all. Bytes of block devices are known of containers alone.
def _together:
  if length < 2 then .[0]
  else { cpu_ns: (map(.cpu_ns) | _across(_sum)),
         compilers_ns: (map(.compilers_ns) | _across(_sum)),
         memory_bytes: (map(.memory_bytes) | _across(_sum)),
         descriptors: (map(.descriptors) | _across(_sum)),
         network_rx_bytes: (map(.network_rx_bytes) | _across(max)),
         network_tx_bytes: (map(.network_tx_bytes) | _across(max)),
         block_read_bytes: _known(.block_read_bytes),
         block_write_bytes: _known(.block_write_bytes) }
  end;

# lines => { t: [ms], services: { name: { cpu_ns: [], … } }, total, k6: [ns], unsampled: [ns], machine: [ns] }; total null: none
# sampled; unsampled: services that the spec does not have sampled, and what forwards connections into containers
def columns:
  . as $lines
  | ([.[] | .services // {} | keys[]] | unique) as $names
  | { t: map(.t), k6: map(.k6.cpu_ns), unsampled: map(.unsampled.cpu_ns), machine: map(.machine.cpu_ns), services: {} }
  | reduce $names[] as $name (.; reduce _read[] as $of (.; .services[$name][$of] = [$lines[].services[$name][$of]]))
  | .total = ([.services[]] | _together);

# [columns] of processes one after the other => as if of one; what a timeline needs of them
def chained:
  . as $all
  | if length == 1 then .[0]
    else { t: (map(.t) | add // []), k6: (map(.k6) | add // []), services: {} }
    | reduce ([$all[].services | keys[]] | unique[]) as $name (.;
        reduce ("cpu_ns", "memory_bytes", "network_rx_bytes", "network_tx_bytes") as $of (.;
          .services[$name][$of] = ([$all[].services[$name][$of]] | add)))
    | .total = ([.services[]] | _together)
    end;

# values at $times, ascending => the value at $t, on the line between its neighbours; outside: the nearest
def at($times; $t):
  ($times | bsearch($t)) as $i
  | (-1 - $i) as $above
  | if $i >= 0 then .[$i]
    elif $above == 0 then .[0]
    elif $above >= ($times | length) then .[-1]
    else ($t - $times[$above - 1]) / ($times[$above] - $times[$above - 1]) * (.[$above] - .[$above - 1]) + .[$above - 1]
    end;

# values of a cumulative counter => how much it grew between two times; what no sample covers is taken to be like the
# rest. null: too little is covered, or it fell (another process took its place)
def grown($times; $from_ms; $to_ms):
  ([$from_ms, $times[0]] | max) as $from
  | ([$to_ms, $times[-1]] | min) as $to
  | ($to_ms - $from_ms) as $length
  | if ($times | length) < 2 or $to - $from < limits::limits.services_coverage * $length or any(. == null) then null
    else (at($times; $to) - at($times; $from)) * $length / ($to - $from)
    | if . < 0 then null else . end
    end;

# columns => [first, last] line of a window and one on each side of it
def _around($window):
  (.t | bsearch($window.from_ms) | if . < 0 then -2 - . else . end) as $first
  | (.t | bsearch($window.to_ms) | if . < 0 then -1 - . else . end) as $last
  | [([$first, 0] | max), $last];

# values at $times => those within a window; of one shorter than the time between samples, those around it
def _inside($times; $window):
  . as $values
  | [range(length) as $i | select($times[$i] >= $window.from_ms and $times[$i] <= $window.to_ms) | $values[$i] | values]
  | if . == [] then $values | map(values) else . end;

def _milliseconds: if . == null then null else . / 1e6 end;

# columns of one service, cut to a window => what it used in it
def _used($times; $window):
  def grown_by($of): .[$of] | grown($times; $window.from_ms; $window.to_ms);
  (.memory_bytes | _inside($times; $window)) as $memory
  | { cpu_ms: (grown_by("cpu_ns") | _milliseconds),
      compilers_ms: (grown_by("compilers_ns") | _milliseconds),
      network_rx_bytes: grown_by("network_rx_bytes"),
      network_tx_bytes: grown_by("network_tx_bytes"),
      block_read_bytes: grown_by("block_read_bytes"),
      block_write_bytes: grown_by("block_write_bytes"),
      memory_sum: ($memory | add), memory_count: ($memory | length), memory_max: ($memory | max),
      descriptors_max: (.descriptors | _inside($times; $window) | max),
      seconds: $window.seconds };

def _nothing: { services: {}, total: null, generator_cpu_ms: null, unsampled_cpu_ms: null, machine_cpu_ms: null, died: [] };

# columns => what was used between two times
def _used_in($window):
  _around($window) as [$first, $last]
  | .t[$first:$last + 1] as $times
  | def cut: map_values(.[$first:$last + 1]);
    def cpu($of): .[$of][$first:$last + 1] | grown($times; $window.from_ms; $window.to_ms) | _milliseconds;
    { services: (.services | map_values(cut | _used($times; $window))),
      total: (.total | if . then cut | _used($times; $window) else null end),
      generator_cpu_ms: cpu("k6"),
      unsampled_cpu_ms: cpu("unsampled"),
      machine_cpu_ms: cpu("machine"),
      died: [.services | keys[] as $name | select(any(.[$name].alive[:$last + 1][]; . == false)) | $name] };

# [used of one service] in several windows => in all of them; CPU time that is not known of one is not known of all
def joined:
  { cpu_ms: (map(.cpu_ms) | _sum),
    compilers_ms: (map(.compilers_ms) | _sum),
    network_rx_bytes: (map(.network_rx_bytes) | _sum),
    network_tx_bytes: (map(.network_tx_bytes) | _sum),
    block_read_bytes: (map(.block_read_bytes) | _sum),
    block_write_bytes: (map(.block_write_bytes) | _sum),
    memory_sum: (map(.memory_sum) | add),
    memory_count: (map(.memory_count) | add),
    memory_max: (map(.memory_max) | max),
    descriptors_max: (map(.descriptors_max) | max),
    seconds: (map(.seconds) | add) };

# [what was used] => in all of them together
def _together_used:
  . as $all
  | { services: (reduce ($all[0].services | keys[]) as $name ({}; .[$name] = ([$all[].services[$name]] | joined))),
      total: (map(.total) | if any(. == null) then null else joined end),
      generator_cpu_ms: (map(.generator_cpu_ms) | _sum),
      unsampled_cpu_ms: (map(.unsampled_cpu_ms) | _sum),
      machine_cpu_ms: (map(.machine_cpu_ms) | _sum),
      died: (map(.died[]) | unique) };

# columns => what was used in a window, without what is around faults: { services: { name: used }, total: used or null,
# generator_cpu_ms, unsampled_cpu_ms, machine_cpu_ms, died: [name] }
def used($window):
  if $window == null or (.t | length) == 0 then _nothing
  else [. as $columns | ($window.steady // [$window])[] as $piece | $columns | _used_in($piece)]
  | if length == 1 then .[0] else _together_used end
  end;

# what thresholds call a service's metric => its column; `scale` makes a rate of a counter (per ms => unit)
def _sampled: {
  cpu_ratio: { column: "cpu_ns", scale: 1e-6 },
  memory_bytes: { column: "memory_bytes", scale: null },
  descriptors_count: { column: "descriptors", scale: null },
  network_rx_bytes: { column: "network_rx_bytes", scale: 1000 },
  network_tx_bytes: { column: "network_tx_bytes", scale: 1000 },
  block_read_bytes: { column: "block_read_bytes", scale: 1000 },
  block_write_bytes: { column: "block_write_bytes", scale: 1000 }
};

# values at $times => [growth since the value before, by time]
def _rates($times; $scale):
  . as $values
  | [range(1; $times | length) as $i
    | select($times[$i] > $times[$i - 1] and $values[$i] != null and $values[$i - 1] != null)
    | ($values[$i] - $values[$i - 1]) / ($times[$i] - $times[$i - 1]) * $scale];

# columns => [one value a sample] between two times of a service's metric
def _series($metric; $service; $window):
  _sampled[$metric] as $of
  | _around($window) as [$first, $last]
  | .t[$first:$last + 1] as $times
  | (if $service == null then .total else .services[$service] end)[$of.column]
  | if . == null then []
    else .[$first:$last + 1]
    | if $of.scale == null then _inside($times; $window) else _rates($times; $of.scale) end
    end;

# columns => [one value a sample] in a window of a service's metric; $service null: of all together. What is cumulative
# (cpu_ratio, network bytes a second) is a rate since the sample before.
def series($metric; $service; $window):
  . as $columns | [($window.steady // [$window])[] as $piece | $columns | _series($metric; $service; $piece)[]];
