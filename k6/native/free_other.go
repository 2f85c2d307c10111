//go:build !linux

package native

import "time"

func freeTime() time.Duration { return unknown }
