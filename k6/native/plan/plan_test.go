package plan

import (
	"testing"
	"time"
)

func TestTurns(t *testing.T) {
	even, odd := Turns{Seconds: 0.25, Place: 0}, Turns{Seconds: 0.25, Place: 1}
	for _, c := range []struct {
		at        int64 // ms since the epoch
		even, odd time.Duration
	}{
		{0, 0, 250 * time.Millisecond},
		{100, 0, 150 * time.Millisecond},
		{250, 250 * time.Millisecond, 0},
		{499, time.Millisecond, 0},
		{1_700_000_000_500, 0, 250 * time.Millisecond},
		{1_700_000_000_760, 240 * time.Millisecond, 0},
	} {
		at := time.UnixMilli(c.at)
		if got := even.Wait(at); got != c.even {
			t.Errorf("at %d ms the even side waits %v, not %v", c.at, got, c.even)
		}
		if got := odd.Wait(at); got != c.odd {
			t.Errorf("at %d ms the odd side waits %v, not %v", c.at, got, c.odd)
		}
	}
}
