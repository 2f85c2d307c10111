# What a terminal shows of records beside their cases: thresholds, requests, services, how latencies are spread.
import "lib/compare/reasons" as reasons;
import "lib/write/columns" as columns;
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

# [{ case, threshold }] => columns: outcome, case, threshold, observed
def _threshold_columns:
  [ (map("  " + _outcome) | columns::column(null; "l")), (map(.case.case | text::plain) | columns::column(null; "l")),
    (map(.threshold | _name | text::plain) | columns::column(null; "l")), (map(.threshold | _observed) | columns::column(null; "r")) ];

# [column]; most rows => lines; of no rows none
def _lines($most; $widest):
  (.[0].cells | length) as $count
  | if $count == 0 then []
    else (columns::most($most) | columns::lines($widest) | split("\n"))
      + if $count > $most then ["  and \($count - $most | numbers::count) more"] else [] end
    end;

# comparison; most rows => lines: each threshold with what was observed, the missed ones first; met ones as there is room
def thresholds($most):
  [.cases | rows::sorted[] | .case as $name | . as $case | .thresholds[]? | { case: $case, threshold: . }]
  | sort_by(.threshold.outcome as $outcome | ["missed", "unknown", "met"] | index($outcome))
  | (map(select(.threshold.outcome == "missed")) | length) as $missed
  | _threshold_columns
  | _lines([$most, $missed] | max; 10);

# { case } => the first cell of its rows
def _case: "  \(.case | text::plain)";

def _cell($unit): if . == null or .value == null then "–"
  else (.value | numbers::in_unit($unit)) as $text | if .valid then $text else "(\($text))" end end;

# [record]; most rows => lines: a row for each request of cases that have several
def requests($most):
  [.[] | select((.requests | length) > 1) | .case as $case | .requests | to_entries[] | { $case, name: .key } + .value]
  | [ (map(_case) | columns::column(""; "l")), (map(.name | text::plain) | columns::column("request"; "l")),
      (map(.count | numbers::count) | columns::column("count"; "r")),
      (map(.metrics.latency_ms_p50 | _cell("ms")) | columns::column("p50"; "r")),
      (map(.metrics.latency_ms_p95 | _cell("ms")) | columns::column("p95"; "r")),
      (map(.metrics.latency_ms_p99 | _cell("ms")) | columns::column("p99"; "r")),
      (map(.metrics.errors_ratio | _cell("ratio")) | columns::column("errors"; "r")) ]
  | _lines($most; 24);

# [record]; most rows => lines: what each service used
def services($most):
  ([.[] | .memory // "rss" | { rss: "RSS", pss: "PSS", working_set: "working set", mixed: "working set, PSS" }[.]]
    | unique | join(", ")) as $memory
  | [.[] | .case as $case | .services // {} | to_entries[] | { $case, name: .key } + .value]
  | [ (map(_case) | columns::column(""; "l")), (map(.name | text::plain) | columns::column("service"; "l")),
      (map(.metrics.cpu_ratio_mean | _cell("cores")) | columns::column("CPU"; "r")),
      (map(.metrics.cpu_ms_per_request | _cell("ms")) | columns::column("CPU per request"; "r")),
      (map(.metrics.memory_bytes_max | _cell("bytes")) | columns::column("peak memory (\($memory))"; "r")) ]
  | _lines($most; 24);

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
  [.[] | .case as $case | .script_metrics // {} | to_entries[] | { $case, name: .key } + .value]
  | [ (map(_case) | columns::column(null; "l")), (map(.name | text::plain) | columns::column(null; "l")),
      (map((.metrics | _script_cells) + if .of == "run" then ", of the whole run" else "" end) | columns::column(null; "l")) ]
  | _lines($most; 24);

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
