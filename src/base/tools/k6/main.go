// k6 with Benchfolio's native player in it: the import registers the executor "benchfolio" and the module
// k6/x/benchfolio. Which version of k6 it is, go.mod says.
package main

import (
	_ "benchfolio.dev/native"

	"go.k6.io/k6/v2/cmd"
)

func main() { cmd.Execute() }
