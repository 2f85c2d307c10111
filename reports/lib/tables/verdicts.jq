# Verdicts, and what a process ends with.
def verdicts: {
  # Of a case, what has to be seen first comes first.
  "order": ["error", "fail", "invalid", "inconclusive", "interrupted", "saturated", "pass", "n-a", "todo"],
  # Of a metric.
  "order_of_metrics": ["worse", "unclear", "better", "same"],
  # Of all cases: the first of the order that a case has.
  "exit_codes": { "error": 4, "fail": 1, "invalid": 3, "inconclusive": 3, "pass": 0 }
};
