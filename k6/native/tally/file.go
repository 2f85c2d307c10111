package tally

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"sort"

	"benchfolio.dev/native/hist"
)

// The file of a process has JSON, one value a line. The first says what it is:
//
//	{"format":"benchfolio-histograms","version":1,"scenario":"hello","started_ms":1790000000000,"sub_bits":8,"unit":"ns"}
//
// and each that follows has what was counted of one set of tags in about a second:
//
//	{"from_ms":…,"to_ms":…,"tags":{"phase":"steady","name":"GET /"},
//	 "counts":{"http_reqs":980},"times":{"http_req_duration":{"count":980,"sum":…,"min":…,"max":…,"buckets":[…]}}}
//
// counts are by the names of k6's metrics; http_req_failed is how many of http_reqs failed. In a trend, buckets is a flat
// list of pairs: how many buckets lie between this and the one before (the first: its index), and how many observations
// it has. Bucket i holds the integers from low to low + width - 1, in nanoseconds, where with n = 2^sub_bits
//
//	i < n:  low = i, width = 1
//	else:   width = 2^(i/n - 1), low = (n + i mod n) · width   (i/n without its remainder)
//
// To merge any number of files exactly, add the counts and the buckets of the same tags, and take the least min and the
// largest max; Merge does.

// Format is the name of the format, and Version which one it is.
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

type fileLine struct {
	From   int64                `json:"from_ms"`
	To     int64                `json:"to_ms"`
	Tags   map[string]string    `json:"tags"`
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
}

// NewFile writes to a file that somebody else closes.
func NewFile(to io.Writer, names *Names) *File { return &File{to: bufio.NewWriter(to), names: names} }

// Write adds a second; startedMs is when the load began.
func (f *File) Write(second *Second, startedMs int64) error {
	encoder := json.NewEncoder(f.to)
	encoder.SetEscapeHTML(false)
	if !f.begun {
		f.begun = true
		if err := encoder.Encode(fileHeader{Format, Version, f.names.Scenario, startedMs, hist.SubBits, "ns"}); err != nil {
			return err
		}
	}
	for key, b := range second.banks {
		line := fileLine{From: second.From.UnixMilli(), To: second.To.UnixMilli(), Tags: f.names.Tags(key)}
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
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	return f.to.Flush()
}

// Merge adds files up to one, by tags and by second from each one's start, and writes it.
//
// It fails if a file is not of this format.
func Merge(to io.Writer, files ...io.Reader) error {
	var first *fileHeader
	type place struct {
		second int64
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
			at := place{(line.From - header.Started + 500) / 1000, string(tags)}
			if all[at] == nil {
				shift := first.Started - header.Started
				all[at] = &fileLine{From: line.From + shift, To: line.To + shift, Tags: line.Tags, Counts: map[string]float64{}}
				sums[at] = map[string]*hist.Histogram{}
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
		if places[i].second != places[j].second {
			return places[i].second < places[j].second
		}
		return places[i].tags < places[j].tags
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
