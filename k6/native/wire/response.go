package wire

import (
	"bytes"
	"strings"
)

// Limits of what a response may have. Go's net/http, and so k6, has the first two as well.
const (
	// MostHeader is how many bytes the status line and the headers may have.
	MostHeader = 10 << 20
	// mostFields is how many headers a response may have: what is noted of each stays with the user.
	mostFields = 4096
	// mostChunkLine is how many bytes the line before a chunk may have.
	mostChunkLine = 4096
	// mostBeside is how many bytes a chunked body may have that are no body, beyond 16 for each chunk and twice its length.
	mostBeside = 16 << 10
	// mostInterim is how many responses with a status below 200 may come before the one that counts.
	mostInterim = 10
	// MostBody is how many bytes of a body are kept for whoever reads it; an unread body has no limit but time.
	MostBody = 100 << 20
)

// span is a part of the connection's buffer.
type span struct{ from, to int }

type field struct{ name, value span }

// Response is what came back. Its headers and its body lie in the buffer of the connection: they are valid until the
// connection's next request.
type Response struct {
	Status int
	// Proto is its version, in Go's words: "HTTP/1.1".
	Proto string
	// Body is what was kept of the body: all of it if the request said so, else nothing.
	Body []byte
	// Wrote, FirstByte and Done are when the request was sent, when the first byte of the response came and when its
	// last did, in nanoseconds by Now; 0: that did not happen.
	Wrote, FirstByte, Done int64

	buffer []byte
	fields []field
	// what a body needs to know
	length  int64 // -1: not declared
	chunked bool
	close   bool
	http10  bool
	// keepAlive: one of HTTP/1.0 does not end its connection
	keepAlive bool
}

func (r *Response) text(s span) []byte { return r.buffer[s.from:s.to] }

// Each calls a function for each header, its name as it came.
func (r *Response) Each(visit func(name, value []byte)) {
	for _, f := range r.fields {
		visit(r.text(f.name), r.text(f.value))
	}
}

// Header is the value of a header, whatever the case of its name; several are joined by ", " as k6 does.
func (r *Response) Header(name string) (value string, ok bool) {
	var values []string
	for _, f := range r.fields {
		if f.name.to-f.name.from == len(name) && equalFold(r.text(f.name), name) {
			values = append(values, string(r.text(f.value)))
		}
	}
	return strings.Join(values, ", "), len(values) > 0
}

// Values are those of each header of that name.
func (r *Response) Values(name string) []string {
	var values []string
	for _, f := range r.fields {
		if equalFold(r.text(f.name), name) {
			values = append(values, string(r.text(f.value)))
		}
	}
	return values
}

// SetsCookies reports whether there is a header Set-Cookie.
func (r *Response) SetsCookies() bool {
	for _, f := range r.fields {
		if f.name.to-f.name.from == len("Set-Cookie") && equalFold(r.text(f.name), "Set-Cookie") {
			return true
		}
	}
	return false
}

// Size is how long the body is: as its header says, or as it was kept.
func (r *Response) Size() (bytes uint64, known bool) {
	if r.length >= 0 {
		return uint64(r.length), true
	}
	return uint64(len(r.Body)), r.Body != nil
}

// TellsLength reports whether there is a header Content-Length.
func (r *Response) TellsLength() bool { return r.length >= 0 }

func (r *Response) reset() {
	*r = Response{fields: r.fields[:0], length: -1}
}

// readStatus reads "HTTP/1.1 200 OK".
func (r *Response) readStatus(line []byte) error {
	version, rest, found := bytes.Cut(line, []byte{' '})
	if !found || len(version) != 8 || !bytes.HasPrefix(version, []byte("HTTP/")) || version[6] != '.' {
		return malformed("%q is not a status line", clipped(line))
	}
	if version[5] != '1' || version[7] < '0' || version[7] > '9' {
		return malformed("its version is %q", version)
	}
	r.Proto, r.http10 = "HTTP/1.1", version[7] == '0'
	if r.http10 {
		r.Proto = "HTTP/1.0"
	}
	rest = bytes.TrimLeft(rest, " ")
	if len(rest) < 3 || (len(rest) > 3 && rest[3] != ' ') {
		return malformed("%q has no status of three digits", clipped(line))
	}
	r.Status = 0
	for _, digit := range rest[:3] {
		if digit < '0' || digit > '9' {
			return malformed("%q has no status of three digits", clipped(line))
		}
		r.Status = 10*r.Status + int(digit-'0')
	}
	return nil
}

// readField reads "Name: value", which begins at an offset of the buffer. A blank in a name or behind it makes another name of it, as
// for net/http.
func (r *Response) readField(line []byte, at int) error {
	colon, err := nameOf(line)
	if err != nil {
		return err
	}
	from, to := colon+1, len(line)
	for from < to && isBlank(line[from]) {
		from++
	}
	for to > from && isBlank(line[to-1]) {
		to--
	}
	if len(r.fields) == mostFields {
		return malformed("it has more than %d headers", mostFields)
	}
	r.fields = append(r.fields, field{span{at, at + colon}, span{at + from, at + to}})
	return nil
}

// nameOf is how long the name is that a header line begins with.
func nameOf(line []byte) (int, error) {
	colon := bytes.IndexByte(line, ':')
	if colon <= 0 {
		return 0, malformed("the header line %q has no name", clipped(line))
	}
	for _, c := range line[:colon] {
		if !tokens[c] && c != ' ' {
			return 0, malformed("the header line %q has no valid name", clipped(line))
		}
	}
	return colon, nil
}

// checkValue fails if a value of a header has what it may not.
func checkValue(name, value []byte) error {
	for _, c := range value {
		if controls[c] {
			return malformed("the value of the header %q has a control character", clipped(name))
		}
	}
	return nil
}

// readFields looks at the headers when all of them are there, and takes notice of those that say where the body ends.
func (r *Response) readFields() (err error) {
	for _, f := range r.fields {
		name, value := r.text(f.name), r.text(f.value)
		if err = checkValue(name, value); err != nil {
			return err
		}
		switch {
		case equalFold(name, "connection"):
			r.readConnection(value)
		case equalFold(name, "content-length"):
			err = r.readLength(bytes.Trim(value, " \t"))
		case equalFold(name, "transfer-encoding"):
			err = r.readEncoding(value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *Response) readConnection(value []byte) {
	for token := range bytes.SplitSeq(value, []byte{','}) {
		token = bytes.TrimSpace(token)
		if equalFold(token, "close") {
			r.close = true
		} else if equalFold(token, "keep-alive") {
			r.keepAlive = true
		}
	}
}

func (r *Response) readLength(value []byte) error {
	if len(value) == 0 || len(value) > 18 {
		return malformed("bad Content-Length %q", clipped(value))
	}
	length := int64(0)
	for _, digit := range value {
		if digit < '0' || digit > '9' {
			return malformed("bad Content-Length %q", clipped(value))
		}
		length = 10*length + int64(digit-'0')
	}
	if r.length >= 0 && r.length != length {
		return malformed("it has two values of Content-Length, %d and %d", r.length, length)
	}
	r.length = length
	return nil
}

func (r *Response) readEncoding(value []byte) error {
	if r.http10 {
		return nil // did not know it: RFC 9112, 6.1
	}
	if r.chunked || !equalFold(value, "chunked") {
		return malformed("unsupported transfer encoding %q", clipped(value))
	}
	r.chunked = true
	return nil
}

// bodyless reports whether there is no body, whatever the headers say (RFC 9112, 6.3).
func (r *Response) bodyless(head bool) bool {
	return head || r.isInterim() || r.Status == 204 || r.Status == 304
}

// isInterim reports whether another response follows.
func (r *Response) isInterim() bool { return r.Status >= 100 && r.Status < 200 }

func clipped(text []byte) []byte { return text[:min(len(text), 60)] }

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// tokens are the bytes that may stand in the name of a header (RFC 9110, 5.6.2), and controls those that may not stand in a value.
var tokens, controls = bytesOf(func(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0
}), bytesOf(func(c byte) bool { return c < ' ' && c != '\t' || c == 0x7f })

func bytesOf(are func(byte) bool) (all [256]bool) {
	for c := range all {
		all[c] = are(byte(c))
	}
	return all
}

// equalFold compares with a text of the same length in ASCII, whatever the case.
func equalFold(text []byte, other string) bool {
	if len(text) != len(other) {
		return false
	}
	for i, c := range text {
		if lower(c) != lower(other[i]) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
