package wire

import (
	"net"
	"sync/atomic"
)

// counter counts the bytes of a connection that somebody else reads and writes.
type counter struct{ sent, received atomic.Uint64 }

// take adds to the numbers so far, and begins again.
func (c *counter) take(sent, received uint64) (uint64, uint64) {
	return sent + c.sent.Swap(0), received + c.received.Swap(0)
}

// Counted is a connection whose bytes are counted: that below TLS.
type Counted struct {
	net.Conn
	counter
	looking bool // nothing is waited for
}

// errNothing is what a look finds where nothing has come. It is temporary: TLS goes on after it.
type errNothing struct{}

func (errNothing) Error() string   { return "nothing has come" }
func (errNothing) Timeout() bool   { return true }
func (errNothing) Temporary() bool { return true }

// Read counts what was read.
func (c *Counted) Read(into []byte) (int, error) {
	if c.looking && !hasCome(c.Conn) {
		return 0, errNothing{}
	}
	n, err := c.Conn.Read(into)
	c.received.Add(uint64(n))
	return n, err
}

// Write counts what was written.
func (c *Counted) Write(bytes []byte) (int, error) {
	n, err := c.Conn.Write(bytes)
	c.sent.Add(uint64(n))
	return n, err
}
