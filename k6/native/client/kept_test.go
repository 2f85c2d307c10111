package client

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"benchfolio.dev/native/wire"
)

// A keeper is a server that does something to each connection: when it has answered two requests on it, or has got a third. It answers
// what it gets in the order in which it comes, until it has closed its side.
type keeper struct {
	net.Listener
	when        moment
	act         act
	http2       bool
	acting      atomic.Int32
	connections atomic.Int32
	requests    atomic.Int32
}

type moment int

const (
	withAnswer  moment = iota
	amidPause          // a while after it
	amidRequest        // which has come, and is not answered yet
)

func (m moment) String() string {
	return [...]string{"with an answer", "amid a pause", "amid a request"}[m]
}

// answered is called when n requests on a connection have been read, and write answers the last.
func (k *keeper) answered(conn net.Conn, n int, write func()) {
	k.requests.Add(1)
	if k.when == amidRequest && n == 3 {
		k.act.do(conn)
	}
	if n > 2 && !k.act.answers {
		return // it reads on, as one that lingers does, and says no more
	}
	acts := k.when != amidRequest && n == 2
	if acts {
		k.acting.Add(1)
		defer k.acting.Add(-1)
	}
	write()
	if acts {
		if k.when == amidPause {
			time.Sleep(20 * time.Millisecond)
		}
		k.act.do(conn)
	}
}

// settle waits until all that it does is done, and has come to the other side.
func (k *keeper) settle() {
	for k.acting.Load() > 0 {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(100 * time.Millisecond)
}

// An act is what a server does to a kept connection.
type act struct {
	name    string
	do      func(net.Conn)
	answers bool // it goes on to answer afterwards
}

const answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

func (k *keeper) serve() {
	for {
		conn, err := k.Accept()
		if err != nil {
			return
		}
		k.connections.Add(1)
		if k.http2 {
			go k.keepHTTP2(conn)
		} else {
			go k.keep(conn)
		}
	}
}

func (k *keeper) keep(conn net.Conn) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	for n := 1; ; n++ {
		r, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		k.answered(conn, n, func() { _, _ = io.WriteString(conn, answer) })
	}
}

// keepHTTP2 answers streams.
func (k *keeper) keepHTTP2(conn net.Conn) {
	defer conn.Close()
	if _, err := io.ReadFull(conn, make([]byte, len(http2.ClientPreface))); err != nil {
		return
	}
	framer := http2.NewFramer(conn, conn)
	_ = framer.WriteSettings()
	for n := 0; ; {
		frame, err := framer.ReadFrame()
		if err != nil {
			return
		}
		switch frame := frame.(type) {
		case *http2.SettingsFrame:
			if !frame.IsAck() {
				_ = framer.WriteSettingsAck()
			}
		case *http2.HeadersFrame:
			n++
			k.answered(conn, n, func() {
				_ = framer.WriteHeaders(http2.HeadersFrameParam{StreamID: frame.StreamID, BlockFragment: head(":status", "200"), EndHeaders: true, EndStream: true})
			})
		}
	}
}

// head is a header as HTTP/2 has it.
func head(name, value string) []byte {
	var block bytes.Buffer
	_ = hpack.NewEncoder(&block).WriteField(hpack.HeaderField{Name: name, Value: value})
	return block.Bytes()
}

// below is the connection that TLS is on.
func below(conn net.Conn) *net.TCPConn {
	if encrypted, ok := conn.(*tls.Conn); ok {
		conn = encrypted.NetConn()
	}
	return conn.(*net.TCPConn)
}

// acts are those of HTTP/1.1.
var acts = []act{
	{"half-closes and reads on", func(c net.Conn) {
		if encrypted, ok := c.(*tls.Conn); ok {
			_ = encrypted.CloseWrite()
		}
		_ = below(c).CloseWrite()
	}, false},
	{"half-closes below TLS", func(c net.Conn) { _ = below(c).CloseWrite() }, false},
	{"closes", func(c net.Conn) { _ = c.Close() }, false},
	{"resets", func(c net.Conn) { _ = below(c).SetLinger(0); _ = below(c).Close() }, false},
	{"says 408 and closes", func(c net.Conn) {
		_, _ = io.WriteString(c, "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
		_ = c.Close()
	}, false},
	{"says 408 and reads on", func(c net.Conn) {
		_, _ = io.WriteString(c, "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n")
	}, true},
	{"sends an answer that nobody asked for", func(c net.Conn) { _, _ = io.WriteString(c, answer) }, true},
	{"sends bytes late", func(c net.Conn) { _, _ = io.WriteString(c, "more") }, true},
	{"does nothing", func(net.Conn) {}, true},
}

// framed does something in frames.
func framed(do func(*http2.Framer)) func(net.Conn) {
	return func(c net.Conn) { do(http2.NewFramer(c, c)) }
}

// actsHTTP2 are those of HTTP/2.
var actsHTTP2 = []act{
	acts[0], acts[1], acts[2], acts[3],
	{"says GOAWAY and closes", func(c net.Conn) {
		_ = http2.NewFramer(c, c).WriteGoAway(3, http2.ErrCodeNo, nil)
		_ = c.Close()
	}, false},
	{"says GOAWAY and reads on", framed(func(f *http2.Framer) { _ = f.WriteGoAway(3, http2.ErrCodeNo, nil) }), false},
	{"says that it will say GOAWAY", framed(func(f *http2.Framer) { _ = f.WriteGoAway(1<<31-1, http2.ErrCodeNo, nil) }), false},
	{"asks whether we are there", framed(func(f *http2.Framer) { _ = f.WritePing(false, [8]byte{1}) }), true},
	{"changes a setting", framed(func(f *http2.Framer) {
		_ = f.WriteSettings(http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: 7})
	}), true},
	{"sends what is no frame", func(c net.Conn) { _, _ = io.WriteString(c, answer) }, true},
	{"does nothing", func(net.Conn) {}, true},
}

// outcomes are what came of requests, one after the other, with pauses in which all is done: "200 200 error".
func outcomes(k *keeper, send func() (int, error)) string {
	var all []string
	for range 5 {
		if status, err := send(); err != nil {
			all = append(all, "error")
		} else {
			all = append(all, fmt.Sprint(status))
		}
		k.settle()
	}
	return strings.Join(all, " ")
}

// Between two requests the player takes notice of what a server does to the connection, as net/http does: nothing of it is an answer,
// nothing of it is waited for, and no request is lost.
func TestWhatAServerDoesToAKeptConnection(t *testing.T) {
	log.SetOutput(io.Discard) // net/http's client says what it drops
	defer log.SetOutput(os.Stderr)
	certificate := httptest.NewUnstartedServer(nil)
	certificate.StartTLS()
	defer certificate.Close()
	secure := &tls.Config{Certificates: certificate.TLS.Certificates}
	kinds := []struct {
		name string
		tls  *tls.Config
		acts []act
	}{
		{"HTTP/1.1", nil, acts},
		{"HTTP/1.1 by TLS", secure, acts},
		{"HTTP/2", &tls.Config{Certificates: secure.Certificates, NextProtos: []string{"h2"}}, actsHTTP2},
	}
	var all sync.WaitGroup
	defer all.Wait()
	turns := make(chan bool, 8) // they wait most of the time
	for _, kind := range kinds {
		for _, act := range kind.acts {
			for _, when := range []moment{withAnswer, amidPause, amidRequest} {
				if when == amidRequest && act.answers || when == withAnswer && act.name == "resets" {
					continue // whether it comes before an answer is chance, for both
				}
				for _, method := range []string{"GET", "POST"} {
					name := fmt.Sprintf("%s, %s, %s %v", kind.name, method, act.name, when)
					all.Go(func() {
						turns <- true
						defer func() { <-turns }()
						theirs, url := keep(t, &keeper{when: when, act: act}, kind.tls)
						expected := outcomes(theirs, asking(method, url))
						ours, url := keep(t, &keeper{when: when, act: act}, kind.tls)
						found := outcomes(ours, playing(t, method, url))
						if found != expected {
							t.Errorf("%s: %s, and net/http's client %s", name, found, expected)
						}
						if a, b := ours.connections.Load(), theirs.connections.Load(); a != b {
							t.Errorf("%s: on %d connections, and net/http's client on %d", name, a, b)
						}
						if a, b := ours.requests.Load(), theirs.requests.Load(); a != b {
							t.Errorf("%s: %d requests came, and of net/http's client %d", name, a, b)
						}
					})
				}
			}
		}
	}
}

// keep serves, at an address.
func keep(t *testing.T, k *keeper, config *tls.Config) (*keeper, string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + l.Addr().String()
	if config != nil {
		k.http2 = len(config.NextProtos) > 0
		l, url = tls.NewListener(l, config), "https://"+l.Addr().String()
	}
	k.Listener = l
	t.Cleanup(func() { _ = l.Close() })
	go k.serve()
	return k, url
}

// asking sends requests with net/http's client.
func asking(method, url string) func() (int, error) {
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}
	client := &http.Client{Timeout: time.Second, Transport: transport}
	return func() (int, error) {
		r, err := http.NewRequest(method, url, nil)
		if err != nil {
			return 0, err
		}
		response, err := client.Do(r)
		if err != nil {
			return 0, err
		}
		_, _ = io.Copy(io.Discard, response.Body)
		return response.StatusCode, response.Body.Close()
	}
}

// playing sends requests with the player's client.
func playing(t *testing.T, method, url string) func() (int, error) {
	place, err := PlaceOf(url + "/")
	if err != nil {
		t.Fatal(err)
	}
	c := New(&wire.Dialer{TLS: &tls.Config{InsecureSkipVerify: true}}, 1, func(Hop) {})
	c.Enter(t.Context())
	t.Cleanup(c.Close)
	options := Options{Timeout: time.Second, Origins: OriginsOf(url, nil)}
	return func() (int, error) {
		err := c.Do(&Request{Options: &options, Method: method, Place: place}, false)
		return c.Response.Status, err
	}
}
