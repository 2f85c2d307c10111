// Package wire is a client of HTTP/1.1 and HTTP/2 for load: one request at a time on one connection, in as few system calls as will
// do, and without memory of its own for each request. What it accepts and what it refuses are those of Go's net/http,
// which k6's own requests are made with.
package wire

import (
	"crypto/tls"
	"net"
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
)

// Conn is a connection that its one user sends requests on, one after the other.
type Conn struct {
	net.Conn
	Sent, Received uint64   // bytes, those of TLS included; read when no request is under way
	counted        *Counted // what is encrypted; nil: it is not
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
		c.counted = raw
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

// IsHTTP2 reports whether it speaks HTTP/2.
func (c *Conn) IsHTTP2() bool { return c.framing != nil }

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

// RoundTrip sends a request and reads the response. It fails with ErrStale, and has sent nothing, if something came on a kept
// connection before. After an error the connection is of no use any more, unless it was that of a
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
	if c.used {
		if !c.isQuiet() {
			return ErrStale
		}
		if err := c.arm(request.Timeout); err != nil { // a look at HTTP/2 has a deadline of its own
			return err
		}
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

// isQuiet reports whether a connection that is not in use has neither ended nor brought bytes of a response. What TLS and HTTP/2 say
// between requests is read, and is neither. Without them the fast path looks for itself.
func (c *Conn) isQuiet() bool {
	if c.framing != nil {
		return c.framing.isOpen(c)
	}
	if c.counted == nil {
		return true
	}
	c.counted.looking = true
	_, err := c.Read(c.buffer[:1])
	c.counted.looking = false
	return err == error(errNothing{})
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
