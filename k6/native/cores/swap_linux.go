package cores

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// Often enough that each side has each core many times in a window of seconds …
	swapEach = 50 * time.Millisecond
	// … and held there only until its threads have run there: for the rest of the time the system may put them where it
	// likes, so that what works in parallel does.
	hold = 3 * time.Millisecond
	// Of programs with hundreds of threads it is done less often, so that to go through them takes no more of the time.
	mostOfTime = 0.05
)

// Swap moves all threads of two groups of processes, and of those that they start, to the next core, each group to one of
// its own, every 50 ms or less often, until the context is done or none of the processes is left. A thread that may not use
// all of the cores that this process may use was given its own, and stays there.
//
// after: when it begins: a program that counts its cores at its first requests would find one while it is held.
//
// Errors: there is one core only, the system does not say which there are, a thread may not be moved, or a group has none that
// is free to move.
func Swap(ctx context.Context, groups [2][]int, after time.Duration) error {
	all, cores, err := mine()
	if err != nil {
		return err
	}
	if len(cores) < 2 {
		return errors.New("there is one core only")
	}
	if !wait(ctx, time.After(after)) {
		return nil
	}
	for turn := 0; ; turn++ {
		began := time.Now()
		var held [2]*holding
		for i, pids := range groups {
			held[i] = holdOn(cores[(turn+i*len(cores)/2)%len(cores)], pids, &all)
		}
		taken := time.Since(began)
		wait(ctx, time.After(hold))
		releasing := time.Now()
		for i, pids := range groups {
			held[i].release(pids)
		}
		taken += time.Since(releasing)
		next := max(swapEach-time.Since(began), time.Duration(float64(taken)/mostOfTime))
		switch {
		case len(held[0].seen)+len(held[1].seen) == 0:
			return nil
		case turn == 0 && problem(held) != nil:
			return problem(held)
		case !wait(ctx, time.After(next)):
			return nil
		}
	}
}

// problem is why the groups do not swap cores; nil: they do.
func problem(held [2]*holding) error {
	for _, h := range held {
		if h.refused != nil {
			return fmt.Errorf("a thread cannot be moved: %w", h.refused)
		}
		if len(h.seen) > 0 && !slices.Contains(slices.Collect(maps.Values(h.seen)), true) { // none: it has ended
			return errors.New("all threads of a side have cores of their own")
		}
	}
	return nil
}

// wait is false when the context was done before.
func wait(ctx context.Context, until <-chan time.Time) bool {
	select {
	case <-ctx.Done():
		return false
	case <-until:
		return true
	}
}

// holding is the threads of a group while they are held on a core.
type holding struct {
	all, core unix.CPUSet
	seen      map[int]bool // by thread: whether it is held
	refused   error        // why one is not, that may be
}

func holdOn(core int, pids []int, all *unix.CPUSet) *holding {
	h := &holding{all: *all, seen: map[int]bool{}}
	h.core.Set(core)
	eachThread(pids, func(thread int) {
		h.seen[thread] = false
		if allowed(thread) != *all {
			return
		}
		err := unix.SchedSetaffinity(thread, &h.core)
		h.seen[thread] = err == nil
		if err != nil && !errors.Is(err, unix.ESRCH) { // it has ended
			h.refused = err
		}
	})
	return h
}

// release gives all cores back to those that are held, and to those that they have started since, which began with the cores
// of who started them. A thread that chose cores for itself meanwhile keeps them.
func (h *holding) release(pids []int) {
	eachThread(pids, func(thread int) {
		if isHeld, known := h.seen[thread]; (isHeld || !known) && allowed(thread) == h.core {
			_ = unix.SchedSetaffinity(thread, &h.all) // else it has ended
		}
	})
}

// allowed is on which cores a thread may run; none: it has ended.
func allowed(thread int) (cores unix.CPUSet) {
	_ = unix.SchedGetaffinity(thread, &cores)
	return cores
}

// eachThread calls do for all threads of processes and of those that descend from them.
func eachThread(pids []int, do func(thread int)) {
	for _, pid := range pids {
		folder := "/proc/" + strconv.Itoa(pid) + "/task"
		threads, _ := os.ReadDir(folder) // none: it has ended
		for _, entry := range threads {
			thread, err := strconv.Atoi(entry.Name())
			if err != nil {
				continue
			}
			do(thread)
			eachThread(numbersIn(folder+"/"+entry.Name()+"/children"), do)
		}
	}
}

// numbersIn is what a file of /proc lists; a kernel may be built without the file.
func numbersIn(file string) (numbers []int) {
	text, _ := os.ReadFile(file)
	for _, field := range bytes.Fields(text) {
		if number, err := strconv.Atoi(string(field)); err == nil {
			numbers = append(numbers, number)
		}
	}
	return numbers
}
