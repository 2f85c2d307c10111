package wire

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

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
