package native

import (
	"math"
	"testing"

	"go.k6.io/k6/v2/lib/types"

	"benchfolio.dev/native/vectors"
)

// k6 reads the durations of its options itself. src/suite/cases/durations.ts, which reads those of a spec, is held to the same table.
func TestDurationsAreReadAsInASpec(t *testing.T) {
	for _, v := range vectors.Read[[]struct {
		Text    string
		Seconds *float64 // nil: it is none
		K6      *float64 // where k6 reads what a spec must not have
	}](t, "durations") {
		read, err := types.GetDurationValue(v.Text)
		want := v.Seconds
		if want == nil {
			want = v.K6
		}
		switch {
		case want == nil && err == nil:
			t.Errorf("%q is %v to k6, and none in a spec", v.Text, read)
		case want != nil && err != nil:
			t.Errorf("%q is none to k6: %v", v.Text, err)
		case want != nil && math.Abs(read.Seconds()-*want) > 1e-12:
			t.Errorf("%q is %v to k6, and %g s in a spec", v.Text, read, *want)
		}
	}
}
