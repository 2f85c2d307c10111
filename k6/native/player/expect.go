package player

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/grafana/sobek/parser"
	"github.com/tidwall/gjson"

	"benchfolio.dev/native/plan"
	"benchfolio.dev/native/template"
)

// answer is a response as expectations and captures look at it.
type answer struct {
	headers func(name string) (string, bool)
	cookies func(name string) (string, bool)
	body    []byte
	json    validity
}

type validity int

const (
	unknown validity = iota
	isJSON
	noJSON
)

// find is what a path of gjson leads to; Missing where the body is not JSON.
func (a *answer) find(path string) template.Value {
	if a.json == unknown {
		a.json = noJSON
		if gjson.ValidBytes(a.body) {
			a.json = isJSON
		}
	}
	if a.json == noJSON {
		return template.Missing
	}
	return template.OfJSON(gjson.GetBytes(a.body, path))
}

// exception is an error of the spec that shows only when values are filled in.
type exception struct{ error }

// expectation says what is wrong with an answer, "" if nothing is. It panics with an exception.
type expectation struct {
	check     func(*answer, *template.Values) string
	readsBody bool
}

func compileExpectations(planned *plan.Expect, names *template.Names) ([]expectation, error) {
	if planned == nil {
		return nil, nil
	}
	var all []expectation
	for _, member := range planned.Headers {
		matches, err := compileMatcher(member.Value, names, false)
		if err != nil {
			return nil, fmt.Errorf("header %s: %w", member.Name, err)
		}
		all = append(all, expectHeader(member.Name, matches))
	}
	if len(planned.Body) > 0 && string(planned.Body) != "null" {
		matches, err := compileMatcher(planned.Body, names, true)
		if err != nil {
			return nil, fmt.Errorf("body: %w", err)
		}
		all = append(all, expectBody(matches))
	}
	for _, member := range planned.JSON {
		wanted, err := compileValue(member.Value, names)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", member.Name, err)
		}
		all = append(all, expectJSON(member.Name, wanted))
	}
	return all, nil
}

func expectHeader(name string, matches matcher) expectation {
	return expectation{check: func(a *answer, values *template.Values) string {
		value, there := a.headers(name)
		if matches.test(value, values) && (there || matches.pattern) {
			return ""
		}
		if !there {
			return "header " + name + " is not there"
		}
		return "header " + name + " is " + shown(value) + matches.instead(values)
	}}
}

func expectBody(matches matcher) expectation {
	return expectation{readsBody: true, check: func(a *answer, values *template.Values) string {
		body := string(a.body)
		switch {
		case matches.test(body, values):
			return ""
		case matches.pattern:
			return "the body does not match: " + shown(body)
		}
		return "the body has not the text: " + shown(body)
	}}
}

func expectJSON(path string, wanted func(*template.Values) template.Value) expectation {
	return expectation{readsBody: true, check: func(a *answer, values *template.Values) string {
		value, wanted := a.find(path), wanted(values)
		if template.Equal(value, wanted) {
			return ""
		}
		if value == template.Missing {
			return path + " is not there"
		}
		return path + " is " + clip(template.JSON(value)) + ", not " + clip(template.JSON(wanted))
	}}
}

// shown is what there was, for the log: not more than a line.
func shown(text string) string { return clip(template.JSON(text)) }

// clip marks where it cuts, so that a secret that was cut within is still found.
func clip(text string) string {
	if len(text) <= 100 {
		return text
	}
	return strings.ToValidUTF8(text[:100], "") + "…"
}

// matcher compares a text: it is another, it has another in it, or a pattern fits.
type matcher struct {
	pattern bool
	test    func(text string, values *template.Values) bool
	text    template.Text // that is compared with, if it is not a pattern
}

// instead is what was expected instead of what there was.
func (m *matcher) instead(values *template.Values) string {
	if m.pattern {
		return ""
	}
	return ", not " + shown(m.text.Fill(values))
}

func compileMatcher(value json.RawMessage, names *template.Names, within bool) (matcher, error) {
	text, isPattern, err := plan.Matcher(value)
	if err != nil {
		return matcher{}, err
	}
	compiled, err := template.Compile(text, names, template.Plain)
	if err != nil {
		return matcher{}, err
	}
	if isPattern {
		match, err := compilePattern(compiled)
		return matcher{true, match, compiled}, err
	}
	return matcher{false, func(text string, values *template.Values) bool {
		if within {
			return strings.Contains(text, compiled.Fill(values))
		}
		return text == compiled.Fill(values)
	}, compiled}, nil
}

// compilePattern reads a regular expression of JavaScript. One with places is read anew each time.
func compilePattern(source template.Text) (func(string, *template.Values) bool, error) {
	if text, ok := source.Constant(); ok {
		pattern, err := Pattern(text)
		if err != nil {
			return nil, err
		}
		return func(text string, _ *template.Values) bool { return pattern.MatchString(text) }, nil
	}
	return func(text string, values *template.Values) bool {
		pattern, err := Pattern(source.Fill(values))
		if err != nil {
			panic(exception{err})
		}
		return pattern.MatchString(text)
	}, nil
}

// Pattern reads a regular expression of JavaScript.
//
// It fails for one that looks ahead, behind or back: Go's expressions cannot, and the JavaScript player must play it.
func Pattern(source string) (*regexp.Regexp, error) {
	translated, err := parser.TransformRegExp(source, false, false)
	if err != nil {
		return nil, fmt.Errorf("the pattern %s: %w; the JavaScript player may know it", source, err)
	}
	return regexp.Compile(translated)
}

// compileValue reads an expected value of JSON. A text that is exactly one place keeps the type of what is filled in.
func compileValue(value json.RawMessage, names *template.Names) (func(*template.Values) template.Value, error) {
	constant := template.OfJSON(gjson.ParseBytes(value))
	text, isText := constant.(string)
	if !isText {
		return func(*template.Values) template.Value { return constant }, nil
	}
	if value, ok := names.Captured(text); ok {
		return func(*template.Values) template.Value { return value }, nil
	}
	compiled, err := template.Compile(text, names, template.Plain)
	if err != nil {
		return nil, err
	}
	return func(values *template.Values) template.Value {
		if value, ok := compiled.Only(values); ok {
			return value
		}
		return compiled.Fill(values)
	}, nil
}

// capture takes something out of an answer for later requests of the iteration.
type capture struct {
	name      string
	index     int
	find      func(*answer) template.Value
	readsBody bool
}

func compileCaptures(planned plan.Ordered, names *template.Names) ([]capture, error) {
	var all []capture
	for _, member := range planned {
		from, err := member.Origin()
		if err != nil {
			return nil, err
		}
		c := capture{name: member.Name, index: names.Captures[member.Name]}
		switch {
		case from.JSON != nil:
			c.readsBody = true
			c.find = func(a *answer) template.Value { return a.find(*from.JSON) }
		case from.Header != nil:
			c.find = func(a *answer) template.Value { return orMissing(a.headers(*from.Header)) }
		case from.Cookie != nil:
			c.find = func(a *answer) template.Value { return orMissing(a.cookies(*from.Cookie)) }
		case from.Regex != nil:
			pattern, err := Pattern(*from.Regex)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", member.Name, err)
			}
			c.readsBody = true
			c.find = func(a *answer) template.Value { return firstMatch(pattern, a.body) }
		default:
			return nil, fmt.Errorf("%s says not where it comes from", member.Name)
		}
		all = append(all, c)
	}
	return all, nil
}

// firstMatch is the first group of a pattern, or all of it if it has none.
func firstMatch(pattern *regexp.Regexp, body []byte) template.Value {
	match := pattern.FindSubmatchIndex(body)
	switch {
	case match == nil:
		return template.Missing
	case len(match) == 2:
		return string(body[match[0]:match[1]])
	case match[2] < 0:
		return template.Missing
	}
	return string(body[match[2]:match[3]])
}

func orMissing(text string, there bool) template.Value {
	if !there {
		return template.Missing
	}
	return text
}
