// Package client sends the HTTP requests of one user, one after the other: on connections of its own, with cookies, and
// following redirects to where they may lead.
package client

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"benchfolio.dev/native/wire"
)

// Client is that of one user. Only Stop may be called while another call is under way.
type Client struct {
	Jar      Cookies
	Response wire.Response // the last answer, until the next request
	Followed int           // redirects on the way to it
	Sent     uint64        // bytes, since it was last set to 0, and
	Received uint64        // likewise

	dialer  *wire.Dialer
	user    uint64
	each    func(Hop)
	ctx     context.Context
	current atomic.Pointer[wire.Conn] // the one that a request is under way on
	conns   []keptConn
	spare   []byte       // the buffer of a connection that ended, for the next one
	memory  wire.Request // of those that differ each time, and
	copy    wire.Request // of one that is changed before it is sent
}

// Hop is one request that was sent, or could not be: those that redirects lead to are hops of their own. Times are by
// wire.Now.
type Hop struct {
	Status int   // of the answer; 0: there was none, or only a part
	Began  int64 // when it wanted a connection, and
	SentAt int64 // when it had one
	Times  wire.Times
	Unsent bool // there never was a connection
}

// New makes the client of a user. Each is called with every hop, before the next begins; a hop in which
// its user was stopped is not one.
func New(dialer *wire.Dialer, user uint64, each func(Hop)) *Client {
	return &Client{dialer: dialer, user: user, each: each}
}

// Do sends a request and follows redirects; Response is the last answer. readBody has its body read whatever the
// request's options say.
//
// It fails with wire.ErrCancelled if the user is stopped, with an Elsewhere where the answer leads to where nothing may be
// sent, and else with why there is no answer.
func (c *Client) Do(r *Request, readBody bool) error {
	c.Followed = 0
	for first := r; ; c.Followed++ {
		message, err := c.messageOf(r, readBody)
		if err != nil {
			return err
		}
		if err = c.hop(r, message); err != nil || c.isFinal() {
			return err
		}
		if r, err = c.next(r, first); r == nil {
			return err
		}
	}
}

// messageOf makes the bytes of a request.
func (c *Client) messageOf(r *Request, readBody bool) (*wire.Request, error) {
	message := r.ready
	if message == nil || !c.Jar.isEmpty() {
		if err := r.check(); err != nil {
			c.count(nil, wire.Now(), wire.Times{}, err)
			return nil, err
		}
		message = &c.memory
		r.write(message, c.Jar.of(r.Place.URL))
	}
	if readBody && !message.KeepBody {
		message = c.copied(message)
		message.KeepBody = true
	}
	return message, nil
}

// isFinal reports whether an answer neither sets cookies nor says where to go on.
func (c *Client) isFinal() bool {
	return !c.Response.SetsCookies() && (c.Response.Status < 300 || c.Response.Status > 399)
}

// hop sends a message, on the connection that is kept or on a new one.
func (c *Client) hop(r *Request, message *wire.Request) error {
	began := wire.Now()
	conn, times, err := c.connect(&r.Place, r.Timeout)
	if err == nil {
		if left := r.Timeout - time.Duration(wire.Now()-began); times.Connecting > 0 && left < r.Timeout {
			message = c.copied(message)
			message.Timeout = max(left, time.Millisecond) // what connecting took, the request has not
		}
		err = c.exchange(conn, message)
		if err != nil && times.Connecting == 0 && c.Response.FirstByte == 0 && mayReplay(r, conn, err) {
			c.drop(conn) // the server gave the kept connection up: once more, as net/http does
			began = wire.Now()
			if conn, times, err = c.reconnect(&r.Place, r.Timeout); err == nil {
				err = c.exchange(conn, message)
			}
		}
	}
	if err != nil && (errors.Is(err, wire.ErrCancelled) || c.ctx.Err() != nil) {
		return wire.ErrCancelled
	}
	c.count(conn, began, times, err)
	if conn != nil && (!conn.Usable() || r.Closes) {
		c.drop(conn)
	}
	return err
}

// mayReplay reports whether a request may be sent once more that was not answered, as net/http has it: on a connection of HTTP/2 that
// breaks it has failed.
func mayReplay(r *Request, conn *wire.Conn, err error) bool {
	return errors.Is(err, wire.ErrStale) || errors.Is(err, wire.ErrUnread) ||
		wire.IsSilence(err) && !conn.IsHTTP2() && r.isReplayable()
}

// count hands on what was sent, or what was not because there was no connection.
func (c *Client) count(conn *wire.Conn, began int64, times wire.Times, err error) {
	hop := Hop{Began: began, Times: times, Unsent: conn == nil}
	if conn == nil {
		hop.SentAt = wire.Now()
	} else {
		hop.SentAt = began + int64(times.Resolving+times.Connecting+times.TLSHandshaking)
	}
	if err == nil {
		hop.Status = c.Response.Status
	}
	c.each(hop)
}

// copied is a message that may be changed before it is sent.
func (c *Client) copied(message *wire.Request) *wire.Request {
	if message != &c.copy {
		c.copy = *message
	}
	return &c.copy
}

func (c *Client) exchange(conn *wire.Conn, message *wire.Request) error {
	sent, received := conn.Sent, conn.Received
	err := conn.RoundTrip(message, &c.Response)
	c.Sent += conn.Sent - sent
	c.Received += conn.Received - received
	return err
}
