package tally

import (
	"errors"
	"math"
)

// pairs are the buckets of a histogram, flat. Most of a file are these: reading them by encoding/json takes ten times as
// long.
type pairs []uint64

var errNoPairs = errors.New("buckets are a list of numbers that are whole and not negative")

// UnmarshalJSON reads a list of whole numbers; encoding/json has seen that it is JSON.
func (p *pairs) UnmarshalJSON(text []byte) error {
	if len(text) < 2 || text[0] != '[' {
		return errNoPairs
	}
	list := make([]uint64, 0, len(text)/3)
	number, digits := uint64(0), 0
	for _, c := range text[1:] {
		switch {
		case c >= '0' && c <= '9':
			if number > (math.MaxUint64-9)/10 {
				return errNoPairs
			}
			number, digits = number*10+uint64(c-'0'), digits+1
		case c == ',' || c == ']':
			if digits > 0 {
				list = append(list, number)
			}
			number, digits = 0, 0
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		default:
			return errNoPairs
		}
	}
	*p = list
	return nil
}
