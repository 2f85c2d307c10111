package native

import (
	"context"
	"sync"
	"time"

	"go.k6.io/k6/v2/lib"

	"benchfolio.dev/native/player"
)

// vu is a user in the form that k6's executors know: they make it active, have it run iterations, and let it go.
type vu struct {
	user *player.User
	id   uint64
	// counted: iterations need their number in the whole test
	counted bool
	play    *playing
}

// GetID is the number of the user in this process.
func (v *vu) GetID() uint64 { return v.id }

// Activate has the user work until the run context is done.
func (v *vu) Activate(params *lib.VUActivationParams) lib.ActiveVU {
	began := time.Now()
	if scenario := lib.GetScenarioState(params.RunContext); scenario != nil {
		began = scenario.StartTime
	}
	v.play.activated()
	active := &activeVU{vu: v, params: params, began: began}
	v.user.Enter(params.RunContext)
	context.AfterFunc(params.RunContext, func() {
		if !active.busy.TryLock() {
			v.user.Stop()
			active.busy.Lock()
		}
		active.over = true
		active.busy.Unlock()
		if params.DeactivateCallback != nil {
			params.DeactivateCallback(v)
		}
	})
	return active
}

// activeVU is a user that works.
type activeVU struct {
	*vu
	params *lib.VUActivationParams
	began  time.Time
	busy   sync.Mutex // held while an iteration is under way
	over   bool       // there are none to come
}

// RunOnce runs one iteration.
func (a *activeVU) RunOnce() error {
	a.busy.Lock()
	defer a.busy.Unlock()
	if a.over {
		return lib.ContextErr(a.params.RunContext)
	}
	if !a.takeTurn() {
		return lib.ContextErr(a.params.RunContext)
	}
	number := uint64(0)
	if a.counted {
		_, number = a.params.GetNextIterationCounters()
	}
	if !a.user.Play(a.began, number) {
		return lib.ContextErr(a.params.RunContext)
	}
	return nil
}

// takeTurn waits until it is the turn of this side, where two sides take turns. It returns false where the load ends first.
func (a *activeVU) takeTurn() bool {
	turns := a.play.load.Turns
	if turns == nil {
		return true
	}
	wait := turns.Wait(time.Now())
	if wait == 0 {
		return true
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-a.params.RunContext.Done():
		return false
	}
}
