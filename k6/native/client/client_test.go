package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"benchfolio.dev/native/vectors"
	"benchfolio.dev/native/wire"
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

// clientOf is a client, and the hops that it counted.
func clientOf(t *testing.T) (*Client, *[]Hop) {
	hops := new([]Hop)
	c := New(new(wire.Dialer), 1, func(hop Hop) { *hops = append(*hops, hop) })
	c.Enter(t.Context())
	t.Cleanup(c.Close)
	return c, hops
}

// requestOf is a request to a path of a site.
func requestOf(t *testing.T, method string, to *site, path string, change ...func(*Request)) *Request {
	t.Helper()
	place, err := PlaceOf(to.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	options := Options{Timeout: 10 * time.Second, Redirects: 5, Origins: OriginsOf(to.URL, nil), UserAgent: "benchfolio"}
	r := &Request{Options: &options, Method: method, Place: place, Agent: "benchfolio"}
	for _, change := range change {
		change(r)
	}
	return r
}

func body(text string) func(*Request) {
	return func(r *Request) { r.Body, r.HasBody = []byte(text), true }
}

func connections(hops []Hop) (n int) {
	for _, hop := range hops {
		if hop.Times.Connecting > 0 {
			n++
		}
	}
	return n
}

func TestRedirectsLeadWhereTheyMay(t *testing.T) {
	type shown struct {
		Method, URL string
		Headers     map[string]string
		Body        *string
	}
	for _, v := range vectors.Read[[]struct {
		Name    string
		Sent    shown
		Most    *int
		Answers [][2]any // status and Location
		Then    []shown
		Problem string
	}](t, "redirects") {
		place, err := PlaceOf(v.Sent.URL)
		if err != nil {
			t.Fatal(err)
		}
		first := Request{Options: &Options{Redirects: 5, Origins: OriginsOf("http://shop", []string{"https://cdn"})}, Method: v.Sent.Method, Place: place}
		if v.Most != nil {
			first.Redirects = *v.Most
		}
		if v.Sent.Body != nil {
			body(*v.Sent.Body)(&first)
		}
		for name, value := range v.Sent.Headers {
			if name == "Cookie" {
				first.Cookies = []string{value}
			} else {
				first.Headers = append(first.Headers, Header{name, value})
			}
		}
		got, problem, last := []shown{}, "", &first
		for followed := 0; ; followed++ {
			location, _ := v.Answers[followed][1].(string)
			status := int(v.Answers[followed][0].(float64))
			if !first.leads(status, v.Answers[followed][1] != nil, followed) {
				break
			}
			next, err := last.redirected(&first, status, location)
			if err != nil {
				problem = err.Error()
				break
			}
			last = next
			one := shown{Method: next.Method, URL: next.Place.URL, Headers: map[string]string{}}
			if next.HasBody {
				text := string(next.Body)
				one.Body = &text
			}
			for _, h := range next.allHeaders(nil) {
				one.Headers[h.Name] = h.Value
			}
			got = append(got, one)
		}
		if problem != v.Problem || !reflect.DeepEqual(got, v.Then) {
			t.Errorf("%s: %+v (%s), not %+v (%s)", v.Name, got, problem, v.Then, v.Problem)
		}
	}
}

func TestRedirectsAreFollowedOnOneConnection(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		status := 200
		if _, err := fmt.Sscanf(r.URL.Path, "/%d", &status); err == nil {
			w.Header().Set("Location", "end")
		}
		w.WriteHeader(status)
	})
	c, hops := clientOf(t)
	if err := c.Do(requestOf(t, "POST", s, "/307", body("x")), false); err != nil {
		t.Fatal(err)
	}
	s.expect(t, "POST /307 x", "POST /end x")
	if len(*hops) != 2 || (*hops)[0].Status != 307 || (*hops)[1].Status != 200 || connections(*hops) != 1 || c.Followed != 1 {
		t.Errorf("%+v, %d redirects", *hops, c.Followed)
	}
	if err := c.Do(requestOf(t, "GET", s, "/304"), false); err != nil || c.Response.Status != 304 || c.Followed != 0 {
		t.Errorf("status %d, %d redirects (%v)", c.Response.Status, c.Followed, err)
	}
}

func TestAnotherHostIsSentNoHeadersAndOnlyIfItIsNamed(t *testing.T) {
	other := newSite(t, func(http.ResponseWriter, *http.Request) {})
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL+"/end", http.StatusFound) })
	secret := func(r *Request) {
		r.Agent, r.Headers, r.Cookies = "me/1.0", []Header{{"X-Key", "secret"}}, []string{"own=1"}
	}
	c, _ := clientOf(t)
	var away *Elsewhere
	if err := c.Do(requestOf(t, "GET", s, "/away", secret), false); !errors.As(err, &away) || !strings.HasSuffix(err.Error(), "which the spec does not name") {
		t.Errorf("the error is %v", err)
	}
	other.expect(t)
	named := requestOf(t, "GET", s, "/away", secret)
	named.Origins = OriginsOf(s.URL, []string{other.URL})
	if err := c.Do(named, false); err != nil {
		t.Error(err)
	}
	other.expect(t, "GET /end")
	home, to := s.seen()[1].head, other.seen()[0].head
	if home.Get("X-Key") != "secret" || home.Get("User-Agent") != "me/1.0" || home.Get("Cookie") != "own=1" {
		t.Errorf("headers %v at home", home)
	}
	if want := (http.Header{"User-Agent": {"benchfolio"}}); !maps.EqualFunc(to, want, slices.Equal) {
		t.Errorf("headers %v at the other host", to)
	}
}

func TestCookiesAreSentUntilTheyAreForgotten(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/login":
			http.SetCookie(w, &http.Cookie{Name: "session", Value: "7"})
		case "/to":
			http.SetCookie(w, &http.Cookie{Name: "on_the_way", Value: "1"})
			http.Redirect(w, r, "/end", http.StatusFound)
		}
	})
	c, _ := clientOf(t)
	send := func(path string, change ...func(*Request)) {
		r := requestOf(t, "GET", s, path, change...)
		if err := r.Ready(); err != nil { // as one that is always the same is sent
			t.Fatal(err)
		}
		if err := c.Do(r, false); err != nil {
			t.Fatal(err)
		}
	}
	send("/a")
	send("/login")
	if value, set := c.Cookie("session"); value != "7" || !set {
		t.Errorf("the answer set %q (%v)", value, set)
	}
	send("/a", func(r *Request) { r.Cookies = []string{"own=1"} })
	send("/to")
	c.Jar.Clear()
	send("/a")
	var got []string
	for _, one := range s.seen() {
		got = append(got, one.head.Get("Cookie"))
	}
	if want := []string{"", "", "own=1; session=7", "session=7", "session=7; on_the_way=1", ""}; !slices.Equal(got, want) {
		t.Errorf("cookies %q, not %q", got, want)
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
	key := func(r *Request) { r.Headers = []Header{{"Idempotency-Key", "7"}} }
	for _, v := range []struct {
		method string
		change func(*Request)
		amid   bool
		sent   int
		fails  bool
	}{
		{"GET", nil, false, 3, false}, {"POST", nil, false, 2, true}, {"POST", key, false, 3, false},
		{"GET", nil, true, 2, true}, {"POST", key, true, 2, true},
	} {
		s := newSite(t, breaking(v.amid))
		c, hops := clientOf(t)
		r := requestOf(t, v.method, s, "/a")
		if v.change != nil {
			v.change(r)
		}
		if err := c.Do(r, false); err != nil {
			t.Fatal(err)
		}
		err := c.Do(r, false)
		if n := len(s.seen()); n != v.sent || (err != nil) != v.fails {
			t.Errorf("%s %v, amid its answer (%v): sent %d times, not %d (%v)", v.method, r.Headers, v.amid, n, v.sent, err)
		}
		if len(*hops) != 2 || ((*hops)[1].Status == 0) != v.fails {
			t.Errorf("%s %v, amid its answer (%v): counted as %+v", v.method, r.Headers, v.amid, *hops)
		}
	}
}

func TestIsStoppedOnAnyConnectionAndComesBack(t *testing.T) {
	hangs, under := make(chan struct{}), make(chan struct{})
	s := newSite(t, func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/hang" {
			close(under)
			<-hangs
		}
	})
	defer close(hangs)
	other := newSite(t, func(http.ResponseWriter, *http.Request) {})
	c, hops := clientOf(t)
	ctx, cancel := context.WithCancel(t.Context())
	c.Enter(ctx)
	for _, r := range []*Request{requestOf(t, "GET", s, "/a"), requestOf(t, "GET", other, "/b")} {
		if err := c.Do(r, false); err != nil {
			t.Fatal(err)
		}
	}
	ended := make(chan error)
	go func() { ended <- c.Do(requestOf(t, "GET", s, "/hang"), false) }()
	<-under // the connection to the other site is newer
	cancel()
	c.Stop()
	if err := <-ended; err != wire.ErrCancelled {
		t.Errorf("the error is %v", err)
	}
	if err := c.Do(requestOf(t, "GET", other, "/b"), false); err != wire.ErrCancelled {
		t.Errorf("after its end: %v", err)
	}
	if len(*hops) != 2 {
		t.Errorf("counted as %+v: what was cut off is not counted", *hops)
	}

	c.Enter(t.Context())
	if err := c.Do(requestOf(t, "GET", s, "/a"), false); err != nil {
		t.Error(err)
	}
	s.expect(t, "GET /a", "GET /hang", "GET /a")
	if seen := s.seen(); seen[1].from == seen[2].from {
		t.Error("the connection that was cut off was used again")
	}
}

func TestCountsWhatCouldNotBeSent(t *testing.T) {
	s := newSite(t, func(http.ResponseWriter, *http.Request) {})
	c, hops := clientOf(t)
	for _, value := range []string{"a\r\nX-Evil: 1", "a\x00"} {
		r := requestOf(t, "GET", s, "/a", func(r *Request) { r.Headers = []Header{{"X-A", value}} })
		if err := r.Ready(); err == nil {
			t.Errorf("%q is ready to be sent", value)
		}
		if err := c.Do(r, false); err == nil {
			t.Errorf("%q was sent", value)
		}
	}
	s.CloseClientConnections()
	s.Server.Close()
	if err := c.Do(requestOf(t, "GET", s, "/a"), false); err == nil {
		t.Error("an answer, and nobody there")
	}
	for _, hop := range *hops {
		if !hop.Unsent || hop.Status != 0 {
			t.Errorf("counted as %+v", hop)
		}
	}
	if len(*hops) != 3 {
		t.Errorf("%d were counted", len(*hops))
	}
	s.expect(t)
}

func TestReadsBodiesForThoseWhoWantThem(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "text") })
	c, _ := clientOf(t)
	r := requestOf(t, "GET", s, "/a")
	if err := r.Ready(); err != nil {
		t.Fatal(err)
	}
	for _, reads := range []bool{false, true, false} {
		if err := c.Do(r, reads); err != nil {
			t.Fatal(err)
		}
		if got, err := c.Body(); err != nil || (string(got) == "text") != reads {
			t.Errorf("the body is %q (%v), and was to be read: %v", got, err, reads)
		}
	}
}

func TestABodyIsDecodedWithinBounds(t *testing.T) {
	// A window of 512 MiB, asked for in ten bytes (RFC 8878, 3.1.1.1.2: exponent 19).
	window := []byte{0x28, 0xB5, 0x2F, 0xFD, 0x00, 19 << 3, 0x01, 0x00, 0x00}
	for _, each := range []struct {
		encodings string
		body      []byte
		want      string
	}{
		{"zstd", window, "error decompressing response body (zstd)"},
		{"gzip, gzip, gzip, gzip, gzip", []byte("x"), "5 encodings"},
	} {
		s := newSite(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", each.encodings)
			_, _ = w.Write(each.body)
		})
		c, _ := clientOf(t)
		r := requestOf(t, "GET", s, "/a")
		if err := r.Ready(); err != nil {
			t.Fatal(err)
		}
		if err := c.Do(r, true); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Body(); err == nil || !strings.Contains(err.Error(), each.want) {
			t.Errorf("%s: %v", each.encodings, err)
		}
	}
}
