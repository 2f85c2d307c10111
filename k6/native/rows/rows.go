// Package rows reads the data rows of a scenario: CSV, a list of JSON objects, or one object a line.
package rows

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"benchfolio.dev/native/template"
)

// Source says where rows are and what they look like, as in the resolved case.
type Source struct {
	File      string   `json:"file"`
	Format    string   `json:"format"` // csv, json or jsonl
	Delimiter string   `json:"delimiter"`
	Header    bool     `json:"header"`
	Columns   []string `json:"columns"` // null: named by the header, or by the objects' keys
	Order     string   `json:"order"`   // shared, random or user
	SHA256    string   `json:"sha256"`
}

// Table has the rows of a source, and of their columns those that somebody asked for.
type Table struct {
	Columns map[string]int
	Rows    [][]template.Value
}

// Read reads a file of rows.
//
// It fails if the file cannot be read, is not what the source says, or lacks a column that is wanted.
func Read(path string, source Source, wanted []string) (*Table, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("cannot open the rows %s: %w", path, errors.Unwrap(err))
	}
	if source.SHA256 != "" {
		digest := sha256.Sum256(content)
		if found := hex.EncodeToString(digest[:]); found != strings.ToLower(source.SHA256) {
			return nil, fmt.Errorf("%s is not the file that the spec names: its sha256 is %s, not %s",
				source.File, found, source.SHA256)
		}
	}
	table, err := parse(string(content), source, wanted)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", source.File, err)
	}
	return table, nil
}

func parse(text string, source Source, wanted []string) (*Table, error) {
	if source.Format == "csv" {
		return ofCSV(text, source, wanted)
	}
	return ofJSON(text, source, wanted)
}

func ofCSV(text string, source Source, wanted []string) (*Table, error) {
	lines, err := ParseCSV(text, source.Delimiter)
	if err != nil {
		return nil, err
	}
	names := source.Columns
	if source.Header && len(lines) > 0 {
		if names == nil {
			names = lines[0]
		}
		lines = lines[1:]
	}
	table, places, err := tableOf(names, wanted, len(lines))
	if err != nil {
		return nil, err
	}
	for i, fields := range lines {
		if len(fields) != len(names) {
			return nil, fmt.Errorf("row %d has %d fields, for %d columns (%s)",
				i+1, len(fields), len(names), strings.Join(names, ", "))
		}
		row := make([]template.Value, len(places))
		for j, place := range places {
			row[j] = fields[place]
		}
		table.Rows = append(table.Rows, row)
	}
	return table, nil
}

func tableOf(names, wanted []string, rows int) (*Table, []int, error) {
	if rows == 0 {
		return nil, nil, errors.New("it has no rows")
	}
	table := &Table{Columns: map[string]int{}}
	places := make([]int, len(wanted))
	for i, name := range wanted {
		places[i] = slices.Index(names, name)
		if places[i] < 0 {
			return nil, nil, fmt.Errorf("it has no column %q, only %s", name, strings.Join(names, ", "))
		}
		table.Columns[name] = i
	}
	return table, places, nil
}

func ofJSON(text string, source Source, wanted []string) (*Table, error) {
	objects, err := objectsOf(text, source.Format == "jsonl")
	if err != nil {
		return nil, err
	}
	var names []string
	if len(objects) > 0 {
		objects[0].ForEach(func(key, _ gjson.Result) bool {
			names = append(names, key.Str)
			return true
		})
	}
	table, _, err := tableOf(names, wanted, len(objects))
	if err != nil {
		return nil, err
	}
	for _, object := range objects {
		row := make([]template.Value, len(wanted))
		for i := range row {
			row[i] = template.Missing
		}
		object.ForEach(func(key, value gjson.Result) bool {
			if i, ok := table.Columns[key.Str]; ok {
				row[i] = template.OfJSON(value)
			}
			return true
		})
		table.Rows = append(table.Rows, row)
	}
	return table, nil
}

func objectsOf(text string, lines bool) ([]gjson.Result, error) {
	var objects []gjson.Result
	add := func(value gjson.Result) error {
		if !value.IsObject() {
			return errors.New("it must hold a list of objects")
		}
		objects = append(objects, value)
		return nil
	}
	if lines {
		number := 0
		for line := range strings.SplitSeq(text, "\n") {
			number++
			if strings.TrimSpace(line) == "" {
				continue
			}
			if !gjson.Valid(line) {
				return nil, fmt.Errorf("line %d is not JSON, one value a line", number)
			}
			if err := add(gjson.Parse(line)); err != nil {
				return nil, err
			}
		}
		return objects, nil
	}
	if !gjson.Valid(text) {
		return nil, errors.New("it is not JSON")
	}
	parsed := gjson.Parse(text)
	if !parsed.IsArray() {
		return nil, errors.New("it must hold a list of objects")
	}
	for _, value := range parsed.Array() {
		if err := add(value); err != nil {
			return nil, err
		}
	}
	return objects, nil
}
