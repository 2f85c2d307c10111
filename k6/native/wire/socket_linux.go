package wire

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// socket is a TCP connection. net.Dialer makes one too, in more system calls and with much of its own to do, which counts
// where each request has a connection of its own. How to wait for it is os.File's business.
type socket struct {
	file   *os.File
	remote netip.AddrPort
}

// dialSocket connects to an address.
func dialSocket(ctx context.Context, way *Way) (net.Conn, error) {
	if way.to.Addr().Zone() != "" {
		return dialByNet(ctx, way) // it knows the number of a network interface
	}
	s, err := connectSocket(ctx, way)
	if err != nil {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Addr: net.TCPAddrFromAddrPort(way.to), Err: err}
	}
	return s, nil
}

func connectSocket(ctx context.Context, way *Way) (*socket, error) {
	family := unix.AF_INET6
	if way.to.Addr().Is4() {
		family = unix.AF_INET
	}
	descriptor, err := unix.Socket(family, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, os.NewSyscallError("socket", err)
	}
	if err := prepare(descriptor, way.source); err != nil {
		_ = unix.Close(descriptor) // the first error says why
		return nil, err
	}
	begun := connectNow(descriptor, &way.to)
	s := &socket{os.NewFile(uintptr(descriptor), "tcp"), way.to}
	switch begun {
	case nil:
	case unix.EINPROGRESS, unix.EINTR:
		if !isConnected(descriptor) { // on the loopback it mostly is by now
			err = s.await(ctx, way.deadline)
		}
	default:
		err = os.NewSyscallError("connect", begun)
	}
	if err == nil && way.to.Addr().IsLoopback() && localOf(descriptor) == way.to {
		// Nobody listens, and Linux chose for the near end the very port that is connected to: the connection is to itself,
		// and would keep the server from coming back.
		err = os.NewSyscallError("connect", unix.ECONNREFUSED)
	}
	if err != nil {
		_ = s.Close() // the first error says why
		return nil, err
	}
	return s, nil
}

// prepare sets what is to be known before a connection is made.
func prepare(descriptor int, source int) error {
	if err := unix.SetsockoptInt(descriptor, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1); err != nil {
		return os.NewSyscallError("setsockopt", err)
	}
	if source == 0 {
		return nil
	}
	// The kernel is to choose the port when it connects and not when it binds the address: else it would take one that is
	// free whatever it connects to.
	if err := unix.SetsockoptInt(descriptor, unix.IPPROTO_IP, unix.IP_BIND_ADDRESS_NO_PORT, 1); err != nil {
		return os.NewSyscallError("setsockopt", err)
	}
	return os.NewSyscallError("bind", unix.Bind(descriptor, sockaddr(netip.AddrPortFrom(sourceAddress(source), 0))))
}

func sockaddr(of netip.AddrPort) unix.Sockaddr {
	if of.Addr().Is4() {
		return &unix.SockaddrInet4{Port: int(of.Port()), Addr: of.Addr().As4()}
	}
	return &unix.SockaddrInet6{Port: int(of.Port()), Addr: of.Addr().As16()}
}

// await waits until a connection that was begun is made.
func (s *socket) await(ctx context.Context, deadline time.Time) error {
	if err := s.file.SetDeadline(deadline); err != nil {
		return err
	}
	raw, err := s.file.SyscallConn()
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = s.file.SetDeadline(time.Unix(1, 0)) }) // a closed one needs no deadline
	var failed error
	err = raw.Write(func(descriptor uintptr) bool {
		code, err := unix.GetsockoptInt(int(descriptor), unix.SOL_SOCKET, unix.SO_ERROR)
		if err == nil && code != 0 {
			err = unix.Errno(code)
		}
		if err != nil {
			failed = os.NewSyscallError("connect", err)
			return true
		}
		return isConnected(int(descriptor)) // one may be woken before there is anything to know
	})
	if !stop() {
		return ctx.Err()
	}
	if failed != nil {
		return failed
	}
	return err
}

// keep has the kernel ask now and then whether the other side is still there. Where it cannot, a request finds it out.
func (s *socket) keep() {
	raw, err := s.file.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(descriptor uintptr) {
		for _, option := range [][3]int{
			{unix.IPPROTO_TCP, unix.TCP_KEEPIDLE, int(probesEvery / time.Second)},
			{unix.IPPROTO_TCP, unix.TCP_KEEPINTVL, int(probesEvery / time.Second)},
			{unix.SOL_SOCKET, unix.SO_KEEPALIVE, 1},
		} {
			_ = unix.SetsockoptInt(int(descriptor), option[0], option[1], option[2])
		}
	})
}

// LocalAddr is the near end, without an address if the connection is closed.
func (s *socket) LocalAddr() net.Addr {
	var local netip.AddrPort
	if raw, err := s.file.SyscallConn(); err == nil {
		_ = raw.Control(func(descriptor uintptr) { local = localOf(int(descriptor)) })
	}
	return net.TCPAddrFromAddrPort(local)
}

func (s *socket) Read(into []byte) (int, error) {
	n, err := s.file.Read(into)
	return n, s.operationError("read", err)
}

func (s *socket) Write(bytes []byte) (int, error) {
	n, err := s.file.Write(bytes)
	return n, s.operationError("write", err)
}

// operationError gives an error of a file the words that it has for a connection.
func (s *socket) operationError(operation string, err error) error {
	problem, ok := err.(*os.PathError)
	if !ok {
		return err // none, or the end
	}
	reason := problem.Err
	switch {
	case errors.Is(reason, os.ErrClosed):
		reason = net.ErrClosed
	case isErrno(reason):
		reason = os.NewSyscallError(operation, reason)
	}
	return &net.OpError{Op: operation, Net: "tcp", Addr: s.RemoteAddr(), Err: reason}
}

func isErrno(err error) bool {
	_, ok := err.(unix.Errno)
	return ok
}

func (s *socket) Close() error                          { return s.file.Close() }
func (s *socket) SetDeadline(at time.Time) error        { return s.file.SetDeadline(at) }
func (s *socket) SetReadDeadline(at time.Time) error    { return s.file.SetReadDeadline(at) }
func (s *socket) SetWriteDeadline(at time.Time) error   { return s.file.SetWriteDeadline(at) }
func (s *socket) SyscallConn() (syscall.RawConn, error) { return s.file.SyscallConn() }
func (s *socket) RemoteAddr() net.Addr                  { return net.TCPAddrFromAddrPort(s.remote) }
