package wire

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
)

// ErrTimeout is the error of a request that took longer than it may, in k6's words.
var ErrTimeout = errors.New("request timeout")

// ErrCancelled is the error of a request that was under way when its user had to stop. It is not a failure and
// is not counted.
var ErrCancelled = errors.New("the user was stopped")

// errDialTimeout is that of a connection that took longer to make than it may, in k6's words.
var errDialTimeout = errors.New("dial: i/o timeout")

// errNoAnswer is that of a connection that was closed before a byte of the response came.
var errNoAnswer = errors.New("EOF")

// ErrUnread is the error of a request that the server says it did not look at: it may be sent again, whatever its method (RFC 9113,
// 8.7).
var ErrUnread = errors.New("http2: the server did not take the request")

// ErrStale is the error of a request that was not sent, because something had come on its kept connection: the end of it, or bytes
// that nobody asked for, such as a 408 of a server that gives it up.
var ErrStale = errors.New("the server gave the connection up, or sent on it, while it was not in use")

// malformed is the error of a response that is not HTTP/1.x as RFC 9112 has it, or HTTP/2 as RFC 9113 has.
func malformed(format string, values ...any) error {
	return fmt.Errorf("malformed HTTP response: "+format, values...)
}

// likeNetHTTP gives an error of the network the words that net/http, and so k6, has for it.
func likeNetHTTP(err error) error {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return ErrTimeout
	case errors.Is(err, io.EOF):
		return errNoAnswer
	}
	return err
}

// IsSilence reports whether the other side closed the connection without a byte of a response: what happens to a
// request that is sent on a kept connection just when the server gives it up.
func IsSilence(err error) bool {
	if errors.Is(err, errNoAnswer) {
		return true
	}
	var operation *net.OpError
	if !errors.As(err, &operation) {
		return false
	}
	text := operation.Err.Error()
	return strings.Contains(text, "connection reset by peer") || strings.Contains(text, "broken pipe")
}
