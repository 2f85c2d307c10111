// Package wire is a client of HTTP/1.1 and HTTP/2 for load: one request at a time on one connection, in as few system calls as will
// do, and without memory of its own for each request. What it accepts and what it refuses are those of Go's net/http,
// which k6's own requests are made with.
package wire

import (
	"bytes"
	"crypto/tls"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

var epoch = time.Now()

// Now is the time in nanoseconds on a clock that never goes back, from an arbitrary moment.
func Now() int64 { return int64(time.Since(epoch)) }

// TimeOf is a moment by that clock.
func TimeOf(at time.Time) int64 { return int64(at.Sub(epoch)) }

// Request is what is sent. Its bytes are not changed and may be shared.
type Request struct {
	Head []byte // with the empty line at its end
	Body []byte
	// Timeout is how long it may take, from sending to the last byte of the response. It may be exceeded by a 64th: a
	// timer is not set anew for each request.
	Timeout time.Duration
	// IsHead: the response has no body, whatever its headers say.
	IsHead bool
	// KeepBody: somebody reads it.
	KeepBody bool
	// Heads remembers heads of responses to it; nil: none.
	Heads *Heads
}

const (
	firstBuffer = 2048     // enough for most responses: 50,000 users hold one each
	mostBuffer  = 64 << 10 // a larger one is not kept by a user who pauses
	largeBody   = 16 << 10
	scratchSize = 128 << 10
)

// scratch is where unread bodies go.
var scratch = sync.Pool{New: func() any { buffer := make([]byte, scratchSize); return &buffer }}

// Conn is a connection that its one user sends requests on, one after the other.
type Conn struct {
	net.Conn
	Sent, Received uint64 // bytes, those of TLS included; read when no request is under way
	counted        *counter
	fast           fastPath
	framing        *framing // nil: it speaks HTTP/1.1
	buffer         []byte
	r, w           int   // what has been read and not used yet is buffer[r:w]
	alive          int64 // until when the deadline lets it, by Now
	cancelled      atomic.Bool
	broken         bool
	used           bool
}

// NewConn makes a connection ready for requests. Where traffic is encrypted, raw is what it is encrypted onto, whose
// bytes are counted. Responses are read into the buffer; nil: a new one.
func NewConn(conn net.Conn, raw *Counted, buffer []byte) *Conn {
	if buffer == nil {
		buffer = make([]byte, firstBuffer)
	}
	c := &Conn{Conn: conn, buffer: buffer}
	if raw != nil {
		c.counted = &raw.counter
	} else {
		c.fast.open(c)
	}
	return c
}

// Usable reports whether another request can be sent.
func (c *Conn) Usable() bool { return !c.broken && !c.cancelled.Load() }

// Buffer is what the last response was read into: for the next connection, when nobody reads that response any more; nil if it
// is too large to be kept.
func (c *Conn) Buffer() []byte {
	if len(c.buffer) > mostBuffer {
		return nil
	}
	return c.buffer
}

// Rest gives the buffer up if it is too large to be kept while nothing is sent. The last response is not valid any more.
func (c *Conn) Rest() {
	if len(c.buffer) > mostBuffer {
		c.buffer = make([]byte, firstBuffer)
	}
}

// TLS is the version of TLS that it speaks, as crypto/tls writes it: "TLS 1.3"; empty: none.
func (c *Conn) TLS() string {
	if encrypted, ok := c.Conn.(*tls.Conn); ok {
		return tls.VersionName(encrypted.ConnectionState().Version)
	}
	return ""
}

// Cancel ends a request that is under way, and those to come, with ErrCancelled. It may be called by anybody.
func (c *Conn) Cancel() {
	c.cancelled.Store(true)
	_ = c.SetDeadline(time.Unix(1, 0)) // a closed one needs no deadline
}

// arm sets the deadline, unless the one that is set will do.
func (c *Conn) arm(timeout time.Duration) error {
	now := Now()
	if left := time.Duration(c.alive - now); left >= timeout && left <= timeout+timeout/64 {
		return nil
	}
	c.alive = now + int64(timeout+timeout/64)
	if err := c.SetDeadline(epoch.Add(time.Duration(c.alive))); err != nil {
		return err
	}
	if c.cancelled.Load() { // just now: the deadline above took its place
		return ErrCancelled
	}
	return nil
}

// RoundTrip sends a request and reads the response. After an error the connection is of no use any more, unless it was that of a
// stream of HTTP/2; neither is it when the server closes it, or sent more than it should.
func (c *Conn) RoundTrip(request *Request, response *Response) error {
	response.reset()
	err := c.roundTrip(request, response)
	first := !c.used
	c.used = true
	if c.counted != nil {
		c.Sent, c.Received = c.counted.take(c.Sent, c.Received)
	}
	if err != nil {
		c.broken = c.framing == nil || !c.framing.intact || c.framing.leaving
		if c.cancelled.Load() {
			c.broken = true
			return ErrCancelled
		}
		return likeNetHTTP(err)
	}
	response.Done = Now()
	if response.close || response.http10 && !response.keepAlive || c.r != c.w {
		c.broken = true
	} else if first {
		keep(c.Conn)
	}
	return nil
}

func (c *Conn) roundTrip(request *Request, response *Response) error {
	if err := c.arm(request.Timeout); err != nil {
		return err
	}
	c.r, c.w = 0, 0
	if c.framing != nil {
		return c.framing.roundTrip(c, request, response)
	}
	if err := c.send(request, response); err != nil {
		if len(request.Body) == 0 {
			return err
		}
		response.Wrote = Now()
		if c.readResponse(request, response) != nil {
			return err
		}
		response.close = true // the server did not want all of it, and said so
		return nil
	}
	return c.readResponse(request, response)
}

// readResponse reads the one that counts.
func (c *Conn) readResponse(request *Request, response *Response) error {
	for range mostInterim {
		if err := c.readHead(request.Heads, response); err != nil {
			return err
		}
		if response.Status == 101 {
			return malformed("unsupported response status: 101")
		}
		if !response.isInterim() {
			return c.readBody(request, response)
		}
		response.fields, response.length, response.chunked = response.fields[:0], -1, false
	}
	return malformed("%d responses before the one that counts", mostInterim)
}

// send writes the request, and reads the first of the response where that can be done at once.
func (c *Conn) send(request *Request, response *Response) error {
	if c.fast.ready {
		return c.fast.exchange(c, request.Head, request.Body, response)
	}
	if len(request.Body) == 0 {
		if err := c.write(request.Head); err != nil {
			return err
		}
	} else {
		buffers := net.Buffers{request.Head, request.Body}
		n, err := buffers.WriteTo(c.Conn)
		c.sent(int(n))
		if err != nil {
			return err
		}
	}
	response.Wrote = Now()
	return nil
}

func (c *Conn) write(bytes []byte) error {
	n, err := c.Write(bytes)
	c.sent(n)
	return err
}

func (c *Conn) sent(n int) {
	if c.counted == nil {
		c.Sent += uint64(n)
	}
}

// receive reads what comes next.
func (c *Conn) receive(into []byte) (int, error) {
	if c.fast.ready {
		return c.fast.receive(into)
	}
	n, err := c.Read(into)
	if c.counted == nil {
		c.Received += uint64(n)
	}
	return n, err
}

// fill reads more behind what there is.
func (c *Conn) fill() error {
	if c.w == len(c.buffer) {
		c.buffer = append(c.buffer, make([]byte, len(c.buffer))...)
	}
	n, err := c.receive(c.buffer[c.w:])
	c.w += n
	if n > 0 {
		return nil
	}
	if err == nil {
		err = io.ErrNoProgress
	}
	return err
}

// line is the next line without its end, and where it begins in the buffer. The buffer keeps it.
func (c *Conn) line(most int) (line []byte, at int, err error) {
	searched := 0
	for {
		if end := bytes.IndexByte(c.buffer[c.r+searched:c.w], '\n'); end >= 0 {
			at, end = c.r, c.r+searched+end
			c.r = end + 1
			if end > at && c.buffer[end-1] == '\r' {
				end--
			}
			return c.buffer[at:end], at, nil
		}
		searched = c.w - c.r
		if searched > most {
			return nil, 0, malformed("a line or a header has more than %d bytes", most)
		}
		if err := c.fill(); err != nil {
			return nil, 0, err
		}
	}
}

func (c *Conn) readHead(heads *Heads, response *Response) error {
	began, asItCame := c.r, true
	if c.r == c.w {
		if err := c.fill(); err != nil {
			return err
		}
	}
	if response.FirstByte == 0 {
		response.FirstByte = Now()
	}
	if began == 0 && heads.recall(c, response) {
		response.buffer = c.buffer
		return nil
	}
	line, _, err := c.line(MostHeader)
	if err != nil {
		return cut(err)
	}
	if err := response.readStatus(line); err != nil {
		return err
	}
	for {
		line, at, err := c.line(MostHeader)
		if err != nil {
			return cut(err)
		}
		if len(line) == 0 {
			break
		}
		if c.r-began > MostHeader {
			return malformed("its headers have more than %d bytes", MostHeader)
		}
		if isBlank(line[0]) { // a header that goes on: RFC 9112, 5.2
			if len(response.fields) == 0 {
				return malformed("the header line %q has no name", clipped(line))
			}
			asItCame = false
			last := &response.fields[len(response.fields)-1]
			if last.value.to > last.value.from {
				c.buffer[last.value.to] = ' ' // there is room: a line end and a blank stood between
				last.value.to++
			}
			last.value.to += copy(c.buffer[last.value.to:], bytes.Trim(line, " \t"))
			continue
		}
		if err := response.readField(line, at); err != nil {
			return err
		}
	}
	response.buffer = c.buffer
	if err := response.readFields(); err != nil {
		return err
	}
	if began == 0 && asItCame {
		heads.note(c, response)
	}
	return nil
}

// cut is the error of a response that ends too early.
func cut(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

func (c *Conn) readBody(request *Request, response *Response) error {
	if response.bodyless(request.IsHead) {
		if request.KeepBody {
			response.Body = []byte{}
		}
		return nil
	}
	begins := c.r
	var err error
	switch {
	case response.chunked:
		err = c.readChunks(request.KeepBody, response)
	case response.length >= 0:
		err = c.readLength(response.length, request.KeepBody)
	default:
		response.close = true
		err = c.readToEnd(request.KeepBody)
	}
	if err != nil {
		return cut(err)
	}
	response.buffer = c.buffer
	if request.KeepBody && !response.chunked {
		response.Body = c.buffer[begins:c.r]
	}
	return nil
}

// readLength takes so many bytes of a body. Kept ones stay in the buffer, up to r.
func (c *Conn) readLength(length int64, keep bool) error {
	if there := int64(c.w - c.r); there >= length {
		c.r += int(length)
		return nil
	}
	if keep {
		return c.keep(length)
	}
	left := length - int64(c.w-c.r)
	c.r = c.w
	return c.drain(left)
}

func (c *Conn) keep(length int64) error {
	if length > MostBody {
		return malformed("its body has %d bytes, and at most %d are kept for its expectations and captures", length, MostBody)
	}
	for int64(c.w-c.r) < length { // not all at once: that so much comes is only what the server says
		if err := c.fill(); err != nil {
			return err
		}
	}
	c.r += int(length)
	return nil
}

// drain reads bytes to throw them away; no more than those.
func (c *Conn) drain(left int64) error {
	into := c.buffer[c.w:]
	if left > largeBody || len(into) < 1024 {
		large := scratch.Get().(*[]byte)
		defer scratch.Put(large)
		into = *large
	}
	for left > 0 {
		n, err := c.receive(into[:min(int64(len(into)), left)])
		left -= int64(n)
		if err != nil && left > 0 {
			return err
		}
	}
	return nil
}

// readToEnd reads a body that ends with the connection.
func (c *Conn) readToEnd(keep bool) error {
	begins := c.r
	for {
		if !keep {
			c.r, c.w = begins, begins // the same place again
		} else if c.w-begins > MostBody {
			return malformed("its body has more than the %d bytes that are kept for its expectations and captures", MostBody)
		}
		if err := c.fill(); err == io.EOF {
			c.r = c.w
			return nil
		} else if err != nil {
			return err
		}
	}
}

// readChunks reads a chunked body (RFC 9112, 7.1). Kept chunks are gathered apart: the lines between them are not body.
func (c *Conn) readChunks(keep bool, response *Response) error {
	head, beside := c.r, int64(0)
	var body []byte
	if keep {
		body = []byte{} // there is one, if there is nothing in it
	}
	for {
		line, err := c.chunkLine()
		if err != nil {
			return err
		}
		size, err := chunkSize(line)
		if err != nil {
			return err
		}
		if beside = max(beside+int64(len(line))+2-16-2*size, 0); beside > mostBeside {
			return malformed("its chunks have more than %d bytes that are no body", mostBeside)
		}
		if size == 0 {
			break
		}
		if keep && int64(len(body))+size > MostBody {
			return malformed("its body has more than the %d bytes that are kept for its expectations and captures", MostBody)
		}
		begins := c.r
		if err := c.readLength(size, keep); err != nil {
			return err
		}
		if keep {
			body = append(body, c.buffer[begins:c.r]...)
		}
		if line, err = c.chunkLine(); err != nil {
			return err
		}
		if len(line) != 0 {
			return malformed("a chunk is longer than it said")
		}
		c.compact(head)
	}
	for trailers := 0; ; {
		line, err := c.chunkLine()
		if err != nil {
			return err
		}
		if len(line) == 0 {
			break
		}
		if err := checkTrailer(line, trailers == 0); err != nil {
			return err
		}
		if trailers += len(line) + 2; trailers > mostChunkLine {
			return malformed("its trailers have more than %d bytes", mostChunkLine)
		}
		c.compact(head)
	}
	response.Body = body
	return nil
}

// checkTrailer fails for a line that is not a header; trailers are not kept.
func checkTrailer(line []byte, first bool) error {
	if isBlank(line[0]) {
		if first {
			return malformed("the header line %q has no name", clipped(line))
		}
		return checkValue(nil, line) // the one before goes on
	}
	colon, err := nameOf(line)
	if err != nil {
		return err
	}
	return checkValue(line[:colon], line[colon+1:])
}

// chunkLine is a line between chunks, which ends with both of its characters: RFC 9112 lets headers do without the first.
func (c *Conn) chunkLine() ([]byte, error) {
	line, at, err := c.line(mostChunkLine)
	if err != nil {
		return nil, err
	}
	if c.r-at != len(line)+2 || bytes.IndexByte(line, '\r') >= 0 {
		return nil, malformed("a line between chunks does not end with CR and LF")
	}
	return line, nil
}

// compact moves what is still to be used to where the body began: the head before it stays.
func (c *Conn) compact(to int) {
	c.w = to + copy(c.buffer[to:], c.buffer[c.r:c.w])
	c.r = to
}

// chunkSize reads the line before a chunk: hexadecimal, and extensions, which are ignored.
func chunkSize(line []byte) (int64, error) {
	line, _, _ = bytes.Cut(line, []byte{';'})
	line = bytes.TrimRight(line, " \t")
	if len(line) == 0 {
		return 0, malformed("a chunk says no length")
	}
	size := int64(0)
	for i, c := range line {
		switch c = lower(c); {
		case i == 15:
			return 0, malformed("http chunk length too large")
		case '0' <= c && c <= '9':
			size = size<<4 | int64(c-'0')
		case 'a' <= c && c <= 'f':
			size = size<<4 | int64(c-'a'+10)
		default:
			return 0, malformed("invalid byte in chunk length %q", clipped(line))
		}
	}
	return size, nil
}
