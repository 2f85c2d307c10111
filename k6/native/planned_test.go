package native

import (
	"os"
	"path/filepath"
	"testing"

	"go.k6.io/k6/v2/lib/fsext"
)

func TestFilesComeFromTheArchive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.csv")
	if err := os.WriteFile(path, []byte("of this machine"), 0o600); err != nil {
		t.Fatal(err)
	}
	archived := fsext.NewMemMapFs()
	if err := fsext.WriteFile(archived, path, []byte("of the archive"), 0o600); err != nil {
		t.Fatal(err)
	}
	kept := fsext.NewMemMapFs()
	here := fsext.NewCacheOnReadFs(fsext.NewOsFs(), kept, 0)
	for _, c := range []struct {
		name   string
		files  fsext.Fs
		verb   string
		want   string
		packed bool
	}{
		{"an archive is run", archived, "run", "of the archive", false},
		{"a script is run", here, "run", "of this machine", false},
		{"a script is packed", here, "archive", "of this machine", true},
	} {
		got, err := readerOf(c.files, []string{"k6", c.verb, "x"})(path)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
		if packed, _ := fsext.Exists(kept, path); packed != c.packed {
			t.Errorf("%s: kept for an archive: %v", c.name, packed)
		}
	}
}
