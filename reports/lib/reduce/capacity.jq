# The highest load that was found: its curve, and its confidence interval.
import "lib/numbers" as numbers;
import "lib/stats" as stats;

def _confidence: 0.95;

# [estimate of a search] => { value, low, high }: their geometric mean, and Student's interval of it, wider by half of the
# step between the two loads that each lies between; null: of one search
def found($precision):
  map(log) as $logs
  | ($logs | stats::mean) as $mean
  | (if length < 2 then null
      else ($logs | stats::sd) / (length | sqrt) * stats::t_quantile((1 + _confidence) / 2; length - 1)
          + (1 + $precision | log) / 2 end) as $half
  | { value: ($mean | exp | numbers::significant(5)),
      low: (if $half == null then null else $mean - $half | exp | numbers::significant(5) end),
      high: (if $half == null then null else $mean + $half | exp | numbers::significant(5) end) };

# search of a case => as its record has it
def of_record:
  { parameter, metric, unit, precision, probe_s, confidence: _confidence }
  + (.precision as $precision | .estimates | found($precision))
  + { estimates: (.estimates | map(numbers::significant(5))),
      curve: (.curve | sort_by(.load) | map(map_values(if type == "number" then numbers::rounded else . end))) };

# search of a case => the metric that it gives
def metrics:
  . as $search
  | { ($search.metric):
      { unit: $search.unit, direction: "higher", value: ($search.estimates | found($search.precision).value),
        samples: ($search.estimates | map(numbers::significant(5))), count: ($search.estimates | length), valid: true, reason: null } };
