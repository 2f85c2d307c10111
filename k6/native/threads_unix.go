//go:build unix

package native

import (
	"syscall"
	"time"
)

// cpuTime is what this process has used.
func cpuTime() (used time.Duration, known bool) {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0, false
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), true
}
