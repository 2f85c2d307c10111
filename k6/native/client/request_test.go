package client

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"benchfolio.dev/native/wire"
)

// recorder is a server that notes the bytes of each request, and closes the connection after it.
func recorder(t *testing.T) (address string, came <-chan string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	texts := make(chan string, 1)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			var bytes bytes.Buffer
			request, err := http.ReadRequest(bufio.NewReader(io.TeeReader(conn, &bytes)))
			if err == nil {
				_, err = io.Copy(io.Discard, request.Body)
			}
			_, _ = io.WriteString(conn, "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
			_ = conn.Close()
			if err != nil {
				bytes.WriteString(err.Error())
			}
			texts <- bytes.String()
		}
	}()
	return listener.Addr().String(), texts
}

// likeK6 sends a request by net/http as k6 does.
func likeK6(r *Request, url string) error {
	var reader io.Reader
	if r.HasBody {
		reader = io.NopCloser(bytes.NewReader(r.Body))
	}
	request, err := http.NewRequestWithContext(context.Background(), r.Method, url, reader)
	if err != nil {
		return err
	}
	request.ContentLength = int64(len(r.Body))
	request.Host = r.Host
	request.Header.Set("User-Agent", r.Agent)
	for _, h := range r.Headers {
		request.Header.Set(h.Name, h.Value)
	}
	for _, cookie := range r.Cookies {
		request.Header.Set("Cookie", cookie)
	}
	transport := &http.Transport{DisableCompression: true, DisableKeepAlives: r.Closes}
	defer transport.CloseIdleConnections()
	response, err := (&http.Client{Transport: transport}).Do(request)
	if err == nil {
		err = response.Body.Close()
	}
	return err
}

func TestSendsTheBytesThatNetHTTPSends(t *testing.T) {
	address, came := recorder(t)
	bodies := map[string]func(*Request){
		"no body": func(*Request) {}, "an empty body": body(""), "a body": body("x=1"), "a long body": body(strings.Repeat("long ", 2000)),
	}
	heads := map[string]func(*Request){
		"usual": func(*Request) {},
		"own":   func(r *Request) { r.Host, r.Agent = "other.example:81", "me/1.0" },
		"none":  func(r *Request) { r.Agent = "" },
		"many": func(r *Request) {
			r.Headers = []Header{{"Accept", "text/html"}, {"X-A", " 1 "}, {"X-Empty", ""}, {"X-Utf", "ü"}}
		},
		"cookies": func(r *Request) {
			r.Cookies, r.Headers = []string{"a=1; b=2"}, []Header{{"Accept", "*/*"}, {"X-A", "1"}}
		},
		"closes":     func(r *Request) { r.Closes, r.Headers = true, []Header{{"Accept", "*/*"}, {"X-A", "1"}} },
		"says so":    func(r *Request) { r.Closes, r.Headers = true, []Header{{"Connection", "close"}, {"X-A", "1"}} },
		"authorized": func(r *Request) { r.Headers = []Header{{"Authorization", "Bearer 7"}} },
	}
	paths := []string{"", "/a?b=c%20d", "/%7Eü/a b?q=ü|x"}
	for _, method := range []string{"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"} {
		for named, withBody := range bodies {
			for kind, withHead := range heads {
				for _, origin := range []string{"http://" + address, "http://ad%40a:word@" + address} {
					path := paths[(len(method)+len(named)+len(kind))%len(paths)]
					place, err := PlaceOf(origin + path)
					if err != nil {
						t.Fatal(err)
					}
					r := &Request{Options: &Options{Timeout: 10 * time.Second}, Method: method, Place: place, Agent: "benchfolio"}
					withBody(r)
					withHead(r)
					c := New(new(wire.Dialer), 1, func(Hop) {})
					c.Enter(t.Context())
					if err := c.Do(r, false); err != nil {
						t.Fatal(err)
					}
					c.Close()
					got := <-came
					if err := likeK6(r, origin+path); err != nil {
						t.Fatal(err)
					}
					if want := <-came; got != want {
						t.Errorf("%s, %s, %s: sent\n%.300q, and net/http\n%.300q", method, named, kind, got, want)
					}
				}
			}
		}
	}
}
