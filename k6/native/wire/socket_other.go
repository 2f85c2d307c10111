//go:build !linux

package wire

import (
	"context"
	"net"
	"net/netip"
	"time"
)

// dialSocket leaves it to the standard library.
func dialSocket(ctx context.Context, to netip.AddrPort, _ int, deadline time.Time) (net.Conn, error) {
	return dialByNet(ctx, to, deadline)
}
