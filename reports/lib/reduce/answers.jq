# What came back: counts by value of the sampled answers, the first ones of each round (k6/user/answers.js).
import "lib/numbers" as numbers;
import "lib/tables/limits" as limits;

# Values of a status or a content type that are kept: the most frequent.
def _most: 8;

# [{ value: count }] => those of all together
def _sums: reduce (.[] | to_entries[]) as $one ({}; .[$one.key] += $one.value);

# [answers] => { "HTTP/2 over TLS 1.3": answers }
def protocols: map(.protocols // {}) | _sums;

# Digests of a field's values, with those of another round; null: too many to tell
def _values_with($more):
  if . == null or $more == null then null
  else [., $more] | _sums | if length > limits::limits.answer_values then null else . end
  end;

# [fields of a round] => those of all together; null where there are none. distinct is the most of a round: where all together have
# more, values depend on the start of the service.
def _fields:
  map(values)
  | if . == [] then null
    else { count: (map(.count) | add),
           paths: (reduce (.[].paths | to_entries[]) as $one ({};
             .[$one.key] |= (if . == null then $one.value
               else .kinds = ([.kinds, $one.value.kinds] | _sums)
               | .values |= _values_with($one.value.values)
               | .distinct = ([.distinct, $one.value.distinct] | max)
               end))) }
    end;

# [answers of a round to one request] => those of all together; null where none were sampled
def joined:
  map(values)
  | if . == [] then null
    else { count: (map(.count) | add), redirected: (map(.redirected) | add),
           statuses: (map(.statuses) | _sums), types: (map(.types) | _sums), sizes: (map(.sizes) | _sums),
           protocols: protocols,
           bodies: { count: (map(.bodies.count) | add), distinct: (map(.bodies.distinct) | max) } }
      + (map(.fields) | _fields | if . then { fields: . } else {} end)
    end;

def _frequent: to_entries | sort_by(-.value, .key) | .[:_most] | from_entries;

# { "bytes": count } => { count, mean, sd, min, p50, max }; null of none
def _sizes:
  to_entries
  | map(.key |= tonumber)
  | sort_by(.key)
  | (map(.value) | add) as $count
  | if . == [] then null
    else (map(.key * .value) | add / $count) as $mean
    | (map((.key - $mean) as $off | $off * $off * .value) | add / $count | sqrt) as $sd
    | { count: $count, mean: ($mean | numbers::rounded), sd: ($sd | numbers::rounded), min: .[0].key,
        p50: first(foreach .[] as $one (0; . + $one.value; if . * 2 >= $count then $one.key else empty end)),
        max: .[-1].key }
    end;

# answers => as a record has them
def of_record:
  { count, redirected, statuses: (.statuses | _frequent), types: (.types | _frequent), bytes: (.sizes | _sizes), bodies }
  + if .fields then { fields } else {} end;
