package wire

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
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
	readingAhead = 10 * time.Millisecond
	// mostAhead is how long all that has come is read, before another connection is taken in its place.
	mostAhead     = 100 * time.Millisecond
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

// isOpen reports whether another request can be sent, after it has read what has come meanwhile. A server that takes no more says so
// first.
func (f *framing) isOpen(c *Conn) bool {
	until := time.Now().Add(mostAhead)
	for {
		if come, err := f.hasCome(c); err != nil || !come {
			return err == nil
		}
		now := time.Now()
		if now.After(until) {
			return false // it sends without end
		}
		_ = c.SetDeadline(now.Add(readingAhead)) // else the peek says what is wrong
		c.alive = 0
		if _, err := f.in.Peek(frameHeader); err != nil {
			return errors.Is(err, os.ErrDeadlineExceeded)
		}
		if err := f.step(c); err != nil || f.leaving {
			return false
		}
	}
}

// hasCome reports whether there is something to read, here or below TLS; it fails if the connection has ended.
func (f *framing) hasCome(c *Conn) (bool, error) {
	if f.in.Buffered() > 0 {
		return true, nil
	}
	c.counted.looking = true
	_, err := f.in.Peek(1)
	c.counted.looking = false
	switch {
	case err == error(errNothing{}):
		return false, nil
	case errors.Is(err, os.ErrDeadlineExceeded): // that of the last request
		return true, nil
	}
	return err == nil, err
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
