// Package rows reads the data rows of a scenario: CSV, a list of JSON objects, or one object a line.
package rows

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
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
	// Types are those of columns of CSV whose values are not text: number or boolean.
	Types  map[string]string `json:"types"`
	SHA256 string            `json:"sha256"`
}

// Table has the rows of a source, and of their columns those that somebody asked for and that it has.
type Table struct {
	Names   []string // of all columns
	Columns map[string]int
	Rows    [][]template.Value
}

// Reader reads a file whole: of this machine, or of an archive.
type Reader func(path string) ([]byte, error)

// Read reads a file of rows.
//
// It fails if the file cannot be read, or is not what the source says.
func Read(read Reader, path string, source Source, wanted []string) (*Table, error) {
	content, err := read(path)
	if err != nil {
		if why := errors.Unwrap(err); why != nil {
			err = why // without the path, which is said here
		}
		return nil, fmt.Errorf("cannot open the rows %s: %w", path, err)
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
		if _, whole := err.(fileError); whole {
			return nil, fmt.Errorf("%s %w", source.File, err)
		}
		return nil, fmt.Errorf("%s: %w", source.File, err)
	}
	return table, nil
}

// A fileError is about the file as a whole: the sentence begins with its name.
type fileError string

func (e fileError) Error() string { return string(e) }

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
	if err := refuseUnknown(source.Types, names); err != nil {
		return nil, err
	}
	for i, fields := range lines {
		if len(fields) != len(names) {
			return nil, fmt.Errorf("row %d has %d fields, for %d columns (%s)",
				i+1, len(fields), len(names), strings.Join(names, ", "))
		}
		row := make([]template.Value, len(places))
		for j, place := range places {
			if row[j], err = valueOf(fields[place], source.Types[names[place]]); err != nil {
				return nil, fmt.Errorf("row %d: %s is %w", i+1, names[place], err)
			}
		}
		table.Rows = append(table.Rows, row)
	}
	return table, nil
}

func refuseUnknown(types map[string]string, names []string) error {
	for name := range types {
		if !slices.Contains(names, name) {
			return fileError(fmt.Sprintf("has no column %q, only %s", name, strings.Join(names, ", ")))
		}
	}
	return nil
}

// number is one of JSON.
var number = regexp.MustCompile(`^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$`)

// valueOf is a field of CSV with its type.
func valueOf(field, kind string) (template.Value, error) {
	switch {
	case kind == "":
		return field, nil
	case kind == "number" && number.MatchString(field):
		value, _ := strconv.ParseFloat(field, 64) // one too large is Infinity, as in JavaScript
		return value, nil
	case kind == "boolean" && (field == "true" || field == "false"):
		return field == "true", nil
	}
	return nil, fmt.Errorf("%q, and no %s", field, kind)
}

func tableOf(names, wanted []string, rows int) (*Table, []int, error) {
	if rows == 0 {
		return nil, nil, fileError("has no rows")
	}
	table := &Table{Names: names, Columns: map[string]int{}}
	var places []int
	for _, name := range wanted {
		if place := slices.Index(names, name); place >= 0 {
			table.Columns[name] = len(places)
			places = append(places, place)
		}
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
	table, places, err := tableOf(names, wanted, len(objects))
	if err != nil {
		return nil, err
	}
	for _, object := range objects {
		row := make([]template.Value, len(places))
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
			return fileError("must hold a list of objects")
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
		return nil, fileError("is not JSON")
	}
	parsed := gjson.Parse(text)
	if !parsed.IsArray() {
		return nil, fileError("must hold a list of objects")
	}
	for _, value := range parsed.Array() {
		if err := add(value); err != nil {
			return nil, err
		}
	}
	return objects, nil
}
