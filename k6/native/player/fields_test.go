package player

import (
	"maps"
	"testing"

	"benchfolio.dev/native/vectors"
)

func TestFieldsOf(t *testing.T) {
	for _, v := range vectors.Read[[]struct {
		Body   string
		Fields map[string]string
	}](t, "answer-fields") {
		got := fieldsOf([]byte(v.Body))
		if (got == nil) != (v.Fields == nil) || !maps.Equal(got, v.Fields) {
			t.Errorf("%.60s: %v, not %v", v.Body, got, v.Fields)
		}
	}
}
