package player

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"benchfolio.dev/native/plan"
	"benchfolio.dev/native/tally"
)

// site is a server that notes what came.
type site struct {
	*httptest.Server
	mutex sync.Mutex
	noted []sent
}

type sent struct {
	line string // method, address and body
	head http.Header
	from string
}

func newSite(t *testing.T, answer http.HandlerFunc) *site {
	t.Helper()
	s := new(site)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mutex.Lock()
		s.noted = append(s.noted, sent{strings.TrimSpace(r.Method + " " + r.URL.RequestURI() + " " + string(body)), r.Header, r.RemoteAddr})
		s.mutex.Unlock()
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *site) seen() []sent {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return slices.Clone(s.noted)
}

func (s *site) expect(t *testing.T, lines ...string) {
	t.Helper()
	var came []string
	for _, one := range s.seen() {
		came = append(came, one.line)
	}
	if !slices.Equal(came, lines) {
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

// countOf is how often something was counted.
func countOf(t *testing.T, p *Player, metric string) float64 {
	t.Helper()
	if err := p.recorder.Turn(time.Now(), 1, func(*tally.Second) error { return nil }); err != nil {
		t.Fatal(err)
	}
	entry, _ := p.recorder.Summary(metric, nil, 1)
	return entry.Values["count"]
}

func TestRedirectsAreFollowedAsNetHTTPDoes(t *testing.T) {
	for _, c := range []struct {
		request string
		want    []string
	}{
		{`{"method": "POST", "url": "/301", "body": {"text": "x"}, "redirects": 1}`, []string{"POST /301 x", "GET /end"}},
		{`{"method": "PUT", "url": "/302", "body": {"text": "x"}, "redirects": 1}`, []string{"PUT /302 x", "GET /end"}},
		{`{"method": "HEAD", "url": "/303", "redirects": 1}`, []string{"HEAD /303", "HEAD /end"}},
		{`{"method": "POST", "url": "/307", "body": {"text": "x"}, "redirects": 1}`, []string{"POST /307 x", "POST /end x"}},
		{`{"method": "POST", "url": "/308", "body": {"text": "x"}, "redirects": 1}`, []string{"POST /308 x", "POST /end x"}},
		{`{"method": "GET", "url": "/301", "redirects": 0}`, []string{"GET /301"}},
		{`{"method": "GET", "url": "/304", "redirects": 5}`, []string{"GET /304"}},
	} {
		s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
			status := 200
			if _, err := fmt.Sscanf(r.URL.Path, "/%d", &status); err == nil {
				w.Header().Set("Location", "end")
			}
			w.WriteHeader(status)
		})
		p, u := userOf(t, s.URL, "["+c.request+"]")
		if !u.Play(time.Now(), 0) {
			t.Errorf("%s: the iteration did not come to its end", c.request)
		}
		s.expect(t, c.want...)
		if n := countOf(t, p, "http_reqs"); n != float64(len(c.want)) {
			t.Errorf("%s: %v requests were counted", c.request, n)
		}
		if n := countOf(t, p, "bench_connections"); n != 1 {
			t.Errorf("%s: %v connections were opened", c.request, n)
		}
	}
}

func TestRedirectsEndAtTheirLimit(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/loop", http.StatusFound) })
	_, u := userOf(t, s.URL, `[{"method": "GET", "url": "/loop", "redirects": 2}]`)
	u.Play(time.Now(), 0)
	s.expect(t, "GET /loop", "GET /loop", "GET /loop")
}

func TestAnotherHostGetsNoHeaders(t *testing.T) {
	other := newSite(t, func(http.ResponseWriter, *http.Request) {})
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL+"/end", http.StatusFound) })
	const request = `[{"method": "GET", "url": "/away", "headers": {"X-Key": "secret"}, "redirects": 5}]`
	_, u := userOf(t, s.URL, request, func(load *plan.Load, _ *Options) { load.Hosts = []string{other.URL} })
	u.Play(time.Now(), 0)
	other.expect(t, "GET /end")
	if to := other.seen()[0].head; to.Get("X-Key") != "" || s.seen()[0].head.Get("X-Key") != "secret" {
		t.Errorf("headers %v, and at the other host %v", s.seen()[0].head, to)
	}

	p, u := userOf(t, s.URL, request) // which does not name it
	u.Play(time.Now(), 0)
	other.expect(t, "GET /end")
	if n := countOf(t, p, "bench_failed_expectations"); n != 1 {
		t.Errorf("%v expectations failed", n)
	}
}

func TestCookiesLastAsLongAsTheSpecSays(t *testing.T) {
	for _, keeps := range []bool{false, true} {
		s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/login" {
				http.SetCookie(w, &http.Cookie{Name: "session", Value: "7"})
			}
		})
		_, u := userOf(t, s.URL, `[{"method": "GET", "url": "/a"}, {"method": "GET", "url": "/login"}, {"method": "GET", "url": "/b"}]`,
			func(_ *plan.Load, options *Options) { options.KeepCookies = keeps })
		u.Play(time.Now(), 0)
		u.Play(time.Now(), 1)
		var got []string
		for _, one := range s.seen() {
			got = append(got, one.head.Get("Cookie"))
		}
		second := map[bool]string{true: "session=7"}[keeps]
		if want := []string{"", "", "session=7", second, second, "session=7"}; !slices.Equal(got, want) {
			t.Errorf("cookies that are kept (%v): %q, not %q", keeps, got, want)
		}
	}
}

// breaking answers the first request of a connection, and ends it with the second, at once or amid the answer.
func breaking(amid bool) http.HandlerFunc {
	var known sync.Map
	return func(w http.ResponseWriter, r *http.Request) {
		if _, again := known.LoadOrStore(r.RemoteAddr, true); !again {
			return
		}
		conn, buffered, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		if amid {
			_, _ = buffered.WriteString("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
			_ = buffered.Flush()
			time.Sleep(20 * time.Millisecond) // the reset is not to overtake it
			_ = conn.(*net.TCPConn).SetLinger(0)
		}
		_ = conn.Close()
	}
}

func TestOnlyWhatMayBeSentTwiceIs(t *testing.T) {
	for _, c := range []struct {
		method string
		amid   bool
		sent   int
		errors float64
	}{
		{"GET", false, 3, 0}, {"POST", false, 2, 1}, {"GET", true, 2, 1}, {"POST", true, 2, 1},
	} {
		s := newSite(t, breaking(c.amid))
		p, u := userOf(t, s.URL, fmt.Sprintf(`[{"method": %q, "url": "/a"}, {"method": %q, "url": "/a"}]`, c.method, c.method))
		u.Play(time.Now(), 0)
		if n := len(s.seen()); n != c.sent {
			t.Errorf("%s, amid its answer (%v): sent %d times, not %d", c.method, c.amid, n, c.sent)
		}
		if n := countOf(t, p, "bench_network_errors"); n != c.errors {
			t.Errorf("%s, amid its answer (%v): %v errors, not %v", c.method, c.amid, n, c.errors)
		}
		if n := countOf(t, p, "http_reqs"); n != 2 {
			t.Errorf("%s, amid its answer (%v): %v requests were counted", c.method, c.amid, n)
		}
	}
}

func TestAUserIsStoppedOnAnyConnectionAndComesBack(t *testing.T) {
	hangs, under := make(chan struct{}), make(chan struct{})
	s := newSite(t, func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/hang" {
			close(under)
			<-hangs
		}
	})
	defer close(hangs)
	other := newSite(t, func(http.ResponseWriter, *http.Request) {})
	p, u := userOf(t, s.URL, fmt.Sprintf(
		`[{"method": "GET", "url": "/a"}, {"method": "GET", "url": "%s/b"}, {"method": "GET", "url": "/hang"}]`, other.URL,
	), func(load *plan.Load, _ *Options) { load.Hosts = []string{other.URL} })
	ctx, cancel := context.WithCancel(t.Context())
	u.Enter(ctx)
	ended := make(chan bool)
	go func() { ended <- u.Play(time.Now(), 0) }()
	<-under // the connection to the other site is newer
	cancel()
	u.Stop()
	if <-ended {
		t.Error("the iteration came to its end")
	}
	if n := countOf(t, p, "http_reqs"); n != 2 {
		t.Errorf("%v requests were counted: one was cut off", n)
	}

	u.Enter(t.Context())
	p.sides[0] = p.sides[0][:2]
	if !u.Play(time.Now(), 1) {
		t.Error("the iteration after it did not come to its end")
	}
	s.expect(t, "GET /a", "GET /hang", "GET /a")
	if seen := s.seen(); seen[1].from == seen[2].from {
		t.Error("the connection that was cut off was used again")
	}
	if n := countOf(t, p, "iterations"); n != 1 {
		t.Errorf("%v iterations were counted", n)
	}
}
