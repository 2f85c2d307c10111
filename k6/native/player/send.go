package player

import (
	"errors"
	"fmt"

	"benchfolio.dev/native/client"
	"benchfolio.dev/native/tally"
	"benchfolio.dev/native/template"
)

// send sends a request and looks at its answer. It returns false if the iteration ends here.
func (u *User) send(r *request) (goOn bool) {
	u.beginLook(r)
	err := u.fetch(r)
	if u.cancelled {
		return false
	}
	var away *client.Elsewhere
	if errors.As(err, &away) { // it was answered, and not by what is measured
		u.sawResponse()
		u.fail(r, tally.FailedExpectations, away.Error)
		return u.afterError(r)
	}
	if err != nil {
		u.sawNothing()
		u.fail(r, tally.NetworkErrors, err.Error)
		return u.afterError(r)
	}
	u.sawResponse()
	u.endLook(r)
	if status := u.client.Response.Status; !isExpected(status, r.statuses) {
		u.fail(r, tally.StatusErrors, func() string { return fmt.Sprintf("status %d", status) })
		return u.afterError(r)
	}
	if r.expects != nil || r.captures != nil {
		return u.examine(r)
	}
	return u.think(r)
}

// examine compares the answer with what is expected, and takes out of it what is captured.
func (u *User) examine(r *request) (goOn bool) {
	defer func() {
		caught := recover()
		if caught == nil {
			return
		}
		problem, ours := caught.(exception)
		if !ours {
			panic(caught)
		}
		u.count(func(cell *tally.Cell) { cell.Count(tally.Exceptions, 1) })
		u.player.tell(u.speaker(), "an iteration threw", problem.Error())
		goOn = false
	}()
	a := answer{headers: u.client.Response.Header, cookies: u.client.Cookie}
	if r.options.KeepBody {
		body, err := u.client.Body()
		if err != nil {
			u.fail(r, tally.NetworkErrors, err.Error)
			return u.afterError(r)
		}
		a.body = body
	}
	problem := ""
	for i := 0; problem == "" && i < len(r.expects); i++ {
		problem = r.expects[i].check(&a, &u.values)
	}
	missing := ""
	for _, c := range r.captures {
		value := c.find(&a)
		if template.IsNullish(value) {
			missing = c.name
			break
		}
		u.values.Captured[c.index] = value
	}
	if problem != "" || missing != "" {
		if problem == "" {
			problem = "there is no " + missing + " to capture"
		}
		u.fail(r, tally.FailedExpectations, func() string { return problem })
		if missing != "" || r.onError {
			return u.abandon()
		}
	}
	return u.think(r)
}

// fail counts an error of a request, and says why of the first: a server that is overloaded fails many.
func (u *User) fail(r *request, what tally.Counter, why func() string) {
	u.countRequest(r, true, func(cell *tally.Cell) { cell.Count(what, 1) })
	if !r.reported.Load() && r.reported.CompareAndSwap(false, true) {
		u.player.tell(u.speaker(), r.name, why())
	}
	u.failedNearFault()
}

// afterError ends the iteration, or goes on with it.
func (u *User) afterError(r *request) bool {
	if r.abandons {
		return u.abandon()
	}
	return u.think(r)
}

func (u *User) abandon() bool {
	u.count(func(cell *tally.Cell) { cell.Count(tally.Abandoned, 1) })
	return false
}

func (u *User) think(r *request) bool {
	if r.think != nil {
		u.pause(u.pauseOf(r.think.Mean, r.think.Deviation, r.think.Distribution))
	}
	return !u.cancelled
}

// leastReceiving is how long a response must take to tell a rate: what came faster came in a few packets.
const leastReceiving = 50e6

// sawResponse counts for one user what it received and how long that took.
func (u *User) sawResponse() {
	if !u.player.load.PerUser {
		return
	}
	response := &u.client.Response
	took := response.Done - response.FirstByte
	size, known := response.Size()
	u.countAs(u.userKey(), func(cell *tally.Cell) {
		cell.Count(tally.UserRequests, 1)
		if took >= leastReceiving && known {
			cell.Count(tally.UserBytes, size)
			cell.Count(tally.UserNanoseconds, uint64(took))
		}
	})
	if took >= leastReceiving && !known {
		u.player.note(u.speaker(), "a rate", "a response has neither Content-Length nor a body that is read: its size is unknown")
	}
}

func (u *User) sawNothing() {
	if u.player.load.PerUser {
		u.countAs(u.userKey(), func(cell *tally.Cell) { cell.Count(tally.UserRequests, 1) })
	}
}

func (u *User) userKey() tally.Key {
	key := u.key()
	key.Side, key.User = u.side, int32(u.id)
	return key
}

// speaker is how lines of the log begin: in a duet, with the side whose turn it is.
func (u *User) speaker() string {
	if u.side < 0 {
		return "benchfolio"
	}
	return "benchfolio[" + u.player.recorder.Names().Sides[u.side] + "]"
}
