// Package vectors has the cases that both players are held to, for tests: test/k6/vectors.test.js holds the JavaScript player to the
// same.
package vectors

import (
	"embed"
	"encoding/json"
	"testing"
)

//go:embed *.json
var files embed.FS

// Read reads the cases of a file.
func Read[T any](t *testing.T, name string) (all T) {
	t.Helper()
	text, err := files.ReadFile(name + ".json")
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}
