//go:build !linux

package swap

import (
	"context"
	"errors"
	"time"
)

// Cores is for Linux alone: other systems do not let a program choose the cores of another.
func Cores(context.Context, [2][]int, time.Duration) error {
	return errors.New("only Linux lets a program choose the cores of another")
}
