package wire

import (
	"bytes"
	"io"
	"sync"
)

const (
	largeBody   = 16 << 10
	scratchSize = 128 << 10
)

// scratch is where unread bodies go.
var scratch = sync.Pool{New: func() any { buffer := make([]byte, scratchSize); return &buffer }}

func (c *Conn) readBody(request *Request, response *Response) error {
	if response.bodyless(request.IsHead) {
		if request.KeepBody {
			response.Body = []byte{}
		}
		return nil
	}
	begins := c.r
	var err error
	switch {
	case response.chunked:
		err = c.readChunks(request.KeepBody, response)
	case response.length >= 0:
		err = c.readLength(response.length, request.KeepBody)
	default:
		response.close = true
		err = c.readToEnd(request.KeepBody)
	}
	if err != nil {
		return cut(err)
	}
	response.buffer = c.buffer
	if request.KeepBody && !response.chunked {
		response.Body = c.buffer[begins:c.r]
	}
	return nil
}

// readLength takes so many bytes of a body. Kept ones stay in the buffer, up to r.
func (c *Conn) readLength(length int64, keep bool) error {
	if there := int64(c.w - c.r); there >= length {
		c.r += int(length)
		return nil
	}
	if keep {
		return c.keep(length)
	}
	left := length - int64(c.w-c.r)
	c.r = c.w
	return c.drain(left)
}

func (c *Conn) keep(length int64) error {
	if length > MostBody {
		return malformed("its body has %d bytes, and at most %d are kept for its expectations and captures", length, MostBody)
	}
	for int64(c.w-c.r) < length { // not all at once: that so much comes is only what the server says
		if err := c.fill(); err != nil {
			return err
		}
	}
	c.r += int(length)
	return nil
}

// drain reads bytes to throw them away; no more than those.
func (c *Conn) drain(left int64) error {
	into := c.buffer[c.w:]
	if left > largeBody || len(into) < 1024 {
		large := scratch.Get().(*[]byte)
		defer scratch.Put(large)
		into = *large
	}
	for left > 0 {
		n, err := c.receive(into[:min(int64(len(into)), left)])
		left -= int64(n)
		if err != nil && left > 0 {
			return err
		}
	}
	return nil
}

// readToEnd reads a body that ends with the connection.
func (c *Conn) readToEnd(keep bool) error {
	begins := c.r
	for {
		if !keep {
			c.r, c.w = begins, begins // the same place again
		} else if c.w-begins > MostBody {
			return malformed("its body has more than the %d bytes that are kept for its expectations and captures", MostBody)
		}
		if err := c.fill(); err == io.EOF {
			c.r = c.w
			return nil
		} else if err != nil {
			return err
		}
	}
}

// readChunks reads a chunked body (RFC 9112, 7.1). Kept chunks are gathered apart: the lines between them are not body.
func (c *Conn) readChunks(keep bool, response *Response) error {
	head, beside := c.r, int64(0)
	var body []byte
	if keep {
		body = []byte{} // there is one, if there is nothing in it
	}
	for {
		line, err := c.chunkLine()
		if err != nil {
			return err
		}
		size, err := chunkSize(line)
		if err != nil {
			return err
		}
		if beside = max(beside+int64(len(line))+2-16-2*size, 0); beside > mostBeside {
			return malformed("its chunks have more than %d bytes that are no body", mostBeside)
		}
		if size == 0 {
			break
		}
		if keep && int64(len(body))+size > MostBody {
			return malformed("its body has more than the %d bytes that are kept for its expectations and captures", MostBody)
		}
		begins := c.r
		if err := c.readLength(size, keep); err != nil {
			return err
		}
		if keep {
			body = append(body, c.buffer[begins:c.r]...)
		}
		if line, err = c.chunkLine(); err != nil {
			return err
		}
		if len(line) != 0 {
			return malformed("a chunk is longer than it said")
		}
		c.compact(head)
	}
	for trailers := 0; ; {
		line, err := c.chunkLine()
		if err != nil {
			return err
		}
		if len(line) == 0 {
			break
		}
		if err := checkTrailer(line, trailers == 0); err != nil {
			return err
		}
		if trailers += len(line) + 2; trailers > mostChunkLine {
			return malformed("its trailers have more than %d bytes", mostChunkLine)
		}
		c.compact(head)
	}
	response.Body = body
	return nil
}

// checkTrailer fails for a line that is not a header; trailers are not kept.
func checkTrailer(line []byte, first bool) error {
	if isBlank(line[0]) {
		if first {
			return malformed("the header line %q has no name", clipped(line))
		}
		return checkValue(nil, line) // the one before goes on
	}
	colon, err := nameOf(line)
	if err != nil {
		return err
	}
	return checkValue(line[:colon], line[colon+1:])
}

// chunkLine is a line between chunks, which ends with both of its characters: RFC 9112 lets headers do without the first.
func (c *Conn) chunkLine() ([]byte, error) {
	line, at, err := c.line(mostChunkLine)
	if err != nil {
		return nil, err
	}
	if c.r-at != len(line)+2 || bytes.IndexByte(line, '\r') >= 0 {
		return nil, malformed("a line between chunks does not end with CR and LF")
	}
	return line, nil
}

// compact moves what is still to be used to where the body began: the head before it stays.
func (c *Conn) compact(to int) {
	c.w = to + copy(c.buffer[to:], c.buffer[c.r:c.w])
	c.r = to
}

// chunkSize reads the line before a chunk: hexadecimal, and extensions, which are ignored.
func chunkSize(line []byte) (int64, error) {
	line, _, _ = bytes.Cut(line, []byte{';'})
	line = bytes.TrimRight(line, " \t")
	if len(line) == 0 {
		return 0, malformed("a chunk says no length")
	}
	size := int64(0)
	for i, c := range line {
		switch c = lower(c); {
		case i == 15:
			return 0, malformed("http chunk length too large")
		case '0' <= c && c <= '9':
			size = size<<4 | int64(c-'0')
		case 'a' <= c && c <= 'f':
			size = size<<4 | int64(c-'a'+10)
		default:
			return 0, malformed("invalid byte in chunk length %q", clipped(line))
		}
	}
	return size, nil
}
