package cores

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"
)

// kept is the cores that a thread of this process with idle priority is on.
func kept(t *testing.T) map[int]bool {
	t.Helper()
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	cores := map[int]bool{}
	for _, entry := range threads {
		thread, err := strconv.Atoi(entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		attributes, err := unix.SchedGetAttr(thread, 0)
		if err != nil || attributes.Policy != unix.SCHED_IDLE {
			continue // it has ended, or is another
		}
		allowed := allowed(thread)
		for _, core := range coresIn(&allowed) {
			cores[core] = true
		}
	}
	return cores
}

// unlimited is the cores that this process may use, all of the time.
func unlimited(t *testing.T) []int {
	t.Helper()
	_, all, err := mine()
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOMAXPROCS(0) < len(all) {
		t.Skip("CPU time is limited")
	}
	return all
}

func TestKeepAwake(t *testing.T) {
	all := unlimited(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- KeepAwake(ctx, []int{os.Getpid()}) }()
	for len(kept(t)) < len(all) { // a thread for each
		select {
		case err := <-ended:
			t.Fatalf("it ended before: %v", err)
		default:
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestKeepAwakeForNothing(t *testing.T) {
	unlimited(t)
	gone := exec.Command("true")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	if err := KeepAwake(t.Context(), []int{gone.Process.Pid}); err != nil {
		t.Error(err)
	}
}
