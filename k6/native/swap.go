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

	"benchfolio.dev/native/swap"
)

// swapCommand is `k6 x benchfolio swap-cores --after 1s 120,121 130`: it ends by a signal, or when these processes have.
func swapCommand() *cobra.Command {
	var after time.Duration
	command := &cobra.Command{
		Use: "swap-cores <pids of one side> <pids of the other>", Short: "Have two groups of processes swap cores, up to 20 times a second",
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, sides []string) error {
			var groups [2][]int
			for i, side := range sides {
				pids, err := pidsIn(side)
				if err != nil {
					return fmt.Errorf("benchfolio swap-cores: %w", err)
				}
				groups[i] = pids
			}
			ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			if err := swap.Cores(ctx, groups, after); err != nil {
				return fmt.Errorf("benchfolio swap-cores: %w", err)
			}
			return nil
		},
	}
	command.Flags().DurationVar(&after, "after", 0, "when to begin")
	return command
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
