package wire

import (
	"strings"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

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
	if !response.isInterim() {
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
