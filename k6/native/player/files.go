package player

import (
	"path/filepath"

	"benchfolio.dev/native/plan"
)

// FilesOf are the paths of all files that a load names: rows and bodies.
func FilesOf(load *plan.Load, workingFolder string) []string {
	var all []string
	for _, source := range load.Rows {
		all = append(all, rowsPath(source.File, load.Folder, workingFolder))
	}
	for _, r := range load.Requests {
		if r.Body != nil && r.Body.File != nil {
			all = append(all, absolutePath(*r.Body.File, workingFolder))
		}
	}
	return all
}

// rowsPath is where a file of rows is; in the case it is relative to the folder of the spec.
func rowsPath(file, folder, workingFolder string) string {
	if !filepath.IsAbs(file) {
		file = filepath.Join(folder, file)
	}
	return absolutePath(file, workingFolder)
}

func absolutePath(path, workingFolder string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(workingFolder, path)
}
