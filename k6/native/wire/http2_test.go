package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// dialHTTP2 connects to a server of net/http that speaks HTTP/2.
func dialHTTP2(t *testing.T, handler http.HandlerFunc) (*Conn, *httptest.Server) {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	conn, _, err := dialerFor(server).Dial(t.Context(), 1, &Way{Address: server.Listener.Addr().String(), Server: "example.com", Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn, server
}

// of is a request; lines: its headers beside Host.
func of(method, target string, body []byte, lines ...string) *Request {
	head := method + " " + target + " HTTP/1.1\r\nHost: example.com\r\n"
	if len(body) > 0 {
		lines = append([]string{fmt.Sprint("Content-Length: ", len(body))}, lines...)
	}
	for _, line := range lines {
		head += line + "\r\n"
	}
	return &Request{Head: []byte(head + "\r\n"), Body: body, Timeout: time.Minute, KeepBody: true, IsHead: method == "HEAD"}
}

func roundTrip(t *testing.T, conn *Conn, request *Request) *Response {
	t.Helper()
	var response Response
	if err := conn.RoundTrip(request, &response); err != nil {
		t.Fatal(err)
	}
	return &response
}

func TestHTTP2SaysWhatWasSent(t *testing.T) {
	conn, _ := dialHTTP2(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("X-Cookies", fmt.Sprint(r.Header["Cookie"]))
		w.Header()["Set-Cookie"] = []string{"a=1", "b=2"}
		_, _ = fmt.Fprint(w, r.Proto, " ", r.Method, " ", r.Host, r.URL, " ", r.Header.Get("X-One"), " ", r.ContentLength, " ", len(body))
	})
	for range 3 { // later ones refer to headers of earlier ones
		got := roundTrip(t, conn, of("POST", "/a?b=c", []byte("body"), "Cookie: a=1; b=2", "X-One: 1", "Connection: keep-alive"))
		if string(got.Body) != "HTTP/2.0 POST example.com/a?b=c 1 4 4" || got.Status != 200 {
			t.Errorf("%d %q", got.Status, got.Body)
		}
		if cookies, _ := got.Header("X-Cookies"); cookies != "[a=1; b=2]" {
			t.Errorf("cookies: %q", cookies)
		}
		if set := got.Values("Set-Cookie"); len(set) != 2 || set[1] != "b=2" {
			t.Errorf("set: %q", set)
		}
		if got.Wrote <= 0 || got.FirstByte < got.Wrote || got.Done < got.FirstByte {
			t.Errorf("written %d, first %d, done %d", got.Wrote, got.FirstByte, got.Done)
		}
	}
	got := roundTrip(t, conn, of("GET", "/short", nil)) // its body stands with the head in the player's requests, if it is small
	if want := "HTTP/2.0 GET example.com/short  0 0"; string(got.Body) != want {
		t.Errorf("%q", got.Body)
	}
	small := of("PUT", "/small", nil, "Content-Length: 2")
	small.Head = append(small.Head, "ab"...)
	if got := roundTrip(t, conn, small); string(got.Body) != "HTTP/2.0 PUT example.com/small  2 2" {
		t.Errorf("%q", got.Body)
	}
	chunked := of("POST", "/none", nil, "Transfer-Encoding: chunked")
	chunked.Head = append(chunked.Head, "0\r\n\r\n"...)
	if got := roundTrip(t, conn, chunked); string(got.Body) != "HTTP/2.0 POST example.com/none  0 0" {
		t.Errorf("%q", got.Body)
	}
	if !conn.Usable() || conn.Sent == 0 || conn.Received == 0 {
		t.Errorf("usable: %v, sent: %d, received: %d", conn.Usable(), conn.Sent, conn.Received)
	}
	if roundTrip(t, conn, of("GET", "/last", nil, "Connection: close")); conn.Usable() {
		t.Error("another request may follow on a connection that was to be closed")
	}
}

func TestHTTP2IsNotSpokenWhereItIsNotOffered(t *testing.T) {
	_, server := dialHTTP2(t, func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.Proto) })
	dialer := dialerFor(server)
	dialer.TLS.NextProtos = []string{"http/1.1"}
	conn, _, err := dialer.Dial(t.Context(), 1, &Way{Address: server.Listener.Addr().String(), Server: "example.com", Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if got := roundTrip(t, conn, of("GET", "/", nil)); string(got.Body) != "HTTP/1.1" {
		t.Errorf("%q", got.Body)
	}
}

func TestHTTP2ReadsBodiesOfAllKinds(t *testing.T) {
	large := bytes.Repeat([]byte("0123456789abcdef"), 1<<19) // 8 MiB: more than both windows
	conn, _ := dialHTTP2(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/large":
			w.Header().Set("Content-Length", fmt.Sprint(len(large)))
			_, _ = w.Write(large)
		case "/echo":
			_, _ = io.Copy(w, r.Body)
		case "/none":
			w.WriteHeader(204)
		case "/hints":
			w.Header().Set("Link", "</a>")
			w.WriteHeader(103)
			w.WriteHeader(102)
			_, _ = io.WriteString(w, "after hints")
		case "/trailers":
			w.Header().Set("Trailer", "X-Sum")
			_, _ = io.WriteString(w, "with trailers")
			w.Header().Set("X-Sum", "1")
		case "/headers":
			for i := range 40 {
				w.Header().Set(fmt.Sprint("X-", i), strings.Repeat("v", 1000))
			}
		case "/early":
			w.WriteHeader(413)
		}
	})
	for range 2 {
		if got := roundTrip(t, conn, of("GET", "/large", nil)); !bytes.Equal(got.Body, large) {
			t.Errorf("large: %d bytes", len(got.Body))
		}
		unread := of("GET", "/large", nil)
		unread.KeepBody = false
		if got := roundTrip(t, conn, unread); got.Body != nil {
			t.Errorf("unread: %d bytes were kept", len(got.Body))
		} else if size, known := got.Size(); !known || size != uint64(len(large)) {
			t.Errorf("unread: %d bytes, known: %v", size, known)
		}
		if got := roundTrip(t, conn, of("HEAD", "/large", nil)); got.Status != 200 || len(got.Body) != 0 {
			t.Errorf("head: %d with %d bytes", got.Status, len(got.Body))
		}
		if got := roundTrip(t, conn, of("POST", "/echo", large)); !bytes.Equal(got.Body, large) {
			t.Errorf("echo: %d bytes", len(got.Body))
		}
		if got := roundTrip(t, conn, of("GET", "/none", nil)); got.Status != 204 || got.Body == nil || len(got.Body) > 0 {
			t.Errorf("none: %d %q", got.Status, got.Body)
		}
		if got := roundTrip(t, conn, of("GET", "/hints", nil)); got.Status != 200 || string(got.Body) != "after hints" {
			t.Errorf("hints: %d %q", got.Status, got.Body)
		}
		if got := roundTrip(t, conn, of("GET", "/trailers", nil)); string(got.Body) != "with trailers" {
			t.Errorf("trailers: %q", got.Body)
		}
		if got := roundTrip(t, conn, of("GET", "/headers", nil, "X-Long: "+strings.Repeat("l", 40_000))); len(got.fields) < 40 {
			t.Errorf("headers: %d", len(got.fields))
		}
		if got := roundTrip(t, conn, of("POST", "/early", large)); got.Status != 413 {
			t.Errorf("early: %d", got.Status)
		}
	}
	if !conn.Usable() {
		t.Error("the connection can be used no more")
	}
}

func TestHTTP2Failures(t *testing.T) {
	handler := func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/panic":
			w.WriteHeader(200)
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		case "/wait":
			<-r.Context().Done()
		}
	}
	conn, _ := dialHTTP2(t, handler)
	var response Response
	if err := conn.RoundTrip(of("GET", "/panic", nil), &response); err == nil || !strings.Contains(err.Error(), "INTERNAL_ERROR; received from peer") {
		t.Errorf("a stream that was reset: %v", err)
	}
	late := of("GET", "/wait", nil)
	late.Timeout = time.Millisecond
	if err := conn.RoundTrip(late, &response); err != ErrTimeout {
		t.Errorf("an answer that does not come: %v", err)
	}
	if got := roundTrip(t, conn, of("GET", "/", nil)); got.Status != 200 || !conn.Usable() {
		t.Errorf("after that: %d", got.Status)
	}
	ended := make(chan error)
	go func() { ended <- conn.RoundTrip(of("GET", "/wait", nil), &response) }()
	conn.Cancel()
	if err := <-ended; err != ErrCancelled {
		t.Errorf("a user who was stopped: %v", err)
	}
}

// peer is a server that says what a test has it say.
type peer struct {
	*http2.Framer
	t       *testing.T
	encoder *hpack.Encoder
	block   bytes.Buffer
	close   func()
}

// head answers a request; pairs: names and values.
func (p *peer) head(stream uint32, ends bool, pairs ...string) {
	p.block.Reset()
	for i := 0; i < len(pairs); i += 2 {
		_ = p.encoder.WriteField(hpack.HeaderField{Name: pairs[i], Value: pairs[i+1]})
	}
	_ = p.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: p.block.Bytes(), EndStream: ends, EndHeaders: true})
}

// until reads frames until one of a kind has come.
func (p *peer) until(kind http2.FrameType) http2.Frame {
	for {
		frame, err := p.ReadFrame()
		if err != nil {
			p.t.Errorf("no frame %v came: %v", kind, err)
			return nil
		}
		if frame.Header().Type == kind {
			return frame
		}
	}
}

// withPeer speaks with one that answers the first request.
func withPeer(t *testing.T, answer func(p *peer)) *Conn {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		theirs, err := listener.Accept()
		if err != nil {
			return
		}
		defer theirs.Close()
		if _, err := io.ReadFull(theirs, make([]byte, len(http2.ClientPreface))); err != nil {
			return
		}
		p := &peer{Framer: http2.NewFramer(theirs, theirs), t: t, close: func() { _ = theirs.Close() }}
		p.encoder = hpack.NewEncoder(&p.block)
		p.SetMaxReadFrameSize(1 << 20)
		p.until(http2.FrameHeaders)
		answer(p)
		_, _ = io.Copy(io.Discard, theirs)
	}()
	ours, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	raw := &Counted{Conn: ours}
	conn := NewConn(raw, raw, nil)
	conn.speakHTTP2()
	t.Cleanup(func() { _, _, _ = conn.Close(), listener.Close(), <-ended })
	return conn
}

func TestHTTP2TakesWhatAServerMaySay(t *testing.T) {
	body := bytes.Repeat([]byte("b"), 100_000)
	conn := withPeer(t, func(p *peer) {
		_ = p.WriteSettings(
			http2.Setting{ID: http2.SettingInitialWindowSize, Val: 10},
			http2.Setting{ID: http2.SettingMaxFrameSize, Val: 20_000},
			http2.Setting{ID: http2.SettingHeaderTableSize, Val: 0},
		)
		got := 0
		for frame := p.until(http2.FrameData); frame != nil; frame = p.until(http2.FrameData) {
			data := frame.(*http2.DataFrame)
			if got += len(data.Data()); data.StreamEnded() {
				break
			}
			// the first 65,535 bytes needed no leave, since the settings came after them
			_ = p.WriteWindowUpdate(0, data.Length)
			_ = p.WriteWindowUpdate(1, data.Length)
			_ = p.WriteWindowUpdate(99, 7)
		}
		_ = p.WritePing(false, [8]byte{1})
		p.until(http2.FramePing)
		p.head(99, false, ":status", "500", "x-other", "stream")
		_ = p.WriteData(99, true, []byte("not ours"))
		_ = p.WriteRSTStream(99, http2.ErrCodeInternal)
		p.head(1, false, ":status", "200", "x-got", fmt.Sprint(got))
		_ = p.WriteDataPadded(1, false, []byte("padded "), make([]byte, 50))
		_ = p.WriteData(1, true, []byte("end"))
		p.until(http2.FrameHeaders)
		p.head(3, true, ":status", "200", "x-other", "stream") // by what both know from the stream that was not ours
		p.until(http2.FrameHeaders)
		_ = p.WriteGoAway(3, http2.ErrCodeNo, nil)
	})
	got := roundTrip(t, conn, of("POST", "/", body))
	if value, _ := got.Header("x-got"); value != "100000" || string(got.Body) != "padded end" {
		t.Errorf("%q bytes came, and %q back", value, got.Body)
	}
	if value, _ := roundTrip(t, conn, of("GET", "/", nil)).Header("x-other"); value != "stream" {
		t.Errorf("a header from the table is %q", value)
	}
	var response Response
	if err := conn.RoundTrip(of("GET", "/", nil), &response); !errors.Is(err, ErrUnread) || conn.Usable() {
		t.Errorf("a request that the server left unread: %v", err)
	}
}

func TestHTTP2RefusesWhatAServerMayNotSay(t *testing.T) {
	for what, of := range map[string]struct {
		answer func(p *peer)
		err    string
	}{
		"a name with capitals": {func(p *peer) { p.head(1, true, ":status", "200", "X-A", "b") }, "no valid name"},
		"no name":              {func(p *peer) { p.head(1, true, ":status", "200", "", "b") }, "no valid name"},
		"a line in a value":    {func(p *peer) { p.head(1, true, ":status", "200", "x", "a\r\nb: c") }, "control character"},
		"a byte in a value":    {func(p *peer) { p.head(1, true, ":status", "200", "x", "a\x00") }, "control character"},
		"no status":            {func(p *peer) { p.head(1, true, "x", "a") }, "it has no status"},
		"two":                  {func(p *peer) { p.head(1, true, ":status", "200", ":status", "200") }, "its status is"},
		"a strange one":        {func(p *peer) { p.head(1, true, ":status", "2x0") }, "three digits"},
		"a long one":           {func(p *peer) { p.head(1, true, ":status", "200 OK") }, "its status is"},
		"an end too early":     {func(p *peer) { p.head(1, true, ":status", "103") }, "ends with the status 103"},
		"another protocol":     {func(p *peer) { p.head(1, true, ":status", "200", ":path", "/") }, "no valid name"},
		"a body first":         {func(p *peer) { _ = p.WriteData(1, true, []byte("x")) }, "before its head"},
		"too short a body": {func(p *peer) {
			p.head(1, false, ":status", "200", "content-length", "3")
			_ = p.WriteData(1, true, []byte("x"))
		}, "has 1 bytes"},
		"too long a body": {func(p *peer) {
			p.head(1, false, ":status", "200", "content-length", "0")
			_ = p.WriteData(1, true, []byte("x"))
		}, "has 1 bytes"},
		"headers amid it": {func(p *peer) { p.head(1, false, ":status", "200"); p.head(1, false, "x", "y") }, "amid its body"},
		"far too much": {func(p *peer) {
			many := []string{":status", "200"}
			for range 5000 {
				many = append(many, "x", strings.Repeat("v", 4000)) // a byte each, but for the first
			}
			p.head(1, true, many...)
		}, "more than 10485760 bytes"},
		"no compression": {func(p *peer) {
			_ = p.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: []byte{0xff, 0xff}, EndHeaders: true})
		}, "COMPRESSION_ERROR"},
		"half a header": {func(p *peer) {
			_ = p.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: []byte{0x40, 5, 'a'}, EndHeaders: true})
		}, "COMPRESSION_ERROR"},
		"a pushed response": {func(p *peer) {
			_ = p.WritePushPromise(http2.PushPromiseParam{StreamID: 1, PromiseID: 2, EndHeaders: true})
		}, "PROTOCOL_ERROR"},
		"data amid headers": {func(p *peer) {
			_ = p.WriteHeaders(http2.HeadersFrameParam{StreamID: 1})
			_ = p.WriteData(1, false, nil)
		}, "PROTOCOL_ERROR"},
		"too much room":          {func(p *peer) { _ = p.WriteWindowUpdate(0, 1<<31-1) }, "FLOW_CONTROL_ERROR"},
		"a setting out of range": {func(p *peer) { _ = p.WriteSettings(http2.Setting{ID: http2.SettingMaxFrameSize, Val: 1}) }, "PROTOCOL_ERROR"},
		"no frame":               {func(p *peer) { _ = p.WriteRawFrame(http2.FrameSettings, 0, 0, []byte{1}) }, "FRAME_SIZE_ERROR"},
		"its refusal":            {func(p *peer) { _ = p.WriteRSTStream(1, http2.ErrCodeRefusedStream) }, "did not take the request"},
		"its farewell":           {func(p *peer) { _ = p.WriteGoAway(0, http2.ErrCodeEnhanceYourCalm, nil) }, "ErrCode=ENHANCE_YOUR_CALM"},
	} {
		t.Run(what, func(t *testing.T) {
			conn := withPeer(t, of.answer)
			var response Response
			err := conn.RoundTrip(&Request{Head: []byte("GET / HTTP/1.1\r\nHost: a\r\n\r\n"), Timeout: time.Minute, KeepBody: true}, &response)
			if err == nil || !strings.Contains(err.Error(), of.err) || conn.Usable() {
				t.Errorf("%v, usable: %v", err, conn.Usable())
			}
			if buffer := conn.Buffer(); buffer != nil && len(buffer) < firstBuffer {
				t.Errorf("the next connection has room for %d bytes", len(buffer))
			}
		})
	}
}

func TestHTTP2TellsWhenAConnectionEnded(t *testing.T) {
	for what, answer := range map[string]func(p *peer){
		"EOF":            func(p *peer) { _ = p.WriteSettings() },
		"unexpected EOF": func(p *peer) { p.head(1, false, ":status", "200") },
	} {
		conn := withPeer(t, func(p *peer) {
			answer(p)
			p.close()
		})
		var response Response
		err := conn.RoundTrip(of("GET", "/", nil), &response)
		if err == nil || err.Error() != what || errors.Is(err, io.EOF) {
			t.Errorf("%v in place of %s", err, what)
		}
	}
}

func TestHTTP2LooksWhetherTheServerTakesMore(t *testing.T) {
	said, read := make(chan bool), make(chan bool)
	conn := withPeer(t, func(p *peer) {
		p.head(1, true, ":status", "200")
		<-read
		_ = p.WriteSettings()
		_ = p.WritePing(false, [8]byte{})
		said <- true
		<-read
		_ = p.WriteGoAway(1, http2.ErrCodeNo, nil)
		said <- true
	})
	if roundTrip(t, conn, of("GET", "/", nil)); !conn.isQuiet() {
		t.Error("nothing was said, and yet no more can be sent")
	}
	read <- true
	if <-said; !conn.isQuiet() {
		t.Error("settings and a ping mean that no more can be sent")
	}
	read <- true
	if <-said; conn.isQuiet() {
		t.Error("the server takes no more, and yet more can be sent")
	}
}

func TestHTTP2GivesUpAServerThatSendsWithoutEnd(t *testing.T) {
	conn := withPeer(t, func(p *peer) {
		p.head(1, true, ":status", "200")
		unknown := make([]byte, 16<<10) // which is read in pieces, so that more comes than can be read
		for p.WriteRawFrame(0xfa, 0, 0, unknown) == nil {
		}
	})
	roundTrip(t, conn, of("GET", "/", nil))
	quiet := make(chan bool)
	go func() {
		for conn.isQuiet() { // until enough has come
		}
		quiet <- false
	}()
	select {
	case <-quiet:
	case <-time.After(time.Minute):
		t.Fatal("it is read for ever")
	}
}

func TestHTTP2LooksAtNothingOfARequestThatFailed(t *testing.T) {
	said, read := make(chan bool), make(chan bool)
	conn := withPeer(t, func(p *peer) {
		<-read
		p.head(1, false, ":status", "500", "X-A", "of the first") // a name that would be refused
		_ = p.WriteData(1, true, []byte("late"))
		said <- true
		p.until(http2.FrameHeaders)
		p.head(3, false, ":status", "200")
		_ = p.WriteData(3, true, []byte("of the second"))
	})
	var response Response
	late := of("GET", "/", nil)
	late.Timeout = time.Millisecond
	if err := conn.RoundTrip(late, &response); err != ErrTimeout || !conn.Usable() {
		t.Fatalf("%v, usable: %v", err, conn.Usable())
	}
	read <- true
	if <-said; !conn.isQuiet() {
		t.Error("what came too late means that no more can be sent")
	}
	if got := roundTrip(t, conn, of("GET", "/", nil)); got.Status != 200 || string(got.Body) != "of the second" {
		t.Errorf("%d %q", got.Status, got.Body)
	}
}
