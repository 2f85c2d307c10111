package native

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"benchfolio.dev/native/tally"
)

// mergeCommand is `k6 x benchfolio merge a.ndjson b.ndjson > all.ndjson`.
func mergeCommand(to io.Writer) *cobra.Command {
	var output string
	command := &cobra.Command{
		Use: "merge <histograms>…", Short: "Add the histograms of several processes up, exactly", Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, paths []string) error {
			if output == "" {
				return mergeInto(to, paths)
			}
			file, err := os.Create(output)
			if err != nil {
				return err
			}
			return errors.Join(mergeInto(file, paths), file.Close())
		},
	}
	command.Flags().StringVar(&output, "output", "", "the file to write (default: standard output)")
	return command
}

func mergeInto(to io.Writer, paths []string) error {
	inputs := make([]tally.Input, len(paths))
	for i, path := range paths {
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }() // it was only read
		inputs[i] = tally.Input{Name: path, From: file}
	}
	out := bufio.NewWriter(to)
	if err := tally.Merge(out, inputs...); err != nil {
		return fmt.Errorf("benchfolio merge: %w", err)
	}
	return out.Flush()
}
