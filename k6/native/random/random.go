// Package random draws the random values of requests: digit for digit what the JavaScript player draws
// (k6/user/random.js), from the seed, the user and the number of its iteration alone.
package random

import (
	"math"
	"math/bits"

	"benchfolio.dev/native/template"
)

// Draw is one of its fields: a whole number from and to, so many letters and digits, or a UUID.
type Draw struct {
	Int    *[2]float64 `json:"int"`
	String *int        `json:"string"`
	UUID   bool        `json:"uuid"`
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// Source is Chris Doty-Humphrey's sfc32: each seed sets all 128 bits of its state.
type Source struct{ a, b, c, counter uint32 }

// Begin is where an iteration of a user begins.
func Begin(seed [2]uint32, user, iteration uint64) Source {
	s := Source{seed[1], seed[0], uint32(user), uint32(iteration)}
	for range 16 {
		s.next()
	}
	return s
}

func (s *Source) next() uint32 {
	t := s.a + s.b + s.counter
	s.counter++
	s.a = s.b ^ s.b>>9
	s.b = s.c + s.c<<3
	s.c = bits.RotateLeft32(s.c, 21) + t
	return t
}

// fraction has 53 bits, 0 <= x < 1.
func (s *Source) fraction() float64 {
	high, low := float64(s.next()>>5), float64(s.next()>>6)
	return (high*67108864 + low) / 9007199254740992
}

// Append draws values, one after the other.
func (s *Source) Append(to []template.Value, draws []Draw) []template.Value {
	for i := range draws {
		to = append(to, s.draw(&draws[i]))
	}
	return to
}

func (s *Source) draw(d *Draw) template.Value {
	switch {
	case d.Int != nil:
		product := s.fraction() * (d.Int[1] - d.Int[0] + 1)
		return d.Int[0] + math.Floor(product)
	case d.String != nil:
		text := make([]byte, *d.String)
		for i := range text {
			text[i] = letters[int(float64(s.next())/4294967296*float64(len(letters)))]
		}
		return string(text)
	}
	return s.uuid()
}

// uuid is one of version 4 (RFC 9562).
func (s *Source) uuid() string {
	const hex = "0123456789abcdef"
	var digits [32]byte
	for i := range 4 {
		word := s.next()
		for j := range 8 {
			digits[8*i+j] = hex[word>>(28-4*j)&15]
		}
	}
	digits[12] = '4'
	variant := digits[16]
	if variant >= 'a' {
		variant -= 'a' - 10
	}
	digits[16] = "89ab"[variant&3]
	d := string(digits[:])
	return d[:8] + "-" + d[8:12] + "-" + d[12:16] + "-" + d[16:20] + "-" + d[20:]
}
