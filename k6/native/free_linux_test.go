package native

import (
	"testing"
	"time"
)

const stat = `cpu  2202715 2130 423043 1577694 3846 0 68760 12699 0 0
cpu0 1101270 1050 209654 200 10 0 33481 6326 0 0
cpu1 1101444 1080 213389 3000 50 0 35278 6373 0 0
cpu12 1 0 1 40000 0 0 0 0 0 0
intr 118271886 0 0
`

func TestFreeTime(t *testing.T) {
	for _, c := range []struct {
		title  string
		stat   string
		counts func(core int) bool
		want   time.Duration
	}{
		{"all cores", stat, func(int) bool { return true }, 432600 * time.Millisecond},
		{"one of them", stat, func(core int) bool { return core == 1 }, 30500 * time.Millisecond},
		{"none of them", stat, func(core int) bool { return core == 7 }, unknown},
		{"nothing said", "", func(int) bool { return true }, unknown},
	} {
		if got := freeIn([]byte(c.stat), c.counts); got != c.want {
			t.Errorf("%s: %v, want %v", c.title, got, c.want)
		}
	}
	if freeTime() <= 0 {
		t.Error("no free time since this machine began")
	}
}
