package native

import (
	"github.com/spf13/cobra"

	"go.k6.io/k6/v2/cmd/state"
	"go.k6.io/k6/v2/subcommand"
)

func init() {
	subcommand.RegisterExtension(executorName, func(gs *state.GlobalState) *cobra.Command {
		command := &cobra.Command{Use: executorName, Short: "Work with what the native player counted and measures"}
		command.AddCommand(mergeCommand(gs.Stdout), swapCommand(), awakeCommand())
		return command
	})
}
