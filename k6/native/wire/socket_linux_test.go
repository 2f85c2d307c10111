package wire

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// unheard listens at a port without ever taking a connection, and with no room for one that waits.
func unheard(t *testing.T) string {
	t.Helper()
	descriptor, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(descriptor) })
	if err := unix.Bind(descriptor, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	if err := unix.Listen(descriptor, 0); err != nil {
		t.Fatal(err)
	}
	address := localOf(descriptor).String()
	for { // until its queue is full
		conn, _, err := (&Dialer{}).Dial(t.Context(), 1, &Way{Address: address, Timeout: 50 * time.Millisecond})
		if err != nil {
			return address
		}
		t.Cleanup(func() { _ = conn.Close() })
	}
}

func TestConnectingTakesNoLongerThanItMay(t *testing.T) {
	_, _, err := (&Dialer{}).Dial(t.Context(), 1, &Way{Address: unheard(t), Timeout: time.Millisecond})
	if !errors.Is(err, errDialTimeout) {
		t.Errorf("it ended with %v", err)
	}
}

func TestConnectingEndsWithItsUser(t *testing.T) {
	address := unheard(t)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, _, err := (&Dialer{}).Dial(ctx, 1, &Way{Address: address, Timeout: time.Hour})
		ended <- err
	}()
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
}

// freePort is one of the loopback that nobody listens on.
func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	_ = listener.Close()
	return address
}

func TestRefused(t *testing.T) {
	address := freePort(t)
	_, _, err := (&Dialer{}).Dial(t.Context(), 1, &Way{Address: address, Timeout: time.Minute})
	if want := "dial tcp " + address + ": connect: connection refused"; err == nil || err.Error() != want {
		t.Errorf("%v, not %s", err, want)
	}
}

// evenPort is one that nobody listens on, of those that the kernel takes first for the near end of a connection. For a
// listener it takes odd ones.
func evenPort(t *testing.T) string {
	t.Helper()
	for {
		port := netip.MustParseAddrPort(freePort(t)).Port() &^ 1
		address := netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), port).String()
		if listener, err := net.Listen("tcp", address); err == nil {
			_ = listener.Close()
			return address
		}
	}
}

// The kernel chooses a near port at random: of 50,000 connections to one that nobody listens on, a few are to themselves.
func TestNobodyIsConnectedToItself(t *testing.T) {
	address := evenPort(t)
	for range 50_000 {
		conn, _, err := (&Dialer{}).Dial(t.Context(), 1, &Way{Address: address, Timeout: time.Minute})
		if err == nil {
			s := conn.Conn.(*socket)
			if s.LocalAddr().String() == s.RemoteAddr().String() {
				t.Fatal("connected to itself")
			}
			_ = conn.Close()
			address = evenPort(t) // somebody has begun to listen
			continue
		}
		if !errors.Is(err, syscall.ECONNREFUSED) {
			t.Fatal(err)
		}
	}
}

func option(t *testing.T, s *socket, level, name int) (value int) {
	t.Helper()
	raw, err := s.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	_ = raw.Control(func(descriptor uintptr) { value, err = unix.GetsockoptInt(int(descriptor), level, name) })
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func TestProbesAreForConnectionsThatGoOn(t *testing.T) {
	for answer, want := range map[string]int{"Content-Length: 0": 1, "Connection: close": 0} {
		conn := served(t, func(c net.Conn) {
			_, _ = http.ReadRequest(bufio.NewReader(c)) // what is not read would reset the connection
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\n"+answer+"\r\n\r\n")
			if want == 0 {
				_ = c.Close()
			}
		})
		var response Response
		request := &Request{Head: []byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), Timeout: time.Minute}
		if err := conn.RoundTrip(request, &response); err != nil {
			t.Fatal(err)
		}
		if probes := option(t, conn.Conn.(*socket), unix.SOL_SOCKET, unix.SO_KEEPALIVE); probes != want {
			t.Errorf("after %q SO_KEEPALIVE is %d", answer, probes)
		}
	}
}

func TestASocketIsLikeOneOfNet(t *testing.T) {
	for _, at := range []string{"127.0.0.1:0", "[::1]:0"} {
		listener, err := net.Listen("tcp", at)
		if err != nil {
			t.Logf("%s: %v", at, err) // a machine without IPv6
			continue
		}
		conn, _, err := (&Dialer{}).Dial(t.Context(), 1, &Way{Address: listener.Addr().String(), Timeout: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		from, err := listener.Accept()
		if err != nil {
			t.Fatal(err)
		}
		s := conn.Conn.(*socket)
		if s.RemoteAddr().String() != listener.Addr().String() || s.LocalAddr().String() != from.RemoteAddr().String() {
			t.Errorf("it says from %s to %s", s.LocalAddr(), s.RemoteAddr())
		}
		if delays := option(t, s, unix.IPPROTO_TCP, unix.TCP_NODELAY); delays != 1 {
			t.Errorf("TCP_NODELAY is %d", delays)
		}
		_ = from.(*net.TCPConn).SetLinger(0)
		_ = from.Close() // with a reset
		var problem *net.OpError
		_, err = s.Read(make([]byte, 1))
		if !errors.As(err, &problem) || !strings.HasSuffix(err.Error(), "read: connection reset by peer") || !IsSilence(err) {
			t.Errorf("reading ended with %v", err)
		}
		_ = s.Close()
		if _, err := s.Write([]byte("x")); !errors.Is(err, net.ErrClosed) {
			t.Errorf("writing ended with %v", err)
		}
		if at := s.LocalAddr().String(); at != ":0" {
			t.Errorf("a closed one is at %s", at)
		}
		_ = listener.Close()
	}
}
