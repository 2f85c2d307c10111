package cores

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// mine is the cores that this process may use.
func mine() (all unix.CPUSet, cores []int, err error) {
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		return all, nil, fmt.Errorf("which cores there are is not known: %w", err)
	}
	return all, coresIn(&all), nil
}

func coresIn(set *unix.CPUSet) (cores []int) {
	for core := 0; len(cores) < set.Count(); core++ {
		if set.IsSet(core) {
			cores = append(cores, core)
		}
	}
	return cores
}
