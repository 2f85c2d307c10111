# The threshold that every scenario has: how many requests may fail.

# share => the threshold, as a spec would have written it
def of($cap):
  { metric: "errors_ratio", selector: {}, expr: "value<=\($cap)", aggregation: "value", percentile: null, op: "<=", value: $cap,
    level: "fail", implicit: true, unit: "ratio" };
