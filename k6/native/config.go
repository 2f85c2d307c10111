package native

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/sirupsen/logrus"

	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/lib/executor"
)

// executorName is what a scenario's options say to be sent by this player.
const executorName = "benchfolio"

func init() {
	lib.RegisterExecutorConfigType(executorName, newConfig)
}

// config has the options of one of k6's executors; what its users do the script plans.
type config struct {
	lib.ExecutorConfig // k6's
	raw                json.RawMessage
}

// written is a config as the script's options have it.
type written struct {
	Executor string          `json:"executor"`
	K6       json.RawMessage `json:"k6"` // the options of k6's executor
}

func newConfig(name string, raw []byte) (lib.ExecutorConfig, error) {
	var options written
	if err := lib.StrictJSONUnmarshal(raw, &options); err != nil {
		return nil, err
	}
	if options.K6 == nil {
		return nil, errors.New("the executor benchfolio needs k6: run k6/native.js, which fills it in")
	}
	inner, err := innerConfig(name, options.K6)
	if err != nil {
		return nil, err
	}
	return &config{ExecutorConfig: inner, raw: raw}, nil
}

// innerConfig reads the options of one of k6's executors. k6's own registry cannot be asked while it asks us.
func innerConfig(name string, raw []byte) (lib.ExecutorConfig, error) {
	var kind struct{ Executor string }
	if err := json.Unmarshal(raw, &kind); err != nil {
		return nil, err
	}
	switch kind.Executor {
	case "constant-vus":
		c := executor.NewConstantVUsConfig(name)
		return c, lib.StrictJSONUnmarshal(raw, &c)
	case "ramping-vus":
		c := executor.NewRampingVUsConfig(name)
		return c, lib.StrictJSONUnmarshal(raw, &c)
	case "shared-iterations":
		c := executor.NewSharedIterationsConfig(name)
		return c, lib.StrictJSONUnmarshal(raw, &c)
	case "per-vu-iterations":
		c := executor.NewPerVUIterationsConfig(name)
		return c, lib.StrictJSONUnmarshal(raw, &c)
	case "constant-arrival-rate":
		c := executor.NewConstantArrivalRateConfig(name)
		return c, lib.StrictJSONUnmarshal(raw, c)
	case "ramping-arrival-rate":
		c := executor.NewRampingArrivalRateConfig(name)
		return c, lib.StrictJSONUnmarshal(raw, c)
	}
	return nil, fmt.Errorf("there is no executor %q for the native player", kind.Executor)
}

// MarshalJSON writes the options as they were: k6 does for its archives and its clouds.
func (c *config) MarshalJSON() ([]byte, error) { return c.raw, nil }

// GetExecutionRequirements has k6 make room for all users, and no JavaScript runtime for any.
func (c *config) GetExecutionRequirements(et *lib.ExecutionTuple) []lib.ExecutionStep {
	steps := c.ExecutorConfig.GetExecutionRequirements(et)
	for i := range steps {
		steps[i].MaxUnplannedVUs += steps[i].PlannedVUs
		steps[i].PlannedVUs = 0
	}
	return steps
}

// GetDescription says who plays.
func (c *config) GetDescription(et *lib.ExecutionTuple) string {
	return c.ExecutorConfig.GetDescription(et) + ", native player"
}

// NewExecutor prepares the load.
//
// It fails where a request cannot be sent, a file cannot be read, or k6 has options that this player does not know.
func (c *config) NewExecutor(state *lib.ExecutionState, logger *logrus.Entry) (lib.Executor, error) {
	inner, err := c.ExecutorConfig.NewExecutor(state, logger)
	if err != nil {
		return nil, err
	}
	load := current.Load()
	if load == nil {
		return nil, errors.New("benchfolio: no load was planned: run k6/native.js")
	}
	return newPlaying(c, load, inner, state)
}
