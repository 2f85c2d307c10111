// Package player plays a load: its users send the requests of their iterations, each on connections of its own.
package player

import (
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/tidwall/gjson"

	"benchfolio.dev/native/client"
	"benchfolio.dev/native/plan"
	"benchfolio.dev/native/rows"
	"benchfolio.dev/native/tally"
	"benchfolio.dev/native/template"
	"benchfolio.dev/native/wire"
)

// Options are those of k6 that requests depend on.
type Options struct {
	UserAgent              string
	Environment            map[string]string // for ${env.NAME}
	WorkingFolder          string            // that relative paths begin from
	ReadFile               rows.Reader
	TLS                    *tls.Config
	ConnectionPerRequest   bool
	ConnectionPerIteration bool
	KeepCookies            bool // from one iteration to the next
	// Warn gets the first failure of each kind, Note what is not a failure.
	Warn, Note func(text string)
}

// Player is what all users of a load share.
type Player struct {
	load     *plan.Load
	options  *Options
	sides    [][]*request // the requests of an iteration, to each side
	total    float64      // of the weights
	weighted bool
	rows     []*rows.Table
	columns  int  // of all of them
	draws    bool // requests have random values
	onces    int  // requests that come first, in a user's first iteration
	captures int
	dialer   wire.Dialer
	recorder *tally.Recorder
	schedule *Schedule // of an arrival rate; else nil, and
	backlog  *backlog  // so is this
	waitedIn []*tally.Cell
	detailed bool      // somebody wants more of the times than latency
	answers  int64     // sampled of each request, and
	fields   int64     // the structure of the first so many of them
	looks    [][]looks // by side and request

	ended chan struct{} // closed when the load has

	began   time.Time
	beganAt int64 // by wire.Now
	begin   sync.Once
	steady  int64 // from when iterations are measured, and
	cool    int64 // until when, by wire.Now; 0: to the end

	mutex    sync.Mutex
	reported map[string]bool
}

// New prepares a load. It reads the files that the load names.
//
// It fails where a request cannot be sent, or asks for what this player does not have.
func New(load *plan.Load, options *Options) (*Player, error) {
	p := &Player{load: load, options: options, weighted: load.Order == "weighted", reported: map[string]bool{}, ended: make(chan struct{})}
	names := &template.Names{Captures: map[string]int{}, Environment: options.Environment}
	if err := p.readRows(names); err != nil {
		return nil, err
	}
	for _, planned := range load.Requests {
		for _, member := range planned.Capture {
			if _, known := names.Captures[member.Name]; !known {
				names.Captures[member.Name] = len(names.Captures)
			}
		}
	}
	p.captures = len(names.Captures)
	p.dialer.TLS = options.TLS
	if p.dialer.TLS == nil {
		p.dialer.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	recorded := tally.Names{Scenario: load.Scenario, Groups: load.Groups}
	indexes := map[string]int16{}
	for _, planned := range load.Requests {
		if _, known := indexes[planned.Name]; !known {
			indexes[planned.Name] = int16(len(recorded.Requests))
			recorded.Requests = append(recorded.Requests, planned.Name)
		}
	}
	groups := map[string]int16{}
	for i, name := range load.Groups {
		groups[name] = int16(i)
	}
	bases, hosts, ready := []string{load.BaseURL}, [][]string{load.Hosts}, []map[string]json.RawMessage{load.Ready}
	if load.HeadURL != nil {
		bases, hosts, ready = append(bases, *load.HeadURL), append(hosts, load.HeadHosts), append(ready, load.HeadReady)
		recorded.Sides = []string{"base", "head"}
	}
	for side, base := range bases {
		names.Ready = map[string]template.Value{}
		for name, value := range ready[side] {
			names.Ready[name] = template.OfJSON(gjson.ParseBytes(value))
		}
		c := &compiler{names, base, load.Folder, options, client.OriginsOf(base, hosts[side]), indexes, groups}
		var requests []*request
		for _, planned := range load.Requests {
			r, err := c.compile(planned)
			if err != nil {
				return nil, err
			}
			requests = append(requests, r)
		}
		p.sides = append(p.sides, requests)
	}
	for _, r := range p.sides[0] {
		p.total += r.weight
		p.draws = p.draws || r.draws != nil
		if r.once {
			p.onces++
		}
	}
	if len(p.sides[0]) == 0 {
		return nil, errors.New("the load has no requests: a script needs the JavaScript player")
	}
	p.recorder = tally.NewRecorder(recorded)
	if load.Answers != nil {
		p.answers = load.Answers.Users * load.Answers.Each
		p.fields = load.Answers.Fields
	}
	for range p.sides {
		p.looks = append(p.looks, make([]looks, len(recorded.Requests)))
	}
	return p, nil
}

// Recorder has what the load counts.
func (p *Player) Recorder() *tally.Recorder { return p.recorder }

// Detail has all of k6's times taken: of connecting, sending and receiving too.
func (p *Player) Detail() { p.detailed = true }

// Follow has the iterations of an arrival rate know when they were due.
func (p *Player) Follow(schedule *Schedule) {
	p.schedule, p.backlog = schedule, newBacklog(schedule.users, p.waited)
	p.waitedIn = make([]*tally.Cell, phases*len(p.sides[0]))
}

// End counts what can be counted only when the load has ended.
func (p *Player) End() {
	close(p.ended)
	if p.backlog != nil {
		p.backlog.close()
	}
}

var rowPlace = regexp.MustCompile(`\$(\$?)\{row\.([^{}]+)\}`)

func (p *Player) readRows(names *template.Names) error {
	if len(p.load.Rows) == 0 {
		return nil
	}
	var wanted []string
	seen := map[string]bool{}
	for _, text := range p.texts() {
		for _, match := range rowPlace.FindAllStringSubmatch(text, -1) {
			if match[1] == "" && !seen[match[2]] {
				seen[match[2]] = true
				wanted = append(wanted, match[2])
			}
		}
	}
	names.Columns = map[string]int{}
	var files, known []string
	for _, source := range p.load.Rows {
		path := rowsPath(source.File, p.load.Folder, p.options.WorkingFolder)
		table, err := rows.Read(p.options.ReadFile, path, source, wanted)
		if err != nil {
			return err
		}
		for name, place := range table.Columns {
			if _, twice := names.Columns[name]; twice {
				return fmt.Errorf("the column %q is in two files, and one is %s: name the columns of one by `columns`", name, source.File)
			}
			names.Columns[name] = p.columns + place
		}
		p.rows = append(p.rows, table)
		p.columns += len(table.Columns)
		files, known = append(files, source.File), append(known, table.Names...)
	}
	for _, name := range wanted {
		if _, ok := names.Columns[name]; !ok {
			return fmt.Errorf("%s has no column %q, only %s", strings.Join(files, " and "), name, strings.Join(known, ", "))
		}
	}
	return nil
}

// texts are all texts of the requests that may have places for rows.
func (p *Player) texts() []string {
	var all []string
	for _, r := range p.load.Requests {
		all = append(all, r.URL)
		for _, text := range r.Headers {
			all = append(all, text)
		}
		if r.Body != nil {
			for _, text := range []*string{r.Body.Text, r.Body.JSON, r.Body.Form} {
				if text != nil {
					all = append(all, *text)
				}
			}
		}
		if r.Expect != nil {
			for _, member := range append(append(plan.Ordered{}, r.Expect.Headers...), r.Expect.JSON...) {
				all = append(all, string(member.Value))
			}
			all = append(all, string(r.Expect.Body))
		}
	}
	return all
}

// start is called when the first iteration begins, with when the load did.
func (p *Player) start(at time.Time) {
	p.begin.Do(func() {
		p.began, p.beganAt = at, wire.TimeOf(at)
		p.recorder.Begin(at)
		p.steady = p.beganAt + seconds(p.load.Window.From)
		if to := p.load.Window.To; to != nil && (p.load.Duration == nil || *to < *p.load.Duration) {
			p.cool = p.beganAt + seconds(*to)
		}
		if p.schedule == nil {
			go p.watchLateness(p.ended)
		}
	})
}

func seconds(s float64) int64 { return int64(s * 1e9) }

// tell logs the first failure of its kind.
func (p *Player) tell(speaker, kind, text string) { p.once(p.options.Warn, speaker, kind, text) }

// note logs the first of what is not a failure.
func (p *Player) note(speaker, kind, text string) { p.once(p.options.Note, speaker, kind, text) }

func (p *Player) once(log func(string), speaker, kind, text string) {
	of := speaker + ": " + kind
	p.mutex.Lock()
	known := p.reported[of]
	p.reported[of] = true
	p.mutex.Unlock()
	if !known && log != nil {
		log(fmt.Sprintf("%s: %s", of, strings.ToValidUTF8(text, "\uFFFD")))
	}
}
