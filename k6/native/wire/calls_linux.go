package wire

import (
	"encoding/binary"
	"net/netip"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The calls below do not tell Go's scheduler of themselves, as those of packages syscall and unix do. It would give the
// goroutines of a thread to another one if a call takes long, and one does when the kernel gives the core to a service in
// its midst. Sockets here never block, so that is not needed.

// readNow reads what there is; EAGAIN: nothing.
func readNow(descriptor uintptr, into []byte) (int, error) {
	n, _, errno := unix.RawSyscall(unix.SYS_READ, descriptor, uintptr(unsafe.Pointer(unsafe.SliceData(into))), uintptr(len(into)))
	return result(n, errno)
}

// writeNow writes as much of head and body as there is room for; EAGAIN: there is none.
func writeNow(descriptor uintptr, out *[2][]byte) (int, error) {
	head, body := out[0], out[1]
	if len(body) == 0 {
		n, _, errno := unix.RawSyscall(unix.SYS_WRITE, descriptor, uintptr(unsafe.Pointer(unsafe.SliceData(head))), uintptr(len(head)))
		return result(n, errno)
	}
	parts := [2]unix.Iovec{{Base: unsafe.SliceData(head)}, {Base: unsafe.SliceData(body)}}
	parts[0].SetLen(len(head))
	parts[1].SetLen(len(body))
	n, _, errno := unix.RawSyscall(unix.SYS_WRITEV, descriptor, uintptr(unsafe.Pointer(&parts)), uintptr(len(parts)))
	return result(n, errno)
}

// peekNow reads what there is and leaves it there; EAGAIN: nothing.
func peekNow(descriptor uintptr, into []byte) (int, error) {
	n, _, errno := unix.RawSyscall6(unix.SYS_RECVFROM, descriptor, uintptr(unsafe.Pointer(unsafe.SliceData(into))), uintptr(len(into)),
		unix.MSG_PEEK|unix.MSG_DONTWAIT, 0, 0)
	return result(n, errno)
}

// connectNow begins to connect; EINPROGRESS: it goes on meanwhile.
func connectNow(descriptor int, to *netip.AddrPort) error {
	var errno syscall.Errno
	if to.Addr().Is4() {
		address := unix.RawSockaddrInet4{Family: unix.AF_INET, Addr: to.Addr().As4()}
		binary.BigEndian.PutUint16((*[2]byte)(unsafe.Pointer(&address.Port))[:], to.Port())
		_, _, errno = unix.RawSyscall(unix.SYS_CONNECT, uintptr(descriptor), uintptr(unsafe.Pointer(&address)), unix.SizeofSockaddrInet4)
	} else {
		address := unix.RawSockaddrInet6{Family: unix.AF_INET6, Addr: to.Addr().As16()}
		binary.BigEndian.PutUint16((*[2]byte)(unsafe.Pointer(&address.Port))[:], to.Port())
		_, _, errno = unix.RawSyscall(unix.SYS_CONNECT, uintptr(descriptor), uintptr(unsafe.Pointer(&address)), unix.SizeofSockaddrInet6)
	}
	if errno != 0 {
		return errno
	}
	return nil
}

// isConnected reports whether a connection is made.
func isConnected(descriptor int) bool {
	nothing, length := [1]byte{}, uint32(0) // who the other side is does not matter
	_, _, errno := unix.RawSyscall(unix.SYS_GETPEERNAME, uintptr(descriptor), uintptr(unsafe.Pointer(&nothing)), uintptr(unsafe.Pointer(&length)))
	return errno == 0
}

// localOf is the near end of a connection; the zero value where the kernel does not say.
func localOf(descriptor int) netip.AddrPort {
	var name unix.RawSockaddrInet6 // there is room for one of IPv4
	length := uint32(unix.SizeofSockaddrInet6)
	_, _, errno := unix.RawSyscall(unix.SYS_GETSOCKNAME, uintptr(descriptor), uintptr(unsafe.Pointer(&name)), uintptr(unsafe.Pointer(&length)))
	if errno != 0 {
		return netip.AddrPort{}
	}
	port := binary.BigEndian.Uint16((*[2]byte)(unsafe.Pointer(&name.Port))[:])
	if name.Family == unix.AF_INET {
		return netip.AddrPortFrom(netip.AddrFrom4((*unix.RawSockaddrInet4)(unsafe.Pointer(&name)).Addr), port)
	}
	return netip.AddrPortFrom(netip.AddrFrom16(name.Addr), port)
}

func result(n uintptr, errno syscall.Errno) (int, error) {
	if errno != 0 {
		return -1, errno // such small numbers become an error without an allocation
	}
	return int(n), nil
}
