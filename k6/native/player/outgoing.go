package player

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"golang.org/x/net/http/httpguts"

	"benchfolio.dev/native/template"
	"benchfolio.dev/native/wire"
)

// outgoing is a request with all its values. It is written as net/http would: Host, User-Agent, the length of the body,
// and the other headers by name.
type outgoing struct {
	method  string
	place   place
	host    string
	agent   string
	cookies []string // of the header Cookie
	headers [][2]string
	body    []byte
	hasBody bool
}

// describe fills in what a request says, but for its address and body.
//
// It fails if a value cannot stand in a header: one with a line break would be a request of its own.
func (o *outgoing) describe(r *request, values *template.Values) error {
	o.host, o.agent = o.place.host, r.options.UserAgent
	o.headers, o.cookies = o.headers[:0], o.cookies[:0]
	if r.host != nil {
		o.host = r.host.Fill(values)
	}
	if r.agent != nil {
		o.agent = r.agent.Fill(values)
	}
	if r.cookie != nil {
		o.cookies = append(o.cookies, r.cookie.Fill(values))
	}
	for _, h := range r.headers {
		o.headers = append(o.headers, [2]string{h.name, h.value.Fill(values)})
	}
	if o.place.user != "" && !slices.ContainsFunc(o.headers, func(h [2]string) bool { return h[0] == "Authorization" }) {
		o.headers = append(o.headers, [2]string{"Authorization", o.place.user})
	}
	return o.check()
}

func (o *outgoing) check() error {
	if !httpguts.ValidHostHeader(o.host) {
		return fmt.Errorf("invalid Host header")
	}
	for _, h := range append(o.headers, [2]string{"User-Agent", o.agent}) {
		if !httpguts.ValidHeaderFieldName(h[0]) {
			return fmt.Errorf("net/http: invalid header field name %q", h[0])
		}
		if !httpguts.ValidHeaderFieldValue(h[1]) {
			return fmt.Errorf("net/http: invalid header field value for %q", h[0])
		}
	}
	for _, cookie := range o.cookies {
		if !httpguts.ValidHeaderFieldValue(cookie) {
			return fmt.Errorf("net/http: invalid header field value for %q", "Cookie")
		}
	}
	return nil
}

// isEmptyChunked reports whether there is a body that happens to be empty: net/http, which cannot tell its length, sends
// it in chunks, of which there are none.
func (o *outgoing) isEmptyChunked() bool {
	return o.hasBody && len(o.body) == 0 && !usuallyLacksBody(o.method)
}

func usuallyLacksBody(method string) bool {
	return slices.Contains([]string{"GET", "HEAD", "DELETE", "OPTIONS"}, method)
}

// usuallyHasBody: these methods send their length even if it is 0.
func usuallyHasBody(method string) bool {
	return method == "POST" || method == "PUT" || method == "PATCH"
}

// append writes the head of the request.
func (o *outgoing) append(to []byte, closes bool) []byte {
	to = append(to, o.method...)
	to = append(to, ' ')
	to = append(to, o.place.target...)
	to = append(to, " HTTP/1.1\r\n"...)
	to = appendHeader(to, "Host", o.host)
	if o.agent != "" {
		to = appendHeader(to, "User-Agent", o.agent)
	}
	headers := o.headers
	if len(o.cookies) > 0 {
		headers = append(slices.Clone(headers), [2]string{"Cookie", strings.Join(o.cookies, "; ")})
	}
	sort.SliceStable(headers, func(i, j int) bool { return headers[i][0] < headers[j][0] })
	if closed := slices.ContainsFunc(headers, isClose); closed {
		closes = false
	}
	if len(o.body) > 0 || !o.hasBody && usuallyHasBody(o.method) {
		to = appendHeader(to, "Content-Length", strconv.Itoa(len(o.body)))
	} else if o.isEmptyChunked() {
		to = appendHeader(to, "Transfer-Encoding", "chunked")
	}
	for _, h := range headers {
		to = appendHeader(to, h[0], strings.Trim(h[1], " \t"))
	}
	if closes {
		to = appendHeader(to, "Connection", "close")
	}
	to = append(to, "\r\n"...)
	if o.isEmptyChunked() {
		to = append(to, "0\r\n\r\n"...)
	}
	return to
}

func isClose(h [2]string) bool { return h[0] == "Connection" && strings.EqualFold(h[1], "close") }

func appendHeader(to []byte, name, value string) []byte {
	to = append(to, name...)
	to = append(to, ": "...)
	to = append(to, value...)
	return append(to, "\r\n"...)
}

// together is how long a body may be to go into one packet with its head.
const together = 4096

// wire makes the bytes that are sent.
func (o *outgoing) wire(r *request) *wire.Request {
	w := &wire.Request{Timeout: r.timeout, IsHead: o.method == "HEAD", KeepBody: r.keepBody, Heads: r.heads}
	w.Head = o.append(nil, r.options.ConnectionPerRequest)
	if len(o.body) <= together {
		w.Head = append(w.Head, o.body...)
	} else {
		w.Body = o.body
	}
	return w
}

// into is the same in the memory of a user, which is used again.
func (o *outgoing) into(w *wire.Request, r *request) {
	w.Timeout, w.IsHead, w.KeepBody, w.Body, w.Heads = r.timeout, o.method == "HEAD", r.keepBody, nil, r.heads
	w.Head = o.append(w.Head[:0], r.options.ConnectionPerRequest)
	if len(o.body) <= together {
		w.Head = append(w.Head, o.body...)
	} else {
		w.Body = o.body
	}
}
