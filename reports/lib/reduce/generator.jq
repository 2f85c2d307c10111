# How busy k6 was: its CPU time by that of the cores it may use, less what services and other programs took of those
# cores.

# "0-3,8" | [0, 1, 2, 3, 8] | 2 => [core]
def cores:
  if type == "number" then [range(.)]
  elif type == "array" then .
  else [split(",")[] | split("-") | map(tonumber) | range(.[0]; .[-1] + 1)]
  end;

# service as in the case => which share of its time falls on the cores $own, on a machine of $machine cores
def _share_on($own; $machine):
  if .cpus == null then ($own | length) / ([$machine, ($own | length)] | max)
  else (.cpus | cores) as $its | ($its - ($its - $own) | length) / ($its | length)
  end;

# measure of a process => what programs took that are neither k6 nor a sampled service; 0 when that is not known
def _others:
  if .machine_cpu_ms == null or .generator_cpu_ms == null then 0
  else [.machine_cpu_ms - .generator_cpu_ms - ([.services[]?.cpu_ms // 0] | add // 0), 0] | max
  end;

# measure of a process; what other programs took => that ratio; null when k6 was not sampled
def _busy_ratio($file; $others):
  . as $measure
  | ($file.run.fingerprint.cores // null) as $machine
  | ($file.run.generator_cores // $machine) as $allowed
  | if $allowed == null or .generator_cpu_ms == null or (.seconds // 0) <= 0 then null
    else ($allowed | cores) as $own
    # Pinned means: to cores that no service may use.
    | ([select($file.run.generator_pinned | not) | $file.case.services[]? | select($measure.services[.name])
        | _share_on($own; $machine // ($own | length)) * ($measure.services[.name].cpu_ms // 0)] | add // 0) as $services
    | ($services + $others * ($own | length) / ($machine // ($own | length))) as $taken
    | (($own | length) * .seconds * 1000) as $all
    # A generator left with next to nothing is busy, not infinitely busy.
    | .generator_cpu_ms / ([$all - $taken, 0.05 * $all] | max)
    end;

# measure => how busy k6 was
def busy_ratio($file): _busy_ratio($file; _others);

# measure => how busy it would have been, had no other program run: above its limit, they are not to blame
def alone_ratio($file): _busy_ratio($file; 0);

# measure => with both
def ratios($file): . + { generator_cpu_ratio: busy_ratio($file), generator_alone_ratio: alone_ratio($file) };
