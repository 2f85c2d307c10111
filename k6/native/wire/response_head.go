package wire

import (
	"bytes"
	"io"
)

// receive reads what comes next.
func (c *Conn) receive(into []byte) (int, error) {
	if c.fast.ready {
		return c.fast.receive(into)
	}
	n, err := c.Read(into)
	if c.counted == nil {
		c.Received += uint64(n)
	}
	return n, err
}

// fill reads more behind what there is.
func (c *Conn) fill() error {
	if c.w == len(c.buffer) {
		c.buffer = append(c.buffer, make([]byte, len(c.buffer))...)
	}
	n, err := c.receive(c.buffer[c.w:])
	c.w += n
	if n > 0 {
		return nil
	}
	if err == nil {
		err = io.ErrNoProgress
	}
	return err
}

// line is the next line without its end, and where it begins in the buffer. The buffer keeps it.
func (c *Conn) line(most int) (line []byte, at int, err error) {
	searched := 0
	for {
		if end := bytes.IndexByte(c.buffer[c.r+searched:c.w], '\n'); end >= 0 {
			at, end = c.r, c.r+searched+end
			c.r = end + 1
			if end > at && c.buffer[end-1] == '\r' {
				end--
			}
			return c.buffer[at:end], at, nil
		}
		searched = c.w - c.r
		if searched > most {
			return nil, 0, malformed("a line or a header has more than %d bytes", most)
		}
		if err := c.fill(); err != nil {
			return nil, 0, err
		}
	}
}

func (c *Conn) readHead(heads *Heads, response *Response) error {
	began, asItCame := c.r, true
	if c.r == c.w {
		if err := c.fill(); err != nil {
			return err
		}
	}
	if response.FirstByte == 0 {
		response.FirstByte = Now()
	}
	if began == 0 && heads.recall(c, response) {
		response.buffer = c.buffer
		return nil
	}
	line, _, err := c.line(MostHeader)
	if err != nil {
		return cut(err)
	}
	if err := response.readStatus(line); err != nil {
		return err
	}
	for {
		line, at, err := c.line(MostHeader)
		if err != nil {
			return cut(err)
		}
		if len(line) == 0 {
			break
		}
		if c.r-began > MostHeader {
			return malformed("its headers have more than %d bytes", MostHeader)
		}
		if isBlank(line[0]) { // a header that goes on: RFC 9112, 5.2
			if len(response.fields) == 0 {
				return malformed("the header line %q has no name", clipped(line))
			}
			asItCame = false
			last := &response.fields[len(response.fields)-1]
			if last.value.to > last.value.from {
				c.buffer[last.value.to] = ' ' // there is room: a line end and a blank stood between
				last.value.to++
			}
			last.value.to += copy(c.buffer[last.value.to:], bytes.Trim(line, " \t"))
			continue
		}
		if err := response.readField(line, at); err != nil {
			return err
		}
	}
	response.buffer = c.buffer
	if err := response.readFields(); err != nil {
		return err
	}
	if began == 0 && asItCame {
		heads.note(c, response)
	}
	return nil
}

// cut is the error of a response that ends too early.
func cut(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
