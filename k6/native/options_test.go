package native

import (
	"strings"
	"testing"

	"gopkg.in/guregu/null.v3"

	"go.k6.io/k6/v2/lib"
)

func TestOutputsAreSeen(t *testing.T) {
	none := func(string) string { return "" }
	for _, c := range []struct {
		arguments string
		k6Out     string
		want      bool
	}{
		{"run k6/native.js", "", false}, {"run --out json=x k6/native.js", "", true}, {"run -o json k6/native.js", "", true},
		{"run -ojson=x k6/native.js", "", true}, {"run -qo json k6/native.js", "", true}, {"run -q k6/native.js", "", false},
		{"run --output-nothing k6/native.js", "", false}, {"run --out=json k6/native.js", "", true}, {"run k6/native.js", "json", true},
		{"run -e OUT=--out k6/native.js", "", false},
	} {
		environment := none
		if c.k6Out != "" {
			environment = func(name string) string { return map[string]string{"K6_OUT": c.k6Out}[name] }
		}
		if got := wantsOutput(strings.Fields(c.arguments), environment); got != c.want {
			t.Errorf("%s, K6_OUT=%s: %v", c.arguments, c.k6Out, got)
		}
	}
}

func TestUnknownOptionsAreRefused(t *testing.T) {
	if err := refuseUnknown(lib.Options{}); err != nil {
		t.Error(err)
	}
	err := refuseUnknown(lib.Options{RPS: null.IntFrom(5)})
	if err == nil || !strings.Contains(err.Error(), "option rps: drop it, or run k6/main.js") {
		t.Error(err)
	}
}

func TestConfigsOfEveryExecutor(t *testing.T) {
	et, err := lib.NewExecutionTuple(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for k6, users := range map[string]uint64{
		`{"executor":"constant-vus","vus":3,"duration":"5s"}`:                                                        3,
		`{"executor":"ramping-vus","startVUs":1,"stages":[{"duration":"5s","target":4}]}`:                            4,
		`{"executor":"shared-iterations","vus":2,"iterations":5}`:                                                    2,
		`{"executor":"per-vu-iterations","vus":2,"iterations":5}`:                                                    2,
		`{"executor":"constant-arrival-rate","rate":5,"duration":"5s","preAllocatedVUs":2,"maxVUs":6}`:               6,
		`{"executor":"ramping-arrival-rate","stages":[{"duration":"5s","target":4}],"preAllocatedVUs":2,"maxVUs":7}`: 7,
	} {
		c, err := newConfig("s", []byte(`{"executor":"benchfolio","k6":`+k6+`}`))
		if err != nil {
			t.Errorf("%s: %v", k6, err)
			continue
		}
		if problems := c.Validate(); len(problems) > 0 {
			t.Errorf("%s: %v", k6, problems)
		}
		steps := c.GetExecutionRequirements(et)
		if lib.GetMaxPlannedVUs(steps) != 0 || lib.GetMaxPossibleVUs(steps) != users {
			t.Errorf("%s: room for %d, and %d runtimes", k6, lib.GetMaxPossibleVUs(steps), lib.GetMaxPlannedVUs(steps))
		}
	}
	for _, text := range []string{`{"executor":"benchfolio"}`, `{"executor":"benchfolio","k6":{"executor":"x"}}`, `{"executor":"benchfolio","k6":{"executor":"constant-vus","rate":1}}`} {
		if _, err := newConfig("s", []byte(text)); err == nil {
			t.Errorf("%s was accepted", text)
		}
	}
}

func TestHTTP2IsRefusedInTheWordsOfK6(t *testing.T) {
	for settings, refused := range map[string]bool{"": false, "http2client=0": true, "gctrace=1,http2client=0": true, "http2client=1": false} {
		lookup := func(name string) (string, bool) { return settings, name == "GODEBUG" }
		if refusesHTTP2(lookup) != refused {
			t.Errorf("GODEBUG=%s: %v", settings, !refused)
		}
	}
}
