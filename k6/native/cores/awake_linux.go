package cores

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// lookEach is how long it takes at the most until it is seen that all processes have ended.
const lookEach = 100 * time.Millisecond

// KeepAwake keeps all cores that this process may use at work, until the context is done or none of the processes is left: on each
// core a thread runs whenever nothing else would (SCHED_IDLE). A core of a virtual machine that has fallen idle is given back to its host,
// and takes longer to begin again than a fast service to answer.
//
// Errors: the system does not say which cores there are, or gives no such priority; CPU time is limited by a control group, or by
// GOMAXPROCS.
func KeepAwake(ctx context.Context, pids []int) error {
	_, cores, err := mine()
	if err != nil {
		return err
	}
	if runtime.GOMAXPROCS(0) < len(cores) {
		return errors.New("CPU time is limited, and this would take of it")
	}
	runtime.GOMAXPROCS(len(cores) + 1) // one is for this function
	failed := make(chan error, len(cores))
	var ended atomic.Bool
	var threads sync.WaitGroup
	for _, core := range cores {
		threads.Go(func() {
			runtime.LockOSThread() // for good: no other code is to run with this priority
			if err := onlyWhereIdle(core); err != nil {
				failed <- err
				return
			}
			for !ended.Load() {
			}
		})
	}
	for err == nil && anyLeft(pids) && wait(ctx, time.After(lookEach)) {
		select {
		case err = <-failed:
		default:
		}
	}
	ended.Store(true)
	threads.Wait()
	return err
}

// onlyWhereIdle has the calling thread run on a core, and only where no other would.
func onlyWhereIdle(core int) error {
	var only unix.CPUSet
	only.Set(core)
	if err := unix.SchedSetaffinity(0, &only); err != nil {
		return fmt.Errorf("core %d: %w", core, err)
	}
	if err := unix.SchedSetAttr(0, &unix.SchedAttr{Policy: unix.SCHED_IDLE}, 0); err != nil {
		return fmt.Errorf("idle priority: %w", err)
	}
	return nil
}

func anyLeft(pids []int) bool {
	for _, pid := range pids {
		if unix.Kill(pid, 0) != unix.ESRCH {
			return true
		}
	}
	return false
}
