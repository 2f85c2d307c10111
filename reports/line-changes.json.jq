# Pairs of lines of declared tables => how much a number changes from one to the other, in the same order:
#   jq -n -L reports -f reports/line-changes.json.jq '{ suite: [compare] of bench.toml or null, pairs: [{ base, head }] }'
import "lib/compare/line_change" as line_change;

inputs
| .suite as $suite
| [.pairs[] | line_change::line_change($suite)]
