//go:build !linux

package swap

import (
	"context"
	"errors"
	"time"
)

// Cores is for Linux alone.
func Cores(context.Context, [2][]int, time.Duration) error {
	return errors.New("cores are swapped on Linux only")
}
