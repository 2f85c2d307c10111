package player

import (
	"fmt"
	"net/textproto"
	"slices"
	"sort"
	"strings"
	"sync/atomic"
	"time"

	"benchfolio.dev/native/client"
	"benchfolio.dev/native/plan"
	"benchfolio.dev/native/random"
	"benchfolio.dev/native/template"
)

const defaultTimeout = 60 * time.Second

// header is one of a request's, by the name that net/http writes.
type header struct {
	name  string
	value template.Text
}

// request is one of an iteration's, ready to be sent to one side. It is shared by all users and not changed.
type request struct {
	name     string
	index    int16 // by name: requests of one name are counted as one
	group    int16
	weight   float64
	method   string
	address  address
	headers  []header // sorted by name
	host     *template.Text
	agent    *template.Text
	cookie   *template.Text
	body     body
	statuses []int
	accepted []int
	expects  []expectation
	captures []capture
	think    *plan.Think
	draws    []random.Draw
	once     bool
	onError  bool // a failed expectation ends the iteration, and
	abandons bool // so does another error
	options  client.Options
	constant *client.Request // the whole where nothing in it changes: the usual case, and the fastest
	reported atomic.Bool     // why one failed
}

// address is the URL of a request.
type address struct {
	url    template.Text // absolute, or complete but for the base that goes in front of a path
	base   string
	based  bool         // url begins with the base
	own    bool         // the base is not that of all requests
	origin string       // scheme and host of the base, and
	home   client.Place // where they lead
}

type body struct {
	text  template.Text
	bytes []byte // in its place
	some  bool
}

func (b *body) isConstant() bool {
	_, constant := b.text.Constant()
	return b.bytes != nil || !b.some || constant
}

// compiler makes requests of one side.
type compiler struct {
	names   *template.Names
	base    string
	folder  string
	options *Options
	origins client.Origins   // where requests may go
	indexes map[string]int16 // of request names
	groups  map[string]int16
}

func (c *compiler) compile(planned plan.Request) (*request, error) {
	r := &request{
		name: planned.Name, index: c.indexes[planned.Name], group: -1, method: planned.Method,
		statuses: planned.Statuses, accepted: planned.Accepted,
		think: planned.Think, draws: planned.Draws, once: planned.Once,
		options: client.Options{
			Timeout: defaultTimeout, Redirects: planned.Redirects, Origins: c.origins,
			Closes: c.options.ConnectionPerRequest, UserAgent: c.options.UserAgent,
		},
		onError:  planned.OnError == "abandon",
		abandons: planned.OnError == "abandon" || planned.Capture != nil, // what was not captured, later requests need
	}
	if planned.Group != nil {
		r.group = c.groups[*planned.Group]
	}
	if planned.Weight != nil {
		r.weight = *planned.Weight
	}
	var err error
	if planned.Params.Timeout != "" {
		if r.options.Timeout, err = time.ParseDuration(strings.ReplaceAll(planned.Params.Timeout, " ", "")); err != nil {
			return nil, c.problem(planned, "timeout", err)
		}
	}
	if r.address, err = c.address(planned.URL); err != nil {
		return nil, c.problem(planned, "address", err)
	}
	if err = c.headers(r, planned.Headers); err != nil {
		return nil, c.problem(planned, "headers", err)
	}
	if r.body, err = c.body(planned.Body); err != nil {
		return nil, c.problem(planned, "body", err)
	}
	if r.expects, err = compileExpectations(planned.Expect, c.names); err != nil {
		return nil, c.problem(planned, "expect", err)
	}
	if r.captures, err = compileCaptures(planned.Capture, c.names); err != nil {
		return nil, c.problem(planned, "capture", err)
	}
	for _, e := range r.expects {
		r.options.KeepBody = r.options.KeepBody || e.readsBody
	}
	for _, e := range r.captures {
		r.options.KeepBody = r.options.KeepBody || e.readsBody
	}
	c.fold(r)
	return r, nil
}

func (c *compiler) problem(planned plan.Request, what string, err error) error {
	return fmt.Errorf("request %q: %s: %w", planned.Name, what, err)
}

// address compiles a URL: places before the first written "?" are filled in as parts of a path, those after it as parts
// of a query.
func (c *compiler) address(text string) (address, error) {
	url, err := template.CompileBy(text, c.names, func(before string) template.Encoding {
		if strings.Contains(before, "?") {
			return template.InQuery
		}
		return template.InPath
	})
	if err != nil {
		return address{}, err
	}
	a := address{url: url, base: c.base}
	begins := url.Begins()
	if begins != "" || text == "" {
		a.based = true
		a.base = begins
		if !client.IsAbsolute(begins) {
			if !strings.HasPrefix(begins, "/") {
				begins = "/" + begins
				url = template.Join(template.Literal("/"), url)
			}
			a.url = template.Join(template.Literal(c.base), url)
			a.base = c.base
		} else {
			a.own = true
		}
	}
	if constant, ok := a.url.Constant(); ok && a.own {
		if err := c.origins.Check(constant); err != nil {
			return a, err
		}
	}
	beginning := schemeAndHost(a.base)
	if a.home, err = client.PlaceOf(beginning); err != nil || a.home.User != "" || a.own && c.origins.Check(beginning) != nil {
		return a, nil // filled in by each iteration, and found out then
	}
	a.origin = beginning
	return a, nil
}

// schemeAndHost is how a URL begins, up to its path.
func schemeAndHost(text string) string {
	at := strings.Index(text, "://")
	if at < 0 {
		return text
	}
	if end := strings.IndexAny(text[at+3:], "/?#"); end >= 0 {
		return text[:at+3+end]
	}
	return text
}

func (c *compiler) headers(r *request, planned map[string]string) error {
	for name, text := range planned {
		value, err := template.Compile(text, c.names, template.Plain)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		switch name = textproto.CanonicalMIMEHeaderKey(name); name {
		case "Host":
			r.host = &value
		case "User-Agent":
			r.agent = &value
		case "Cookie":
			r.cookie = &value
		case "Content-Length", "Transfer-Encoding", "Trailer": // net/http takes no notice of them
		default:
			r.headers = append(r.headers, header{name, value})
		}
	}
	sort.Slice(r.headers, func(i, j int) bool { return r.headers[i].name < r.headers[j].name })
	return nil
}

func (c *compiler) body(planned *plan.Body) (body, error) {
	var err error
	b := body{some: planned != nil}
	switch {
	case planned == nil:
	case planned.Text != nil:
		b.text, err = template.Compile(*planned.Text, c.names, template.Plain)
	case planned.JSON != nil:
		b.text, err = template.CompileJSON(*planned.JSON, c.names)
	case planned.Form != nil:
		b.text, err = template.Compile(*planned.Form, c.names, template.InForm)
	case planned.File != nil:
		b.bytes, err = c.options.ReadFile(absolutePath(*planned.File, c.options.WorkingFolder))
	case planned.Bytes != nil:
		b.bytes = printable(*planned.Bytes)
	}
	if b.bytes == nil && planned != nil && (planned.File != nil || planned.Bytes != nil) {
		b.bytes = []byte{}
	}
	return b, err
}

// printable are the same n bytes in every run: printable, and not so regular that a server's compression eats them.
func printable(length int64) []byte {
	all := make([]byte, length)
	const block = 4096
	state := int64(1)
	for i := range min(length, block) {
		state = state * 48271 % 2147483647 // the minimal standard generator (Park, Miller, Stockmeyer 1993)
		all[i] = byte(33 + state%94)
	}
	for at := int64(block); at < length; at += block {
		copy(all[at:], all[:block])
	}
	return all
}

// fold makes the request once if nothing in it changes.
func (c *compiler) fold(r *request) {
	text, ok := r.address.url.Constant()
	if !ok || !r.body.isConstant() {
		return
	}
	for _, part := range append(slices.Clone(r.headers), header{value: or(r.host)}, header{value: or(r.agent)}, header{value: or(r.cookie)}) {
		if _, ok := part.value.Constant(); !ok {
			return
		}
	}
	place, err := client.PlaceOf(text)
	if err != nil {
		return // each iteration says why
	}
	made := &client.Request{Place: place}
	r.fill(made, &template.Values{})
	if made.Ready() == nil { // else each iteration says why
		r.constant = made
	}
}

func or(text *template.Text) template.Text {
	if text == nil {
		return template.Text{}
	}
	return *text
}

// isExpected reports whether a status is one of a list; nil: 200 to 399.
func isExpected(status int, list []int) bool {
	if list == nil {
		return status >= 200 && status <= 399
	}
	return slices.Contains(list, status)
}
