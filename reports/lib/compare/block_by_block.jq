# A yes or a no of each block, on both sides: is it yes on one side by more than chance?
import "lib/stats" as stats;
import "lib/tables/limits" as limits;

# { one: [is it so in the block], other: the same of the other side } => is it so on one side in each block and on the other in none,
# in enough of them; or on one side alone in so many more blocks that chance would hardly do it? Where it is so on one side alone, either
# side is as likely where they are alike (the exact sign test).
def only_on_one:
  [.one, .other] | transpose
  | length as $blocks
  | (map(select(.[0] == true and .[1] != true)) | length) as $here
  | (map(select(.[0] != true and .[1] == true)) | length) as $there
  | ($here == $blocks and $blocks >= limits::limits.threshold_blocks)
    or stats::binomial_lower($here; $here + $there; 1 - limits::limits.threshold_level) > 0.5;
