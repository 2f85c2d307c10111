# What a finding is, and what decides how bad it is. Each takes { case, run, measure, rounds, discarded, thresholds, steady }.
import "lib/metrics" as metrics;

def finding($id; $level; $text; $groups):
  { id: $id, level: $level, text: $text, metrics: ($groups | metrics::names_of_groups) };

def everything: ["latency", "throughput", "errors", "load", "services"];

def share($part; $whole): if $whole > 0 then $part / $whole else 0 end;

# Did more requests fail than may?
def failing: any(.thresholds[]?; .implicit and .outcome == "missed");

# Where they did, what follows from that is a finding but is not the verdict: the cap on errors is.
def unless_failing($level): if $level == "error" and failing then "warn" else $level end;

# Beyond the knee on purpose.
def unless_expected: if .case.saturation == "expected" then "info" else "error" end;
