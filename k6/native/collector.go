package native

import (
	"runtime/debug"
	"runtime/metrics"
)

// mostGarbage is how many bytes of it may lie about. A collection takes ten milliseconds, and on one thread requests
// wait for it: a load with little memory in use would have one every few seconds.
const mostGarbage = 128 << 20

// collector has garbage collected when there is that much, or as much as the environment (GOGC) allows, which may be more.
type collector struct {
	usual, now int // percent of what is in use
	live       []metrics.Sample
}

func (c *collector) begin() {
	c.live = []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	c.usual = debug.SetGCPercent(-1) // there is no other way to ask
	debug.SetGCPercent(c.usual)
	c.now = c.usual
	c.look()
}

// look follows what is in use, as the last collection found it.
func (c *collector) look() {
	metrics.Read(c.live)
	if percent := percentFor(c.live[0].Value.Uint64(), c.usual); percent != c.now {
		debug.SetGCPercent(percent)
		c.now = percent
	}
}

func (c *collector) end() { debug.SetGCPercent(c.usual) }

// percentFor is at what garbage, in percent of the bytes in use, a collection is due; a negative one is never.
func percentFor(live uint64, usual int) int {
	if usual < 0 || live == 0 {
		return usual
	}
	return max(usual, int(100*mostGarbage/live))
}
