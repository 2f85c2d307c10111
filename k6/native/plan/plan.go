// Package plan reads what k6/plan makes of a resolved case: the load that both players play.
package plan

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"benchfolio.dev/native/random"
	"benchfolio.dev/native/rows"
)

// Load is what a user does. Texts may hold placeholders for rows, captured values, the environment and, by number, what is
// drawn.
type Load struct {
	Scenario  string   `json:"scenario"`
	BaseURL   string   `json:"baseUrl"` // without a slash at its end
	Hosts     []string `json:"hosts"`   // origins besides those of the addresses where requests may go
	HeadURL   *string  `json:"headUrl"` // of a duet's other side
	HeadHosts []string `json:"headHosts"`
	// Ready is what steps between ready and load captured, by name; HeadReady at the other side.
	Ready     map[string]json.RawMessage `json:"ready"`
	HeadReady map[string]json.RawMessage `json:"headReady"`
	Folder    string                     `json:"folder"` // the spec's
	Window    Window                     `json:"window"`
	Duration  *float64                   `json:"duration_s"` // null: until the iterations are done
	Order     string                     `json:"order"`      // sequence or weighted
	Requests  []Request                  `json:"requests"`
	Rows      []rows.Source              `json:"rows"`
	Seed      [2]uint32                  `json:"seed"`     // of random values
	RowsFrom  float64                    `json:"rowsFrom"` // where this process begins in shared rows, as a share of them
	Faults    []Fault                    `json:"faults"`
	Groups    []string                   `json:"groups"`
	PerUser   bool                       `json:"per_user"`
	Answers   *Answers                   `json:"answers"` // to be sampled; null: none
	Turns     *Turns                     `json:"turns"`   // of two sides; null: users send all the time
}

// Turns are of two sides, each with a process of its own, by the clock of the machine: Place 0 has the even ones.
type Turns struct {
	Seconds float64 `json:"turn_s"`
	Place   int64   `json:"place"`
}

// Wait is how long it takes from a time until it is this side's turn; 0: it is.
func (t Turns) Wait(now time.Time) time.Duration {
	turn := int64(t.Seconds * float64(time.Second))
	since := now.UnixNano()
	if since/turn%2 == t.Place {
		return 0
	}
	return time.Duration(turn - since%turn)
}

// Answers say how many are sampled of each request: Users each sample Each, and describe the structure of the first Fields.
type Answers struct {
	Users  int64 `json:"users"`
	Each   int64 `json:"each"`
	Fields int64 `json:"fields"`
}

// Window is the part of a load that is measured, in seconds from its start.
type Window struct {
	From float64  `json:"from_s"`
	To   *float64 `json:"to_s"` // null: until the iterations are done
}

// Fault says when a fault is near, and when it ends: seconds from the start of the load.
type Fault struct {
	From float64  `json:"from_s"`
	End  float64  `json:"end_s"`
	To   *float64 `json:"to_s"` // null: to the end
}

// Request is one of those that an iteration sends.
type Request struct {
	Name    string            `json:"name"`
	Method  string            `json:"method"`
	URL     string            `json:"url"` // absolute, or a path to put behind the base URL
	Weight  *float64          `json:"weight"`
	Group   *string           `json:"group"`
	Headers map[string]string `json:"headers"`
	Body    *Body             `json:"body"`
	Params  Params            `json:"params"`
	// Redirects is how many are followed.
	Redirects int     `json:"redirects"`
	Statuses  []int   `json:"statuses"` // expected; null: 200 to 399
	Accepted  []int   `json:"accepted"` // also of redirects on the way; null: 200 to 399
	Expect    *Expect `json:"expect"`
	OnError   string  `json:"on_error"` // continue or abandon
	Capture   Ordered `json:"capture"`
	Think     *Think  `json:"think"`
	// Draws are random values, drawn before each time that it is sent.
	Draws []random.Draw `json:"draws"`
	// Once is sent in a user's first iteration, before the others.
	Once bool `json:"once"`
}

// Body is one of its fields: JSON and forms are written out, with placeholders; a file is a path; bytes are so many.
type Body struct {
	Text  *string `json:"text"`
	JSON  *string `json:"json"`
	Form  *string `json:"form"`
	File  *string `json:"file"`
	Bytes *int64  `json:"bytes"`
}

// Params are k6's, where they differ from its defaults.
type Params struct {
	Timeout      string `json:"timeout"`
	ResponseType string `json:"responseType"`
}

// Expect is what is expected of a response, its status aside.
type Expect struct {
	Headers Ordered         `json:"headers"` // a text, or { matches }
	Body    json.RawMessage `json:"body"`    // a text, { matches }, or null
	JSON    Ordered         `json:"json"`    // by path
}

// Think is a pause, in seconds.
type Think struct {
	Mean         float64 `json:"mean"`
	Deviation    float64 `json:"deviation"`
	Distribution string  `json:"distribution"` // uniform or normal
}

// Member is one of an object's.
type Member struct {
	Name  string
	Value json.RawMessage
}

// Ordered is an object that keeps the order of its members: what comes first is read first.
type Ordered []Member

// UnmarshalJSON reads an object, or null.
func (o *Ordered) UnmarshalJSON(text []byte) error {
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	start, err := decoder.Token()
	if err != nil || start == nil {
		return err
	}
	if start != json.Delim('{') {
		return fmt.Errorf("%.40s is not an object", text)
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return err
		}
		member := Member{Name: name.(string)}
		if err := decoder.Decode(&member.Value); err != nil {
			return err
		}
		*o = append(*o, member)
	}
	return nil
}

// MarshalJSON writes the object.
func (o Ordered) MarshalJSON() ([]byte, error) {
	if o == nil {
		return []byte("null"), nil
	}
	var b strings.Builder
	for i, member := range o {
		name, err := json.Marshal(member.Name)
		if err != nil {
			return nil, err
		}
		b.WriteString([]string{"{", ","}[min(i, 1)])
		b.Write(name)
		b.WriteByte(':')
		b.Write(member.Value)
	}
	if len(o) == 0 {
		b.WriteByte('{')
	}
	b.WriteByte('}')
	return []byte(b.String()), nil
}

// Matcher reads what is expected of a text: the text itself, or a pattern.
func Matcher(value json.RawMessage) (text string, pattern bool, err error) {
	var object struct{ Matches *string }
	if json.Unmarshal(value, &object) == nil && object.Matches != nil {
		return *object.Matches, true, nil
	}
	if json.Unmarshal(value, &text) == nil {
		return text, false, nil
	}
	return string(value), false, nil // a number, say: as it is written
}

// Origin is where one capture comes from: one of its fields is set.
type Origin struct {
	JSON   *string `json:"json"`
	Regex  *string `json:"regex"`
	Header *string `json:"header"`
	Cookie *string `json:"cookie"`
}

// Origin reads where a capture comes from.
func (m Member) Origin() (Origin, error) {
	var origin Origin
	if err := json.Unmarshal(m.Value, &origin); err != nil {
		return origin, fmt.Errorf("capture %q: %w", m.Name, err)
	}
	return origin, nil
}
