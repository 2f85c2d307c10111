package native

import (
	"bytes"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// The unit of /proc/stat, which is the same on everything that Go runs on.
const clockTick = time.Second / 100

// freeTime is for how long the cores that this process may use have had nothing to do, all together.
func freeTime() time.Duration {
	var mine unix.CPUSet
	stat, err := os.ReadFile("/proc/stat")
	if err != nil || unix.SchedGetaffinity(0, &mine) != nil {
		return unknown
	}
	return freeIn(stat, mine.IsSet)
}

// freeIn is what /proc/stat says of the cores that count.
func freeIn(stat []byte, counts func(core int) bool) time.Duration {
	var free time.Duration
	found := false
	for line := range bytes.Lines(stat) {
		// cpu0 user nice system idle iowait …
		number, isCore := bytes.CutPrefix(line, []byte("cpu"))
		if !isCore {
			break
		}
		fields := bytes.Fields(number)
		if number[0] == ' ' || len(fields) < 6 {
			continue
		}
		core, err := strconv.Atoi(string(fields[0]))
		if err != nil || !counts(core) {
			continue
		}
		for _, field := range fields[4:6] {
			ticks, _ := strconv.ParseInt(string(field), 10, 64)
			free += time.Duration(ticks) * clockTick
		}
		found = true
	}
	if !found {
		return unknown
	}
	return free
}
