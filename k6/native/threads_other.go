//go:build !unix

package native

import "time"

func cpuTime() (used time.Duration, known bool) { return 0, false }
