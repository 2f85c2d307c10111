package native

import (
	"os"
	"slices"
	"strings"
	"time"

	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/metrics"

	"benchfolio.dev/native/hist"
	"benchfolio.dev/native/plan"
	"benchfolio.dev/native/tally"
)

const (
	// judgedTag marks the samples that thresholds are judged by: k6/native.js gives each threshold on a trend or a rate
	// one of its own.
	judgedTag = "judged"
	// mostJudged is how many samples stand for what a threshold looks at. Up to so many observations each has its own;
	// of more, so many quantiles: the 99.99th percentile has two on its rarer side.
	mostJudged = 20_000
	// mostLive is how many samples of a trend and a set of tags go to an output in a second.
	mostLive = 100
)

// samples hands k6 what it needs, summed up: counters once a second, and at the end what thresholds on trends and rates
// are judged by. k6's engine takes some microseconds for a sample, and keeps that of a trend for good; so there is not
// one for each request.
type samples struct {
	state    *lib.ExecutionState
	recorder *tally.Recorder
	out      chan<- metrics.SampleContainer
	live     bool // an output wants trends and rates as they come
	tags     map[tally.Key]*metrics.TagSet
	started  bool
	lasts    time.Duration // from when the load begins until the window ends; 0: as long as the load
}

func newSamples(state *lib.ExecutionState, load *plan.Load, recorder *tally.Recorder) *samples {
	return &samples{
		lasts: untilWindowEnds(load), state: state, recorder: recorder, tags: map[tally.Key]*metrics.TagSet{}, live: wantsOutput(os.Args, os.Getenv),
	}
}

func untilWindowEnds(load *plan.Load) time.Duration {
	var ends float64
	for _, s := range []*float64{load.Duration, load.Window.To} {
		if s != nil && (ends == 0 || *s < ends) {
			ends = *s
		}
	}
	return time.Duration(ends * float64(time.Second))
}

// needDetail reports whether a threshold looks at more of a request's times than its latency.
func (s *samples) needDetail() bool {
	for name := range s.state.Test.Options.Thresholds {
		metric, _ := tally.ParseSelector(name)
		switch metric {
		case "http_req_blocked", "http_req_connecting", "http_req_tls_handshaking", "http_req_sending", "http_req_receiving":
			return true
		}
	}
	return false
}

// push hands on a second.
func (s *samples) push(second *tally.Second) {
	var all metrics.Samples
	if !s.started {
		s.started = true
		at := s.recorder.Started()
		all = append(all, s.sample("bench_started", s.state.Test.RunTags, at, float64(at.UnixMilli())))
	}
	second.Each(func(key tally.Key, numbers tally.Numbers) {
		tags, at := s.tagsOf(key), s.timeOf(key, second)
		for i := range tally.Metrics {
			metric := &tally.Metrics[i]
			if value, ok := metric.Of(key, numbers); ok && !metric.ByK6 {
				all = append(all, s.sample(metric.Name, tags, at, value))
			}
			if !s.live {
				continue
			}
			if trend := metric.TrendOf(numbers); trend != nil {
				all = s.appendTrend(all, metric.Name, tags, at, trend, mostLive)
			}
			if metric.Kind == tally.RateKind && key.Request >= 0 {
				all = s.appendRate(all, metric.Name, tags, at,
					numbers.Counter(tally.Failed), numbers.Counter(tally.Requests), mostLive)
			}
		}
	})
	if len(all) > 0 {
		s.out <- all
	}
}

// timeOf is when samples of a second are said to be: in its middle, and what is measured before the window ends. What is
// asked at that very moment is to have the last second, which turns a little later.
func (s *samples) timeOf(key tally.Key, second *tally.Second) time.Time {
	at := second.From.Add(second.To.Sub(second.From) / 2)
	if s.lasts > 0 && key.Phase <= tally.Steady {
		if ends := s.recorder.Started().Add(s.lasts - time.Millisecond); at.After(ends) && ends.After(second.From) {
			return ends
		}
	}
	return at
}

func (s *samples) tagsOf(key tally.Key) *metrics.TagSet {
	tags := s.tags[key]
	if tags == nil {
		tags = s.state.Test.RunTags.WithTagsFromMap(s.recorder.Names().Tags(key))
		s.tags[key] = tags
	}
	return tags
}

func (s *samples) sample(name string, tags *metrics.TagSet, at time.Time, value float64) metrics.Sample {
	return metrics.Sample{
		TimeSeries: metrics.TimeSeries{Metric: s.state.Test.Registry.Get(name), Tags: tags}, Time: at, Value: value,
	}
}

// appendTrend adds samples that are distributed as a histogram is.
func (s *samples) appendTrend(
	to metrics.Samples, name string, tags *metrics.TagSet, at time.Time, trend *hist.Histogram, most int,
) metrics.Samples {
	n := int(min(trend.Count, uint64(most)))
	shares := make([]float64, n)
	for i := range shares {
		shares[i] = float64(i) / float64(max(n-1, 1))
	}
	if n == 1 {
		shares[0] = 0.5
	}
	for _, value := range trend.Quantiles(shares) {
		to = append(to, s.sample(name, tags, at, value/1e6))
	}
	return to
}

func (s *samples) appendRate(
	to metrics.Samples, name string, tags *metrics.TagSet, at time.Time, trues, all uint64, most uint64,
) metrics.Samples {
	n := min(all, most)
	if n == 0 {
		return to
	}
	yes := (trues*n + all - 1) / all // one that failed is not to vanish
	for i := range n {
		value := 0.0
		if i < yes {
			value = 1
		}
		to = append(to, s.sample(name, tags, at, value))
	}
	return to
}

// judge hands k6 what its thresholds on trends and rates look at. It is called once, when the load has ended.
func (s *samples) judge() {
	now := time.Now()
	var names []string
	for name, thresholds := range s.state.Test.Options.Thresholds {
		if len(thresholds.Thresholds) > 0 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		metric, wanted := tally.ParseSelector(name)
		if _, judged := wanted[judgedTag]; !judged {
			continue
		}
		tags := s.state.Test.RunTags.WithTagsFromMap(wanted)
		trend, trues, all := s.recorder.Observed(withoutJudged(name))
		var made metrics.Samples
		if trend != nil && trend.Count > 0 {
			made = s.appendTrend(made, metric, tags, now, trend, mostJudged)
		} else if all > 0 {
			made = s.appendRate(made, metric, tags, now, trues, all, mostJudged)
		}
		if len(made) > 0 {
			s.out <- made
		}
	}
}

// withoutJudged is the name of a metric as the spec has it.
func withoutJudged(name string) string {
	metric, tags := tally.ParseSelector(name)
	delete(tags, judgedTag)
	if len(tags) == 0 {
		return metric
	}
	var parts []string
	for key, value := range tags {
		parts = append(parts, key+":"+value)
	}
	return metric + "{" + strings.Join(parts, ",") + "}"
}
