package wire

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"runtime"
	"sync"
	"syscall"
	"time"
)

const (
	// perSource is how many users send from one address of the loopback: Linux has some 28,000 ports for each.
	perSource = 20_000
	sources   = 250
	// namesLast is how long the addresses of a name are believed: k6's default.
	namesLast = 5 * time.Minute
	// probesEvery is how often a connection that is kept asks whether the other side is still there, as k6's do.
	probesEvery = 30 * time.Second
)

// Way is where a connection leads.
type Way struct {
	Address string        // host:port
	Server  string        // by TLS, if it is named
	Timeout time.Duration // within which it must be made
	Buffer  []byte        // of an earlier connection, that responses may be read into; nil: none
}

// Dialer connects users.
type Dialer struct {
	TLS *tls.Config

	mutex sync.Mutex
	known map[string]resolved
}

type resolved struct {
	address netip.Addr
	until   time.Time
}

// Times are what a connection took.
type Times struct{ Connecting, TLSHandshaking time.Duration }

// Dial connects a user. Users of the loopback are spread over its addresses where one has not ports enough for all.
func (d *Dialer) Dial(ctx context.Context, user uint64, way *Way) (*Conn, Times, error) {
	deadline := time.Now().Add(way.Timeout)
	conn, times, err := d.dial(ctx, user, way, deadline)
	if err != nil && ctx.Err() == nil && !time.Now().Before(deadline) {
		err = errDialTimeout
	}
	return conn, times, err
}

func (d *Dialer) dial(ctx context.Context, user uint64, way *Way, deadline time.Time) (*Conn, Times, error) {
	var times Times
	to, err := d.resolve(ctx, way.Address, deadline)
	if err != nil {
		return nil, times, err
	}
	began := time.Now()
	conn, err := connect(ctx, to, sourceFor(user), deadline)
	if err != nil {
		return nil, times, err
	}
	times.Connecting = time.Since(began)
	if way.Server == "" {
		return NewConn(conn, nil, way.Buffer), times, nil
	}
	began = time.Now()
	raw := &Counted{Conn: conn}
	config := d.TLS.Clone()
	if config.ServerName == "" {
		config.ServerName = way.Server
	}
	config.NextProtos = []string{"http/1.1"}
	encrypted := tls.Client(raw, config)
	ctx, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	if err := encrypted.HandshakeContext(ctx); err != nil {
		_ = conn.Close() // the handshake's error says why
		return nil, times, err
	}
	times.TLSHandshaking = time.Since(began)
	return NewConn(encrypted, raw, way.Buffer), times, nil
}

// sourceFor is which address of the loopback a user sends from; 0: whichever the kernel takes.
func sourceFor(user uint64) int { return int(user / perSource % sources) }

func connect(ctx context.Context, to netip.AddrPort, source int, deadline time.Time) (net.Conn, error) {
	if !spreads(to) {
		source = 0
	}
	conn, err := dialSocket(ctx, to, source, deadline)
	for tried := 1; tried < 8 && errors.Is(err, syscall.EADDRNOTAVAIL) && spreads(to); tried++ {
		conn, err = dialSocket(ctx, to, (source+tried)%sources, deadline) // its ports are used up
	}
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		return nil, fmt.Errorf("%w: raise the limit of open files (ulimit -n)", err)
	}
	return conn, err
}

func spreads(to netip.AddrPort) bool {
	return runtime.GOOS == "linux" && to.Addr().Is4() && to.Addr().IsLoopback()
}

func sourceAddress(source int) netip.Addr {
	return netip.AddrFrom4([4]byte{127, 0, 0, byte(1 + source)})
}

// dialByNet connects to an address by the standard library.
func dialByNet(ctx context.Context, to netip.AddrPort, deadline time.Time) (net.Conn, error) {
	dialer := net.Dialer{KeepAlive: probesEvery, Deadline: deadline}
	return dialer.DialContext(ctx, "tcp", to.String())
}

// keep has a connection that goes on ask now and then whether the other side is still there. One that ends with its first
// response need not, and saves three system calls.
func keep(conn net.Conn) {
	switch c := conn.(type) {
	case *tls.Conn:
		keep(c.NetConn())
	case *Counted:
		keep(c.Conn)
	case interface{ keep() }:
		c.keep()
	}
}

// resolve finds an address of a name; IPv4 comes first, as in k6.
func (d *Dialer) resolve(ctx context.Context, address string, deadline time.Time) (netip.AddrPort, error) {
	host, service, err := net.SplitHostPort(address)
	if err != nil {
		return netip.AddrPort{}, err
	}
	port, err := net.DefaultResolver.LookupPort(ctx, "tcp", service)
	if err != nil {
		return netip.AddrPort{}, err
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		return netip.AddrPortFrom(ip, uint16(port)), nil
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	found, ok := d.known[host]
	if !ok || time.Now().After(found.until) {
		ctx, cancel := context.WithDeadline(ctx, deadline)
		defer cancel()
		all, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		if err != nil {
			return netip.AddrPort{}, fmt.Errorf("lookup %s: %w", host, err)
		}
		found = resolved{all[0].Unmap(), time.Now().Add(namesLast)}
		for _, ip := range all {
			if ip.Unmap().Is4() {
				found.address = ip.Unmap()
				break
			}
		}
		if d.known == nil {
			d.known = map[string]resolved{}
		}
		d.known[host] = found
	}
	return netip.AddrPortFrom(found.address, uint16(port)), nil
}
