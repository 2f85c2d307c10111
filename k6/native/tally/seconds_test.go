package tally

import (
	"bytes"
	"encoding/json"
	"testing"

	"benchfolio.dev/native/vectors"
)

// The lines that src/run/generator/live-figures.ts and reports/lib/reduce/histograms.jq are held to are lines of this player.
func TestLinesAreThoseThatAreRead(t *testing.T) {
	for _, v := range vectors.Read[[]struct {
		What, File string
		Lines      []json.RawMessage
	}](t, "seconds") {
		if v.File != "histograms.ndjson" {
			continue // of k6's own recorder
		}
		for i, line := range v.Lines {
			var read any = new(fileLine)
			if i == 0 {
				read = new(fileHeader)
			}
			decoder := json.NewDecoder(bytes.NewReader(line))
			decoder.DisallowUnknownFields()
			if err := decoder.Decode(read); err != nil {
				t.Fatalf("%s: line %d: %v", v.What, i+1, err)
			}
			header, isHeader := read.(*fileHeader)
			if isHeader && (header.Format != Format || header.Version != Version) {
				t.Errorf("%s: the first line is of %s %d, and %s %d is written", v.What, header.Format, header.Version, Format, Version)
			}
		}
	}
}
