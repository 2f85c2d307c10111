# How often answers of two sides have a value: a status, a content type, a kind of field.
import "lib/tables/limits" as limits;

# { base: { value: count }, head } => [{ value, base, head }] of values whose share is another, by more than chance
def others:
  (.base | add) as $base_count
  | (.head | add) as $head_count
  | . as { $base, $head }
  | if ($base_count // 0) == 0 or ($head_count // 0) == 0 then [] # nothing is known of one
    else
    [([$base, $head | keys[]] | unique[]) as $value
    | (($base[$value] // 0) / $base_count) as $from
    | (($head[$value] // 0) / $head_count) as $to
    | ((($base[$value] // 0) + ($head[$value] // 0)) / ($base_count + $head_count)) as $both
    | ($both * (1 - $both) * (1 / $base_count + 1 / $head_count) | sqrt) as $error
    | select(($to - $from | fabs) > ([limits::limits.work_share, limits::limits.work_errors * $error] | max))
    | { value: $value, base: $from, head: $to }]
    end;
