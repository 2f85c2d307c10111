package template

import (
	"testing"

	"github.com/tidwall/gjson"
)

var names = Names{
	Columns: map[string]int{"id": 0, "text": 1, "none": 2}, Captures: map[string]int{"n": 0},
	Environment: map[string]string{"TOKEN": "a b"},
	Ready:       map[string]any{"token": "a/b", "rows": float64(12)},
}

var values = Values{Row: []Value{float64(7), "a/b c?ü\"", nil}, Captured: []Value{true}}

func TestTexts(t *testing.T) {
	for _, c := range []struct {
		name, text string
		encoding   Encoding
		want       string
	}{
		{"nothing", "", Plain, ""},
		{"a literal", "plain", Plain, "plain"},
		{"an escape", "$${row.id} and $${x}", Plain, "${row.id} and ${x}"},
		{"values", "${row.id}-${captured.n}", Plain, "7-true"},
		{"what is not there", "[${row.none}]", Plain, "[]"},
		{"the environment", "Bearer ${env.TOKEN}", InQuery, "Bearer a%20b"},
		{"captured before the load", "Bearer ${ready.token}-${ready.rows}", InQuery, "Bearer a%2Fb-12"},
		{"in a path", "/x/${row.text}", InPath, "/x/a/b%20c%3F%C3%BC%22"},
		{"in a query", "?q=${row.text}", InQuery, "?q=a%2Fb%20c%3F%C3%BC%22"},
		{"in a form", "q=${row.text}", InForm, "q=a%2Fb+c%3F%C3%BC%22"},
		{"in JSON text", `"${row.text}"`, InText, `"a/b c?ü\""`},
	} {
		text, err := Compile(c.text, &names, c.encoding)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if got := text.Fill(&values); got != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
}

func TestUnknownPlacesAreRefused(t *testing.T) {
	for _, text := range []string{"${row.x}", "${captured.x}", "${env.X}", "${ready.x}", "${x}"} {
		if _, err := Compile(text, &names, Plain); err == nil {
			t.Errorf("%s was accepted", text)
		}
	}
}

func TestJSONBodies(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"id":"${row.id}"}`, `{"id":7}`},
		{`{"id":"no ${row.id}"}`, `{"id":"no 7"}`},
		{`{"${row.text}":1}`, `{"a/b c?ü\"":1}`},
		{`{"rows":"${ready.rows}","token":"${ready.token}"}`, `{"rows":12,"token":"a/b"}`},
		{`["\"${row.id}"]`, `["\"7"]`},
		{`["${captured.n}","${row.none}"]`, `[true,""]`},
	} {
		text, err := CompileJSON(c.text, &names)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
		} else if got := text.Fill(&values); got != c.want {
			t.Errorf("%s: %s, not %s", c.text, got, c.want)
		}
	}
}

func TestNumbersAreJavaScripts(t *testing.T) {
	for want, value := range map[string]float64{
		"0": 0, "1": 1, "-0.5": -0.5, "0.1": 0.1, "1e+21": 1e21, "123456789012345680000": 123456789012345680000,
		"1e-7": 1e-7, "0.000001": 1e-6, "1.5e+300": 1.5e300,
	} {
		if got := Number(value); got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
}

func TestValuesAreWrittenAsInJavaScript(t *testing.T) {
	for _, c := range []struct{ json, text, stringified string }{
		{`null`, "null", "null"},
		{`[1, [2, null], "x"]`, "1,2,,x", `[1,[2,null],"x"]`},
		{`{"b": 1.0, "a": "\u00e9\u2028"}`, "[object Object]", "{\"b\":1,\"a\":\"é\u2028\"}"},
		{`"a\u0001\n"`, "a\x01\n", `"a\u0001\n"`},
	} {
		value := OfJSON(gjson.Parse(c.json))
		if got := String(value); got != c.text {
			t.Errorf("%s: text %q, not %q", c.json, got, c.text)
		}
		if got := JSON(value); got != c.stringified {
			t.Errorf("%s: JSON %q, not %q", c.json, got, c.stringified)
		}
	}
}

func TestEqual(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`{"a":1,"b":[1,2]}`, `{"b":[1.0,2],"a":1}`, true},
		{`{"a":1}`, `{"a":1,"b":null}`, false},
		{`[1,2]`, `[2,1]`, false},
		{`"1"`, `1`, false},
		{`[]`, `{}`, false},
		{`null`, `null`, true},
	} {
		if got := Equal(OfJSON(gjson.Parse(c.a)), OfJSON(gjson.Parse(c.b))); got != c.want {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
	}
}
