# Metrics by the table of them, and their values in a measure (measure.jq). A rate is a count by the window's seconds; a
# share without its whole is null, not zero.
import "lib/reduce/quantiles" as quantiles;
import "lib/stats" as stats;
import "lib/tables/metrics" as tables;
import "lib/reduce/users" as users;

# our word for a count => the k6 metric that has it
def counters: {
  requests: "http_reqs",
  iterations: "iterations",
  received_bytes: "data_received",
  sent_bytes: "data_sent"
};

# our word for a distribution => the k6 metric that has it, and in which phase if not in the window's
def distributions: {
  latency: ["http_req_duration", {}],
  waiting: ["http_req_waiting", {}],
  fault_latency: ["http_req_duration", { phase: "fault" }]
};

# => the rows of the table: those of a case, and of a group of requests that is timed as one
def _rows: [tables::metrics.sections[].metrics[]];
def _of_case: [_rows[] | select(.of != "group")];
def of_group: [_rows[] | select(.of == "group")];

# => those that every case has
def table: [_of_case[] | select(.when == null)];

# case => all its metrics but those of queries and of find
def of_case:
  [if (.faults // []) != [] then "faults" else empty end, if .per_user then "users" else empty end] as $has
  | [_of_case[] | select(.when == null or (.when as $when | $has | index([$when])))];

# => the row of a metric; null when there is none of that name
def named($name): [_of_case[] | select(.name == $name)][0];

# what a page shows of one request by name, and of one service
def of_request: [named(tables::metrics.of_request[]) | values];
def of_service: [table[] | select(.group == "services")];

# => the names of those that are compared whether gated or not, and that tables of the terminal and of comments show
def compared: tables::metrics.compared;
def summary: tables::metrics.summary;

# [group] => the names of their metrics
def names_of_groups: . as $groups | [table[] | select(.group as $group | $groups | index($group)) | .name];

# row => is it a share? A share can be zero on both sides, and is compared as a difference.
def is_share: .from.ratio != null;

def _over($whole): if . == null or $whole == null or $whole == 0 then null else . / $whole end;

def _used($what; $requests):
  if . == null then null
  elif $what == "cpu_ms_per_request" then .cpu_ms | _over($requests)
  elif $what == "cpu_ratio_mean" then .seconds as $s | .cpu_ms | _over($s * 1000)
  elif $what == "memory_bytes_mean" then .memory_count as $n | .memory_sum | _over($n)
  elif $what == "memory_bytes_max" then .memory_max
  elif $what == "descriptors_count_max" then .descriptors_max
  elif $what == "network_rx_bytes_per_second" then .seconds as $s | .network_rx_bytes | _over($s)
  else .seconds as $s | .network_tx_bytes | _over($s)
  end;

# measure => the value of a metric of the table; null when it cannot be known
def value($metric):
  . as $measure
  | $metric.from
  | if .quantile then .quantile as [$of, $p] | $measure[$of] | quantiles::quantile($p)
    elif .mean then $measure[.mean] | quantiles::mean
    elif .per_second then $measure.counts[.per_second] | _over($measure.seconds)
    elif .ratio then .ratio as [$part, $whole] | $measure.counts[$part] | _over($measure.counts[$whole])
    elif .cores then $measure.seconds as $s | $measure[.cores] | _over($s * 1000)
    elif .used then .used as $what | $measure.used | _used($what; $measure.counts.requests)
    elif .users then .users as $what | $measure.users | users::rates
      | if $what == "min" then min elif $what == "max" then max else stats::median end
    else $measure[.field]
    end;

# measure => how many observations a metric rests on; null where that makes no sense
def observations($metric):
  . as $measure
  | $metric.from
  | if .quantile then $measure[.quantile[0]] | quantiles::count
    elif .mean then $measure[.mean] | quantiles::count
    elif .per_second then $measure.counts[.per_second]
    elif .ratio then $measure.counts[.ratio[1]]
    elif .used == "cpu_ms_per_request" then $measure.counts.requests
    elif .users then $measure.users | users::rates | length
    else null
    end;
