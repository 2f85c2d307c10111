package tally

import (
	"bufio"
	"encoding/json"
	"io"

	"benchfolio.dev/native/hist"
)

// Format is the name of the format that k6/native/README.md describes, and Version which one it is.
const (
	Format  = "benchfolio-histograms"
	Version = 1
)

type fileHeader struct {
	Format   string `json:"format"`
	Version  int    `json:"version"`
	Scenario string `json:"scenario"`
	Started  int64  `json:"started_ms"`
	SubBits  int    `json:"sub_bits"`
	Unit     string `json:"unit"`
}

// fileLine is what was counted of one set of tags, in a second or in all; or, with Users, the end of a second.
type fileLine struct {
	From   int64                `json:"from_ms"`
	To     int64                `json:"to_ms"`
	Total  bool                 `json:"total,omitempty"`
	Users  *int64               `json:"users,omitempty"`
	Tags   map[string]string    `json:"tags,omitempty"`
	Counts map[string]float64   `json:"counts,omitempty"`
	Times  map[string]fileTrend `json:"times,omitempty"`
}

type fileTrend struct {
	Count   uint64 `json:"count"`
	Sum     uint64 `json:"sum"`
	Min     uint64 `json:"min"`
	Max     uint64 `json:"max"`
	Buckets pairs  `json:"buckets"`
}

func trendOf(h *hist.Histogram) fileTrend {
	return fileTrend{h.Count, h.Sum, h.Min, h.Max, h.Buckets()}
}

// File writes what a load counts, second by second.
type File struct {
	to    *bufio.Writer
	names *Names
	begun bool
	ended int64 // of the last second written
}

// NewFile writes to a file that somebody else closes.
func NewFile(to io.Writer, names *Names) *File { return &File{to: bufio.NewWriter(to), names: names} }

// Write adds a second, its users last; startedMs is when the load began. It lasts a millisecond at least, also where a
// load ends as a second does or the clock is set back: what is read is divided by its length.
func (f *File) Write(second *Second, startedMs int64) error {
	encoder := json.NewEncoder(f.to)
	encoder.SetEscapeHTML(false)
	if !f.begun {
		f.begun, f.ended = true, startedMs
		if err := encoder.Encode(fileHeader{Format, Version, f.names.Scenario, startedMs, hist.SubBits, "ns"}); err != nil {
			return err
		}
	}
	span := fileLine{From: f.ended, To: max(second.To.UnixMilli(), f.ended+1)}
	f.ended = span.To
	if err := f.encode(encoder, second, span); err != nil {
		return err
	}
	span.Users = &second.Users
	if err := encoder.Encode(span); err != nil {
		return err
	}
	return f.to.Flush()
}

// WriteTotal adds what was counted in all; nothing, if nothing was.
func (f *File) WriteTotal(all *Second) error {
	encoder := json.NewEncoder(f.to)
	encoder.SetEscapeHTML(false)
	span := fileLine{From: all.From.UnixMilli(), To: max(all.To.UnixMilli(), f.ended), Total: true}
	if err := f.encode(encoder, all, span); err != nil {
		return err
	}
	return f.to.Flush()
}

func (f *File) encode(to *json.Encoder, second *Second, span fileLine) error {
	for key, b := range second.banks {
		line := span
		line.Tags = f.names.Tags(key)
		delete(line.Tags, "scenario")
		line.Counts, line.Times = map[string]float64{}, map[string]fileTrend{}
		for i := range Metrics {
			metric := &Metrics[i]
			if value, ok := metric.Of(key, Numbers{b}); ok {
				line.Counts[metric.Name] = value
			}
			if metric.Kind == RateKind && b.counts[metric.counter] > 0 {
				line.Counts[metric.Name] = float64(b.counts[metric.counter])
			}
			if trend := metric.TrendOf(Numbers{b}); trend != nil {
				line.Times[metric.Name] = trendOf(trend)
			}
		}
		if err := to.Encode(line); err != nil {
			return err
		}
	}
	return nil
}
