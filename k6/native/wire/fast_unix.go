//go:build linux || darwin

package wire

import (
	"io"
	"net"
	"os"
	"syscall"
)

// fastPath sends a request and waits for the response with three system calls, where Conn.Write and Conn.Read take
// four: a read straight after a write finds nothing yet, and only then begins to wait. Here the write is what is tried
// first while waiting for something to read. It stands within the wait because that forgets, when it begins, whatever
// came before: a response that came between a write and the wait would be waited for in vain. So would the end of a
// connection that the server gave up while it was not in use, which is why a look comes before the write.
type fastPath struct {
	ready bool
	raw   syscall.RawConn
	step  func(descriptor uintptr) bool
	more  func(descriptor uintptr) bool

	conn     *Conn
	out      [2][]byte // head and body
	written  int
	began    bool
	err      error
	response *Response
	into     []byte
	read     int
}

func (f *fastPath) open(c *Conn) {
	plain, ok := c.Conn.(syscall.Conn)
	if !ok {
		return
	}
	raw, err := plain.SyscallConn()
	if err != nil {
		return
	}
	f.raw, f.conn, f.ready = raw, c, true
	f.step, f.more = f.try, f.take
}

// exchange writes a head, which is not empty, with a body, and reads the first bytes that come back.
func (f *fastPath) exchange(c *Conn, head, body []byte, response *Response) error {
	f.out, f.written, f.began, f.err, f.response = [2][]byte{head, body}, 0, false, nil, response
	err := f.raw.Read(f.step)
	f.into = nil
	c.Sent += uint64(f.written)
	switch {
	case err != nil:
		return err
	case f.err != nil:
		return f.err
	case f.written < f.length(): // the kernel had no room for more
		for left, skip := f.out[:], f.written; len(left) > 0; left = left[1:] {
			from := min(skip, len(left[0]))
			skip -= from
			if err := c.write(left[0][from:]); err != nil {
				return err
			}
		}
		response.Wrote = Now()
	}
	return nil
}

func (f *fastPath) length() int { return len(f.out[0]) + len(f.out[1]) }

// try is called by the wait: at first to send, then whenever there may be something to read. It returns false to wait
// on.
func (f *fastPath) try(descriptor uintptr) bool {
	if !f.began {
		f.began = true
		if f.conn.used && !f.isQuiet(descriptor) {
			f.err = ErrStale
			return true
		}
		n, err := ignoringInterrupts(writeNow, descriptor, &f.out)
		f.written = max(n, 0)
		if err != nil && err != syscall.EAGAIN {
			f.err = &net.OpError{Op: "write", Net: "tcp", Addr: f.conn.RemoteAddr(), Err: os.NewSyscallError("write", err)}
			return true
		}
		if f.written < f.length() {
			return true
		}
		f.response.Wrote = Now()
		return false
	}
	f.into = f.conn.buffer
	if !f.take(descriptor) {
		return false
	}
	if f.read > 0 {
		f.response.FirstByte = Now()
		f.conn.w = f.read
	}
	return true
}

// isQuiet reports whether nothing has come, neither a byte nor an end.
func (f *fastPath) isQuiet(descriptor uintptr) bool {
	_, err := ignoringInterrupts(peekNow, descriptor, f.conn.buffer[:1])
	return err == syscall.EAGAIN
}

// receive reads what comes next; there is room for it. What it is read into may be shared, and is not held on to: else each
// of many users would keep a large buffer from being freed.
func (f *fastPath) receive(into []byte) (int, error) {
	f.into, f.err = into, nil
	err := f.raw.Read(f.more)
	f.into = nil
	if err != nil {
		return 0, err
	}
	return f.read, f.err
}

// take is called by the wait whenever there may be something to read. It returns false to wait on.
func (f *fastPath) take(descriptor uintptr) bool {
	n, err := ignoringInterrupts(readNow, descriptor, f.into)
	f.read = max(n, 0)
	switch {
	case err == syscall.EAGAIN:
		return false
	case err != nil:
		f.err = &net.OpError{Op: "read", Net: "tcp", Addr: f.conn.RemoteAddr(), Err: os.NewSyscallError("read", err)}
	case n == 0:
		f.err = io.EOF
	}
	f.conn.Received += uint64(f.read)
	return true
}

func ignoringInterrupts[T any](call func(uintptr, T) (int, error), descriptor uintptr, bytes T) (int, error) {
	for {
		n, err := call(descriptor, bytes)
		if err != syscall.EINTR {
			return n, err
		}
	}
}

// hasCome reports whether a read would not wait: there are bytes, or the end.
func hasCome(conn net.Conn) bool {
	plain, ok := conn.(syscall.Conn)
	if !ok {
		return true
	}
	raw, err := plain.SyscallConn()
	if err != nil {
		return true // the read says why
	}
	come := true
	if err := raw.Control(func(descriptor uintptr) {
		_, err := ignoringInterrupts(peekNow, descriptor, make([]byte, 1))
		come = err != syscall.EAGAIN
	}); err != nil {
		return true
	}
	return come
}
