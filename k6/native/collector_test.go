package native

import "testing"

func TestGarbageIsCollectedSeldomAndInBounds(t *testing.T) {
	for _, one := range []struct {
		live  uint64
		usual int
		want  int
	}{
		{8 << 20, 400, 1600},
		{32 << 20, 400, 400},
		{1 << 30, 400, 400}, // no more than without us
		{8 << 20, -1, -1},   // it is off
		{0, 400, 400},       // not known yet
	} {
		if got := percentFor(one.live, one.usual); got != one.want {
			t.Errorf("%d bytes in use, GOGC %d: %d %%, want %d", one.live, one.usual, got, one.want)
		}
	}
}
