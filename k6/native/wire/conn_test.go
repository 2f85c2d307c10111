package wire

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"
	"weak"
)

// canned is a connection on which the response lies already, in pieces.
type canned struct {
	net.Conn
	pieces [][]byte
}

func (c *canned) Read(into []byte) (int, error) {
	if len(c.pieces) == 0 {
		return 0, io.EOF
	}
	n := copy(into, c.pieces[0])
	if c.pieces[0] = c.pieces[0][n:]; len(c.pieces[0]) == 0 {
		c.pieces = c.pieces[1:]
	}
	return n, nil
}

func (c *canned) Write(bytes []byte) (int, error) { return len(bytes), nil }
func (c *canned) SetDeadline(time.Time) error     { return nil }

// cannedIn cuts a text into pieces of a size.
func cannedIn(text string, size int) *canned {
	c := &canned{}
	for piece := range strings.SplitSeq(text, "") {
		if last := len(c.pieces) - 1; last >= 0 && len(c.pieces[last]) < size {
			c.pieces[last] = append(c.pieces[last], piece...)
		} else {
			c.pieces = append(c.pieces, []byte(piece))
		}
	}
	return c
}

// read has a response read by a connection that knows nothing of it, and makes sure that those that know its head read the same.
func read(t testing.TB, text string, size int, head bool) (*Conn, *Response, error) {
	t.Helper()
	conn, response, err := readKnowing(nil, text, size, head)
	heads := new(Heads)
	for range 2 {
		again, same, sameErr := readKnowing(heads, text, size, head)
		if fmt.Sprint(sameErr) != fmt.Sprint(err) || again.Usable() != conn.Usable() || err == nil && said(same) != said(response) {
			t.Errorf("%.40q, the head being known: %.80s (%v), and else %.80s (%v)", text, said(same), sameErr, said(response), err)
		}
	}
	return conn, response, err
}

func readKnowing(heads *Heads, text string, size int, head bool) (*Conn, *Response, error) {
	conn, response := NewConn(cannedIn(text, size), nil, nil), new(Response)
	request := &Request{Head: []byte("GET"), KeepBody: true, IsHead: head, Timeout: time.Second, Heads: heads}
	err := conn.RoundTrip(request, response)
	return conn, response, err
}

// said is all that a response says.
func said(r *Response) string {
	var text strings.Builder
	_, _ = fmt.Fprintf(&text, "%s %d %d %v %v %v %v", r.Proto, r.Status, r.length, r.chunked, r.close, r.http10, r.keepAlive)
	r.Each(func(name, value []byte) { _, _ = fmt.Fprintf(&text, "\n%s: %s", name, value) })
	return text.String() + "\n" + string(r.Body)
}

func TestResponses(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	for _, c := range []struct {
		name, text string
		status     int
		body       string
		usable     bool
	}{
		{"with a length", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", 200, "ok", true},
		{"without a reason", "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", 200, "ok", true},
		{"with bare line ends", "HTTP/1.1 200 OK\nContent-Length: 2\n\nok", 200, "ok", true},
		{"chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\nA;x=y\r\n0123456789\r\n0\r\nT: 1\r\n\r\n", 200, "ok0123456789", true},
		{"of no chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 200, "", true},
		{"until the end", "HTTP/1.1 200 OK\r\n\r\nok", 200, "ok", false},
		{"empty", "HTTP/1.1 204 No Content\r\n\r\n", 204, "", true},
		{"not modified, with a length", "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", 304, "", true},
		{"after hints", "HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", 200, "ok", true},
		{"that closes", "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok", 200, "ok", false},
		{"of HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", 200, "ok", false},
		{"of HTTP/1.0 that stays", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok", 200, "ok", true},
		{"of HTTP/1.0, which knows no chunks", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok", 200, "2\r\nok", false},
		{"twice", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n\r\n", 200, "ok", false},
		{"with a header on two lines", "HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 2\r\n\r\nok", 200, "ok", true},
		{"with blanks in names", "HTTP/1.1 200 OK\r\na b: c\r\nContent-Length : 9\r\nContent-Length: 2\r\n\r\nok", 200, "ok", true},
		{"with a length below its name", "HTTP/1.1 200 OK\r\nContent-Length:\r\n 2\r\n\r\nok", 200, "ok", true},
		{"below 100", "HTTP/1.1 099 OK\r\nContent-Length: 2\r\n\r\nok", 99, "ok", true},
		{"with trailers", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX: y\r\n\r\n", 200, "ok", true},
		{"with two equal lengths", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok", 200, "ok", true},
		{"with much", "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + long, 200, long, true},
		{"with a header of 1 MB", "HTTP/1.1 200 OK\r\nX: " + strings.Repeat(long, 10) + "\r\nContent-Length: 2\r\n\r\nok", 200, "ok", true},
		{"with much in chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n186a0\r\n" + long + "\r\n186A0\r\n" + long + "\r\n0\r\n\r\n", 200, long + long, true},
	} {
		for _, size := range []int{1, 7, 1 << 20} {
			if size == 1 && len(c.text) > 500_000 {
				continue
			}
			conn, response, err := read(t, c.text, size, false)
			if err != nil {
				t.Errorf("%s, by %d bytes: %v", c.name, size, err)
				continue
			}
			if response.Status != c.status || string(response.Body) != c.body {
				t.Errorf("%s, by %d bytes: %d %.40q", c.name, size, response.Status, response.Body)
			}
			if _, known := response.Size(); !known {
				t.Errorf("%s, by %d bytes: its size is unknown", c.name, size)
			}
			if conn.Usable() != c.usable && (size > 1000 || c.name != "twice") {
				t.Errorf("%s, by %d bytes: usable is %v", c.name, size, conn.Usable())
			}
		}
	}
}

func TestWhatIsNoResponse(t *testing.T) {
	const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "EOF"},
		{"no HTTP", "SSH-2.0-x\r\n", "not a status line"},
		{"HTTP/2", "HTTP/2.0 200 OK\r\n\r\n", "its version"},
		{"no status", "HTTP/1.1 OK\r\n\r\n", "three digits"},
		{"a header without a name", "HTTP/1.1 200 OK\r\n: x\r\n\r\n", "no name"},
		{"a header without a colon", "HTTP/1.1 200 OK\r\nabc\r\n\r\n", "no name"},
		{"a header with a name that is none", "HTTP/1.1 200 OK\r\na(b: c\r\n\r\n", "no valid name"},
		{"a control character on a second line", "HTTP/1.1 200 OK\r\na: b\r\n \x00c\r\n\r\n", "control character"},
		{"a length on two lines", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n 2\r\n\r\n", "bad Content-Length"},
		{"a trailer that goes on from none", chunked + "0\r\n a: b\r\n\r\n", "no name"},
		{"a trailer without a colon", chunked + "0\r\nabc\r\n\r\n", "no name"},
		{"a control character", "HTTP/1.1 200 OK\r\na: b\x00c\r\n\r\n", "control character"},
		{"a negative length", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "bad Content-Length"},
		{"two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "two values"},
		{"another encoding", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", "unsupported transfer encoding"},
		{"a bad chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", "invalid byte in chunk length"},
		{"a long chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n", "longer than it said"},
		{"a chunk line that ends with LF alone", chunked + "2\nok\r\n0\r\n\r\n", "CR and LF"},
		{"a chunk that does", chunked + "2\r\nok\n0\r\n\r\n", "CR and LF"},
		{"a CR within a chunk line", chunked + "2;\rx\r\nok\r\n0\r\n\r\n", "CR and LF"},
		{"a trailer that ends with LF alone", chunked + "0\r\nT: 1\n\r\n", "CR and LF"},
		{"long trailers", chunked + "0\r\n" + strings.Repeat("T: 0123456789\r\n", 400) + "\r\n", "more than 4096"},
		{"more beside the chunks than in them", chunked + strings.Repeat("1;"+strings.Repeat("x", 1000)+"\r\nx\r\n", 20) + "0\r\n\r\n", "are no body"},
		{"a huge chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n", "too large"},
		{"an endless chunk line", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;" + strings.Repeat("x", 9000), "more than 4096"},
		{"cut off in the headers", "HTTP/1.1 200 OK\r\nA: b\r\n", "unexpected EOF"},
		{"cut off in the body", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok", "unexpected EOF"},
		{"cut off in a chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nok", "unexpected EOF"},
		{"too much to keep", "HTTP/1.1 200 OK\r\nContent-Length: 900000000\r\n\r\nok", "are kept"},
		{"another protocol", "HTTP/1.1 101 Switching Protocols\r\n\r\n", "101"},
		{"hints without end", strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 20), "before the one that counts"},
		{"headers without end", "HTTP/1.1 200 OK\r\n" + strings.Repeat("X-Filler: "+strings.Repeat("0123456789", 1000)+"\r\n", 1_100), "more than 10485760"},
		{"small headers without end", "HTTP/1.1 200 OK\r\n" + strings.Repeat("a:\r\n", 5_000), "more than 4096 headers"},
	} {
		conn, _, err := read(t, c.text, 1<<16, false)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, not %q", c.name, err, c.want)
		}
		if conn.Usable() {
			t.Errorf("%s: the connection is used again", c.name)
		}
	}
}

func TestAHeaderOnTwoLinesIsOne(t *testing.T) {
	_, response, err := read(t, "HTTP/1.1 200 OK\r\nX: a \r\n\t b\r\n  c\r\nY: d\r\nContent-Length: 0\r\n\r\n", 1, false)
	if err != nil {
		t.Fatal(err)
	}
	x, _ := response.Header("X")
	y, _ := response.Header("Y")
	if x != "a b c" || y != "d" {
		t.Errorf("%q and %q", x, y)
	}
}

func TestHeadersAreFoundWhateverTheirCase(t *testing.T) {
	_, response, err := read(t, "HTTP/1.1 200 OK\r\nx-a:  1 \r\nX-A: 2\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\n\r\n", 5, false)
	if err != nil {
		t.Fatal(err)
	}
	if value, ok := response.Header("X-a"); !ok || value != "1, 2" {
		t.Errorf("X-A is %q", value)
	}
	if _, ok := response.Header("X-B"); ok || !response.SetsCookies() || len(response.Values("set-cookie")) != 1 {
		t.Error("headers are not those of the response")
	}
}

// served runs a server for one connection over real sockets.
func served(t *testing.T, serve func(net.Conn)) *Conn {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		conn, err := listener.Accept()
		if err == nil {
			serve(conn)
		}
	}()
	dialer := Dialer{}
	conn, _, err := dialer.Dial(t.Context(), 1, &Way{Address: listener.Addr().String(), Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func TestAnIdleConnectionKeepsNoSharedBuffer(t *testing.T) {
	const size = 1 << 20
	conn := served(t, func(c net.Conn) {
		if _, err := http.ReadRequest(bufio.NewReader(c)); err != nil {
			return
		}
		_, _ = fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", size, make([]byte, size))
	})
	forget := func() { // a pool lets go of what it has at the second collection
		runtime.GC()
		runtime.GC()
	}
	forget()
	var made []weak.Pointer[byte]
	before := scratch.New
	t.Cleanup(func() { scratch.New = before })
	scratch.New = func() any {
		buffer := before().(*[]byte)
		made = append(made, weak.Make(&(*buffer)[0]))
		return buffer
	}
	var response Response
	request := &Request{Head: []byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), Timeout: time.Minute}
	if err := conn.RoundTrip(request, &response); err != nil {
		t.Fatal(err)
	}
	forget()
	if len(made) == 0 {
		t.Fatal("no shared buffer was used")
	}
	for _, buffer := range made {
		if buffer.Value() != nil {
			t.Error("a buffer is kept from being freed")
		}
	}
	runtime.KeepAlive(conn)
}

func TestABufferGoesToTheNextConnection(t *testing.T) {
	conn, _, err := readKnowing(nil, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", 1<<16, false)
	if err != nil {
		t.Fatal(err)
	}
	if next := NewConn(nil, nil, conn.Buffer()); &next.buffer[0] != &conn.buffer[0] {
		t.Error("the next connection has a buffer of its own")
	}
	large := strings.Repeat("x", mostBuffer)
	conn, _, err = readKnowing(nil, fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(large), large), 1<<16, false)
	if err != nil {
		t.Fatal(err)
	}
	if buffer := conn.Buffer(); buffer != nil {
		t.Errorf("a buffer of %d bytes is kept", len(buffer))
	}
}

func TestManyRequestsOnOneConnection(t *testing.T) {
	conn := served(t, func(c net.Conn) {
		reader := bufio.NewReader(c)
		for {
			if _, err := http.ReadRequest(reader); err != nil {
				return
			}
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
		}
	})
	var response Response
	request := &Request{Head: []byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), Timeout: time.Second}
	for i := range 2000 {
		if err := conn.RoundTrip(request, &response); err != nil {
			t.Fatalf("request %d: %v", i, err)
		}
		if !(0 < response.Wrote && response.Wrote <= response.FirstByte && response.FirstByte <= response.Done) {
			t.Fatalf("times %d, %d, %d", response.Wrote, response.FirstByte, response.Done)
		}
	}
	if conn.Sent != 2000*uint64(len(request.Head)) || conn.Received != 2000*40 {
		t.Errorf("%d bytes sent and %d received", conn.Sent, conn.Received)
	}
}

func TestBodiesArriveWhole(t *testing.T) {
	conn := served(t, func(c net.Conn) {
		reader := bufio.NewReader(c)
		for {
			request, err := http.ReadRequest(reader)
			if err != nil {
				return
			}
			body, err := io.ReadAll(request.Body)
			if err != nil {
				return
			}
			sum := fmt.Sprintf("%d %x", len(body), sha256.Sum256(body))
			_, _ = fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(sum), sum)
		}
	})
	var response Response
	sent := 0
	for _, size := range []int{1, 1000, 10_000, 100_000, 30_000_000} { // the last is more than the kernel takes at once
		body := make([]byte, size)
		for i := range body {
			body[i] = byte(i * 7 >> 3)
		}
		head := fmt.Appendf(nil, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n", size)
		request := &Request{Head: head, Body: body, Timeout: time.Minute, KeepBody: true}
		if err := conn.RoundTrip(request, &response); err != nil {
			t.Fatalf("%d bytes: %v", size, err)
		}
		if want := fmt.Sprintf("%d %x", size, sha256.Sum256(body)); string(response.Body) != want {
			t.Errorf("%s arrived, and %s were sent", response.Body, want)
		}
		if sent += len(head) + size; conn.Sent != uint64(sent) {
			t.Errorf("%d bytes counted of %d", conn.Sent, sent)
		}
	}
}

func TestTimeouts(t *testing.T) {
	conn := served(t, func(c net.Conn) { time.Sleep(2 * time.Second); _ = c.Close() })
	began := time.Now()
	err := conn.RoundTrip(&Request{Head: []byte("GET / HTTP/1.1\r\n\r\n"), Timeout: 100 * time.Millisecond}, new(Response))
	if took := time.Since(began); !errors.Is(err, ErrTimeout) || took < 90*time.Millisecond || took > time.Second {
		t.Errorf("%v after %v", err, took)
	}
}

func TestCancelEndsARequestThatIsUnderWay(t *testing.T) {
	conn := served(t, func(c net.Conn) { time.Sleep(2 * time.Second); _ = c.Close() })
	time.AfterFunc(50*time.Millisecond, conn.Cancel)
	err := conn.RoundTrip(&Request{Head: []byte("GET / HTTP/1.1\r\n\r\n"), Timeout: time.Minute}, new(Response))
	if !errors.Is(err, ErrCancelled) {
		t.Error(err)
	}
}

func TestAConnectionThatWasGivenUp(t *testing.T) {
	request := &Request{Head: []byte("GET / HTTP/1.1\r\n\r\n"), Timeout: time.Second}
	gaveUp := make(chan struct{})
	conn := served(t, func(c net.Conn) {
		_, _ = c.Read(make([]byte, 100))
		_, _ = io.WriteString(c, "HTTP/1.1 204 OK\r\n\r\n")
		_ = c.Close()
		close(gaveUp)
	})
	if err := conn.RoundTrip(request, new(Response)); err != nil {
		t.Fatal(err)
	}
	<-gaveUp
	time.Sleep(10 * time.Millisecond) // until its end is here
	sent := conn.Sent
	if err := conn.RoundTrip(request, new(Response)); !errors.Is(err, ErrStale) || conn.Sent != sent {
		t.Error(err)
	}
}

func TestALargeRequestArrivesWhole(t *testing.T) {
	got := make(chan int, 1)
	body := bytes.Repeat([]byte("x"), 5<<20)
	conn := served(t, func(c net.Conn) {
		request, err := http.ReadRequest(bufio.NewReader(c))
		if err != nil {
			return
		}
		time.Sleep(50 * time.Millisecond) // until the kernel has no room
		all, _ := io.ReadAll(request.Body)
		got <- len(all)
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
	})
	head := []byte("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5242880\r\n\r\n")
	for _, request := range []*Request{{Head: append(head, body...), Timeout: 5 * time.Second}} {
		if err := conn.RoundTrip(request, new(Response)); err != nil {
			t.Fatal(err)
		}
		if n := <-got; n != len(body) {
			t.Errorf("%d bytes arrived", n)
		}
	}
}

func TestAnAnswerThatComesBeforeTheRequestIsWhole(t *testing.T) {
	conn := served(t, func(c net.Conn) {
		if _, err := http.ReadRequest(bufio.NewReader(c)); err != nil {
			return
		}
		_, _ = io.WriteString(c, "HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\n\r\nno")
		_ = c.Close() // with much that it did not read: the connection is reset
	})
	body := bytes.Repeat([]byte("x"), 20<<20)
	request := &Request{
		Head: []byte("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 20971520\r\n\r\n"), Body: body, Timeout: time.Minute, KeepBody: true,
	}
	var response Response
	if err := conn.RoundTrip(request, &response); err != nil || response.Status != 413 || string(response.Body) != "no" {
		t.Errorf("%d %q, %v", response.Status, response.Body, err)
	}
	if response.Wrote == 0 || conn.Usable() {
		t.Errorf("written at %d, used again: %v", response.Wrote, conn.Usable())
	}
}

func TestALargeBufferIsNotKeptByWhoPauses(t *testing.T) {
	conn, _, err := readKnowing(nil, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"+strings.Repeat("x", 100_000), 1<<16, false)
	if err != nil {
		t.Fatal(err)
	}
	conn.Rest()
	if size := len(conn.buffer); size > mostBuffer {
		t.Errorf("%d bytes are kept", size)
	}
}

// FuzzResponse holds the parser against net/http: it never panics, never keeps more than it may, takes what net/http takes but for
// what differs by intent, and understands it alike.
func FuzzResponse(f *testing.F) {
	const ok = "HTTP/1.1 200 OK\r\n"
	for _, seed := range []string{
		ok + "Content-Length: 2\r\n\r\nok", ok + "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
		"HTTP/1.0 404 No\r\nConnection: keep-alive\r\n\r\nx", "HTTP/1.1 103 H\r\n\r\nHTTP/1.1 204 N\r\n\r\n",
		ok + "A: b\r\n c\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 200 OK\nConnection: close\n\nbody",
		ok + "Content-Length: 2, 2\r\n\r\nok", ok + "Content-Length: +2\r\n\r\nok", ok + "Content-Length: \r\n\r\nok",
		ok + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nok\r\n0\r\nX: y\r\n\r\n",
		ok + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", ok + "Transfer-Encoding: identity\r\n\r\nx",
		ok + "Transfer-Encoding: chunked\t\n\t\r\n\r\n0\r\n a: b\r\n\r\n",
		"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", "HTTP/1.1 304 N\r\nContent-Length: 7\r\n\r\n",
		"HTTP/1.1  200\r\nTrailer: X\r\nTransfer-Encoding: chunked\r\n\r\n00000002 \r\nok\r\n0\r\nbad trailer\r\n\r\n",
	} {
		f.Add(seed, uint8(3), false)
	}
	f.Fuzz(func(t *testing.T, text string, size uint8, head bool) {
		_, ours, err := read(t, text, int(size)+1, head)
		method := map[bool]string{true: "HEAD", false: "GET"}[head]
		reader := bufio.NewReader(strings.NewReader(text))
		theirs, theirErr := http.ReadResponse(reader, &http.Request{Method: method})
		for theirErr == nil && theirs.StatusCode >= 100 && theirs.StatusCode < 200 && theirs.StatusCode != 101 {
			theirs, theirErr = http.ReadResponse(reader, &http.Request{Method: method})
		}
		var body []byte
		if theirErr == nil {
			body, theirErr = io.ReadAll(theirs.Body)
		}
		switch {
		case differs(err, theirErr):
		case (err == nil) != (theirErr == nil):
			t.Errorf("%v, and net/http has %v", err, theirErr)
		case err != nil:
		case ours.Status != theirs.StatusCode || !bytes.Equal(ours.Body, body) && len(ours.Body)+len(body) > 0:
			t.Errorf("%d %q, and net/http has %d %q", ours.Status, ours.Body, theirs.StatusCode, body)
		}
	})
}

// differs reports whether one of both refuses what the other takes by intent.
func differs(ours, theirs error) bool {
	if ours == nil {
		return theirs != nil && strings.Contains(theirs.Error(), "multiple Content-Length") // 2 and 02
	}
	for _, strict := range []string{
		"its version is",                   // net/http takes HTTP/3.0
		"unsupported response status: 101", // as k6's client does not, either
		"three digits",                     // +04
		"does not end with CR and LF",      // between chunks, where what is read may be another answer
	} {
		if strings.Contains(ours.Error(), strict) {
			return true
		}
	}
	return false
}
