package client

import (
	"context"
	"slices"
	"strings"
	"time"

	"benchfolio.dev/native/wire"
)

// keptConn is a connection that is kept for the next request to the same place.
type keptConn struct {
	conn    *wire.Conn
	address string
	secure  bool
}

// Enter says until when the user may work. A connection that it was stopped on before is of no use any more.
func (c *Client) Enter(ctx context.Context) {
	c.ctx = ctx
	for i := len(c.conns) - 1; i >= 0; i-- {
		if conn := c.conns[i].conn; !conn.Usable() {
			c.drop(conn)
		}
	}
}

// Stop ends what is under way. It is called when the context that the user entered with is done, and a request is not.
func (c *Client) Stop() {
	if conn := c.current.Load(); conn != nil {
		conn.Cancel()
	}
}

// Close ends all connections.
func (c *Client) Close() {
	for _, kept := range c.conns {
		_ = kept.conn.Close() // nothing is sent on it any more
	}
	c.conns = nil
}

// Rest has connections keep no large buffers while nothing is sent.
func (c *Client) Rest() {
	for _, kept := range c.conns {
		kept.conn.Rest()
	}
}

// TLS is the version by which the last answer came; empty: none.
func (c *Client) TLS() string {
	if conn := c.current.Load(); conn != nil {
		return conn.TLS()
	}
	return ""
}

// connect finds the connection that is kept for a place, or makes one.
func (c *Client) connect(to *Place, timeout time.Duration) (*wire.Conn, wire.Times, error) {
	for _, kept := range c.conns {
		if kept.address != to.Address || kept.secure != to.Secure {
			continue
		}
		if c.current.Load() != kept.conn {
			c.goOnWith(kept.conn)
		}
		return kept.conn, wire.Times{}, nil
	}
	return c.reconnect(to, timeout)
}

// goOnWith says which connection Stop is to end what is under way on.
func (c *Client) goOnWith(conn *wire.Conn) {
	c.current.Store(conn)
	if c.ctx.Err() != nil { // Stop may have come before it could see this one
		conn.Cancel()
	}
}

func (c *Client) reconnect(to *Place, timeout time.Duration) (*wire.Conn, wire.Times, error) {
	var way wire.Way // a literal would stand on the stack twice
	way.Address, way.Timeout, way.Buffer = to.Address, timeout, c.spare
	if to.Secure {
		way.Server = strings.Trim(to.Address[:strings.LastIndexByte(to.Address, ':')], "[]")
	}
	conn, times, err := c.dialer.Dial(c.ctx, c.user, &way)
	if err != nil {
		return nil, times, err
	}
	c.spare = nil
	c.conns = append(c.conns, keptConn{conn, to.Address, to.Secure})
	c.goOnWith(conn)
	return conn, times, nil
}

func (c *Client) drop(conn *wire.Conn) {
	_ = conn.Close() // nothing is sent on it any more
	c.spare = conn.Buffer()
	c.conns = slices.DeleteFunc(c.conns, func(kept keptConn) bool { return kept.conn == conn })
}
