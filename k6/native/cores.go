package native

import (
	"context"
	"fmt"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"benchfolio.dev/native/cores"
)

// swapCommand is `k6 x benchfolio swap-cores --after 1s 120,121 130`: it ends by a signal, or when these processes have.
func swapCommand() *cobra.Command {
	var after time.Duration
	command := &cobra.Command{
		Use: "swap-cores <pids of one side> <pids of the other>", Short: "Have two groups of processes swap cores, up to 20 times a second",
		Args: cobra.ExactArgs(2),
		RunE: untilASignal("swap-cores", func(ctx context.Context, groups [][]int) error {
			return cores.Swap(ctx, [2][]int(groups), after)
		}),
	}
	command.Flags().DurationVar(&after, "after", 0, "when to begin")
	return command
}

// awakeCommand is `k6 x benchfolio keep-awake 120,121,130`: it ends by a signal, or when these processes have.
func awakeCommand() *cobra.Command {
	return &cobra.Command{
		Use: "keep-awake <pids>", Short: "Keep all cores from falling idle as long as processes run",
		Args: cobra.ExactArgs(1),
		RunE: untilASignal("keep-awake", func(ctx context.Context, groups [][]int) error {
			return cores.KeepAwake(ctx, groups[0])
		}),
	}
}

// untilASignal reads the arguments of a command as groups of processes.
func untilASignal(name string, run func(ctx context.Context, groups [][]int) error) func(*cobra.Command, []string) error {
	return func(_ *cobra.Command, args []string) error {
		var groups [][]int
		for _, list := range args {
			pids, err := pidsIn(list)
			if err != nil {
				return fmt.Errorf("benchfolio %s: %w", name, err)
			}
			groups = append(groups, pids)
		}
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
		defer stop()
		if err := run(ctx, groups); err != nil {
			return fmt.Errorf("benchfolio %s: %w", name, err)
		}
		return nil
	}
}

func pidsIn(list string) ([]int, error) {
	var pids []int
	for text := range strings.SplitSeq(list, ",") {
		pid, err := strconv.Atoi(text)
		if err != nil || pid <= 0 {
			return nil, fmt.Errorf("%q is not the number of a process", text)
		}
		pids = append(pids, pid)
	}
	return pids, nil
}
