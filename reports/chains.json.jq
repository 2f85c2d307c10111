# Chains of duets => the lines of each, in the same order: how far its commits have come since the first.
#   jq -n -L reports -f reports/chains.json.jq '[[comparison, …], …]'
import "lib/compare/chain" as chain;

inputs | map(chain::lines)
