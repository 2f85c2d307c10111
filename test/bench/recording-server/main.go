// Recording-server answers HTTP after delays of a known distribution, and writes down when each request came and when
// its answer went: what a generator says of latency can be held against it. It prints its port when it listens, and what
// it saw, as JSON, when it gets SIGTERM.
//
//	recording-server -delay lognormal:2ms:0.5     # one worker, so that requests wait for each other; median, sigma
//	recording-server -delay bimodal:1ms:20ms:0.05 # one worker: usually the first, every twentieth time the second
//	recording-server -delay freeze:5s:3s          # at once, but for 3 s that begin 5 s after the first request
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"net"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// seen is one request, in nanoseconds since the server began.
type seen struct{ arrived, answered int64 }

type server struct {
	epoch time.Time
	reply func(arrived int64) (due int64) // when an answer is due; called with mutex held
	mutex sync.Mutex
	all   []*[]seen // by connection
}

func (s *server) now() int64 { return int64(time.Since(s.epoch)) }

func main() {
	delay := flag.String("delay", "none", "none, lognormal:median:sigma, bimodal:usual:rare:share or freeze:after:length")
	flag.Parse()
	s := &server{epoch: time.Now()}
	var err error
	if s.reply, err = replies(*delay); err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go s.serve(conn)
		}
	}()
	<-ended
	_ = json.NewEncoder(os.Stdout).Encode(s.report())
}

// replies is what a delay means.
func replies(delay string) (func(arrived int64) int64, error) {
	kind, rest, _ := strings.Cut(delay, ":")
	words := strings.Split(rest, ":")
	duration := func(i int) int64 {
		if i < len(words) {
			if d, err := time.ParseDuration(words[i]); err == nil {
				return int64(d)
			}
		}
		return -1
	}
	number := func(i int) float64 {
		if i < len(words) {
			if n, err := strconv.ParseFloat(words[i], 64); err == nil {
				return n
			}
		}
		return -1
	}
	random := rand.New(rand.NewPCG(1, 2)) // every tool meets the same delays
	switch {
	case kind == "none":
		return func(arrived int64) int64 { return arrived }, nil
	case kind == "lognormal" && duration(0) > 0 && number(1) >= 0:
		median, sigma := float64(duration(0)), number(1)
		return oneWorker(func() int64 { return int64(median * math.Exp(sigma*random.NormFloat64())) }), nil
	case kind == "bimodal" && duration(0) > 0 && duration(1) > 0 && number(2) >= 0:
		usual, rare, share := duration(0), duration(1), number(2)
		return oneWorker(func() int64 {
			if random.Float64() < share {
				return rare
			}
			return usual
		}), nil
	case kind == "freeze" && duration(0) >= 0 && duration(1) > 0:
		after, length, first := duration(0), duration(1), int64(-1)
		return func(arrived int64) int64 {
			if first < 0 {
				first = arrived
			}
			if since := arrived - first; since >= after && since < after+length {
				return first + after + length
			}
			return arrived
		}, nil
	}
	return nil, fmt.Errorf("the delay %q is none of those of -help", delay)
}

// oneWorker takes requests in the order in which they came, each when the one before is done.
func oneWorker(service func() int64) func(arrived int64) int64 {
	free := int64(0)
	return func(arrived int64) int64 {
		free = max(arrived, free) + service()
		return free
	}
}

var answer = []byte("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok")

func (s *server) serve(conn net.Conn) {
	defer conn.Close()
	var own []seen
	s.mutex.Lock()
	s.all = append(s.all, &own)
	s.mutex.Unlock()
	reader := bufio.NewReader(conn)
	for {
		for lines := 0; ; lines++ {
			line, err := reader.ReadSlice('\n')
			if err != nil {
				return
			}
			if lines > 0 && len(line) <= len("\r\n") {
				break
			}
		}
		arrived := s.now()
		s.mutex.Lock()
		due := s.reply(arrived)
		s.mutex.Unlock()
		if wait := due - s.now(); wait > 0 {
			time.Sleep(time.Duration(wait))
		}
		answered := s.now()
		if _, err := conn.Write(answer); err != nil {
			return
		}
		s.mutex.Lock()
		own = append(own, seen{arrived, answered})
		s.mutex.Unlock()
	}
}

type report struct {
	Count int `json:"count"`
	// Ms has the time from a request to its answer, by percentile.
	Ms map[string]float64 `json:"ms"`
	// Bunched is the share of requests that came within a tenth of the mean gap after the one before: 0 where a rate is
	// kept evenly, a tenth where requests come at random.
	Bunched float64 `json:"bunched"`
}

func (s *server) report() report {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	var took, arrived []int64
	for _, own := range s.all {
		for _, one := range *own {
			took, arrived = append(took, one.answered-one.arrived), append(arrived, one.arrived)
		}
	}
	r := report{Count: len(took), Ms: map[string]float64{}}
	if r.Count < 2 {
		return r
	}
	slices.Sort(took)
	slices.Sort(arrived)
	for _, p := range []float64{50, 90, 99, 99.9, 100} {
		place := max(int(math.Ceil(p/100*float64(len(took)))), 1)
		r.Ms[strconv.FormatFloat(p, 'g', -1, 64)] = float64(took[place-1]) / 1e6
	}
	gap := (arrived[len(arrived)-1] - arrived[0]) / int64(len(arrived)-1)
	near := 0
	for i := range arrived[1:] {
		if arrived[i+1]-arrived[i] < gap/10 {
			near++
		}
	}
	r.Bunched = float64(near) / float64(len(arrived)-1)
	return r
}
