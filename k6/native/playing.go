package native

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sirupsen/logrus"

	"go.k6.io/k6/v2/errext"
	"go.k6.io/k6/v2/errext/exitcodes"
	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/lib/executor"
	"go.k6.io/k6/v2/metrics"

	"benchfolio.dev/native/plan"
	"benchfolio.dev/native/player"
	"benchfolio.dev/native/tally"
)

// playing is one of k6's executors with users of ours.
type playing struct {
	lib.Executor // k6's
	config       *config
	load         *plan.Load
	state        *lib.ExecutionState
	player       *player.Player
	samples      *samples
	schedule     *player.Schedule // of an arrival rate
	ramps        bool             // the arrival rate does
	waiting      atomic.Int64     // users that have not been made active yet
	seed         uint64

	mutex sync.Mutex
	users []*player.User
}

// last is what the last load of this process counted; k6 has one for its script's summary.
var last atomic.Pointer[tally.Recorder]

func newPlaying(c *config, from *planned, inner lib.Executor, state *lib.ExecutionState) (*playing, error) {
	load := &from.load
	options, err := optionsOf(state, load, from.read)
	if err == nil {
		var made *player.Player
		if made, err = player.New(load, options); err == nil {
			p := &playing{Executor: inner, config: c, load: load, state: state, player: made, seed: rand.Uint64()}
			p.samples = newSamples(state, load, made.Recorder())
			if p.samples.needDetail() {
				made.Detail()
			}
			last.Store(made.Recorder())
			return p, nil
		}
	}
	return nil, errext.WithExitCodeIfNone(fmt.Errorf("benchfolio: %w", err), exitcodes.InvalidConfig)
}

// GetConfig is k6's with a load in it.
func (p *playing) GetConfig() lib.ExecutorConfig { return p.config }

// Init makes the users that k6 will want at once, and is ready to make others.
func (p *playing) Init(ctx context.Context) error {
	if err := p.Executor.Init(ctx); err != nil {
		return err
	}
	planned := lib.GetMaxPlannedVUs(p.config.ExecutorConfig.GetExecutionRequirements(p.state.ExecutionTuple))
	p.waiting.Store(int64(planned))
	for range planned {
		p.state.AddInitializedVU(p.newVU())
	}
	p.state.SetInitVUFunc(func(context.Context, *logrus.Entry) (lib.InitializedVU, error) { return p.newVU(), nil })
	return p.makeSchedule()
}

func (p *playing) newVU() *vu {
	local, global := p.state.GetUniqueVUIdentifiers()
	user := p.player.NewUser(global, p.seed)
	p.mutex.Lock()
	p.users = append(p.users, user)
	p.mutex.Unlock()
	return &vu{user: user, id: local, counted: len(p.load.Rows) > 0, play: p}
}

// makeSchedule works out when the iterations of an arrival rate will be due.
func (p *playing) makeSchedule() error {
	var most int64
	switch c := p.config.ExecutorConfig.(type) {
	case *executor.ConstantArrivalRateConfig:
		most = c.MaxVUs.Int64
	case *executor.RampingArrivalRateConfig:
		most = c.MaxVUs.Int64
	default:
		return nil
	}
	tuple, err := p.state.ExecutionTuple.GetNewExecutionTupleFromValue(most)
	if err != nil {
		return err
	}
	start, steps, _ := tuple.GetStripedOffsets()
	users := int(p.state.ExecutionTuple.ScaleInt64(most))
	switch c := p.config.ExecutorConfig.(type) {
	case *executor.ConstantArrivalRateConfig:
		p.schedule = player.ConstantSchedule(
			users, c.Rate.Int64, c.TimeUnit.TimeDuration(), c.Duration.TimeDuration(), start, steps,
		)
	case *executor.RampingArrivalRateConfig:
		p.ramps = true
		stages := make([]player.Stage, len(c.Stages))
		for i, stage := range c.Stages {
			stages[i] = player.Stage{Duration: stage.Duration.TimeDuration(), Target: float64(stage.Target.Int64)}
		}
		p.schedule = player.RampingSchedule(users, float64(c.StartRate.Int64), c.TimeUnit.TimeDuration(), stages, start, steps)
	}
	p.player.Follow(p.schedule)
	return nil
}

// activated is called when a user is made active. k6 begins to count the time of a ramping rate when the last of those
// planned is.
func (p *playing) activated() {
	if p.waiting.Add(-1) == 0 && p.ramps {
		p.schedule.StartAt(time.Now())
	}
}

// Run plays the load.
func (p *playing) Run(ctx context.Context, out chan<- metrics.SampleContainer) error {
	histograms, err := openFile(p.state.Test.RuntimeOptions.Env, p.player.Recorder().Names())
	if err != nil {
		return errext.WithExitCodeIfNone(fmt.Errorf("benchfolio: %w", err), exitcodes.InvalidConfig)
	}
	p.samples.out = out
	ended, turned := make(chan struct{}), make(chan error, 1)
	go func() { turned <- p.turnSeconds(ended, histograms) }()
	go spareThreads(ended, p.load.Duration, p.state.GetFullIterationCount, p.schedule != nil)
	passed, drops := make(chan struct{}), make(chan metrics.SampleContainer)
	go func() {
		defer close(passed)
		for container := range drops {
			p.countDropped(container)
			out <- container
		}
	}()
	err = p.Executor.Run(ctx, drops)
	close(drops)
	<-passed
	p.player.End()
	close(ended)
	err = errors.Join(err, <-turned, histograms.end(p.player.Recorder()))
	p.samples.judge()
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, user := range p.users {
		user.Close()
	}
	return err
}

// countDropped sees what k6's executor says of itself: iterations that were due and had no user.
func (p *playing) countDropped(container metrics.SampleContainer) {
	for _, sample := range container.GetSamples() {
		if sample.Metric == p.state.Test.BuiltinMetrics.DroppedIterations {
			p.player.Drop(uint64(sample.Value))
		}
	}
}

// turnSeconds ends a second after the other, hands its numbers on, and does so once more when the load has ended.
func (p *playing) turnSeconds(ended <-chan struct{}, histograms *file) error {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	recorder := p.player.Recorder()
	for going := true; going; {
		select {
		case <-ticker.C:
		case <-ended:
			going = false
		}
		started := recorder.Started()
		if started.IsZero() {
			continue
		}
		users := p.state.GetCurrentlyActiveVUsCount()
		err := recorder.Turn(time.Now(), users, func(second *tally.Second) error {
			p.samples.push(second)
			return histograms.write(second, started.UnixMilli())
		})
		if err != nil {
			<-ended // the load goes on: what is lost is reported at its end
			return fmt.Errorf("benchfolio: %w", err)
		}
	}
	return nil
}

// openFile makes the file that HISTOGRAMS names; without that, there is none.
func openFile(environment map[string]string, names *tally.Names) (*file, error) {
	path := environment["HISTOGRAMS"]
	if path == "" {
		return nil, nil
	}
	to, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("HISTOGRAMS: %w", err)
	}
	return &file{tally.NewFile(to, names), to}, nil
}

// file is the one that a process leaves; nil: there is none.
type file struct {
	*tally.File
	to *os.File
}

func (f *file) write(second *tally.Second, startedMs int64) error {
	if f == nil {
		return nil
	}
	return f.Write(second, startedMs)
}

// end writes the sums of all seconds.
func (f *file) end(recorder *tally.Recorder) error {
	if f == nil {
		return nil
	}
	return errors.Join(f.WriteTotal(recorder.Total()), f.to.Close())
}
