# Metrics of a part of a case: "latency_ms_p50{request:create}", "cpu_ms_per_request{service:app}",
# "p95{script:checkout_ms}", "latency_ms_p95{lane:load}". A mean over all requests hides the one that got slower.
# A pair is { base: record, head: record, settings, pair }.
import "lib/tables/limits" as limits;
import "lib/metrics" as metrics;

def _name($metric; $kind): "\($metric){\($kind):\(.)}";

# record => the metric of that name, of the case or of a part of it; null when it has none
def metric($name):
  ($name | metrics::parsed) as { $metric, $kind, $part }
  | if $kind == null then .metrics[$name]
    elif $kind == "request" then .requests[$part].metrics[$metric]
    elif $kind == "lane" then .lanes[$part].metrics[$metric]
    elif $kind == "script" then .script_metrics[$part].metrics[$metric]
    else .services[$part].metrics[$metric]
    end;

# pair => names of parts that both sides have, most frequent first, where there are several: one alone is the case
def _of_both($of):
  .base[$of] as $base
  | [.head[$of] // {} | to_entries[] | select($base[.key])]
  | sort_by(-(.value.count // 0), .key)
  | if length < 2 then [] else map(.key) end;

def _median: "latency_ms_p50";

# record => is that request's median known in each block?
def _is_measured($part):
  .rounds as $rounds
  | .requests[$part].metrics[_median]
  | .valid and (.samples | length) == $rounds and all(.samples[]; . != null);

# pair => names of the metrics of requests that the default gate of a duet has too: their medians
def gated:
  if .pair == null or .settings.gate != limits::limits.gate then []
  else . as { $base, $head }
  | [_of_both("requests")[:limits::limits.parts][] as $part
    | select($base | _is_measured($part))
    | select($head | _is_measured($part))
    | $part
    | _name(_median; "request")]
  end;

# pair => has that request too few samples a block on one side? Its interval would leave most duets undecided: it is a guardrail
def is_rare($name):
  ($name | metrics::parsed.part) as $part
  | any(.base, .head; .requests[$part].count < limits::limits.part_samples * .rounds);

# pair => names of the tails of requests, in a duet, where there are several
def tails:
  if .pair == null then []
  else . as { $base, $head }
  | [_of_both("requests")[:limits::limits.parts][] as $part
    | select($base.requests[$part].metrics.tail_ratio and $head.requests[$part].metrics.tail_ratio)
    | $part
    | _name("tail_ratio"; "request")]
  end;

# pair => names of the metrics of parts that are compared, whether gated or not
def compared:
  [_of_both("requests")[:limits::limits.parts][] | _name(_median; "request")]
  + [_of_both("services")[:limits::limits.parts][] | _name("cpu_ms_per_request"; "service")];

# Of what a script measures itself, the numbers that are compared: of a trend the median and the tail.
def _compared_of_script: ["p50", "p95", "ratio", "per_second", "total", "last"];

# pair => names of what the script measures itself, and of which it is known whether more is worse
def of_script:
  . as { $base, $head }
  | [$head.script_metrics // {} | to_entries[]
    | select($base.script_metrics[.key])
    | .key as $part
    | .value.metrics as $metrics
    | _compared_of_script[]
    | select($metrics[.].direction)
    # A counter's rate is that of the window; its total is as much as there was time for.
    | select(. != "total" or $metrics.per_second == null)
    | "\(.){script:\($part)}"];
