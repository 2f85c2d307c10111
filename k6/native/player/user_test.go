package player

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"benchfolio.dev/native/plan"
	"benchfolio.dev/native/tally"
	"benchfolio.dev/native/vectors"
)

// site is a server that notes what came: "GET /a", and the cookies that came with it.
type site struct {
	*httptest.Server
	mutex          sync.Mutex
	lines, cookies []string
}

func newSite(t *testing.T, answer http.HandlerFunc) *site {
	t.Helper()
	s := new(site)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mutex.Lock()
		s.lines = append(s.lines, r.Method+" "+r.URL.RequestURI())
		s.cookies = append(s.cookies, r.Header.Get("Cookie"))
		s.mutex.Unlock()
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *site) seen() (lines, cookies []string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return slices.Clone(s.lines), slices.Clone(s.cookies)
}

func (s *site) expect(t *testing.T, lines ...string) {
	t.Helper()
	if came, _ := s.seen(); !slices.Equal(came, lines) {
		t.Errorf("%q came, not %q", came, lines)
	}
}

// userOf makes a user who sends requests, in the JSON of a plan.
func userOf(t *testing.T, base, requests string, changes ...func(*plan.Load, *Options)) (*Player, *User) {
	t.Helper()
	load := &plan.Load{Scenario: "s", BaseURL: base, Order: "sequence"}
	if err := json.Unmarshal([]byte(requests), &load.Requests); err != nil {
		t.Fatal(err)
	}
	options := &Options{UserAgent: "benchfolio"}
	for _, change := range changes {
		change(load, options)
	}
	p, err := New(load, options)
	if err != nil {
		t.Fatal(err)
	}
	u := p.NewUser(1, 1)
	u.Enter(t.Context())
	t.Cleanup(func() {
		u.Close()
		p.End()
	})
	return p, u
}

// expectCounts compares how often something was counted.
func expectCounts(t *testing.T, p *Player, counts map[string]float64) {
	t.Helper()
	if err := p.recorder.Turn(time.Now(), 1, func(*tally.Second) error { return nil }); err != nil {
		t.Fatal(err)
	}
	for metric, want := range counts {
		if entry, _ := p.recorder.Summary(metric, nil, 1); entry.Values["count"] != want {
			t.Errorf("%s: %v were counted, not %v", metric, entry.Values["count"], want)
		}
	}
}

func TestEachStepOfARedirectIsARequest(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/to" {
			http.Redirect(w, r, "/end", http.StatusFound)
		}
	})
	p, u := userOf(t, s.URL, `[{"method": "GET", "url": "/to", "redirects": 1}]`)
	if !u.Play(time.Now(), 0) {
		t.Error("the iteration did not come to its end")
	}
	s.expect(t, "GET /to", "GET /end")
	expectCounts(t, p, map[string]float64{"http_reqs": 2, "bench_connections": 1, "iterations": 1, "bench_failed_expectations": 0})
}

func TestARedirectToElsewhereIsAFailedExpectation(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusFound)
	})
	p, u := userOf(t, s.URL, `[{"method": "GET", "url": "/away", "redirects": 1}, {"method": "GET", "url": "/b"}]`)
	u.Play(time.Now(), 0)
	s.expect(t, "GET /away", "GET /b")
	expectCounts(t, p, map[string]float64{"http_reqs": 2, "bench_failed_expectations": 1, "bench_network_errors": 0})
}

func TestWhatIsNotSentIsANetworkError(t *testing.T) {
	s := newSite(t, func(http.ResponseWriter, *http.Request) {})
	p, u := userOf(t, s.URL, `[{"method": "GET", "url": "/a", "headers": {"X-A": "a\nb"}}, {"method": "GET", "url": "/b"}]`)
	u.Play(time.Now(), 0)
	s.expect(t, "GET /b")
	expectCounts(t, p, map[string]float64{"http_reqs": 2, "bench_network_errors": 1, "iterations": 1})
}

func TestCookiesLastAsLongAsTheSpecSays(t *testing.T) {
	for keeps, second := range map[bool]string{false: "", true: "session=7"} {
		s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/login" {
				http.SetCookie(w, &http.Cookie{Name: "session", Value: "7"})
			}
		})
		_, u := userOf(t, s.URL, `[{"method": "GET", "url": "/a"}, {"method": "GET", "url": "/login"}, {"method": "GET", "url": "/b"}]`,
			func(_ *plan.Load, options *Options) { options.KeepCookies = keeps })
		u.Play(time.Now(), 0)
		u.Play(time.Now(), 1)
		_, cookies := s.seen()
		if want := []string{"", "", "session=7", second, second, "session=7"}; !slices.Equal(cookies, want) {
			t.Errorf("cookies that are kept (%v): %q, not %q", keeps, cookies, want)
		}
	}
}

func TestAnIterationThatIsCutOffIsNotCounted(t *testing.T) {
	hangs, under := make(chan struct{}), make(chan struct{}, 1)
	s := newSite(t, func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/hang" {
			under <- struct{}{}
			<-hangs
		}
	})
	p, u := userOf(t, s.URL, `[{"method": "GET", "url": "/a"}, {"method": "GET", "url": "/hang"}]`)
	ctx, cancel := context.WithCancel(t.Context())
	u.Enter(ctx)
	ended := make(chan bool)
	go func() { ended <- u.Play(time.Now(), 0) }()
	<-under
	cancel()
	u.Stop()
	if <-ended {
		t.Error("the iteration came to its end")
	}
	expectCounts(t, p, map[string]float64{"http_reqs": 1, "iterations": 0})

	close(hangs)
	u.Enter(t.Context())
	if !u.Play(time.Now(), 1) {
		t.Error("the iteration after it did not come to its end")
	}
	expectCounts(t, p, map[string]float64{"http_reqs": 3, "iterations": 1})
}

func TestRandomValuesAreOfUserAndIteration(t *testing.T) {
	for _, v := range vectors.Read[[]struct {
		Seed            [2]uint32
		User, Iteration uint64
		Draws           json.RawMessage
		Values          []any
	}](t, "random") {
		if v.Iteration > 3 {
			continue
		}
		s := newSite(t, func(http.ResponseWriter, *http.Request) {})
		request := fmt.Sprintf(`[{"method": "GET", "url": "/${random.0}/${random.4}/${random.6}", "draws": %s}]`, v.Draws)
		p, _ := userOf(t, s.URL, request, func(load *plan.Load, _ *Options) { load.Seed = v.Seed })
		u := p.NewUser(v.User, 1)
		u.Enter(t.Context())
		for number := range v.Iteration {
			u.Play(time.Now(), number)
		}
		u.Close()
		lines, _ := s.seen()
		if want := fmt.Sprintf("GET /%v/%v/%v", v.Values[0], v.Values[4], v.Values[6]); lines[v.Iteration-1] != want {
			t.Errorf("user %d, iteration %d: %s, not %s", v.User, v.Iteration, lines[v.Iteration-1], want)
		}
	}
}
