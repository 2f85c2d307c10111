package player

import (
	"encoding/json"
	"maps"
	"os"
	"testing"
)

// The JavaScript player's are held to the same vectors by test/k6/answer-fields.test.js.
func TestFieldsOf(t *testing.T) {
	text, err := os.ReadFile("../../../test/fixtures/rules/answer-fields.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct {
		Body   string            `json:"body"`
		Fields map[string]string `json:"fields"`
	}
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	for _, vector := range vectors {
		got := fieldsOf([]byte(vector.Body))
		if (got == nil) != (vector.Fields == nil) || !maps.Equal(got, vector.Fields) {
			t.Errorf("%.60s: %v, not %v", vector.Body, got, vector.Fields)
		}
	}
}
