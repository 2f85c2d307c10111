# What a terminal shows of records beside their cases: thresholds, requests, services, how latencies are spread.
import "lib/compare/reasons" as reasons;
import "lib/metrics" as metrics;
import "lib/numbers" as numbers;
import "lib/write/rows" as rows;
import "lib/sub_metric" as sub_metric;
import "lib/text" as text;

# threshold => what was observed, of what; in a duet on base, too
def _observed:
  .unit as $unit
  | def figure: if . == null then "–" else numbers::observed_in($unit) end;
  (.observed | figure) + if .lane then ", on base \(.base.observed | figure)" else "" end;

# { case, threshold } => met, missed or open; in brackets where nothing counts
def _outcome:
  (.threshold.outcome | if . == "unknown" then "open" else . end) as $outcome
  | if .case.verdict == "invalid" then "(\($outcome))" else $outcome end;

# threshold => its name: "http_req_duration p(95)<50"; the cap on errors, which every case has, by what it is
def _name:
  if .implicit then "failed requests, at most \(reasons::cap)" else "\(sub_metric::name) \(.expr)" end
  + if .lane then " \(.lane | metrics::lane)" else "" end
  + if .level == "warn" then " (warning)" else "" end;

# [{ case, threshold }] => rows [outcome, case, threshold, observed]
def _threshold_rows:
  map([_outcome, (.case.case | text::plain), (.threshold | _name | text::plain), (.threshold | _observed)]);

# comparison; most rows => lines: each threshold with what was observed, the missed ones first; met ones as there is room
def thresholds($most):
  [.cases | rows::sorted[] | .case as $name | . as $case | .thresholds[]? | { case: $case, threshold: . }]
  | sort_by(.threshold.outcome as $outcome | ["missed", "unknown", "met"] | index($outcome))
  | (map(select(.threshold.outcome == "missed")) | length) as $missed
  | ([$most, $missed] | max) as $shown
  | if . == [] then []
    else (.[:$shown] | _threshold_rows | map(["  " + .[0]] + .[1:]) | text::table(["l", "l", "l", "r"]; 10) | split("\n"))
      + if length > $shown then ["  and \(length - $shown | numbers::count) more"] else [] end
    end;

def _cell($unit): if . == null or .value == null then "–"
  else (.value | numbers::in_unit($unit)) as $text | if .valid then $text else "(\($text))" end end;

# [record]; most rows => lines: a row for each request of cases that have several
def requests($most):
  [.[] | select((.requests | length) > 1) | .case as $case | .requests | to_entries[]
    | [ "  \($case | text::plain)", (.key | text::plain), (.value.count | numbers::count),
        (.value.metrics.latency_ms_p50, .value.metrics.latency_ms_p95, .value.metrics.latency_ms_p99 | _cell("ms")),
        (.value.metrics.errors_ratio | _cell("ratio")) ]] as $rows
  | if $rows == [] then []
    else ([["", "request", "count", "p50", "p95", "p99", "errors"]] + $rows[:$most]
      | text::table(["l", "l", "r", "r", "r", "r", "r"]; 24) | split("\n"))
      + if ($rows | length) > $most then ["  and \(($rows | length) - $most | numbers::count) more"] else [] end
    end;

# [record]; most rows => lines: what each service used
def services($most):
  [.[] | .case as $case | .services // {} | to_entries[]
    | [ "  \($case | text::plain)", (.key | text::plain),
        (.value.metrics | (.cpu_ratio_mean | _cell("cores")), (.cpu_ms_per_request | _cell("ms")),
              (.memory_bytes_max | _cell("bytes"))) ]] as $rows
  | ([.[] | .memory // "rss" | { rss: "RSS", pss: "PSS", working_set: "working set", mixed: "working set, PSS" }[.]]
        | unique | join(", ")) as $memory
  | if $rows == [] then []
    else ([["", "service", "CPU", "CPU per request", "peak memory (\($memory))"]] + $rows[:$most]
      | text::table(["l", "l", "r", "r", "r"]; 24) | split("\n"))
      + if ($rows | length) > $most then ["  and \(($rows | length) - $most | numbers::count) more"] else [] end
    end;

# metrics of a script => "p50 4.20 ms, p95 8.10 ms"; what else is known stands in the record
def _script_cells:
  . as $all
  | [("p50", "p95", "p99", "ratio", "total", "per_second", "last") as $name | $all[$name] | values
    | .unit as $unit
    | if $unit != "1" or .value == null then _cell($unit)
      else (.value | numbers::number) as $text | if .valid then $text else "(\($text))" end
      end
    | "\($name | sub("_"; " ")) \(.)"]
  | if . == [] then "nothing observed" else join(", ") end;

# [record]; most rows => lines: what scripts measured themselves
def script_metrics($most):
  [.[] | .case as $case | .script_metrics // {} | to_entries[]
    | [ "  \($case | text::plain)", (.key | text::plain),
        (.value.metrics | _script_cells) + if .value.of == "run" then ", of the whole run" else "" end ]] as $rows
  | if $rows == [] then []
    else ($rows[:$most] | text::table(["l", "l", "l"]; 24) | split("\n"))
      + if ($rows | length) > $most then ["  and \(($rows | length) - $most | numbers::count) more"] else [] end
    end;

# Bounds of a histogram: 1, 2 and 5 times the powers of ten.
def _bounds: [range(-4; 8) as $power | (1, 2, 5) * ($power | exp10) | numbers::significant(1)];

# distribution { p, values }; x => the percentage of values up to x
def _up_to($x):
  . as { p: $p, values: $values }
  | if $x < $values[0] then 0
    elif $x >= $values[-1] then 100
    else ([range($values | length) | select($values[.] <= $x)] | last) as $i
      | $p[$i] + ($p[$i + 1] - $p[$i]) * ($x - $values[$i]) / ([$values[$i + 1] - $values[$i], 1e-12] | max)
    end;

# distribution => [{ to, share }]: percent of the latencies up to each bound and above the one before
def bins:
  . as $all
  | [_bounds[] | { to: ., up: (. as $x | $all | _up_to($x)) }]
  | [range(1; length) as $i | { to: .[$i].to, share: (.[$i].up - .[$i - 1].up), from: .[$i - 1].to }]
  | map(select(.to > $all.min and .from < $all.max) | { to, share });

# [record]; width => lines: the latencies of the first cases as bars
def histograms($width):
  [.[:3][] | select(.distribution.values) | .case as $case | .distribution
    | bins as $bins
    | ([$bins[].share] | max | select(. > 0)) as $most
    | "  \($case | text::plain), \(.count | numbers::count("response")):",
      ($bins[]
        | ("≤ \(.to | numbers::plain) ms" | text::right(12))
          + (if .share > 0 and .share < 0.05 then "< 0.1 %" else "\(.share * 10 | round / 10) %" end | text::right(9)) + "  "
          + ("█" * ([(.share / $most * ($width - 30) | round), (if .share > 0 then 1 else 0 end)] | max) // ""))];
