package tally

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"
)

var begin = time.UnixMilli(1_790_000_000_000)

func recorder() *Recorder {
	r := NewRecorder(Names{Scenario: "s", Requests: []string{"GET /", "POST /:x"}, Groups: []string{"g"}, Sides: []string{"base", "head"}})
	r.Begin(begin)
	return r
}

// key is that of nothing in particular.
func key(change func(*Key)) Key {
	k := Key{Phase: Steady, Side: None, Request: None, Group: None, User: None}
	change(&k)
	return k
}

func add(r *Recorder, user uint64, k Key, do func(*Cell)) {
	shard := r.Shard(user)
	shard.Lock()
	do(shard.Cell(k))
	shard.Unlock()
}

func turn(t *testing.T, r *Recorder, at time.Duration, look func(*Second) error) {
	t.Helper()
	if err := r.Turn(begin.Add(at), 3, look); err != nil {
		t.Fatal(err)
	}
}

func ignore(*Second) error { return nil }

// request counts one that took so many milliseconds.
func request(r *Recorder, user uint64, name int16, phase Phase, ms int64, failed bool) {
	add(r, user, key(func(k *Key) { k.Request, k.Phase, k.Unexpected = name, phase, failed }), func(c *Cell) {
		c.Count(Requests, 1)
		if failed {
			c.Count(Failed, 1)
		}
		c.Time(Duration, ms*1e6)
	})
}

func TestSummaryByTags(t *testing.T) {
	r := recorder()
	for user := range uint64(8) {
		request(r, user, 0, Warmup, 100, false)
		request(r, user, 0, Steady, 10, false)
		request(r, user, 1, Steady, 20, user < 2)
	}
	turn(t, r, time.Second, ignore)
	add(r, 1, key(func(k *Key) { k.User = 4 }), func(c *Cell) { c.Count(UserRequests, 2); c.Count(UserNanoseconds, 5e6) })
	add(r, 1, key(func(k *Key) { k.Group, k.Side = 0, 1 }), func(c *Cell) { c.Time(GroupDuration, 7e6) })
	r.FaultError(1, -20)
	r.FaultError(1, 30)
	turn(t, r, 2*time.Second, ignore)
	for name, want := range map[string]string{
		"http_reqs":                                            "map[count:24 rate:12]",
		"http_reqs{phase:steady}":                              "map[count:16 rate:8]",
		"http_reqs{phase:steady,name:POST /:x}":                "map[count:8 rate:4]",
		`http_reqs{name:" GET /"}`:                             "map[count:0 rate:0]",
		"http_req_failed{phase:steady}":                        "map[fails:14 passes:2 rate:0.125]",
		"http_req_duration{expected_response:false}":           "map[avg:20 count:2 max:20]",
		"http_req_duration{phase:steady}":                      "map[avg:15 count:16 max:20]",
		"bench_user_requests{phase:steady,user:4}":             "map[count:2 rate:1]",
		"bench_receiving_ms{phase:steady,user:4}":              "map[count:5 rate:2.5]",
		"bench_group_duration{phase:steady,group:g}":           "map[avg:7 count:1 max:7]",
		"bench_group_duration{phase:steady,group:g,side:head}": "map[avg:7 count:1 max:7]",
		"bench_fault_errors{fault:1}":                          "map[avg:5 count:2 max:30 min:-20]",
		"bench_fault_errors{fault:2}":                          "map[avg:0 count:0 max:0 min:0]",
		"bench_started":                                        "map[max:1.79e+12 min:1.79e+12 value:1.79e+12]",
	} {
		entry, ok := r.Summary(name, []string{"avg", "count", "max"}, 2)
		if got := fmt.Sprint(entry.Values); !ok || got != want {
			t.Errorf("%s: %s, not %s", name, got, want)
		}
	}
	for _, name := range []string{"vus", "nothing", "bench_ended"} {
		if _, ok := r.Summary(name, nil, 1); ok {
			t.Errorf("%s is counted", name)
		}
	}
}

func TestNothingIsLostWhileSecondsTurn(t *testing.T) {
	r := recorder()
	const users, each = 8, 20_000
	var running sync.WaitGroup
	for user := range uint64(users) {
		running.Go(func() {
			for range each {
				request(r, user, 0, Steady, 1, false)
			}
		})
	}
	done := make(chan struct{})
	go func() { running.Wait(); close(done) }()
	seen := uint64(0)
	look := func(s *Second) error {
		s.Each(func(_ Key, n Numbers) { seen += n.Counter(Requests) })
		return nil
	}
	for going := true; going; {
		select {
		case <-done:
			going = false
		default:
		}
		turn(t, r, time.Second, look)
	}
	entry, _ := r.Summary("http_req_duration{phase:steady}", []string{"count"}, 1)
	if seen != users*each || entry.Values["count"] != users*each {
		t.Errorf("%d in seconds and %v in all, of %d", seen, entry.Values["count"], users*each)
	}
}

func TestASecondLastsAMillisecondAtLeast(t *testing.T) {
	r := recorder()
	var text bytes.Buffer
	file := NewFile(&text, r.Names())
	write := func(s *Second) error { return file.Write(s, begin.UnixMilli()) }
	for _, at := range []time.Duration{time.Second, time.Second, 400 * time.Millisecond, 3 * time.Second} {
		request(r, 0, 0, Steady, 1, false)
		turn(t, r, at, write)
	}
	if err := file.WriteTotal(r.Total()); err != nil {
		t.Fatal(err)
	}
	ended := begin.UnixMilli()
	lines := json.NewDecoder(&text)
	for lines.More() {
		var line fileLine
		if err := lines.Decode(&line); err != nil {
			t.Fatal(err)
		}
		if line.Users == nil || line.Total {
			continue
		}
		if line.From != ended || line.To <= line.From {
			t.Errorf("a second from %d to %d, after one that ended at %d", line.From, line.To, ended)
		}
		ended = line.To
	}
}

func TestFilesMergeToOne(t *testing.T) {
	whole := recorder()
	var files []Input
	var all bytes.Buffer
	file := NewFile(&all, whole.Names())
	parts := []*Recorder{recorder(), recorder()}
	texts := []*bytes.Buffer{{}, {}}
	outs := []*File{NewFile(texts[0], parts[0].Names()), NewFile(texts[1], parts[1].Names())}
	for second := range 3 {
		for i := range 200 {
			ms := int64(1 + (i*7+second*31)%90)
			request(whole, uint64(i), int16(i%2), Steady, ms, i%10 == 0)
			request(parts[i%2], uint64(i), int16(i%2), Steady, ms, i%10 == 0)
		}
		at := time.Duration(second+1) * time.Second
		write := func(s *Second) error { return file.Write(s, begin.UnixMilli()) }
		if err := whole.Turn(begin.Add(at), 2*3, write); err != nil { // each part has 3 users
			t.Fatal(err)
		}
		for p, part := range parts {
			turn(t, part, at, func(s *Second) error { return outs[p].Write(s, begin.UnixMilli()) })
		}
	}
	if err := file.WriteTotal(whole.Total()); err != nil {
		t.Fatal(err)
	}
	for p, text := range texts {
		if err := outs[p].WriteTotal(parts[p].Total()); err != nil {
			t.Fatal(err)
		}
		files = append(files, Input{fmt.Sprint(p), text})
	}
	var merged, same bytes.Buffer
	if err := Merge(&merged, files...); err != nil {
		t.Fatal(err)
	}
	if err := Merge(&same, Input{"all", &all}); err != nil {
		t.Fatal(err)
	}
	if merged.String() != same.String() || strings.Count(merged.String(), "\n") < 7 {
		t.Errorf("merged:\n%.600s\n\nnot:\n%.600s", merged.String(), same.String())
	}
}

func TestWhatIsNoFileIsNotMerged(t *testing.T) {
	for _, text := range []string{"", "{}", `{"format":"benchfolio-histograms","version":9}`} {
		if err := Merge(io.Discard, Input{"a file", strings.NewReader(text)}); err == nil {
			t.Errorf("%q was merged", text)
		}
	}
	if err := Merge(io.Discard); err == nil {
		t.Error("nothing was merged")
	}
}

func TestWhatIsNotWholeIsNotMerged(t *testing.T) {
	head := `{"format":"benchfolio-histograms","version":1,"scenario":"hello","started_ms":1000,"sub_bits":8,"unit":"ns"}`
	second := `{"from_ms":1000,"to_ms":2000,"tags":{"phase":"steady"},"counts":{"http_reqs":2},"times":{"http_req_duration":{"count":2,"sum":9,"min":4,"max":5,"buckets":[4,1,1,1]}}}`
	total := strings.Replace(second, `"tags"`, `"total":true,"tags"`, 1)
	end := `{"from_ms":1000,"to_ms":2000,"users":1}`
	for want, lines := range map[string][]string{
		"ends in the middle of a line": {head, second, end, total[:len(total)-9]},
		"its load did not end":         {head, second, end},
		"do not add up to its count":   {head, strings.Replace(second, `"count":2`, `"count":3`, 1), end, total},
		"it is damaged: invalid":       {head, "{\x00}"},
		"comes after the totals":       {head, second, end, total, second},
		"of scenario":                  {strings.Replace(head, "hello", "other", 1), second, end, total},
		"it is empty":                  {},
	} {
		good := Input{"good", strings.NewReader(strings.Join([]string{head, second, end, total}, "\n"))}
		err := Merge(io.Discard, good, Input{"part-2", strings.NewReader(strings.Join(lines, "\n"))})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "part-2: ") {
			t.Errorf("%v, not: %s", err, want)
		}
	}
}

func TestTwoEndsInOneSecondAreOneOfUsers(t *testing.T) {
	text := `{"format":"benchfolio-histograms","version":1,"scenario":"hello","started_ms":1000,"sub_bits":8,"unit":"ns"}
{"from_ms":1000,"to_ms":1400,"users":3}
{"from_ms":1400,"to_ms":2400,"users":4}`
	var out bytes.Buffer
	if err := Merge(&out, Input{"a", strings.NewReader(text)}); err != nil || !strings.HasSuffix(out.String(), "\"users\":4}\n") {
		t.Errorf("%v: %s", err, out.String())
	}
}

func TestMemoryIsFlat(t *testing.T) {
	r := recorder()
	for second := range 50 {
		for i := range 1000 {
			request(r, uint64(i), 0, Steady, int64(1+i%100), false)
		}
		turn(t, r, time.Duration(second+1)*time.Second, ignore)
	}
	if len(r.free) > 4 || len(r.totals) != 1 {
		t.Errorf("%d banks lie about, and there are %d totals", len(r.free), len(r.totals))
	}
}
