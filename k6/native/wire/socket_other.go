//go:build !linux

package wire

import (
	"context"
	"net"
)

// dialSocket leaves it to the standard library.
func dialSocket(ctx context.Context, way *Way) (net.Conn, error) {
	return dialByNet(ctx, way)
}
