package player

import (
	"benchfolio.dev/native/tally"
	"benchfolio.dev/native/wire"
)

// enterPhase tells the parts of a load apart: an iteration belongs to the phase that it begins in. What begins near a
// fault is of the phase of that fault.
func (u *User) enterPhase(now int64) {
	p := u.player
	u.phase, u.fault = p.phaseAt(now), 0
	if u.phase == tally.Cooldown {
		u.count(func(cell *tally.Cell) { cell.Count(tally.BegunAfter, 1) })
	}
	if fault := u.faultAt(now); fault > 0 {
		u.phase, u.fault = tally.Fault, fault
	}
}

// faultAt is the fault that is near, from 1.
func (u *User) faultAt(now int64) int {
	faults := u.player.load.Faults
	if len(faults) == 0 {
		return 0
	}
	at := float64(now-u.player.beganAt) / 1e9
	for u.nextFault < len(faults) && faults[u.nextFault].To != nil && at >= *faults[u.nextFault].To {
		u.nextFault++
	}
	if u.nextFault < len(faults) && at >= faults[u.nextFault].From {
		return u.nextFault + 1
	}
	return 0
}

// meetFault is called between two requests: an iteration that began before a fault and meets it is of that fault's
// phase from there on.
func (u *User) meetFault() {
	if u.fault > 0 {
		return
	}
	fault := u.faultAt(wire.Now())
	if fault == 0 {
		return
	}
	u.count(func(cell *tally.Cell) { cell.Count(tally.Moved, 1) })
	u.phase, u.fault = tally.Fault, fault
}

// failedNearFault notes when a request near a fault failed.
func (u *User) failedNearFault() {
	if u.fault == 0 {
		return
	}
	p := u.player
	ended := p.load.Faults[u.fault-1].End
	p.recorder.FaultError(u.fault, float64(wire.Now()-p.beganAt)/1e6-ended*1e3)
}

// key is that of what an iteration counts as a whole.
func (u *User) key() tally.Key {
	return tally.Key{
		Phase: u.phase, Fault: int16(u.fault), Side: tally.None, Request: tally.None, Group: tally.None, User: tally.None,
	}
}

func (u *User) count(add func(*tally.Cell)) { u.countAs(u.key(), add) }

func (u *User) countAs(key tally.Key, add func(*tally.Cell)) {
	u.shard.Lock()
	add(u.shard.Cell(key))
	u.shard.Unlock()
}

// countRequest adds to what is counted of a request by its name.
func (u *User) countRequest(r *request, unexpected bool, add func(*tally.Cell)) {
	of := u.key()
	of.Side = u.side
	if of != u.cellsOf {
		clear(u.cells)
		u.cellsOf = of
	}
	place := 2 * int(r.index)
	if unexpected {
		place++
	}
	u.shard.Lock()
	if u.cells[place] == nil {
		of.Request, of.Unexpected = r.index, unexpected
		u.cells[place] = u.shard.Cell(of)
	}
	add(u.cells[place])
	u.shard.Unlock()
}

// Drop counts iterations that were due and had no user.
func (p *Player) Drop(n uint64) {
	dropped := n
	if p.schedule != nil {
		dropped = 0
		for range n {
			if due, ofLoad := p.schedule.take(p.beganAt); ofLoad {
				p.backlog.drop(due)
				dropped++
			}
		}
	}
	p.count(tally.Key{Phase: p.phaseAt(wire.Now()), Request: tally.None}, func(cell *tally.Cell) {
		cell.Count(tally.Dropped, dropped)
	})
}

// waited counts the first request of an iteration from when that was due, in the phase it was due in. The backlog calls
// it, one iteration after the other.
func (p *Player) waited(wait int64, by begun, due int64) {
	phase := p.phaseAt(due)
	shard := p.recorder.Shard(0)
	shard.Lock()
	cell := &p.waitedIn[int(by.index)*phases+int(phase)]
	if *cell == nil {
		*cell = shard.Cell(tally.Key{
			Phase: phase, Request: by.index, Side: tally.None, Group: tally.None, User: tally.None,
		})
	}
	(*cell).Time(tally.Intended, wait+by.request)
	shard.Unlock()
}

// phases is how many there are.
const phases = 4

func (p *Player) count(key tally.Key, add func(*tally.Cell)) {
	key.Side, key.Group, key.User = tally.None, tally.None, tally.None
	shard := p.recorder.Shard(0)
	shard.Lock()
	add(shard.Cell(key))
	shard.Unlock()
}

// phaseAt is the phase of a time, faults aside.
func (p *Player) phaseAt(now int64) tally.Phase {
	switch {
	case p.cool > 0 && now >= p.cool:
		return tally.Cooldown
	case now >= p.steady:
		return tally.Steady
	}
	return tally.Warmup
}
