package tally

import (
	"strconv"
	"strings"

	"benchfolio.dev/native/hist"
)

// Kind is the type of a metric, in k6's words.
type Kind string

// The types of metrics.
const (
	CounterKind Kind = "counter"
	RateKind    Kind = "rate"
	TrendKind   Kind = "trend"
	GaugeKind   Kind = "gauge"
)

// Metric is one of k6's, or of those that Benchfolio adds.
type Metric struct {
	Name string
	Kind Kind
	// Contains is what k6 calls it: time, data or default.
	Contains string
	counter  Counter
	trend    Trend
	// ByK6: k6 itself has samples of it, and wants none of ours.
	ByK6 bool
	// by whom it is counted: only users have some
	by dimension
}

type dimension int

const (
	ofLoad dimension = iota
	ofUser
)

const faultErrorsMetric = "bench_fault_errors"

// Metrics are all that a load has, but for those of users, which k6 itself counts (vus, vus_max).
var Metrics = []Metric{
	{Name: "http_reqs", Kind: CounterKind, Contains: "default", counter: Requests},
	{Name: "http_req_failed", Kind: RateKind, Contains: "default", counter: Failed},
	{Name: "http_req_duration", Kind: TrendKind, Contains: "time", trend: Duration},
	{Name: "http_req_blocked", Kind: TrendKind, Contains: "time", trend: Blocked},
	{Name: "http_req_connecting", Kind: TrendKind, Contains: "time", trend: Connecting},
	{Name: "http_req_tls_handshaking", Kind: TrendKind, Contains: "time", trend: TLSHandshaking},
	{Name: "http_req_sending", Kind: TrendKind, Contains: "time", trend: Sending},
	{Name: "http_req_waiting", Kind: TrendKind, Contains: "time", trend: Waiting},
	{Name: "http_req_receiving", Kind: TrendKind, Contains: "time", trend: Receiving},
	{Name: "iterations", Kind: CounterKind, Contains: "default", counter: Iterations},
	{Name: "dropped_iterations", Kind: CounterKind, Contains: "default", counter: Dropped, ByK6: true},
	{Name: "iteration_duration", Kind: TrendKind, Contains: "time", trend: IterationDuration},
	{Name: "data_sent", Kind: CounterKind, Contains: "data", counter: SentBytes},
	{Name: "data_received", Kind: CounterKind, Contains: "data", counter: ReceivedBytes},
	{Name: "bench_network_errors", Kind: CounterKind, Contains: "default", counter: NetworkErrors},
	{Name: "bench_status_errors", Kind: CounterKind, Contains: "default", counter: StatusErrors},
	{Name: "bench_failed_expectations", Kind: CounterKind, Contains: "default", counter: FailedExpectations},
	{Name: "bench_exceptions", Kind: CounterKind, Contains: "default", counter: Exceptions},
	{Name: "bench_abandoned", Kind: CounterKind, Contains: "default", counter: Abandoned},
	{Name: "bench_begun_after", Kind: CounterKind, Contains: "default", counter: BegunAfter},
	{Name: "bench_connections", Kind: CounterKind, Contains: "default", counter: Connections},
	{Name: "bench_iterations_moved", Kind: CounterKind, Contains: "default", counter: Moved},
	{Name: "bench_group_duration", Kind: TrendKind, Contains: "time", trend: GroupDuration},
	{Name: "bench_intended_duration", Kind: TrendKind, Contains: "time", trend: Intended},
	{Name: "bench_lateness", Kind: TrendKind, Contains: "time", trend: Lateness},
	{Name: "bench_user_requests", Kind: CounterKind, Contains: "default", counter: UserRequests, by: ofUser},
	{Name: "bench_received_bytes", Kind: CounterKind, Contains: "default", counter: UserBytes, by: ofUser},
	{Name: "bench_receiving_ms", Kind: CounterKind, Contains: "default", counter: UserNanoseconds, by: ofUser},
	{Name: faultErrorsMetric, Kind: TrendKind, Contains: "time"},
	{Name: "bench_started", Kind: GaugeKind, Contains: "default"},
	{Name: "bench_ended", Kind: GaugeKind, Contains: "default"},
}

var metricsByName = func() map[string]*Metric {
	byName := map[string]*Metric{}
	for i := range Metrics {
		byName[Metrics[i].Name] = &Metrics[i]
	}
	return byName
}()

// Of is the number of a counter; false: the metric is not a counter, or has no such key.
func (m *Metric) Of(key Key, n Numbers) (float64, bool) {
	if m.Kind != CounterKind || (m.by == ofUser) != (key.User >= 0) {
		return 0, false
	}
	value := float64(n.counts[m.counter])
	if m.counter == UserNanoseconds {
		value /= 1e6
	}
	return value, value > 0
}

// TrendOf is what was timed of a trend; nil: nothing, or the metric is not a trend.
func (m *Metric) TrendOf(n Numbers) *hist.Histogram {
	if m.Kind != TrendKind || m.Name == faultErrorsMetric {
		return nil
	}
	return n.Trend(m.trend)
}

// Tags are those of a key, as k6's samples would have them.
func (n *Names) Tags(key Key) map[string]string {
	tags := map[string]string{"scenario": n.Scenario, "phase": phaseNames[key.Phase]}
	if key.Fault > 0 {
		tags["fault"] = strconv.Itoa(int(key.Fault))
	}
	if key.Side >= 0 {
		tags["side"] = n.Sides[key.Side]
	}
	if key.Request >= 0 {
		tags["name"] = n.Requests[key.Request]
		tags["expected_response"] = strconv.FormatBool(!key.Unexpected)
	}
	if key.Group >= 0 {
		tags["group"] = n.Groups[key.Group]
	}
	if key.User >= 0 {
		tags["user"] = strconv.Itoa(int(key.User))
	}
	return tags
}

// KnownTags are those that a selector may ask for.
var KnownTags = []string{"scenario", "phase", "fault", "side", "name", "expected_response", "group", "user"}

// ParseSelector reads k6's name of a metric with tags: http_req_duration{phase:steady,name:GET /}. A value may hold
// colons, and quotes around it are dropped, as k6 does.
func ParseSelector(name string) (metric string, tags map[string]string) {
	metric, rest, found := strings.Cut(strings.TrimSpace(name), "{")
	metric = strings.TrimSpace(metric)
	tags = map[string]string{}
	if !found {
		return metric, tags
	}
	unquoted := func(text string) string { return strings.Trim(strings.TrimSpace(text), `"'`) }
	for tag := range strings.SplitSeq(strings.TrimSuffix(rest, "}"), ",") {
		key, value, _ := strings.Cut(tag, ":")
		tags[unquoted(key)] = unquoted(value)
	}
	return metric, tags
}

func contains(tags, wanted map[string]string) bool {
	for key, value := range wanted {
		if tags[key] != value {
			return false
		}
	}
	return true
}

// Entry is what k6's summary has of a metric.
type Entry struct {
	Type     Kind               `json:"type"`
	Contains string             `json:"contains"`
	Values   map[string]float64 `json:"values"`
}

// Summary is a metric of the totals, by k6's name for it and its tags. stats are k6's summaryTrendStats; seconds is how
// long the test ran, which k6 divides counters by.
//
// It reports false for a metric that is not counted here.
func (r *Recorder) Summary(name string, stats []string, seconds float64) (Entry, bool) {
	metricName, wanted := ParseSelector(name)
	metric := metricsByName[metricName]
	if metric == nil {
		return Entry{}, false
	}
	entry := Entry{Type: metric.Kind, Contains: metric.Contains, Values: map[string]float64{}}
	if metric.Name == faultErrorsMetric {
		return r.faultEntry(entry, wanted)
	}
	if metric.Kind == GaugeKind {
		return r.gaugeEntry(entry, metric.Name)
	}
	sum := r.sum(metric, wanted)
	switch metric.Kind {
	case CounterKind:
		count := float64(sum.counts[metric.counter])
		if metric.counter == UserNanoseconds {
			count /= 1e6
		}
		entry.Values["count"], entry.Values["rate"] = count, over(count, seconds)
	case RateKind:
		passes, all := float64(sum.counts[metric.counter]), float64(sum.counts[Requests])
		entry.Values["rate"], entry.Values["passes"], entry.Values["fails"] = over(passes, all), passes, all-passes
	default:
		entry.Values = TrendValues(sum.trend(metric.trend), stats)
	}
	return entry, true
}

// Observed are the numbers that a trend or a rate has in the totals, by k6's name of it with its tags: a histogram, or
// how many of how many. Both are empty for another metric.
func (r *Recorder) Observed(name string) (trend *hist.Histogram, trues, all uint64) {
	metricName, wanted := ParseSelector(name)
	metric := metricsByName[metricName]
	switch {
	case metric == nil || metric.Name == faultErrorsMetric:
	case metric.Kind == RateKind:
		sum := r.sum(metric, wanted)
		return nil, sum.counts[metric.counter], sum.counts[Requests]
	case metric.Kind == TrendKind:
		return r.sum(metric, wanted).trend(metric.trend), 0, 0
	}
	return nil, 0, 0
}

func over(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return part / whole
}

func (r *Recorder) sum(metric *Metric, wanted map[string]string) *bank {
	r.turning.Lock()
	defer r.turning.Unlock()
	var sum bank
	for key, b := range r.totals {
		if (metric.by == ofUser) == (key.User >= 0) && contains(r.names.Tags(key), wanted) {
			sum.merge(b)
		}
	}
	return &sum
}

func (r *Recorder) faultEntry(entry Entry, wanted map[string]string) (Entry, bool) {
	r.marking.Lock()
	defer r.marking.Unlock()
	var all Moments
	for fault, m := range r.faultErrors {
		if number, ok := wanted["fault"]; ok && number != strconv.Itoa(fault) {
			continue
		}
		if all.Count == 0 {
			all = *m
			continue
		}
		all = Moments{all.Count + m.Count, all.Sum + m.Sum, min(all.Min, m.Min), max(all.Max, m.Max)}
	}
	entry.Values["count"], entry.Values["min"], entry.Values["max"] = float64(all.Count), all.Min, all.Max
	entry.Values["avg"] = over(all.Sum, float64(all.Count))
	return entry, true
}

func (r *Recorder) gaugeEntry(entry Entry, name string) (Entry, bool) {
	r.marking.Lock()
	defer r.marking.Unlock()
	at := r.started
	if name == "bench_ended" {
		at = r.ended
	}
	if at.IsZero() {
		return entry, false
	}
	ms := float64(at.UnixMilli())
	entry.Values["value"], entry.Values["min"], entry.Values["max"] = ms, ms, ms
	return entry, true
}

// TrendValues are k6's statistics of a histogram, in milliseconds.
func TrendValues(h *hist.Histogram, stats []string) map[string]float64 {
	const ms = 1e6
	values := map[string]float64{}
	var shares []float64
	var names []string
	for _, stat := range stats {
		switch stat {
		case "avg":
			values[stat] = h.Mean() / ms
		case "min":
			values[stat] = float64(h.Min) / ms
		case "max":
			values[stat] = float64(h.Max) / ms
		case "count":
			values[stat] = float64(h.Count)
		default:
			share, ok := shareOf(stat)
			if !ok {
				continue
			}
			at := len(shares)
			for at > 0 && shares[at-1] > share { // k6 takes them in any order
				at--
			}
			shares = append(shares[:at], append([]float64{share}, shares[at:]...)...)
			names = append(names[:at], append([]string{stat}, names[at:]...)...)
		}
	}
	for i, value := range h.Quantiles(shares) {
		values[names[i]] = value / ms
	}
	return values
}

// shareOf reads "p(99.9)" and "med".
func shareOf(stat string) (float64, bool) {
	if stat == "med" {
		return 0.5, true
	}
	inside, ok := strings.CutPrefix(stat, "p(")
	if !ok {
		return 0, false
	}
	percent, err := strconv.ParseFloat(strings.TrimSuffix(inside, ")"), 64)
	return percent / 100, err == nil
}
