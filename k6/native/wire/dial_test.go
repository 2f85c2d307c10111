package wire

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"
)

// dialerFor trusts the certificate of a server.
func dialerFor(server *httptest.Server) *Dialer {
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	return &Dialer{TLS: &tls.Config{RootCAs: roots}}
}

func TestTLS(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.Proto+" to "+r.Host)
	}))
	defer server.Close()
	dialer := dialerFor(server)
	address := server.Listener.Addr().String()
	way := &Way{Address: address, Server: "example.com", Timeout: time.Minute}
	conn, times, err := dialer.Dial(t.Context(), 1, way)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if times.TLSHandshaking <= 0 || times.Connecting <= 0 {
		t.Errorf("connecting took %v, and the handshake %v", times.Connecting, times.TLSHandshaking)
	}
	request := &Request{Head: []byte("GET / HTTP/1.1\r\nHost: example.com\r\n\r\n"), Timeout: time.Second, KeepBody: true}
	var response Response
	for range 50 {
		if err := conn.RoundTrip(request, &response); err != nil {
			t.Fatal(err)
		}
		if string(response.Body) != "HTTP/1.1 to example.com" {
			t.Fatalf("%q", response.Body)
		}
	}
	if plain := uint64(50 * len(request.Head)); conn.Sent <= plain || conn.Received <= plain {
		t.Errorf("%d bytes sent and %d received: less than before they were encrypted", conn.Sent, conn.Received)
	}

	strangers := Dialer{TLS: &tls.Config{}}
	if _, _, err := strangers.Dial(t.Context(), 1, way); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("a certificate without an authority was taken: %v", err)
	}
}

func TestUsersOfTheLoopbackAreSpread(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	for user, want := range map[uint64]string{1: "127.0.0.1", perSource: "127.0.0.2", 3*perSource + 5: "127.0.0.4"} {
		conn, _, err := (&Dialer{}).Dial(t.Context(), user, &Way{Address: listener.Addr().String(), Timeout: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		from, err := listener.Accept()
		if err != nil {
			t.Fatal(err)
		}
		if host, _, _ := net.SplitHostPort(from.RemoteAddr().String()); spreads(conn.RemoteAddr().(*net.TCPAddr).AddrPort()) && host != want {
			t.Errorf("user %d comes from %s, not %s", user, host, want)
		}
		_, _ = conn.Close(), from.Close()
	}
}

func TestToResolveANameIsATimeOfItsOwn(t *testing.T) {
	way := &Way{Address: "nowhere.invalid:80", Timeout: time.Minute}
	if _, times, err := new(Dialer).Dial(t.Context(), 1, way); err == nil || times.Resolving <= 0 || times.Connecting != 0 {
		t.Errorf("%+v, %v", times, err)
	}
}

func TestNamesAreResolvedOnce(t *testing.T) {
	d := &Dialer{}
	to := func(name string) *Way { return &Way{Address: name + ":80", deadline: time.Now().Add(time.Minute)} }
	local := to("localhost")
	if err := d.resolve(t.Context(), local); err != nil {
		t.Fatal(err)
	}
	if !local.to.Addr().IsLoopback() || local.to.Port() != 80 || len(d.known) != 1 {
		t.Errorf("%v, and %d names are known", local.to, len(d.known))
	}
	if err := d.resolve(t.Context(), to("nowhere.invalid")); err == nil || !strings.HasPrefix(err.Error(), "lookup nowhere.invalid") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := d.resolve(ctx, to("localhost")); err != nil {
		t.Errorf("it was looked up again: %v", err)
	}
	for _, literal := range []string{"127.0.0.1", "[::1]"} {
		if way := to(literal); d.resolve(ctx, way) != nil || !way.to.Addr().IsLoopback() {
			t.Errorf("%s is %v", literal, way.to)
		}
	}
}

func TestANameThatIsLookedUpHoldsUpNoOther(t *testing.T) {
	under, release := make(chan struct{}), make(chan struct{})
	d := &Dialer{lookupIP: func(_ context.Context, _, host string) ([]netip.Addr, error) {
		if host == "slow.example" {
			close(under)
			<-release
		}
		return []netip.Addr{netip.IPv6Loopback(), netip.MustParseAddr("127.0.0.1")}, nil
	}}
	to := func(name string) *Way { return &Way{Address: name + ":80", deadline: time.Now().Add(time.Minute)} }
	slow := make(chan error)
	go func() { slow <- d.resolve(t.Context(), to("slow.example")) }()
	<-under
	way := to("fast.example")
	if err := d.resolve(t.Context(), way); err != nil || way.to.String() != "127.0.0.1:80" {
		t.Errorf("%v (%v)", way.to, err)
	}
	close(release)
	if err := <-slow; err != nil {
		t.Error(err)
	}
}
