package rows

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCSV(t *testing.T) {
	for _, c := range []struct{ name, text, delimiter, want string }{
		{"plain", "a,b\r\n1,2\n\n3,4", ",", "[[a b] [1 2] [3 4]]"},
		{"a byte order mark", "\uFEFFa\n1\n", ",", "[[a] [1]]"},
		{"a long delimiter", "a::b\n1::2\n", "::", "[[a b] [1 2]]"},
		{"quotes", "\"a\",\"b \"\"x\"\"\"\n\"1,\n2\",3\n", ",", "[[a b \"x\"] [1,\n2 3]]"},
		{"an empty field at the end", "a,b\n\"1\",\n,\"2\"\n", ",", "[[a b] [1 ] [ 2]]"},
	} {
		got, err := ParseCSV(c.text, c.delimiter)
		if err != nil || fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, not %s (%v)", c.name, got, c.want, err)
		}
	}
}

func TestRowsByFormat(t *testing.T) {
	for _, c := range []struct {
		name, content string
		source        Source
		want          string // the rows, or a part of the error
	}{
		{"csv", "id,name\n1,Ada\n2,Bob\n", Source{Format: "csv", Delimiter: ",", Header: true}, "[[Ada 1] [Bob 2]]"},
		{"csv without a header", "1,Ada\n", Source{Format: "csv", Delimiter: ",", Columns: []string{"id", "name"}}, "[[Ada 1]]"},
		{"json", `[{"id": 1, "name": "Ada"}, {"name": null}]`, Source{Format: "json"}, "[[Ada 1] [<nil> {}]]"},
		{"jsonl", "{\"id\": 1, \"name\": \"Ada\"}\n\n", Source{Format: "jsonl"}, "[[Ada 1]]"},
		{"nothing", "id,name\n", Source{Format: "csv", Delimiter: ",", Header: true}, "rows.csv has no rows"},
		{"a column of another file", "id\n1\n", Source{Format: "csv", Delimiter: ",", Header: true}, "[[1]]"},
		{"a field is missing", "id,name\n1\n", Source{Format: "csv", Delimiter: ",", Header: true}, "row 1 has 1 fields, for 2"},
		{"no list", `{"id": 1}`, Source{Format: "json"}, "rows.csv must hold a list of objects"},
		{"no JSON", `[`, Source{Format: "json"}, "rows.csv is not JSON"},
		{"another file", "id,name\n1,2\n", Source{Format: "csv", SHA256: "00"}, "is not the file that the spec names"},
	} {
		path := filepath.Join(t.TempDir(), "rows")
		if err := os.WriteFile(path, []byte(c.content), 0o600); err != nil {
			t.Fatal(err)
		}
		c.source.File = "rows.csv"
		table, err := Read(os.ReadFile, path, c.source, []string{"name", "id"})
		got := fmt.Sprint(err)
		if err == nil {
			got = fmt.Sprint(table.Rows)
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, not %s", c.name, got, c.want)
		}
	}
}
