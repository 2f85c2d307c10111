package wire

import "syscall"

// bindNoPort is IP_BIND_ADDRESS_NO_PORT of linux/in.h.
const bindNoPort = 24

// chooseLate has the kernel choose the port when it connects and not when it binds the address: else it would take one
// that is free whatever it connects to.
func chooseLate(_, _ string, raw syscall.RawConn) error {
	var err error
	if failed := raw.Control(func(descriptor uintptr) {
		err = syscall.SetsockoptInt(int(descriptor), syscall.IPPROTO_IP, bindNoPort, 1)
	}); failed != nil {
		return failed
	}
	return err
}
