package player

import (
	"time"

	"benchfolio.dev/native/tally"
	"benchfolio.dev/native/wire"
)

// lookout is how often a load without due times looks whether its users are late.
const lookout = 10 * time.Millisecond

// watchLateness measures how late users are of a load where they themselves decide when they send: nothing is due there,
// so a clock is that rings each 10 ms. What keeps it waiting, for the CPU or behind the users, keeps them waiting as well
// (Tene's jHiccup measures so). It returns when the load has ended.
func (p *Player) watchLateness(ended <-chan struct{}) {
	clock := time.NewTimer(lookout)
	defer clock.Stop()
	due := wire.Now() + int64(lookout)
	for {
		select {
		case <-ended:
			return
		case <-clock.C:
		}
		now := wire.Now()
		key := tally.Key{Phase: p.phaseAt(due), Request: tally.None}
		p.count(key, func(cell *tally.Cell) { cell.Time(tally.Lateness, now-due) })
		due = wire.Now() + int64(lookout)
		clock.Reset(lookout)
	}
}
