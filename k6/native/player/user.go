package player

import (
	"context"
	"math"
	"math/rand/v2"
	"time"

	"benchfolio.dev/native/client"
	"benchfolio.dev/native/random"
	"benchfolio.dev/native/tally"
	"benchfolio.dev/native/template"
	"benchfolio.dev/native/wire"
)

// User goes through iterations, one after the other. It has a client and captured values of its own.
//
// Its goroutine needs a stack of 4 kB as long as no chain of calls takes more than 3,100 bytes of it, and else one of 8 kB
// for as long as it lives; with 50,000 users that is 200 MB. The longest chain is the one that connects. So what is large stands
// here, or in functions that have returned before that.
type User struct {
	player *Player
	id     uint64 // in the whole test, from 1
	shard  *tally.Shard
	random rand.PCG
	values template.Values
	// captured are values by side; in a duet each keeps its own.
	captured  [2][]template.Value
	loggedIn  [2]bool          // what is sent once has been
	row       []template.Value // memory of those of several files
	drawing   random.Source
	iteration uint64 // its own, from 1

	ctx     context.Context
	client  *client.Client
	sending *request          // the one that it is at
	jars    [2]client.Cookies // of the sides of a duet

	// of the iteration under way
	phase     tally.Phase
	fault     int // from 1; 0: none
	nextFault int
	side      int8
	late      int64  // by how much it began after it was due, and
	ticket    uint64 // its place in the backlog, at an arrival rate
	firstTook int64  // the iteration's first request; -1: none was sent yet
	firstName int16
	paused    int64

	// the cells that requests are counted in, while phase, fault and side stay
	cells     []*tally.Cell
	cellsOf   tally.Key
	url       []byte         // memory of the requests
	filled    client.Request // that differ each time
	cancelled bool

	// of the sampled answer; nil: none is
	looking    *looks
	reading    bool // its body is read,
	structured bool // and its structure described
}

// NewUser makes a user. The same seed draws the same requests, rows and pauses.
func (p *Player) NewUser(id, seed uint64) *User {
	u := &User{player: p, id: id, shard: p.recorder.Shard(id), side: tally.None}
	u.client = client.New(&p.dialer, id, u.countHop)
	u.random.Seed(seed, id)
	for side := range p.sides {
		u.captured[side] = make([]template.Value, p.captures)
	}
	u.cells = make([]*tally.Cell, 2*len(p.sides[0]))
	return u
}

// Enter says until when the user may work.
func (u *User) Enter(ctx context.Context) {
	u.ctx = ctx
	u.client.Enter(ctx)
}

// Stop ends what is under way. It is called when the context that the user entered with is done, and an iteration is not.
func (u *User) Stop() { u.client.Stop() }

// Close ends the user's connections.
func (u *User) Close() { u.client.Close() }

// Play goes through one iteration; began is when the load did, number the iteration's in the whole test, from 0.
//
// It returns false if the user was stopped meanwhile: then the iteration is not counted. One that is due when the load
// has ended sends nothing.
func (u *User) Play(began time.Time, number uint64) bool {
	if u.ctx.Err() != nil {
		return false
	}
	p := u.player
	p.start(began)
	start := wire.Now()
	if p.schedule != nil {
		due, ofLoad := p.schedule.take(p.beganAt)
		if !ofLoad {
			return true
		}
		u.late, u.firstTook = max(start-due, 0), -1
		u.ticket = p.backlog.begin(due, u.late)
	}
	u.cancelled, u.paused = false, 0
	u.enterPhase(start)
	u.takeRow(number)
	u.iteration++
	u.playSides()
	if p.options.ConnectionPerIteration {
		u.Close()
	}
	u.client.Rest()
	took := wire.Now() - start
	complete := !u.cancelled && u.ctx.Err() == nil
	u.finish(complete, took)
	if p.schedule != nil {
		p.backlog.end(u.ticket, took, u.firstTook, u.firstName, complete && u.firstTook >= 0)
	}
	return complete
}

// finish counts an iteration; of one that was cut off, only what went over the wire.
func (u *User) finish(complete bool, took int64) {
	sent, received := u.client.Sent, u.client.Received
	u.client.Sent, u.client.Received = 0, 0
	u.count(func(cell *tally.Cell) {
		cell.Count(tally.SentBytes, sent)
		cell.Count(tally.ReceivedBytes, received)
		if u.player.schedule != nil {
			cell.Time(tally.Lateness, u.late)
		}
		if complete {
			cell.Count(tally.Iterations, 1)
			cell.Time(tally.IterationDuration, took)
		}
	})
	if complete && u.player.load.Duration == nil {
		u.player.recorder.End(time.Now())
	}
}

// playSides plays the iteration to each side of a duet, in random order, and what is drawn at random is the same for
// both: which request, which row, how long a pause.
func (u *User) playSides() {
	p := u.player
	if len(p.sides) == 1 {
		u.playOnce(0)
		return
	}
	first := 0
	if u.float() >= 0.5 {
		first = 1
	}
	draws, row := u.random, u.values.Row
	for i, side := range []int{first, 1 - first} {
		if i == 1 {
			u.random, u.values.Row = draws, row
		}
		u.side = int8(side)
		u.client.Jar = u.jars[side] // cookies are of a host whatever its port: each side has its own
		u.playOnce(side)
		u.jars[side] = u.client.Jar
	}
	u.side = tally.None
}

func (u *User) playOnce(side int) {
	p := u.player
	if !p.options.KeepCookies {
		u.client.Jar.Clear()
	}
	u.values.Captured = u.captured[side]
	if p.draws {
		u.drawing = random.Begin(p.load.Seed, u.id, u.iteration)
	}
	requests := p.sides[side]
	if p.onces > 0 && !u.loggedIn[side] {
		if !u.sendInOrder(requests[:p.onces]) {
			return
		}
		u.loggedIn[side] = true
		u.meetFault()
	}
	if p.weighted {
		u.send(u.drawn(requests[p.onces:]))
		return
	}
	u.sendInOrder(requests[p.onces:])
}

// sendInOrder sends requests one after the other, neighbours of a group together. It returns false if the iteration ends.
func (u *User) sendInOrder(requests []*request) bool {
	for i := 0; i < len(requests); {
		end := i + 1
		for end < len(requests) && requests[i].group >= 0 && requests[end].group == requests[i].group {
			end++
		}
		if !u.sendTogether(requests[i:end], i == 0) {
			return false
		}
		i = end
	}
	return true
}

// sendTogether sends requests one after the other; those of a group are timed as one, the pauses between them aside.
func (u *User) sendTogether(requests []*request, first bool) bool {
	began, paused := int64(0), u.paused
	group := requests[0].group
	if group >= 0 {
		began = wire.Now()
	}
	for i, r := range requests {
		if i > 0 || !first {
			u.meetFault()
		}
		if !u.send(r) {
			return false
		}
	}
	if group >= 0 {
		took := wire.Now() - began - (u.paused - paused)
		key := u.key()
		key.Group, key.Side = group, u.side
		u.countAs(key, func(cell *tally.Cell) { cell.Time(tally.GroupDuration, took) })
	}
	return true
}

// drawn is one of the requests, by their weights.
func (u *User) drawn(requests []*request) *request {
	point := u.float() * u.player.total
	for _, r := range requests {
		if point < r.weight {
			return r
		}
		point -= r.weight
	}
	return requests[len(requests)-1]
}

func (u *User) float() float64 { return float64(u.random.Uint64()>>11) / (1 << 53) }

// takeRow finds the row of an iteration.
func (u *User) takeRow(number uint64) {
	p := u.player
	if len(p.rows) == 0 {
		return
	}
	if len(p.rows) == 1 {
		u.values.Row = u.rowOf(0, number)
		return
	}
	u.row = u.row[:0]
	for i := range p.rows {
		u.row = append(u.row, u.rowOf(i, number)...)
	}
	u.values.Row = u.row
}

// rowOf is the row of one file.
func (u *User) rowOf(file int, number uint64) []template.Value {
	p := u.player
	all := p.rows[file].Rows
	count := uint64(len(all))
	switch p.load.Rows[file].Order {
	case "random":
		return all[u.random.Uint64()%count]
	case "user":
		return all[(u.id-1)%count]
	}
	first := uint64(p.load.RowsFrom * float64(count)) // of the rows that are shared
	return all[(first+number)%count]
}

// pause waits; it is not part of what a group takes.
func (u *User) pause(seconds float64) {
	if seconds <= 0 {
		return
	}
	u.client.Rest()
	began := wire.Now()
	timer := time.NewTimer(time.Duration(seconds * 1e9))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-u.ctx.Done():
		u.cancelled = true
	}
	u.paused += wire.Now() - began
}

// pauseOf draws how long a pause is: uniform, between mean - deviation and mean + deviation; normal, with deviation as
// its standard deviation. Never below 0.
func (u *User) pauseOf(mean, deviation float64, distribution string) float64 {
	switch {
	case deviation == 0:
		return mean
	case distribution == "uniform":
		return max(0, mean+deviation*(2*u.float()-1))
	}
	for {
		radius := math.Sqrt(-2 * math.Log(1-u.float())) // Box and Muller 1958; 1 - random: never the logarithm of 0
		if value := mean + deviation*radius*math.Cos(2*math.Pi*u.float()); value >= 0 {
			return value
		}
	}
}
