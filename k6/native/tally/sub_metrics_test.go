package tally

import (
	"maps"
	"testing"

	"benchfolio.dev/native/vectors"
)

// src/suite/cases/sub-metric.ts and reports/lib/sub_metric.jq are held to the same table.
func TestSelectorsAreReadAsInASpec(t *testing.T) {
	for _, v := range vectors.Read[[]struct {
		Name, Metric string
		Selector     map[string]string
	}](t, "sub-metrics") {
		metric, selector := ParseSelector(v.Name)
		if metric != v.Metric || !maps.Equal(selector, v.Selector) {
			t.Errorf("%q is read as %q with %v, not as %q with %v", v.Name, metric, selector, v.Metric, v.Selector)
		}
	}
}
