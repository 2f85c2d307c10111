package client

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"

	"benchfolio.dev/native/wire"
)

// Options are those of a request, whatever its values. All users share them.
type Options struct {
	Timeout   time.Duration // of each request, those that follow redirects too
	Redirects int           // how many are followed; then the last answer is taken as it is
	Origins   Origins       // where these may lead
	KeepBody  bool          // the answer's body is read
	Closes    bool          // the connection ends with the answer
	UserAgent string        // what another host than the first gets, which gets no header of the request
	heads     wire.Heads    // of the answers
}

// Header is one of a request's, by the name that net/http writes.
type Header struct{ Name, Value string }

// Request is one with all its values. Sending does not change it.
type Request struct {
	*Options
	Method  string
	Place   Place
	Host    string   // in place of the place's
	Agent   string   // the header User-Agent; empty: there is none
	Cookies []string // of the header Cookie: those of the jar follow
	Headers []Header // the others, sorted by name, but for those that tell a body's length
	Body    []byte
	HasBody bool // there is one, which may be empty

	ready *wire.Request // its bytes, of one that is always the same
}

// Ready makes the bytes of a request once: for one that is always the same and that all users send.
//
// It fails for what cannot stand in a request.
func (r *Request) Ready() error {
	if err := r.check(); err != nil {
		return err
	}
	r.ready = new(wire.Request)
	r.write(r.ready, nil)
	return nil
}

// check fails if a value cannot stand in a header: one with a line break would be a request of its own.
func (r *Request) check() error {
	if !httpguts.ValidHostHeader(r.host()) {
		return fmt.Errorf("invalid Host header")
	}
	if !httpguts.ValidHeaderFieldValue(r.Agent) {
		return invalidValue("User-Agent")
	}
	for _, h := range r.Headers {
		if !httpguts.ValidHeaderFieldName(h.Name) {
			return fmt.Errorf("net/http: invalid header field name %q", h.Name)
		}
		if !httpguts.ValidHeaderFieldValue(h.Value) {
			return invalidValue(h.Name)
		}
	}
	for _, cookie := range r.Cookies {
		if !httpguts.ValidHeaderFieldValue(cookie) {
			return invalidValue("Cookie")
		}
	}
	return nil
}

func invalidValue(name string) error {
	return fmt.Errorf("net/http: invalid header field value for %q", name)
}

func (r *Request) host() string {
	if r.Host != "" {
		return r.Host
	}
	return r.Place.Host
}

// isReplayable reports whether a request may be sent twice (RFC 9110, 9.2.2, as net/http has it).
func (r *Request) isReplayable() bool {
	switch r.Method {
	case "GET", "HEAD", "OPTIONS", "TRACE":
		return true
	}
	for i := range r.Headers {
		if name := r.Headers[i].Name; name == "Idempotency-Key" || name == "X-Idempotency-Key" {
			return true
		}
	}
	return false
}

// together is how long a body may be to go into one packet with its head.
const together = 4096

// write makes the bytes that are sent, in memory that is used again.
func (r *Request) write(to *wire.Request, cookies []string) {
	to.Timeout, to.IsHead, to.KeepBody, to.Body, to.Heads = r.Timeout, r.Method == "HEAD", r.KeepBody, nil, &r.heads
	to.Head = r.append(to.Head[:0], cookies)
	if len(r.Body) <= together {
		to.Head = append(to.Head, r.Body...)
	} else {
		to.Body = r.Body
	}
}

// append writes the head as net/http would: Host, User-Agent, the length of the body, and the other headers by name.
func (r *Request) append(to []byte, cookies []string) []byte {
	to = append(to, r.Method...)
	to = append(to, ' ')
	to = append(to, r.Place.Target...)
	to = append(to, " HTTP/1.1\r\n"...)
	to = appendHeader(to, "Host", r.host())
	if r.Agent != "" {
		to = appendHeader(to, "User-Agent", r.Agent)
	}
	if len(r.Body) > 0 || !r.HasBody && usuallyHasBody(r.Method) {
		to = appendHeader(to, "Content-Length", strconv.Itoa(len(r.Body)))
	} else if r.isEmptyChunked() {
		to = appendHeader(to, "Transfer-Encoding", "chunked")
	}
	closes := r.Closes
	for _, h := range r.allHeaders(cookies) {
		to = appendHeader(to, h.Name, strings.Trim(h.Value, " \t"))
		if h.Name == "Connection" && strings.EqualFold(h.Value, "close") {
			closes = false // it says so itself
		}
	}
	if closes {
		to = appendHeader(to, "Connection", "close")
	}
	to = append(to, "\r\n"...)
	if r.isEmptyChunked() {
		to = append(to, "0\r\n\r\n"...)
	}
	return to
}

// allHeaders are those of the request, with cookies and what the user of a URL makes of it.
func (r *Request) allHeaders(cookies []string) []Header {
	all := r.Headers
	if r.Place.User != "" && !slices.ContainsFunc(all, func(h Header) bool { return h.Name == "Authorization" }) {
		all = append(slices.Clone(all), Header{"Authorization", r.Place.User})
	}
	if len(r.Cookies)+len(cookies) > 0 {
		all = append(slices.Clone(all), Header{"Cookie", strings.Join(slices.Concat(r.Cookies, cookies), "; ")})
	}
	if len(all) > len(r.Headers) {
		sort.SliceStable(all, func(i, j int) bool { return all[i].Name < all[j].Name })
	}
	return all
}

// isEmptyChunked reports whether there is a body that happens to be empty: net/http, which cannot tell its length, sends
// it in chunks, of which there are none.
func (r *Request) isEmptyChunked() bool {
	return r.HasBody && len(r.Body) == 0 && !usuallyLacksBody(r.Method)
}

func usuallyLacksBody(method string) bool {
	return slices.Contains([]string{"GET", "HEAD", "DELETE", "OPTIONS"}, method)
}

// usuallyHasBody: these methods send their length even if it is 0.
func usuallyHasBody(method string) bool {
	return method == "POST" || method == "PUT" || method == "PATCH"
}

func appendHeader(to []byte, name, value string) []byte {
	to = append(to, name...)
	to = append(to, ": "...)
	to = append(to, value...)
	return append(to, "\r\n"...)
}
