package native

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"go.k6.io/k6/v2/cmd/state"
	"go.k6.io/k6/v2/subcommand"

	"benchfolio.dev/native/tally"
)

func init() {
	subcommand.RegisterExtension(executorName, func(gs *state.GlobalState) *cobra.Command {
		command := &cobra.Command{Use: executorName, Short: "Work with what the native player counted"}
		command.AddCommand(mergeCommand(gs.Stdout))
		return command
	})
}

// mergeCommand is `k6 x benchfolio merge a.ndjson b.ndjson > all.ndjson`.
func mergeCommand(to io.Writer) *cobra.Command {
	return &cobra.Command{
		Use: "merge <histograms>…", Short: "Add the histograms of several processes up, exactly", Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, paths []string) error {
			files := make([]io.Reader, len(paths))
			for i, path := range paths {
				file, err := os.Open(path)
				if err != nil {
					return err
				}
				defer func() { _ = file.Close() }() // it was only read
				files[i] = file
			}
			out := bufio.NewWriter(to)
			if err := tally.Merge(out, files...); err != nil {
				return fmt.Errorf("benchfolio merge: %w", err)
			}
			return out.Flush()
		},
	}
}
