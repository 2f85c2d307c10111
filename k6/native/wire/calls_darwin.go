package wire

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// readNow reads what there is; EAGAIN: nothing.
func readNow(descriptor uintptr, into []byte) (int, error) {
	return syscall.Read(int(descriptor), into)
}

// writeNow writes as much of head and body as there is room for; EAGAIN: there is none.
func writeNow(descriptor uintptr, out *[2][]byte) (int, error) {
	if len(out[1]) == 0 {
		return syscall.Write(int(descriptor), out[0])
	}
	return unix.Writev(int(descriptor), out[:])
}

// peekNow reads what there is and leaves it there; EAGAIN: nothing.
func peekNow(descriptor uintptr, into []byte) (int, error) {
	n, _, err := syscall.Recvfrom(int(descriptor), into, syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
	return n, err
}
