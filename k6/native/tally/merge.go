package tally

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"benchfolio.dev/native/hist"
)

// Input is a file to be merged.
type Input struct {
	Name string // for errors
	From io.Reader
}

// Merge adds files up to one, by tags and by second from each one's start, and writes it. It holds one second at a time:
// memory depends on how many files there are, never on how long they are.
//
// It fails if a file is not of this format, is damaged, or ends before its load did.
func Merge(to io.Writer, inputs ...Input) error {
	if len(inputs) == 0 {
		return errors.New("there is no file to merge")
	}
	stop := make(chan struct{})
	defer close(stop)
	sources := make([]*source, len(inputs))
	for i, input := range inputs {
		made, err := newSource(input, stop)
		if err == nil && i > 0 && made.header.Scenario != sources[0].header.Scenario {
			err = fmt.Errorf("it is of scenario %q, and %s of %q", made.header.Scenario, inputs[0].Name, sources[0].header.Scenario)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", input.Name, err)
		}
		sources[i] = made
	}
	encoder := json.NewEncoder(to)
	encoder.SetEscapeHTML(false)
	first := sources[0].header
	if err := encoder.Encode(first); err != nil {
		return err
	}
	totals := newSum()
	for {
		second, going := int64(0), false
		for i, s := range sources {
			if err := s.advance(); err != nil {
				return fmt.Errorf("%s: %w", inputs[i].Name, err)
			}
			if s.next != nil && !s.next.Total && (!going || s.second() < second) {
				second, going = s.second(), true
			}
		}
		if !going {
			break
		}
		sum := newSum()
		for i, s := range sources {
			for s.next != nil && !s.next.Total && s.second() == second {
				err := sum.add(i, s.next, first.Started-s.header.Started)
				s.next = nil
				if err == nil {
					err = s.advance()
				}
				if err != nil {
					return fmt.Errorf("%s: %w", inputs[i].Name, err)
				}
			}
		}
		if err := sum.write(encoder); err != nil {
			return err
		}
	}
	for i, s := range sources {
		for s.next != nil {
			err := totals.add(i, s.next, first.Started-s.header.Started)
			s.next = nil
			if err == nil {
				err = s.advance()
			}
			if err != nil {
				return fmt.Errorf("%s: %w", inputs[i].Name, err)
			}
		}
		if s.counted && !s.ended {
			return fmt.Errorf("%s: its load did not end: it has no totals", inputs[i].Name)
		}
	}
	return totals.write(encoder)
}

// source is a file that is being read, by a goroutine of its own: reading takes the most time.
type source struct {
	header  fileHeader
	lines   chan parsed
	next    *fileLine
	counted bool // it has seconds of which anything was counted
	ended   bool // it has totals, after which no second comes
}

type parsed struct {
	line *fileLine
	err  error
}

// ahead is how many lines of a file are held at most.
const ahead = 8

func newSource(input Input, stop <-chan struct{}) (*source, error) {
	decoder := json.NewDecoder(bufio.NewReaderSize(input.From, 1<<16))
	s := &source{lines: make(chan parsed, ahead)}
	if err := decoder.Decode(&s.header); err != nil {
		return nil, problem(err)
	}
	if h := s.header; h.Format != Format || h.Version != Version || h.SubBits != hist.SubBits {
		return nil, fmt.Errorf("it is not of the format %s, version %d", Format, Version)
	}
	go func() {
		defer close(s.lines)
		for {
			line := new(fileLine)
			err := decoder.Decode(line)
			if errors.Is(err, io.EOF) {
				return
			}
			select {
			case s.lines <- parsed{line, problem(err)}:
			case <-stop:
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return s, nil
}

func problem(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF):
		return errors.New("it is empty")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("it ends in the middle of a line")
	}
	return fmt.Errorf("it is damaged: %w", err)
}

// advance makes sure that the next line is there; nil at the end.
func (s *source) advance() error {
	if s.next != nil {
		return nil
	}
	got, more := <-s.lines
	if !more {
		return nil
	}
	if got.err != nil {
		return got.err
	}
	s.next = got.line
	switch {
	case s.next.Total:
		s.ended = true
	case s.ended:
		return errors.New("it is damaged: a second comes after the totals")
	case s.next.Users == nil:
		s.counted = true
	}
	return nil
}

// second is that of the next line, from the start of its file.
func (s *source) second() int64 { return (s.next.From - s.header.Started + 500) / 1000 }

// sum adds up lines, by tags.
type sum struct {
	lines map[string]*fileLine
	times map[string]map[string]*hist.Histogram
	ends  *fileLine
	users map[int]int64 // by file: two of its ends may fall into one second
}

func newSum() *sum {
	return &sum{lines: map[string]*fileLine{}, times: map[string]map[string]*hist.Histogram{}, users: map[int]int64{}}
}

// add counts a line of a file whose clock is behind by so many milliseconds.
func (s *sum) add(file int, line *fileLine, shift int64) error {
	if line.Users != nil {
		if s.ends == nil {
			s.ends = &fileLine{From: line.From + shift, To: line.To + shift}
		}
		s.users[file] = *line.Users
		return nil
	}
	text, err := json.Marshal(line.Tags) // by name, so equal tags have equal text
	if err != nil {
		return err
	}
	tags := string(text)
	into := s.lines[tags]
	if into == nil {
		into = &fileLine{
			From: line.From + shift, To: line.To + shift, Total: line.Total, Tags: line.Tags, Counts: map[string]float64{},
		}
		s.lines[tags], s.times[tags] = into, map[string]*hist.Histogram{}
	}
	for name, n := range line.Counts {
		into.Counts[name] += n
	}
	for name, trend := range line.Times {
		h := s.times[tags][name]
		if h == nil {
			h = new(hist.Histogram)
			s.times[tags][name] = h
		}
		before := h.Count
		if !h.AddBuckets(trend.Buckets, trend.Sum, trend.Min, trend.Max) || h.Count-before != trend.Count {
			return fmt.Errorf("it is damaged: the buckets of %s do not add up to its count", name)
		}
	}
	return nil
}

// write writes the lines in the order of their tags, and last the users.
func (s *sum) write(to *json.Encoder) error {
	for _, tags := range slices.Sorted(maps.Keys(s.lines)) {
		line := s.lines[tags]
		line.Times = map[string]fileTrend{}
		for name, h := range s.times[tags] {
			line.Times[name] = trendOf(h)
		}
		if err := to.Encode(line); err != nil {
			return err
		}
	}
	if s.ends == nil {
		return nil
	}
	users := int64(0)
	for _, n := range s.users {
		users += n
	}
	s.ends.Users = &users
	return to.Encode(s.ends)
}
