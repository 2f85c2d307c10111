package player

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"sync/atomic"

	"benchfolio.dev/native/tally"
)

// largestBody is how long a body may be that is hashed; limits.answer_bytes of the JavaScript player.
const largestBody = 1_000_000

// looks count the sampled answers to one request of one side: the first ones in the window.
type looks struct {
	taken     atomic.Int64
	described atomic.Int64 // bytes of the bodies whose structure was described
	small     atomic.Bool  // the last body was: the next one may be read
}

// beginLook decides whether the answer that comes is sampled, and its body read.
func (u *User) beginLook(r *request) {
	u.looking, u.reading, u.structured = nil, false, false
	p := u.player
	if p.answers == 0 || u.phase != tally.Steady {
		return
	}
	of := &p.looks[max(int(u.side), 0)][r.index]
	if of.taken.Load() >= p.answers {
		return
	}
	nth := of.taken.Add(1)
	if nth > p.answers {
		return
	}
	u.structured = nth <= p.fields
	u.looking, u.reading = of, of.small.Load()
}

// endLook tells what came back: [request, status, bytes or null, media type, 1 if it was redirected, hash of the body or
// null, fields as fieldsOf has them or null, protocol].
func (u *User) endLook(r *request) {
	if u.looking == nil {
		return
	}
	response := &u.client.Response
	var bytes *uint64
	var hash *string
	var fields map[string]string
	size, known := response.Size()
	small := response.Done-response.FirstByte < leastReceiving && size <= largestBody
	u.looking.small.Store(small)
	if body, err := u.client.Body(); err == nil && small && (u.reading || r.options.KeepBody || known && size == 0) {
		sum := sha256.Sum256(body)
		text := hex.EncodeToString(sum[:])[:12]
		hash = &text
		if u.structured && u.looking.described.Load() < mostJSON {
			u.looking.described.Add(int64(len(body)))
			fields = fieldsOf(body)
		}
		if !response.TellsLength() {
			size = uint64(len(body))
		}
	}
	if known {
		bytes = &size
	}
	kind, _ := response.Header("Content-Type")
	kind, _, _ = strings.Cut(kind, ";")
	kind = strings.ToLower(strings.TrimSpace(kind))
	redirected := 0
	if u.client.Followed > 0 {
		redirected = 1
	}
	protocol := []string{response.Proto, u.client.TLS()}
	text, err := json.Marshal([]any{r.name, response.Status, bytes, kind[:min(len(kind), 60)], redirected, hash, fields, protocol})
	if err == nil && u.player.options.Note != nil {
		u.player.options.Note(u.speaker() + ": answer: " + string(text))
	}
}
