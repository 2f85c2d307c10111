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

	"golang.org/x/net/http2"
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

	// what Dial finds out
	deadline time.Time
	to       netip.AddrPort
	source   int // which address of the loopback it leads from; 0: whichever the kernel takes
}

// Dialer connects users.
type Dialer struct {
	// TLS says with its NextProtos which protocols are offered; without them it is HTTP/2, and HTTP/1.1 else.
	TLS *tls.Config

	// lookupIP is that of net's resolver unless a test has another.
	lookupIP func(ctx context.Context, network, host string) ([]netip.Addr, error)

	mutex sync.Mutex
	known map[string]resolved
}

type resolved struct {
	address netip.Addr
	until   time.Time
}

// Times are what a connection took; Resolving is to find the address of a name.
type Times struct{ Resolving, Connecting, TLSHandshaking time.Duration }

// Dial connects a user. Users of the loopback are spread over its addresses where one has not ports enough for all.
func (d *Dialer) Dial(ctx context.Context, user uint64, way *Way) (*Conn, Times, error) {
	way.deadline = time.Now().Add(way.Timeout)
	conn, times, err := d.dial(ctx, user, way)
	if err != nil && ctx.Err() == nil && !time.Now().Before(way.deadline) {
		err = errDialTimeout
	}
	return conn, times, err
}

func (d *Dialer) dial(ctx context.Context, user uint64, way *Way) (*Conn, Times, error) {
	var times Times
	wanted := time.Now()
	err := d.resolve(ctx, way)
	times.Resolving = time.Since(wanted)
	if err != nil {
		return nil, times, err
	}
	if spreads(way.to) {
		way.source = int(user / perSource % sources)
	}
	began := time.Now()
	conn, err := dialSocket(ctx, way)
	if err != nil {
		conn, err = dialAgain(ctx, way, err)
	}
	if err != nil {
		return nil, times, err
	}
	times.Connecting = time.Since(began)
	if way.Server == "" {
		return NewConn(conn, nil, way.Buffer), times, nil
	}
	return d.encrypt(ctx, conn, times, way)
}

// encrypt does the handshake of TLS on a connection.
func (d *Dialer) encrypt(ctx context.Context, conn net.Conn, times Times, way *Way) (*Conn, Times, error) {
	began := time.Now()
	raw := &Counted{Conn: conn}
	config := d.TLS.Clone()
	if config.ServerName == "" {
		config.ServerName = way.Server
	}
	if config.NextProtos == nil {
		config.NextProtos = []string{http2.NextProtoTLS, "http/1.1"}
	}
	encrypted := tls.Client(raw, config)
	ctx, cancel := context.WithDeadline(ctx, way.deadline)
	defer cancel()
	if err := encrypted.HandshakeContext(ctx); err != nil {
		_ = conn.Close() // the handshake's error says why
		return nil, times, err
	}
	times.TLSHandshaking = time.Since(began)
	made := NewConn(encrypted, raw, way.Buffer)
	if encrypted.ConnectionState().NegotiatedProtocol == http2.NextProtoTLS {
		made.speakHTTP2()
	}
	return made, times, nil
}

// dialAgain tries other addresses of the loopback where the ports of one are used up.
func dialAgain(ctx context.Context, way *Way, err error) (conn net.Conn, _ error) {
	for tried := 1; tried < 8 && errors.Is(err, syscall.EADDRNOTAVAIL) && spreads(way.to); tried++ {
		way.source = (way.source + 1) % sources
		conn, err = dialSocket(ctx, way)
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
func dialByNet(ctx context.Context, way *Way) (net.Conn, error) {
	dialer := net.Dialer{KeepAlive: probesEvery, Deadline: way.deadline}
	return dialer.DialContext(ctx, "tcp", way.to.String())
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

// resolve finds the address of a way.
func (d *Dialer) resolve(ctx context.Context, way *Way) (err error) {
	if way.to, err = netip.ParseAddrPort(way.Address); err != nil {
		way.to, err = d.lookup(ctx, way)
	}
	return err
}

// lookup finds an address of a name; IPv4 comes first, as in k6.
func (d *Dialer) lookup(ctx context.Context, way *Way) (netip.AddrPort, error) {
	host, service, err := net.SplitHostPort(way.Address)
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
	address, known := d.remembered(host)
	if !known {
		if address, err = d.lookupHost(ctx, way, host); err != nil {
			return netip.AddrPort{}, fmt.Errorf("lookup %s: %w", host, err)
		}
	}
	return netip.AddrPortFrom(address, uint16(port)), nil
}

func (d *Dialer) remembered(host string) (netip.Addr, bool) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	found, ok := d.known[host]
	return found.address, ok && time.Now().Before(found.until)
}

// lookupHost looks a name up, and remembers it. Package net does so once for all who want the same name meanwhile; those who want
// another do not wait.
func (d *Dialer) lookupHost(ctx context.Context, way *Way, host string) (netip.Addr, error) {
	ctx, cancel := context.WithDeadline(ctx, way.deadline)
	defer cancel()
	lookup := d.lookupIP
	if lookup == nil {
		lookup = net.DefaultResolver.LookupNetIP
	}
	all, err := lookup(ctx, "ip", host)
	if err != nil {
		return netip.Addr{}, err
	}
	address := all[0].Unmap()
	for _, ip := range all {
		if ip.Unmap().Is4() {
			address = ip.Unmap()
			break
		}
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.known == nil {
		d.known = map[string]resolved{}
	}
	d.known[host] = resolved{address, time.Now().Add(namesLast)}
	return address, nil
}
