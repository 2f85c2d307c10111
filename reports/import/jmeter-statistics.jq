# statistics.json of JMeter's report (jmeter -e -o report): one table of numbers a label, and "Total".
import "import/lib/text" as text;

# the report's three percentiles are 90, 95 and 99 unless jmeter.properties says otherwise; the file does not
def _latency:
  [{ count: .sampleCount, mean: .meanResTime, p: [0, 50, 90, 95, 99, 100],
     values: [.minResTime, .medianResTime, .pct1ResTime, .pct2ResTime, .pct3ResTime, .maxResTime] }];

def _seconds: .sampleCount / .throughput;

def _counts:
  _seconds as $seconds
  | { requests: .sampleCount, errors: .errorCount, expected: (.sampleCount - .errorCount),
      received_bytes: (.receivedKBytesPerSec * 1024 * $seconds), sent_bytes: (.sentKBytesPerSec * 1024 * $seconds) };

def _fields:
  ["sampleCount", "errorCount", "meanResTime", "medianResTime", "minResTime", "maxResTime", "pct1ResTime", "pct2ResTime",
   "pct3ResTime", "throughput", "receivedKBytesPerSec", "sentKBytesPerSec"];

# table => the first field that is not a number
def _wrong: . as $table | [_fields[] | select($table[.] | type != "number")][0];

# the file => a round
def round:
  .Total as $total
  | [to_entries[] | select(.value | _wrong) | "\"\(.key)\" has no number \(.value | _wrong)"][0] as $wrong
  | if $wrong then text::problem(null; "is not what JMeter writes: \($wrong)")
    elif $total.sampleCount == 0 then text::problem(null; "has no samples")
    else
      # labels whose samples are not in the total: transaction controllers
      (to_entries | map(select(.key != "Total"))) as $labels
      | ($labels | map(.value.sampleCount) | add) as $sum
      | { tool: "JMeter", time: null, seconds: ($total | _seconds), counts: ($total | _counts), latency: ($total | _latency),
          requests: ($labels | map({ key, value: { counts: (.value | _counts), latency: (.value | _latency) } }) | from_entries),
          groups: {},
          findings: [
            text::finding("jmeter-times"; "info";
              "JMeter's times are whole milliseconds from before the connection is opened to the last byte. The percentiles are taken to be 90, 95 and 99, which jmeter.properties can change and this file does not say; of more than 20,000 samples they are those of the last 20,000."),
            text::finding("jmeter-load"; "info";
              "A thread of JMeter sends its next request after the response (a closed loop): what a stall held back was never sent, and is in no latency."),
            (select($sum != null and $sum != $total.sampleCount) | text::finding("jmeter-transactions"; "info";
              "Labels have \($sum) samples, the total \($total.sampleCount): the file does not say which of them are transaction controllers, sums of other requests.")) ] }
    end;
