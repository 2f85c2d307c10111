// Package template fills values of rows, and values captured from responses, into the texts of requests: byte for byte
// what the JavaScript player makes of them (k6/shared/placeholders.js, encode.js).
package template

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// Value is one of JSON: nil, bool, float64, string, or Raw for a list or an object. Missing stands for no value at all.
type Value any

// Raw is the JSON text of a list or an object, as JavaScript writes it. A row's is filled in again and again: what takes
// time is done when it is read.
type Raw string

type missing struct{}

// Missing is JavaScript's undefined.
var Missing Value = missing{}

// IsNullish reports whether a value is null or undefined.
func IsNullish(value Value) bool { return value == nil || value == Missing }

// OfJSON is the value of what was found in a JSON text.
func OfJSON(found gjson.Result) Value {
	switch found.Type {
	case gjson.Null:
		if !found.Exists() {
			return Missing
		}
		return nil
	case gjson.False, gjson.True:
		return found.Bool()
	case gjson.Number:
		return found.Num
	case gjson.String:
		return found.Str
	default:
		return Raw(appendCompact(make([]byte, 0, len(found.Raw)), found))
	}
}

// String is JavaScript's String(value).
func String(value Value) string {
	switch v := value.(type) {
	case string:
		return v
	case float64:
		return Number(v)
	case bool:
		return strconv.FormatBool(v)
	case nil:
		return "null"
	case Raw:
		return joined(v)
	default:
		return "undefined"
	}
}

// joined is JavaScript's text of a list, its items joined by commas, or of an object.
func joined(raw Raw) string {
	parsed := gjson.Parse(string(raw))
	if !parsed.IsArray() {
		return "[object Object]"
	}
	var items []string
	for _, item := range parsed.Array() {
		text := "" // null is nothing in a list
		if value := OfJSON(item); !IsNullish(value) {
			text = String(value)
		}
		items = append(items, text)
	}
	return strings.Join(items, ",")
}

// Number is JavaScript's text of a number (ECMA-262, 6.1.6.1.20).
func Number(value float64) string {
	switch {
	case math.IsNaN(value):
		return "NaN"
	case math.IsInf(value, 0):
		if value > 0 {
			return "Infinity"
		}
		return "-Infinity"
	case value == 0:
		return "0"
	}
	size := math.Abs(value)
	if size < 1<<53 && value == math.Trunc(value) {
		return strconv.FormatInt(int64(value), 10)
	}
	if size >= 1e-6 && size < 1e21 {
		return strconv.FormatFloat(value, 'f', -1, 64)
	}
	text := strconv.FormatFloat(value, 'e', -1, 64)
	mantissa, exponent, _ := strings.Cut(text, "e")
	return mantissa + "e" + exponent[:1] + strings.TrimLeft(exponent[1:], "0")
}

// JSON is JavaScript's JSON.stringify(value).
func JSON(value Value) string { return string(appendJSON(nil, value)) }

func appendJSON(to []byte, value Value) []byte {
	switch v := value.(type) {
	case string:
		return appendQuoted(to, v)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return append(to, "null"...)
		}
		return append(to, Number(v)...)
	case Raw:
		return append(to, v...)
	default:
		return append(to, String(value)...)
	}
}

// appendCompact writes a value as JavaScript does, whatever blanks and notations the text has.
func appendCompact(to []byte, value gjson.Result) []byte {
	if !value.IsArray() && !value.IsObject() {
		return appendJSON(to, OfJSON(value))
	}
	begin, end := byte('{'), byte('}')
	if value.IsArray() {
		begin, end = '[', ']'
	}
	to = append(to, begin)
	first := true
	value.ForEach(func(key, item gjson.Result) bool {
		if !first {
			to = append(to, ',')
		}
		first = false
		if begin == '{' {
			to = append(appendQuoted(to, key.Str), ':')
		}
		to = appendCompact(to, item)
		return true
	})
	return append(to, end)
}

const hexDigits = "0123456789abcdef"

// appendQuoted writes a string of JSON as JavaScript does.
func appendQuoted(to []byte, text string) []byte {
	return append(appendEscaped(append(to, '"'), text), '"')
}

// appendEscaped writes what is between the quotes: nothing is escaped but quotes, backslashes and control characters.
func appendEscaped(to []byte, text string) []byte {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"' || c == '\\':
			to = append(to, '\\', c)
		case c == '\b':
			to = append(to, `\b`...)
		case c == '\f':
			to = append(to, `\f`...)
		case c == '\n':
			to = append(to, `\n`...)
		case c == '\r':
			to = append(to, `\r`...)
		case c == '\t':
			to = append(to, `\t`...)
		case c < ' ':
			to = append(to, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		case c < utf8.RuneSelf:
			to = append(to, c)
		default:
			r, size := utf8.DecodeRuneInString(text[i:])
			to = utf8.AppendRune(to, r)
			i += size - 1
		}
	}
	return to
}

// Equal compares two values as JSON: the order of an object's keys does not matter.
func Equal(a, b Value) bool {
	rawA, isRawA := a.(Raw)
	rawB, isRawB := b.(Raw)
	if isRawA && isRawB {
		return equal(gjson.Parse(string(rawA)), gjson.Parse(string(rawB)))
	}
	return !isRawA && !isRawB && a == b
}

func equal(a, b gjson.Result) bool {
	if a.IsObject() != b.IsObject() || a.IsArray() != b.IsArray() {
		return false
	}
	switch {
	case a.IsObject():
		one, two := a.Map(), b.Map()
		if len(one) != len(two) {
			return false
		}
		for key, value := range one {
			if other, ok := two[key]; !ok || !equal(value, other) {
				return false
			}
		}
		return true
	case a.IsArray():
		one, two := a.Array(), b.Array()
		if len(one) != len(two) {
			return false
		}
		for i := range one {
			if !equal(one[i], two[i]) {
				return false
			}
		}
		return true
	}
	return OfJSON(a) == OfJSON(b)
}
