package tally

import (
	"encoding/json"
	"io"
	"sort"

	"benchfolio.dev/native/hist"
)

// mostNames is how many requests a timeline tells apart.
const mostNames = 12

// trendStats are the statistics of a second.
var trendStats = []string{"avg", "max", "med", "min", "p(90)", "p(95)", "p(99)"}

// Timeline writes a line a second in the format of k6's recorder (its output web-dashboard): that is what the reduction
// reads, whichever player made it. All names are declared at once: values stand in their order.
type Timeline struct {
	to      *json.Encoder
	names   *Names
	columns []column
	begun   bool
}

// column is a metric, all of it or with one tag.
type column struct {
	name   string
	of     func(Key) bool
	values func(*Second, *bank) []float64
}

// NewTimeline writes to a file that somebody else closes. Requests are told apart if there are several; in a duet, its
// sides are.
func NewTimeline(to io.Writer, names *Names) *Timeline {
	t := &Timeline{to: json.NewEncoder(to), names: names}
	t.to.SetEscapeHTML(false)
	everything := func(Key) bool { return true }
	t.columns = append(t.columns,
		column{"time", everything, func(s *Second, _ *bank) []float64 { return []float64{float64(s.To.UnixMilli())} }},
		column{"vus", everything, func(s *Second, _ *bank) []float64 { return []float64{float64(s.Users)} }},
		column{"dropped_iterations", everything, counted(Dropped)},
		column{"iterations", everything, counted(Iterations)},
	)
	t.add("", everything)
	for i, side := range names.Sides {
		t.add("{side:"+side+"}", func(key Key) bool { return key.Side == int8(i) })
	}
	if requests := len(names.Requests); requests > 1 && requests <= mostNames && len(names.Sides) == 0 {
		for i, name := range names.Requests {
			of := func(key Key) bool { return key.Request == int16(i) }
			t.columns = append(t.columns, column{"http_reqs{name:" + name + "}", of, counted(Requests)})
		}
	}
	sort.Slice(t.columns, func(i, j int) bool { return t.columns[i].name < t.columns[j].name })
	return t
}

func (t *Timeline) add(tag string, of func(Key) bool) {
	t.columns = append(t.columns,
		column{"http_reqs" + tag, of, counted(Requests)},
		column{"http_req_failed" + tag, of, func(_ *Second, b *bank) []float64 {
			if b.counts[Requests] == 0 {
				return nil
			}
			return []float64{over(float64(b.counts[Failed]), float64(b.counts[Requests]))}
		}},
		column{"http_req_duration" + tag, of, timed(Duration)},
		column{"bench_failed_expectations" + tag, of, counted(FailedExpectations)},
		column{"data_sent" + tag, of, counted(SentBytes)},
		column{"data_received" + tag, of, counted(ReceivedBytes)},
	)
}

func counted(what Counter) func(*Second, *bank) []float64 {
	return func(s *Second, b *bank) []float64 {
		count := float64(b.counts[what])
		if count == 0 {
			return nil
		}
		return []float64{count, over(count, s.To.Sub(s.From).Seconds())}
	}
}

func timed(what Trend) func(*Second, *bank) []float64 {
	return func(_ *Second, b *bank) []float64 {
		h := b.trends[what]
		if h == nil || h.Count == 0 {
			return nil
		}
		return statsOf(h)
	}
}

func statsOf(h *hist.Histogram) []float64 {
	all := TrendValues(h, trendStats)
	values := make([]float64, len(trendStats))
	for i, stat := range trendStats {
		values[i] = all[stat]
	}
	return values
}

// Write adds a second; startedMs is when the load began.
func (t *Timeline) Write(second *Second, startedMs int64) error {
	if !t.begun {
		t.begun = true
		if err := t.begin(startedMs); err != nil {
			return err
		}
	}
	row := make([][]float64, len(t.columns))
	for i, c := range t.columns {
		var sum bank
		for key, b := range second.banks {
			if key.User < 0 && c.of(key) {
				sum.merge(b)
			}
		}
		if row[i] = c.values(second, &sum); row[i] == nil {
			row[i] = []float64{}
		}
	}
	return t.to.Encode(map[string]any{"event": "snapshot", "data": row})
}

func (t *Timeline) begin(startedMs int64) error {
	declared := map[string]any{}
	for _, c := range t.columns {
		declared[c.name] = struct{}{}
	}
	for _, event := range []struct {
		name string
		data any
	}{
		{"param", map[string]any{"aggregates": map[string]any{
			"counter": []string{"count", "rate"}, "gauge": []string{"value"}, "rate": []string{"rate"}, "trend": trendStats,
		}}},
		{"start", [][]int64{{startedMs}}},
		{"metric", declared},
	} {
		if err := t.to.Encode(map[string]any{"event": event.name, "data": event.data}); err != nil {
			return err
		}
	}
	return nil
}
