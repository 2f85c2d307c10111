package native

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"sync/atomic"

	"go.k6.io/k6/v2/lib/fsext"

	"benchfolio.dev/native/plan"
	"benchfolio.dev/native/player"
	"benchfolio.dev/native/rows"
)

// planned is the load of this process, and how to read the files that it names.
type planned struct {
	load plan.Load
	read rows.Reader
}

// current is what the script planned last. The executor takes it from here and not from k6's options: those of an
// archive are what they were when it was packed, with the address and the seed of that time.
var current atomic.Pointer[planned]

// plan takes the load from the script, in k6's first init. Where an archive is packed it reads the files that the load
// names, so that k6 packs them too.
//
// It fails outside of init, where the load is not valid, or where a file that is to be packed cannot be read.
func (i *instance) plan(text string) error {
	init := i.vu.InitEnv()
	if init == nil {
		return fmt.Errorf("benchfolio: a load can be planned in k6's init only")
	}
	made := planned{read: readerOf(init.FileSystems["file"], os.Args)}
	if err := json.Unmarshal([]byte(text), &made.load); err != nil {
		return fmt.Errorf("benchfolio: the load cannot be read: %w", err)
	}
	if isPacking(os.Args) {
		for _, path := range player.FilesOf(&made.load, workingFolder()) {
			if _, err := made.read(path); err != nil {
				return fmt.Errorf("benchfolio: %w", err)
			}
		}
	}
	current.Store(&made)
	return nil
}

// readerOf reads as the script's own open() does, from the archive, where it is one: this machine may have another file
// of that name. k6 keeps all that is read of this machine for an archive; what is not packed is read past it, since rows
// may be large.
func readerOf(files fsext.Fs, arguments []string) rows.Reader {
	_, ofThisMachine := files.(fsext.CacheLayerGetter)
	if files == nil || ofThisMachine && !isPacking(arguments) {
		return os.ReadFile
	}
	return func(path string) ([]byte, error) { return fsext.ReadFile(files, path) }
}

// isPacking reports whether k6 makes an archive.
func isPacking(arguments []string) bool { return slices.Contains(arguments[1:], "archive") }

// workingFolder is what relative paths begin from.
func workingFolder() string {
	if folder := os.Getenv("PWD"); folder != "" {
		return folder
	}
	folder, err := os.Getwd()
	if err != nil {
		return "/"
	}
	return folder
}
