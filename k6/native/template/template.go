package template

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Values are those of the iteration under way.
type Values struct {
	Row      []Value // by column
	Captured []Value // by capture
	Drawn    []Value // at random, for the request that is sent next
}

// Names are what a text may ask for.
type Names struct {
	Columns  map[string]int
	Captures map[string]int
	// Environment has the variables of ${env.NAME}, which are filled in once.
	Environment map[string]string
	// Ready has what steps before the load captured, for ${ready.NAME}: filled in once, too.
	Ready map[string]Value
}

var onlyReady = regexp.MustCompile(`^\$\{ready\.([^{}]*)\}$`)

// Captured is the value of a text that is exactly one ${ready.NAME}, with its own type.
func (names *Names) Captured(text string) (Value, bool) {
	match := onlyReady.FindStringSubmatch(text)
	if match == nil {
		return nil, false
	}
	value, ok := names.Ready[match[1]]
	return value, ok
}

// Text is a text with places to fill in. The zero value is the empty text.
type Text struct {
	parts []part
}

type part struct {
	literal  string
	from     source
	index    int // -1: a literal
	encoding Encoding
}

// source is where the value of a place comes from.
type source int

const (
	captured source = iota
	row
	drawn
)

var placeholder = regexp.MustCompile(`\$(\$?)\{([^{}]*)\}`)

// Compile reads a text; values are written by an encoding.
//
// It fails where the text asks for what there is not.
func Compile(text string, names *Names, encoding Encoding) (Text, error) {
	return CompileBy(text, names, func(string) Encoding { return encoding })
}

// CompileBy reads a text; the encoding of a value is chosen by the literal text before it.
func CompileBy(text string, names *Names, choose func(before string) Encoding) (Text, error) {
	var t Text
	end, before := 0, ""
	for _, at := range placeholder.FindAllStringSubmatchIndex(text, -1) {
		literal := text[end:at[0]]
		end = at[1]
		if at[2] < at[3] { // $${ stands for ${
			literal += text[at[0]+1 : at[1]]
			t.addLiteral(literal)
			before += literal
			continue
		}
		t.addLiteral(literal)
		before += literal
		if err := t.addPlace(text[at[4]:at[5]], names, choose(before)); err != nil {
			return Text{}, err
		}
	}
	t.addLiteral(text[end:])
	return t, nil
}

func (t *Text) addLiteral(text string) {
	if text == "" {
		return
	}
	if last := len(t.parts) - 1; last >= 0 && t.parts[last].index < 0 {
		t.parts[last].literal += text
		return
	}
	t.parts = append(t.parts, part{literal: text, index: -1})
}

func (t *Text) addPlace(written string, names *Names, encoding Encoding) error {
	kind, name, _ := strings.Cut(written, ".")
	switch kind {
	case "env":
		value, ok := names.Environment[name]
		if !ok {
			return fmt.Errorf("${env.%s}: the environment variable %s is not set", name, name)
		}
		t.addLiteral(string(encoding.Append(nil, value)))
		return nil
	case "ready":
		value, ok := names.Ready[name]
		if !ok {
			return fmt.Errorf("${ready.%s}: no step of after_ready captured it; `benchfolio run` does them when services are ready", name)
		}
		t.addLiteral(string(encoding.Append(nil, value)))
		return nil
	case "row":
		if index, ok := names.Columns[name]; ok {
			t.parts = append(t.parts, part{from: row, index: index, encoding: encoding})
			return nil
		}
	case "captured":
		if index, ok := names.Captures[name]; ok {
			t.parts = append(t.parts, part{index: index, encoding: encoding})
			return nil
		}
	case "random": // the plan has numbered them
		if index, err := strconv.Atoi(name); err == nil {
			t.parts = append(t.parts, part{from: drawn, index: index, encoding: encoding})
			return nil
		}
	}
	return fmt.Errorf("there is no ${%s} in a request", written)
}

// Join is one text after the other.
func Join(texts ...Text) Text {
	var all Text
	for _, text := range texts {
		for _, p := range text.parts {
			if p.index < 0 {
				all.addLiteral(p.literal)
			} else {
				all.parts = append(all.parts, p)
			}
		}
	}
	return all
}

// Literal is a text without places.
func Literal(text string) Text {
	var t Text
	t.addLiteral(text)
	return t
}

// Constant is the text, if it is always the same.
func (t Text) Constant() (string, bool) {
	switch {
	case len(t.parts) == 0:
		return "", true
	case len(t.parts) == 1 && t.parts[0].index < 0:
		return t.parts[0].literal, true
	}
	return "", false
}

// Begins is the literal text that it begins with.
func (t Text) Begins() string {
	if len(t.parts) == 0 || t.parts[0].index >= 0 {
		return ""
	}
	return t.parts[0].literal
}

// Append writes the text with its values.
func (t Text) Append(to []byte, values *Values) []byte {
	for i := range t.parts {
		p := &t.parts[i]
		if p.index < 0 {
			to = append(to, p.literal...)
			continue
		}
		to = p.encoding.Append(to, p.value(values))
	}
	return to
}

func (p *part) value(values *Values) Value {
	if p.from != row {
		return p.raw(values)
	}
	if value := values.Row[p.index]; !IsNullish(value) {
		return value
	}
	return "" // a row that has nothing there
}

// raw is the value as it is.
func (p *part) raw(values *Values) Value {
	switch p.from {
	case row:
		return values.Row[p.index]
	case drawn:
		return values.Drawn[p.index]
	}
	return values.Captured[p.index]
}

// Fill is the text with its values.
func (t Text) Fill(values *Values) string {
	if text, ok := t.Constant(); ok {
		return text
	}
	return string(t.Append(nil, values))
}

// Only is the value of a text that is exactly one place, with its own type.
func (t Text) Only(values *Values) (Value, bool) {
	if len(t.parts) != 1 || t.parts[0].index < 0 {
		return nil, false
	}
	return t.parts[0].raw(values), true
}

var wholeString = regexp.MustCompile(`"(\$\{[^{}]*\})"`)

// CompileJSON reads JSON text. A string that is exactly one place takes the value's type; within a longer one a value is
// written as text. Keys are always text.
func CompileJSON(text string, names *Names) (Text, error) {
	var texts []Text
	end := 0
	add := func(text string, encoding Encoding) error {
		compiled, err := Compile(text, names, encoding)
		texts = append(texts, compiled)
		return err
	}
	for _, at := range wholeString.FindAllStringSubmatchIndex(text, -1) {
		escaped := at[0] > 0 && text[at[0]-1] == '\\'
		isKey := at[1] < len(text) && text[at[1]] == ':'
		if escaped || isKey {
			continue
		}
		if err := add(text[end:at[0]], InText); err != nil {
			return Text{}, err
		}
		if err := add(text[at[2]:at[3]], WholeJSON); err != nil {
			return Text{}, err
		}
		end = at[1]
	}
	if err := add(text[end:], InText); err != nil {
		return Text{}, err
	}
	return Join(texts...), nil
}
