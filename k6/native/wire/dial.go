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
)

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

// Dial connects a user to host:port, by TLS if the server is named. Users of the loopback are spread over its addresses
// where one has not ports enough for all.
func (d *Dialer) Dial(ctx context.Context, user uint64, address, server string) (*Conn, Times, error) {
	var times Times
	to, err := d.resolve(ctx, address)
	if err != nil {
		return nil, times, err
	}
	began := time.Now()
	conn, err := connect(ctx, to, sourceFor(user))
	if err != nil {
		return nil, times, err
	}
	times.Connecting = time.Since(began)
	if server == "" {
		return NewConn(conn, nil), times, nil
	}
	began = time.Now()
	raw := &Counted{Conn: conn}
	config := d.TLS.Clone()
	if config.ServerName == "" {
		config.ServerName = server
	}
	config.NextProtos = []string{"http/1.1"}
	encrypted := tls.Client(raw, config)
	if err := encrypted.HandshakeContext(ctx); err != nil {
		_ = conn.Close() // the handshake's error says why
		return nil, times, err
	}
	times.TLSHandshaking = time.Since(began)
	return NewConn(encrypted, raw), times, nil
}

// sourceFor is which address of the loopback a user sends from; 0: whichever the kernel takes.
func sourceFor(user uint64) int { return int(user / perSource % sources) }

func connect(ctx context.Context, to netip.AddrPort, source int) (net.Conn, error) {
	conn, err := dialFrom(ctx, to, source)
	for tried := 1; tried < 8 && errors.Is(err, syscall.EADDRNOTAVAIL) && spreads(to); tried++ {
		conn, err = dialFrom(ctx, to, (source+tried)%sources) // its ports are used up
	}
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		return nil, fmt.Errorf("%w: raise the limit of open files (ulimit -n)", err)
	}
	return conn, err
}

func spreads(to netip.AddrPort) bool {
	return runtime.GOOS == "linux" && to.Addr().Is4() && to.Addr().IsLoopback()
}

func dialFrom(ctx context.Context, to netip.AddrPort, source int) (net.Conn, error) {
	dialer := net.Dialer{KeepAlive: 30 * time.Second}
	if source > 0 && spreads(to) {
		dialer.LocalAddr = &net.TCPAddr{IP: net.IPv4(127, 0, 0, byte(1+source))}
		dialer.Control = chooseLate
	}
	return dialer.DialContext(ctx, "tcp", to.String())
}

// resolve finds an address of a name; IPv4 comes first, as in k6.
func (d *Dialer) resolve(ctx context.Context, address string) (netip.AddrPort, error) {
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
