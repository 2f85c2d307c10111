package tally

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"sort"

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
	Count   uint64   `json:"count"`
	Sum     uint64   `json:"sum"`
	Min     uint64   `json:"min"`
	Max     uint64   `json:"max"`
	Buckets []uint64 `json:"buckets"`
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

// Merge adds files up to one, by tags and by second from each one's start, and writes it.
//
// It fails if a file is not of this format.
func Merge(to io.Writer, files ...io.Reader) error {
	var first *fileHeader
	type place struct {
		total  bool
		second int64
		users  bool
		tags   string
	}
	all := map[place]*fileLine{}
	sums := map[place]map[string]*hist.Histogram{}
	for number, file := range files {
		lines := json.NewDecoder(file)
		var header fileHeader
		if err := lines.Decode(&header); err != nil {
			return fmt.Errorf("file %d: %w", number+1, err)
		}
		if header.Format != Format || header.Version != Version || header.SubBits != hist.SubBits {
			return fmt.Errorf("file %d is not of the format %s, version %d", number+1, Format, Version)
		}
		if first == nil {
			first = &header
		}
		for lines.More() {
			var line fileLine
			if err := lines.Decode(&line); err != nil {
				return fmt.Errorf("file %d: %w", number+1, err)
			}
			tags, err := json.Marshal(line.Tags) // by name, so equal tags have equal text
			if err != nil {
				return err
			}
			at := place{line.Total, (line.From - header.Started + 500) / 1000, line.Users != nil, string(tags)}
			if all[at] == nil {
				shift := first.Started - header.Started
				all[at] = &fileLine{
					From: line.From + shift, To: line.To + shift, Total: line.Total, Tags: line.Tags, Counts: map[string]float64{},
				}
				sums[at] = map[string]*hist.Histogram{}
			}
			if line.Users != nil {
				users := *line.Users
				if known := all[at].Users; known != nil {
					users += *known
				}
				all[at].Users = &users
			}
			for name, n := range line.Counts {
				all[at].Counts[name] += n
			}
			for name, trend := range line.Times {
				if sums[at][name] == nil {
					sums[at][name] = new(hist.Histogram)
				}
				if !sums[at][name].AddBuckets(trend.Buckets, trend.Sum, trend.Min, trend.Max) {
					return fmt.Errorf("file %d: the buckets of %s are none", number+1, name)
				}
			}
		}
	}
	if first == nil {
		return fmt.Errorf("there is no file to merge")
	}
	places := make([]place, 0, len(all))
	for at := range all {
		places = append(places, at)
	}
	sort.Slice(places, func(i, j int) bool {
		a, b := places[i], places[j]
		switch {
		case a.total != b.total:
			return b.total
		case a.second != b.second:
			return a.second < b.second
		case a.users != b.users:
			return b.users
		}
		return a.tags < b.tags
	})
	encoder := json.NewEncoder(to)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(first); err != nil {
		return err
	}
	for _, at := range places {
		line := all[at]
		line.Times = map[string]fileTrend{}
		for name, h := range sums[at] {
			line.Times[name] = trendOf(h)
		}
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	return nil
}
