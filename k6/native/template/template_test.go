package template

import (
	"encoding/json"
	"testing"

	"github.com/tidwall/gjson"

	"benchfolio.dev/native/vectors"
)

func TestTexts(t *testing.T) {
	all := vectors.Read[struct {
		Values struct {
			Row, Captured, Ready json.RawMessage
			Env                  map[string]string
		}
		Texts []struct{ As, Text, Filled, Error string }
	}](t, "templates")
	names := Names{Columns: map[string]int{}, Captures: map[string]int{}, Environment: all.Values.Env, Ready: map[string]Value{}}
	gjson.ParseBytes(all.Values.Ready).ForEach(func(name, value gjson.Result) bool {
		names.Ready[name.Str] = OfJSON(value)
		return true
	})
	values := Values{Row: membersOf(all.Values.Row, names.Columns), Captured: membersOf(all.Values.Captured, names.Captures)}
	encodings := map[string]Encoding{"text": Plain, "path": InPath, "query": InQuery, "form": InForm}
	for _, v := range all.Texts {
		var text Text
		var err error
		if v.As == "json" {
			text, err = CompileJSON(v.Text, &names)
		} else {
			text, err = Compile(v.Text, &names, encodings[v.As])
		}
		switch {
		case v.Error != "" && (err == nil || err.Error() != v.Error):
			t.Errorf("%s %s: %v, not %s", v.As, v.Text, err, v.Error)
		case v.Error == "" && err != nil:
			t.Errorf("%s %s: %v", v.As, v.Text, err)
		case err == nil:
			if got := text.Fill(&values); got != v.Filled {
				t.Errorf("%s %s: %q, not %q", v.As, v.Text, got, v.Filled)
			}
		}
	}
}

// membersOf are the values of an object; their names are noted with their places.
func membersOf(object json.RawMessage, places map[string]int) (values []Value) {
	gjson.ParseBytes(object).ForEach(func(name, value gjson.Result) bool {
		places[name.Str] = len(values)
		values = append(values, OfJSON(value))
		return true
	})
	return values
}

func TestWhatThePlanDoesNotKnowIsRefused(t *testing.T) {
	for _, text := range []string{"${row.x}", "${captured.x}", "${random.x}"} {
		if _, err := Compile(text, &Names{}, Plain); err == nil {
			t.Errorf("%s was accepted", text)
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
