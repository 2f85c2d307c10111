package wire

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// Windows, sizes and settings are those of Go's net/http, and so k6's.
const (
	streamWindow = 4 << 20 // bytes of a response that may come before we say that there is room for more
	connWindow   = 1<<30 + firstWindow
	returnEach   = 1 << 20 // of them, at the latest
	firstWindow  = 1<<16 - 1
	frameHeader  = 9
	// readingAhead is how long a part of a frame that has come is waited for, if no request is under way.
	readingAhead  = 10 * time.Millisecond
	headerTable   = 4096
	mostFrameRead = 1 << 20
	// flushEach is how many bytes of a body are gathered before they are written.
	flushEach = 64 << 10
)

// framing speaks HTTP/2 (RFC 9113) on a connection, one request at a time. It takes the head of a request as one of HTTP/1.1 and puts
// that of the response into the connection's buffer as one, so that all else knows a single form of both. Frames and the
// compression of headers are those of golang.org/x/net.
type framing struct {
	framer   *http2.Framer
	in       *bufio.Reader // that it reads from
	out      bytes.Buffer  // frames that are to be written
	encoder  *hpack.Encoder
	block    bytes.Buffer // the headers that it writes
	decoder  *hpack.Decoder
	nextID   uint32
	room     int64  // how much of a body the server takes on this connection, and
	roomEach int64  // in the beginning of each request
	mostSent int    // of one frame
	taken    uint32 // bytes that came since we last said that there is room for more
	leaving  bool   // the server takes no more requests
	intact   bool   // the last request failed, and others may follow all the same

	head   []byte // of the request that was sent last, and
	fields []hpack.HeaderField
	// what it says of the connection, and of its body: that it has no bytes
	closes, chunked bool

	now      exchange
	unusable error // a header that came
}

// exchange is a request that is under way, and what came back of it.
type exchange struct {
	id       uint32
	request  *Request
	response *Response
	room     int64  // how much of its body the server takes
	taken    uint32 // as of the connection
	headers  bool   // those of the response are being read; trailers are read too, and not kept
	answered bool   // with a head that counts
	ends     bool   // with the headers that are being read
	ended    bool
	interim  int
	begins   int // where its body begins in the buffer
	got      int64
}

// speakHTTP2 makes a connection one of HTTP/2. What both sides say first is sent with the first request.
func (c *Conn) speakHTTP2() {
	f := &framing{in: bufio.NewReader(c.Conn), nextID: 1, room: firstWindow, roomEach: firstWindow, mostSent: 16 << 10}
	f.framer = http2.NewFramer(&f.out, f.in)
	f.framer.SetReuseFrames()
	f.framer.SetMaxReadFrameSize(mostFrameRead)
	f.encoder = hpack.NewEncoder(&f.block)
	f.decoder = hpack.NewDecoder(headerTable, func(field hpack.HeaderField) { f.keepHeader(c, field) })
	f.decoder.SetMaxStringLength(MostHeader)
	f.out.WriteString(http2.ClientPreface)
	// What is written to memory cannot fail.
	_ = f.framer.WriteSettings(
		http2.Setting{ID: http2.SettingEnablePush, Val: 0},
		http2.Setting{ID: http2.SettingInitialWindowSize, Val: streamWindow},
		http2.Setting{ID: http2.SettingMaxFrameSize, Val: mostFrameRead},
		http2.Setting{ID: http2.SettingMaxHeaderListSize, Val: MostHeader},
	)
	_ = f.framer.WriteWindowUpdate(0, connWindow-firstWindow)
	c.framing = f
}

// roundTrip sends a request and reads all of the response.
func (f *framing) roundTrip(c *Conn, request *Request, response *Response) error {
	f.intact = false
	err := f.send(c, request, response)
	f.now.ended = true                  // what may still come of it is not looked at
	c.buffer = c.buffer[:cap(c.buffer)] // it may have been left amid a head
	return err
}

func (f *framing) send(c *Conn, request *Request, response *Response) error {
	x := &f.now
	*x = exchange{id: f.nextID, request: request, response: response, room: f.roomEach}
	f.nextID += 2
	body := f.writeHead(request)
	for len(body) > 0 && !x.ended {
		n := min(int64(len(body)), int64(f.mostSent), x.room, f.room)
		if n <= 0 { // the server says when it takes more
			if err := f.step(c); err != nil {
				return err
			}
			continue
		}
		_ = f.framer.WriteData(x.id, n == int64(len(body)), body[:n])
		body, x.room, f.room = body[n:], x.room-n, f.room-n
		if f.out.Len() >= flushEach {
			if err := f.flush(c); err != nil {
				return err
			}
		}
	}
	if err := f.flush(c); err != nil {
		return err
	}
	response.Wrote = Now()
	for !x.ended {
		if err := f.step(c); err != nil {
			return err
		}
	}
	if len(body) > 0 { // it was answered before all of it was sent
		_ = f.framer.WriteRSTStream(x.id, http2.ErrCodeNo)
	}
	response.close = f.leaving || f.closes || f.nextID > math.MaxInt32
	return f.check(c)
}

// check holds the body against what the head says of it, and hands it on.
func (f *framing) check(c *Conn) error {
	x := &f.now
	bodyless := x.response.bodyless(x.request.IsHead)
	if length := x.response.length; length >= 0 && !bodyless && length != x.got {
		return malformed("its body has %d bytes, and Content-Length says %d", x.got, length)
	}
	x.response.buffer = c.buffer
	if x.request.KeepBody {
		x.response.Body = c.buffer[x.begins:c.w]
	}
	c.r = c.w
	return nil
}

// writeHead writes the headers of a request, and returns the body that is to follow.
func (f *framing) writeHead(request *Request) (body []byte) {
	end := bytes.Index(request.Head, []byte("\r\n\r\n")) + len("\r\n\r\n")
	head := request.Head[:end]
	if !bytes.Equal(head, f.head) {
		f.head = append(f.head[:0], head...)
		f.read(string(head))
	}
	if body = request.Head[end:]; len(request.Body) > 0 {
		body = request.Body
	} else if f.chunked {
		body = nil // there are no chunks
	}
	f.block.Reset()
	for _, field := range f.fields {
		_ = f.encoder.WriteField(field)
	}
	block := f.block.Bytes()
	n := min(len(block), f.mostSent)
	_ = f.framer.WriteHeaders(http2.HeadersFrameParam{
		StreamID: f.now.id, BlockFragment: block[:n], EndStream: len(body) == 0, EndHeaders: n == len(block),
	})
	for block = block[n:]; len(block) > 0; block = block[n:] {
		n = min(len(block), f.mostSent)
		_ = f.framer.WriteContinuation(f.now.id, n == len(block), block[:n])
	}
	return body
}

// ofConnections are headers that speak of a connection, which HTTP/2 does without.
var ofConnections = []string{"connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"}

// read takes a head of HTTP/1.1 apart.
func (f *framing) read(head string) {
	f.fields, f.closes, f.chunked = f.fields[:0], false, false
	first, rest, _ := strings.Cut(head, "\r\n")
	words := strings.Split(first, " ")
	host := ""
	var others []hpack.HeaderField
	for line := range strings.SplitSeq(strings.TrimSuffix(rest, "\r\n\r\n"), "\r\n") {
		name, value, _ := strings.Cut(line, ": ")
		name = strings.ToLower(name)
		switch {
		case name == "host":
			host = value
		case name == "cookie": // apart, they are compressed better
			for cookie := range strings.SplitSeq(value, "; ") {
				others = append(others, hpack.HeaderField{Name: name, Value: cookie})
			}
		case slices.Contains(ofConnections, name):
			f.closes = f.closes || name == "connection" && strings.EqualFold(value, "close")
			f.chunked = f.chunked || name == "transfer-encoding"
		default:
			others = append(others, hpack.HeaderField{Name: name, Value: value})
		}
	}
	f.fields = append(append(f.fields,
		hpack.HeaderField{Name: ":authority", Value: host},
		hpack.HeaderField{Name: ":method", Value: words[0]},
		hpack.HeaderField{Name: ":path", Value: words[1]},
		hpack.HeaderField{Name: ":scheme", Value: "https"},
	), others...)
}

// flush writes what is to be written.
func (f *framing) flush(c *Conn) error {
	if f.out.Len() == 0 {
		return nil
	}
	err := c.write(f.out.Bytes())
	f.out.Reset()
	return err
}

// isOpen reports whether another request can be sent, after it has read what has come meanwhile. A server that takes no more says so
// first.
func (f *framing) isOpen(c *Conn) bool {
	for f.in.Buffered() > 0 || hasCome(c.Conn) {
		_ = c.SetDeadline(time.Now().Add(readingAhead)) // else the peek says what is wrong
		c.alive = 0
		if _, err := f.in.Peek(frameHeader); err != nil {
			return errors.Is(err, os.ErrDeadlineExceeded)
		}
		if err := f.step(c); err != nil || f.leaving {
			return false
		}
	}
	return true
}

// step reads a frame.
func (f *framing) step(c *Conn) error {
	if err := f.flush(c); err != nil {
		return err
	}
	x := &f.now
	if _, err := f.in.Peek(frameHeader); errors.Is(err, os.ErrDeadlineExceeded) {
		_ = f.framer.WriteRSTStream(x.id, http2.ErrCodeCancel)
		f.intact = true // no frame was begun
		return err
	}
	frame, err := f.framer.ReadFrame()
	if err != nil {
		return f.problem(err)
	}
	switch frame := frame.(type) {
	case *http2.HeadersFrame:
		return f.beginHeaders(c, frame)
	case *http2.ContinuationFrame:
		return f.readHeaders(c, frame.HeaderBlockFragment(), frame.HeadersEnded())
	case *http2.DataFrame:
		return f.readData(c, frame)
	case *http2.SettingsFrame:
		return f.settle(frame)
	case *http2.PingFrame:
		if !frame.IsAck() {
			_ = f.framer.WritePing(true, frame.Data)
		}
	case *http2.WindowUpdateFrame:
		room := &f.room
		if frame.StreamID == x.id {
			room = &x.room
		} else if frame.StreamID != 0 {
			return nil // of a request that has ended
		}
		if *room += int64(frame.Increment); *room > math.MaxInt32 {
			return http2.ConnectionError(http2.ErrCodeFlowControl)
		}
	case *http2.GoAwayFrame:
		f.leaving = true
		if x.id > frame.LastStreamID {
			if frame.ErrCode == http2.ErrCodeNo || c.used {
				return ErrUnread
			}
			return fmt.Errorf("http2: server sent GOAWAY and closed the connection; LastStreamID=%d, ErrCode=%v", frame.LastStreamID, frame.ErrCode)
		}
	case *http2.RSTStreamFrame:
		if frame.StreamID != x.id || x.ended {
			return nil
		}
		if frame.ErrCode == http2.ErrCodeRefusedStream {
			return ErrUnread
		}
		f.intact = true
		return fmt.Errorf("stream error: stream ID %d; %v; received from peer", frame.StreamID, frame.ErrCode)
	case *http2.PushPromiseFrame:
		return http2.ConnectionError(http2.ErrCodeProtocol) // we said that we want none
	}
	return nil
}

// problem is why no frame could be read.
func (f *framing) problem(err error) error {
	if errors.Is(err, io.EOF) && f.now.answered {
		return io.ErrUnexpectedEOF
	}
	if detail := f.framer.ErrorDetail(); detail != nil {
		return fmt.Errorf("%w: %w", err, detail)
	}
	return err
}

// settle takes notice of what the server wants.
func (f *framing) settle(frame *http2.SettingsFrame) error {
	if frame.IsAck() {
		return nil
	}
	_ = f.framer.WriteSettingsAck()
	return frame.ForeachSetting(func(s http2.Setting) error {
		if err := s.Valid(); err != nil {
			return err
		}
		switch s.ID {
		case http2.SettingInitialWindowSize:
			f.now.room += int64(s.Val) - f.roomEach
			f.roomEach = int64(s.Val)
		case http2.SettingMaxFrameSize:
			f.mostSent = int(s.Val)
		case http2.SettingHeaderTableSize:
			f.encoder.SetMaxDynamicTableSize(min(s.Val, headerTable))
		}
		return nil
	})
}

func (f *framing) beginHeaders(c *Conn, frame *http2.HeadersFrame) error {
	x := &f.now
	x.headers, x.ends = frame.StreamID == x.id && !x.ended, frame.StreamEnded()
	if x.headers && x.response.FirstByte == 0 {
		x.response.FirstByte = Now()
	}
	if x.headers && !x.answered {
		c.buffer = c.buffer[:0]
	}
	return f.readHeaders(c, frame.HeaderBlockFragment(), frame.HeadersEnded())
}

// readHeaders reads a part of the headers; whosever they are, since later ones refer to them.
func (f *framing) readHeaders(c *Conn, fragment []byte, last bool) error {
	x := &f.now
	if _, err := f.decoder.Write(fragment); err != nil {
		return http2.ConnectionError(http2.ErrCodeCompression)
	}
	switch {
	case f.unusable != nil:
		return f.unusable
	case !last:
		return nil
	}
	if err := f.decoder.Close(); err != nil {
		return http2.ConnectionError(http2.ErrCodeCompression)
	}
	if !x.headers {
		return nil
	}
	x.ended = x.ends
	if x.answered {
		if !x.ends {
			return malformed("there are headers amid its body")
		}
		return nil
	}
	return f.readHead(c)
}

// keepHeader puts a header into the buffer as a line.
func (f *framing) keepHeader(c *Conn, field hpack.HeaderField) {
	switch {
	case !f.now.headers || f.now.answered || f.unusable != nil:
		return // a trailer, or of a request that has ended, or the connection has
	case len(c.buffer)+len(field.Name)+len(field.Value) > MostHeader: // a few bytes may stand for many: checked for each
		f.unusable = malformed("its headers have more than %d bytes", MostHeader)
	case field.Name == ":status":
		if len(c.buffer) > 0 || len(field.Value) != 3 {
			f.unusable = malformed("its status is %q", clipped([]byte(field.Value)))
			return
		}
		c.buffer = append(append(append(c.buffer, "HTTP/1.1 "...), field.Value...), "\r\n"...)
	case len(c.buffer) == 0:
		f.unusable = malformed("it has no status")
	case !isLowerToken(field.Name):
		f.unusable = malformed("the header %q has no valid name", clipped([]byte(field.Name)))
	case strings.ContainsAny(field.Value, "\r\n"):
		f.unusable = malformed("the value of the header %q has a control character", clipped([]byte(field.Name)))
	default:
		c.buffer = append(append(append(append(c.buffer, field.Name...), ": "...), field.Value...), "\r\n"...)
	}
}

func isLowerToken(name string) bool {
	for i := range len(name) {
		if !tokens[name[i]] || 'A' <= name[i] && name[i] <= 'Z' {
			return false
		}
	}
	return name != ""
}

// readHead reads the head that stands in the buffer.
func (f *framing) readHead(c *Conn) error {
	x := &f.now
	c.buffer = append(c.buffer, "\r\n"...)
	c.r, c.w = 0, len(c.buffer)
	c.buffer = c.buffer[:cap(c.buffer)]
	response := x.response
	if err := c.readHead(nil, response); err != nil {
		return err
	}
	response.Proto = "HTTP/2.0"
	response.chunked, response.close = false, false // which HTTP/2 does not have
	if response.Status >= 200 {
		x.answered, x.begins = true, c.w
		return nil
	}
	if x.interim++; x.interim > mostInterim {
		return malformed("%d responses before the one that counts", mostInterim)
	}
	if x.ended {
		return malformed("it ends with the status %d", response.Status)
	}
	response.fields, response.length = response.fields[:0], -1
	return nil
}

func (f *framing) readData(c *Conn, frame *http2.DataFrame) error {
	x := &f.now
	f.taken += frame.Length
	f.taken = f.takeMore(0, f.taken)
	if frame.StreamID != x.id || x.ended {
		return nil // of a request that has ended
	}
	if !x.answered {
		return malformed("its body comes before its head")
	}
	data := frame.Data()
	x.got += int64(len(data))
	if x.request.KeepBody {
		if x.got > MostBody {
			return malformed("its body has more than the %d bytes that are kept for its expectations and captures", MostBody)
		}
		c.buffer = append(c.buffer[:c.w], data...)
		c.w = len(c.buffer)
		c.buffer = c.buffer[:cap(c.buffer)]
	}
	if x.ended = frame.StreamEnded(); !x.ended {
		x.taken += frame.Length
		x.taken = f.takeMore(x.id, x.taken)
	}
	return nil
}

// takeMore says, now and then, that what has come makes room for more. It returns how much of that was not said yet.
func (f *framing) takeMore(stream, taken uint32) uint32 {
	if taken < returnEach {
		return taken
	}
	_ = f.framer.WriteWindowUpdate(stream, taken)
	return 0
}
