package cores

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// program is a shell that starts a child on each call of start, which returns its pid.
type program struct {
	pid   int
	start func() int
}

func begin(t *testing.T) program {
	t.Helper()
	shell := exec.Command("sh", "-c", "while read line; do cat <&3 & echo $!; done; wait")
	forChildren, end, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	shell.ExtraFiles = []*os.File{forChildren}
	in, err := shell.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := shell.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := shell.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewReader(out)
	t.Cleanup(func() {
		_ = in.Close()
		_ = end.Close() // the children read it
		_ = shell.Wait()
		_ = forChildren.Close()
	})
	return program{shell.Process.Pid, func() int {
		if _, err := in.Write([]byte("\n")); err != nil {
			t.Fatal(err)
		}
		line, err := said.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		return pid
	}}
}

// twoCores is what this process may use, and the first two of it.
func twoCores(t *testing.T) (all, first, second unix.CPUSet) {
	t.Helper()
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		t.Fatal(err)
	}
	found := coresIn(&all)
	if len(found) < 2 {
		t.Skip("there is one core only")
	}
	first.Set(found[0])
	second.Set(found[1])
	return all, first, second
}

func TestHold(t *testing.T) {
	all, first, second := twoCores(t)
	shell := begin(t)
	child, own, chooses := shell.start(), shell.start(), shell.start()
	set := func(pid int, cores unix.CPUSet) {
		t.Helper()
		if err := unix.SchedSetaffinity(pid, &cores); err != nil {
			t.Fatal(err)
		}
	}
	is := func(title string, pid int, want unix.CPUSet) {
		t.Helper()
		if got := allowed(pid); got != want {
			t.Errorf("%s: cores %v, want %v", title, coresIn(&got), coresIn(&want))
		}
	}
	// The very core that others are held on: it is not taken for one of them.
	set(own, first)
	pids := []int{shell.pid}
	held := holdOn(coresIn(&first)[0], pids, &all)
	is("the process, held", shell.pid, first)
	is("its child, held", child, first)
	set(chooses, second)
	late := shell.start()
	is("a child that is started meanwhile", late, first)

	held.release(pids)
	is("the process, released", shell.pid, all)
	is("its child, released", child, all)
	is("the child that was started meanwhile, released", late, all)
	is("one that had cores of its own", own, first)
	is("one that chose cores meanwhile", chooses, second)
}

func TestSwap(t *testing.T) {
	all, _, _ := twoCores(t)
	one, other := begin(t), begin(t)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- Swap(ctx, [2][]int{{one.pid}, {other.pid}}, 0) }()
	// Each is seen on a core of its own, and each on both, in time.
	seen := map[[2]int]bool{}
	for len(seen) < 2 {
		a, b := allowed(one.pid), allowed(other.pid)
		inOneTurn := a == allowed(one.pid)
		if a.Count() == 1 && b.Count() == 1 && inOneTurn {
			seen[[2]int{coresIn(&a)[0], coresIn(&b)[0]}] = true
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	for pair := range seen {
		if pair[0] == pair[1] {
			t.Errorf("both were on core %d", pair[0])
		}
	}
	if allowed(one.pid) != all || allowed(other.pid) != all {
		t.Error("not all cores were given back")
	}
}

func TestSwapOfThoseWithCoresOfTheirOwn(t *testing.T) {
	_, first, _ := twoCores(t)
	free, pinned := begin(t), begin(t)
	if err := unix.SchedSetaffinity(pinned.pid, &first); err != nil {
		t.Fatal(err)
	}
	err := Swap(t.Context(), [2][]int{{free.pid}, {pinned.pid}}, 0)
	if err == nil || !strings.Contains(err.Error(), "cores of their own") {
		t.Errorf("%v: a side that stays where it is does not swap", err)
	}
	if allowed(pinned.pid) != first {
		t.Error("it was moved")
	}
}

func TestSwapOfNothing(t *testing.T) {
	twoCores(t)
	gone := exec.Command("true")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	pid := gone.Process.Pid
	if err := Swap(t.Context(), [2][]int{{pid}, {pid}}, 0); err != nil {
		t.Error(err)
	}
}
