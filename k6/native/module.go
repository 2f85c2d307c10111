package native

import (
	"encoding/json"
	"errors"
	"fmt"

	"go.k6.io/k6/v2/js/common"
	"go.k6.io/k6/v2/js/modules"
	"go.k6.io/k6/v2/metrics"

	"benchfolio.dev/native/tally"
)

func init() {
	modules.Register("k6/x/"+executorName, new(module))
}

// module is k6/x/benchfolio.
type module struct{}

type instance struct{ vu modules.VU }

// NewModuleInstance makes the metrics known that the player has beside k6's own: thresholds may name them.
func (*module) NewModuleInstance(vu modules.VU) modules.Instance {
	if init := vu.InitEnv(); init != nil {
		for _, metric := range tally.Metrics {
			if _, err := init.Registry.NewMetric(metric.Name, typeOf(metric.Kind), contentOf(metric.Contains)); err != nil {
				common.Throw(vu.Runtime(), fmt.Errorf("benchfolio: %w", err))
			}
		}
	}
	return &instance{vu}
}

// Exports are what the script may call.
func (i *instance) Exports() modules.Exports {
	judged := []string{}
	for _, metric := range tally.Metrics {
		if metric.Kind == tally.TrendKind || metric.Kind == tally.RateKind {
			judged = append(judged, metric.Name)
		}
	}
	return modules.Exports{Named: map[string]any{
		"judgedMetrics": judged, "judgedTag": judgedTag, "knownTags": tally.KnownTags, "plan": i.plan, "summary": i.summary,
	}}
}

// summary are metrics of the load that was sent, by k6's names with tags, as JSON text. stats are k6's
// summaryTrendStats, seconds is how long the test ran. What is not counted here is left out.
func (i *instance) summary(names, stats []string, seconds float64) (string, error) {
	recorder := last.Load()
	if recorder == nil {
		return "", errors.New("benchfolio: no load was sent")
	}
	found := map[string]tally.Entry{}
	for _, name := range names {
		if entry, ok := recorder.Summary(name, stats, seconds); ok {
			found[name] = entry
		}
	}
	text, err := json.Marshal(found)
	return string(text), err
}

func typeOf(kind tally.Kind) metrics.MetricType {
	switch kind {
	case tally.CounterKind:
		return metrics.Counter
	case tally.RateKind:
		return metrics.Rate
	case tally.GaugeKind:
		return metrics.Gauge
	}
	return metrics.Trend
}

func contentOf(name string) metrics.ValueType {
	switch name {
	case "time":
		return metrics.Time
	case "data":
		return metrics.Data
	}
	return metrics.Default
}
