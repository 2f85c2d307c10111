package player

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

const (
	mostFields   = 200     // a body with more is not described: its keys are data
	mostElements = 20      // of an array, the first ones
	largestJSON  = 100_000 // bytes
	mostJSON     = 300_000 // of all bodies to one request of one side: more would cost CPU time that the services are to have
)

// field is what stands in one place of a body: in an element of an array, in all of them together.
type field struct {
	kinds  []string // sorted
	values strings.Builder
	seen   int
	of     *field // the object that it is a key of
	filled int    // how many objects stand here
}

// fieldsOf tells the structure of a JSON body: by path ("items[].id"; "" is the body itself) the kinds of value, and after a
// "#" a digest of the values, or the length of an array: {"items": "array#3", "items[].id": "absent|number#1a2b3c4d"}.
// k6/user/fields.js tells the same.
// It is nil of a body that is not a JSON object or array, or has more than there is room for.
func fieldsOf(body []byte) map[string]string {
	body = bytes.TrimSpace(body)
	if len(body) == 0 || len(body) > largestJSON || body[0] != '{' && body[0] != '[' {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return nil
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil
	}
	fields := map[string]*field{}
	if !addField(fields, "", nil, value) {
		return nil
	}
	paths := make(map[string]string, len(fields))
	for path, f := range fields {
		if f.of != nil && f.seen < f.of.filled {
			f.add("absent")
		}
		paths[path] = strings.Join(f.kinds, "|") + f.digest()
	}
	return paths
}

// addField adds a value, and all within it. It tells whether there was room.
func addField(fields map[string]*field, path string, of *field, value any) bool {
	f := fields[path]
	if f == nil {
		if len(fields) == mostFields {
			return false
		}
		f = &field{of: of}
		fields[path] = f
	}
	f.seen++
	switch value := value.(type) {
	case nil:
		f.add("null")
	case bool:
		f.add("boolean")
		f.tell(strconv.FormatBool(value))
	case json.Number:
		f.add("number")
		f.tell(numberText(value))
	case string:
		f.add(orEmpty("string", len(value)))
		f.tell(value)
	case []any:
		f.add(orEmpty("array", len(value)))
		f.tell(strconv.Itoa(len(value)))
		for _, element := range value[:min(len(value), mostElements)] {
			if !addField(fields, path+"[]", nil, element) {
				return false
			}
		}
	case map[string]any:
		f.add(orEmpty("object", len(value)))
		f.filled++
		// "a.b" may be two places: their order must not be chance.
		for _, key := range slices.Sorted(maps.Keys(value)) {
			if !addField(fields, keyIn(path, key), f, value[key]) {
				return false
			}
		}
	}
	return true
}

// numberText is a number as JavaScript writes it: 1.50 and 1.5 are one value, and the JavaScript player tells them alike.
func numberText(number json.Number) string {
	value, err := number.Float64()
	if err != nil {
		return number.String() // beyond what a float holds
	}
	text, err := json.Marshal(value + 0) // never -0; Go writes numbers as ECMAScript does
	if err != nil {
		return number.String()
	}
	return string(text)
}

func keyIn(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func orEmpty(kind string, length int) string {
	if length == 0 {
		return "empty " + kind
	}
	return kind
}

func (f *field) add(kind string) {
	if at, found := slices.BinarySearch(f.kinds, kind); !found {
		f.kinds = slices.Insert(f.kinds, at, kind)
	}
}

func (f *field) tell(value string) {
	f.values.WriteString(value)
	f.values.WriteByte(0)
}

// digest is the length of an array, and a hash of other values; of objects and null there is none.
func (f *field) digest() string {
	values := f.values.String()
	if values == "" {
		return ""
	}
	if f.seen == 1 && strings.HasSuffix(f.kinds[0], "array") {
		return "#" + strings.TrimSuffix(values, "\x00")
	}
	hash := fnv.New32a()
	hash.Write([]byte(values))
	return fmt.Sprintf("#%08x", hash.Sum32())
}
