//go:build !linux

package cores

import (
	"context"
	"errors"
	"time"
)

// Swap is for Linux alone.
func Swap(context.Context, [2][]int, time.Duration) error {
	return errors.New("cores are swapped on Linux only")
}

// KeepAwake is for Linux alone.
func KeepAwake(context.Context, []int) error {
	return errors.New("cores are kept awake on Linux only")
}
