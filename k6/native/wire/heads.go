package wire

import (
	"bytes"
	"sync/atomic"
	"time"
)

// Heads remembers the head of one response to a request: the next responses mostly have the very same bytes, until the second
// changes in their date, and what those say is known. It may be shared by all who send the request.
type Heads struct{ last atomic.Pointer[knownHead] }

// knownHead is what a head says; it is never changed.
type knownHead struct {
	bytes    []byte // all of it, with the empty line at its end
	response Response
	noted    int64 // when, by Now
}

const (
	// headsStay is how long a head is not replaced: where each response has another one, none is worth being noted.
	headsStay = int64(10 * time.Millisecond)
	// mostNoted is how long a head may be to be noted.
	mostNoted = 4096
)

// recall takes what is known of the head that the buffer begins with, if it is the very one, and goes behind it.
func (h *Heads) recall(c *Conn, response *Response) bool {
	if h == nil {
		return false
	}
	known := h.last.Load()
	if known == nil || !bytes.HasPrefix(c.buffer[:c.w], known.bytes) {
		return false
	}
	c.r = len(known.bytes)
	of := &known.response
	response.Status, response.Proto, response.fields = of.Status, of.Proto, append(response.fields, of.fields...)
	response.length, response.chunked = of.length, of.chunked
	response.close, response.http10, response.keepAlive = of.close, of.http10, of.keepAlive
	return true
}

// note remembers the head that the buffer begins with and that has just been read.
func (h *Heads) note(c *Conn, response *Response) {
	if h == nil || c.r > mostNoted || response.isInterim() {
		return
	}
	if last := h.last.Load(); last != nil && response.FirstByte-last.noted < headsStay {
		return
	}
	known := &knownHead{bytes: bytes.Clone(c.buffer[:c.r]), response: *response, noted: response.FirstByte}
	known.response.fields = append([]field(nil), response.fields...)
	known.response.buffer = nil
	h.last.Store(known)
}
