package player

import (
	"errors"
	"slices"
	"strings"
	"time"

	"benchfolio.dev/native/tally"
	"benchfolio.dev/native/wire"
)

// fetch sends a request and follows redirects; u.response is the last answer.
//
// It fails if there is none: then what went wrong has been counted as a request that failed, if anything was sent.
func (u *User) fetch(r *request) error {
	if r.constant != nil && u.jar.jar == nil {
		if err := u.hop(r, &r.home, r.constant); err != nil {
			return err
		}
		if u.isFinal() {
			return nil
		}
	}
	return u.fetchDescribed(r)
}

// isFinal reports whether an answer neither sets cookies nor says where to go on.
func (u *User) isFinal() bool {
	return !u.response.SetsCookies() && (u.response.Status < 300 || u.response.Status > 399)
}

// fetchDescribed is the general way: with values, cookies and redirects. A constant request that has been sent already
// is described for what follows it.
func (u *User) fetchDescribed(r *request) error {
	sent := r.constant != nil && u.jar.jar == nil
	if err := u.describe(r); err != nil {
		return err
	}
	o := &u.outgoing
	first := o.place.referer
	for followed := 0; ; followed++ {
		if !sent {
			o.cookies = append(o.cookies, u.jar.of(o.place.referer)...)
			o.into(&u.request, r)
			if err := u.hop(r, &o.place, &u.request); err != nil {
				return err
			}
		}
		sent = false
		if u.isFinal() {
			return nil
		}
		u.jar.set(o.place.referer, u.response.Values("Set-Cookie"))
		if goesOn, err := u.redirect(o, r, first, followed); err != nil || !goesOn {
			return err
		}
		u.redirected = true
	}
}

// describe makes the outgoing request, with the values of the iteration.
func (u *User) describe(r *request) (err error) {
	o := &u.outgoing
	o.method, o.body, o.hasBody = r.method, nil, r.body.some
	if r.draws != nil {
		u.values.Drawn = u.drawing.Append(u.values.Drawn[:0], r.draws)
	}
	if o.place, err = u.placeOf(r); err != nil {
		return err
	}
	if r.body.bytes != nil {
		o.body = r.body.bytes
	} else if r.body.some {
		o.body = r.body.text.Append(o.body[:0], &u.values)
	}
	if err := o.describe(r, &u.values); err != nil {
		now := wire.Now()
		u.countHop(r, 0, &hopTimes{began: now, sentAt: now, noAnswer: true})
		return err
	}
	return nil
}

// redirect makes the request that follows a redirect: 301, 302 and 303 go on as GET, 307 and 308 with method and body.
// Another host than that of the first address, which the spec names too, gets no header of the request. It reports
// false if there is none to follow.
func (u *User) redirect(o *outgoing, r *request, first string, followed int) (bool, error) {
	status := u.response.Status
	if followed >= r.redirects || !slices.Contains([]int{301, 302, 303, 307, 308}, status) {
		return false, nil
	}
	location, there := u.response.Header("Location")
	if !there {
		return false, nil
	}
	to, ok := resolveURL(o.place.referer, location)
	if !ok {
		return false, &elsewhere{"what is not a valid http(s) URL"}
	}
	origin, _ := originOf(to)
	if !r.origins[origin] {
		return false, &elsewhere{origin + ", which the spec does not name"}
	}
	next, err := placeOf(to)
	if err != nil {
		return false, err
	}
	if status <= 303 && o.method != "HEAD" {
		o.method, o.body, o.hasBody = "GET", nil, false
	}
	o.place = next
	described := r
	if home, _ := originOf(first); origin != home {
		described = &request{options: r.options}
	}
	return true, o.describe(described, &u.values)
}

// placeOf is where a request goes, with the values of the iteration.
func (u *User) placeOf(r *request) (place, error) {
	if r.constant != nil {
		return r.home, nil
	}
	u.url = r.address.url.Append(u.url[:0], &u.values)
	a := &r.address
	if a.based && a.origin != "" {
		target := u.url[len(a.origin):]
		if isPlain(target) {
			p := a.home
			p.target = string(target)
			p.referer = a.origin + p.target
			return p, nil
		}
	}
	text := string(u.url)
	if !a.based && !isAbsolute(text) {
		if strings.HasPrefix(text, "/") {
			text = a.base + text
		} else {
			text = a.base + "/" + text
		}
	} else if !a.based || a.own {
		if err := r.origins.check(text); err != nil {
			return place{}, err
		}
	}
	return placeOf(text)
}

// hop sends one request and counts it.
func (u *User) hop(r *request, to *place, request *wire.Request) error {
	if u.reading && !request.KeepBody {
		request = u.copied(request)
		request.KeepBody = true
	}
	began := wire.Now()
	conn, times, err := u.connect(to, r.timeout, !isReplayable(r))
	if err == nil {
		if left := r.timeout - time.Duration(wire.Now()-began); times.Connecting > 0 && left < r.timeout {
			request = u.copied(request)
			request.Timeout = max(left, time.Millisecond) // what connecting took, the request has not
		}
		err = u.exchange(conn, request)
		kept := err != nil && times.Connecting == 0 && u.response.FirstByte == 0
		if kept && (wire.IsSilence(err) && isReplayable(r) || errors.Is(err, wire.ErrUnread)) {
			u.drop(conn) // the server gave the kept connection up just then: once more, as net/http does
			began = wire.Now()
			if conn, times, err = u.reconnect(to, r.timeout); err == nil {
				err = u.exchange(conn, request)
			}
		}
	}
	if u.cancelled || errors.Is(err, wire.ErrCancelled) || u.ctx.Err() != nil && err != nil {
		u.cancelled = true
		return wire.ErrCancelled
	}
	if conn == nil {
		u.countHop(r, 0, &hopTimes{began: began, sentAt: wire.Now(), noAnswer: true})
		return err
	}
	if u.looking != nil {
		u.tls = conn.TLS()
	}
	sentAt := began + int64(times.Resolving+times.Connecting+times.TLSHandshaking)
	u.countHop(r, statusOf(err, u.response.Status), &hopTimes{began: began, sentAt: sentAt, times: times})
	if !conn.Usable() || r.options.ConnectionPerRequest {
		u.drop(conn)
	}
	return err
}

// copied is a request that may be changed before it is sent.
func (u *User) copied(request *wire.Request) *wire.Request {
	if request != &u.copy {
		u.copy = *request
	}
	return &u.copy
}

func statusOf(err error, status int) int {
	if err != nil {
		return 0
	}
	return status
}

func (u *User) exchange(conn *wire.Conn, request *wire.Request) error {
	sent, received := conn.Sent, conn.Received
	err := conn.RoundTrip(request, &u.response)
	u.sent += conn.Sent - sent
	u.received += conn.Received - received
	return err
}

// isReplayable reports whether a request may be sent twice (RFC 9110, 9.2.2, as net/http has it).
func isReplayable(r *request) bool {
	switch r.method {
	case "GET", "HEAD", "OPTIONS", "TRACE":
		return true
	}
	for _, h := range r.headers {
		if h.name == "Idempotency-Key" || h.name == "X-Idempotency-Key" {
			return true
		}
	}
	return false
}

// connect finds the connection that is kept for a place, or makes one. One that must not fail is checked before.
func (u *User) connect(to *place, timeout time.Duration, careful bool) (*wire.Conn, wire.Times, error) {
	for _, kept := range u.conns {
		if kept.address != to.address || kept.secure != to.secure {
			continue
		}
		if careful && !kept.conn.Quiet() {
			u.drop(kept.conn)
			break
		}
		if u.current.Load() != kept.conn {
			u.goOnWith(kept.conn)
		}
		return kept.conn, wire.Times{}, nil
	}
	return u.reconnect(to, timeout)
}

// goOnWith says which connection Stop is to end what is under way on.
func (u *User) goOnWith(conn *wire.Conn) {
	u.current.Store(conn)
	if u.ctx.Err() != nil { // Stop may have come before it could see this one
		conn.Cancel()
	}
}

func (u *User) reconnect(to *place, timeout time.Duration) (*wire.Conn, wire.Times, error) {
	var way wire.Way // a literal would stand on the stack twice
	way.Address, way.Timeout, way.Buffer = to.address, timeout, u.spare
	if to.secure {
		way.Server = strings.Trim(to.address[:strings.LastIndexByte(to.address, ':')], "[]")
	}
	conn, times, err := u.player.dialer.Dial(u.ctx, u.id, &way)
	if err != nil {
		return nil, times, err
	}
	u.spare = nil
	u.conns = append(u.conns, keptConn{conn, to.address, to.secure})
	u.goOnWith(conn)
	return conn, times, nil
}

func (u *User) drop(conn *wire.Conn) {
	_ = conn.Close() // nothing is sent on it any more
	u.spare = conn.Buffer()
	u.conns = slices.DeleteFunc(u.conns, func(kept keptConn) bool { return kept.conn == conn })
}

// hopTimes say when what happened to a request, by wire.Now.
type hopTimes struct {
	began    int64 // when it wanted a connection, and
	sentAt   int64 // when it had one
	times    wire.Times
	noAnswer bool // there never was a connection
}

// countHop counts a request, one of those on the way of a redirect included. Times are those of k6: sending until all is
// written, waiting until the first byte, receiving until the last.
func (u *User) countHop(r *request, status int, t *hopTimes) {
	unexpected := !isExpected(status, r.accepted)
	first := u.player.schedule != nil && u.firstTook < 0
	u.countRequest(r, unexpected, func(cell *tally.Cell) {
		cell.Count(tally.Requests, 1)
		if unexpected {
			cell.Count(tally.Failed, 1)
		}
		if t.times.Connecting > 0 {
			cell.Count(tally.Connections, 1)
		}
		var sending, waiting, receiving, end int64
		if end = u.response.Done; end == 0 || t.noAnswer {
			end = wire.Now()
		}
		if !t.noAnswer && u.response.Wrote > 0 {
			sending = u.response.Wrote - t.sentAt
			if first := u.response.FirstByte; first > 0 {
				waiting, receiving = first-u.response.Wrote, end-first
			} else {
				waiting = end - u.response.Wrote
			}
		}
		took := max(sending, 0) + max(waiting, 0) + max(receiving, 0)
		cell.Time(tally.Duration, took)
		cell.Time(tally.Waiting, waiting)
		if first {
			u.firstTook, u.firstName = took, r.index // counted with its wait, when that is known
		} else if u.player.schedule != nil {
			cell.Time(tally.Intended, took)
		}
		if u.player.detailed {
			cell.Time(tally.Sending, sending)
			cell.Time(tally.Receiving, receiving)
			cell.Time(tally.Connecting, int64(t.times.Connecting))
			cell.Time(tally.TLSHandshaking, int64(t.times.TLSHandshaking))
			cell.Time(tally.Blocked, t.sentAt-t.began-int64(t.times.Connecting+t.times.TLSHandshaking))
		}
	})
}
