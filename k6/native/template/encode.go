package template

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// Encoding says how a value is written where it is filled in.
type Encoding int

// Where a value may stand.
const (
	Plain     Encoding = iota // as it is
	InPath                    // in a path: see encodePath
	InQuery                   // in a query: JavaScript's encodeURIComponent
	InForm                    // in a form: the same, and a space is "+"
	InText                    // within a string of JSON
	WholeJSON                 // a value of JSON by itself
)

// Append writes a value.
func (e Encoding) Append(to []byte, value Value) []byte {
	switch e {
	case Plain:
		return append(to, String(value)...)
	case InPath:
		return encodePath(to, String(value))
	case InQuery:
		return encodeURI(to, String(value), unreserved, false)
	case InForm:
		return encodeURI(to, String(value), unreserved, true)
	case InText:
		return appendEscaped(to, String(value))
	default:
		return appendJSON(to, value)
	}
}

const (
	letters    = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	unreserved = letters + "-_.!~*'()"    // encodeURIComponent leaves these
	inPath     = unreserved + ";/:@&=+$," // encodeURI leaves these, and "?" and "#", which would end a path
	upperHex   = "0123456789ABCDEF"
)

var address = regexp.MustCompile(`^(/|https?://)`)

// encodePath writes a value of a path. One that begins with "/" or "http(s)://" is an address already and stays as it
// is. Any other is a name: its slashes part it, and what would end a path is encoded.
func encodePath(to []byte, text string) []byte {
	if address.MatchString(text) {
		return append(to, text...)
	}
	return encodeURI(to, text, inPath, false)
}

func encodeURI(to []byte, text, kept string, form bool) []byte {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == ' ' && form:
			to = append(to, '+')
		case strings.IndexByte(kept, c) >= 0:
			to = append(to, c)
		case c < utf8.RuneSelf:
			to = append(to, '%', upperHex[c>>4], upperHex[c&15])
		default:
			r, size := utf8.DecodeRuneInString(text[i:])
			for _, b := range []byte(string(r)) { // what is not a letter at all becomes U+FFFD, as in JavaScript's strings
				to = append(to, '%', upperHex[b>>4], upperHex[b&15])
			}
			i += size - 1
		}
	}
	return to
}
