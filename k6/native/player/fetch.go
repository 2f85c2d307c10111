package player

import (
	"strings"

	"benchfolio.dev/native/client"
	"benchfolio.dev/native/tally"
	"benchfolio.dev/native/template"
	"benchfolio.dev/native/wire"
)

// fetch sends a request with the values of the iteration; u.client.Response is the last answer.
//
// It fails if there is none: then what went wrong has been counted as a request that failed, if anything was sent.
func (u *User) fetch(r *request) error {
	u.sending = r
	sent, err := u.requestOf(r)
	if err != nil {
		return err
	}
	err = u.client.Do(sent, u.reading)
	if err == wire.ErrCancelled {
		u.cancelled = true
	}
	return err
}

// requestOf is a request with the values of the iteration.
func (u *User) requestOf(r *request) (sent *client.Request, err error) {
	if r.constant != nil {
		return r.constant, nil
	}
	if r.draws != nil {
		u.values.Drawn = u.drawing.Append(u.values.Drawn[:0], r.draws)
	}
	if u.filled.Place, err = u.placeOf(r); err != nil {
		return nil, err
	}
	r.fill(&u.filled, &u.values)
	return &u.filled, nil
}

// placeOf is where a request goes, with the values of the iteration.
func (u *User) placeOf(r *request) (client.Place, error) {
	u.url = r.address.url.Append(u.url[:0], &u.values)
	text := string(u.url)
	a := &r.address
	if a.based && a.origin != "" {
		if target := text[len(a.origin):]; client.IsPlain(target) {
			p := a.home
			p.Target, p.URL = target, text
			return p, nil
		}
	}
	if !a.based && !client.IsAbsolute(text) {
		if strings.HasPrefix(text, "/") {
			text = a.base + text
		} else {
			text = a.base + "/" + text
		}
	} else if !a.based || a.own {
		if err := r.options.Origins.Check(text); err != nil {
			return client.Place{}, err
		}
	}
	return client.PlaceOf(text)
}

// fill gives a request what it says with these values, in memory that is used again. Where it goes stands in it already.
func (r *request) fill(to *client.Request, values *template.Values) {
	to.Options, to.Method, to.Agent = &r.options, r.method, r.options.UserAgent
	to.Host, to.Headers, to.Cookies = "", to.Headers[:0], to.Cookies[:0]
	if r.host != nil {
		to.Host = r.host.Fill(values)
	}
	if r.agent != nil {
		to.Agent = r.agent.Fill(values)
	}
	if r.cookie != nil {
		to.Cookies = append(to.Cookies, r.cookie.Fill(values))
	}
	for _, h := range r.headers {
		to.Headers = append(to.Headers, client.Header{Name: h.name, Value: h.value.Fill(values)})
	}
	to.Body, to.HasBody = r.body.bytes, r.body.some
	if to.HasBody && to.Body == nil {
		to.Body = r.body.text.Append(nil, values)
	}
}

// countHop counts a request, one of those on the way of a redirect included. Times are those of k6: sending until all is
// written, waiting until the first byte, receiving until the last.
func (u *User) countHop(hop client.Hop) {
	r, response := u.sending, &u.client.Response
	unexpected := !isExpected(hop.Status, r.accepted)
	first := u.player.schedule != nil && u.firstTook < 0
	u.countRequest(r, unexpected, func(cell *tally.Cell) {
		cell.Count(tally.Requests, 1)
		if unexpected {
			cell.Count(tally.Failed, 1)
		}
		if hop.Times.Connecting > 0 {
			cell.Count(tally.Connections, 1)
		}
		var sending, waiting, receiving, end int64
		if end = response.Done; end == 0 || hop.Unsent {
			end = wire.Now()
		}
		if !hop.Unsent && response.Wrote > 0 {
			sending = response.Wrote - hop.SentAt
			if first := response.FirstByte; first > 0 {
				waiting, receiving = first-response.Wrote, end-first
			} else {
				waiting = end - response.Wrote
			}
		}
		took := max(sending, 0) + max(waiting, 0) + max(receiving, 0)
		cell.Time(tally.Duration, took)
		cell.Time(tally.Waiting, waiting)
		if first {
			u.firstTook, u.firstName = took, r.index // counted with its wait, when that is known
		} else if u.player.schedule != nil {
			cell.Time(tally.Intended, took)
		}
		if u.player.detailed {
			cell.Time(tally.Sending, sending)
			cell.Time(tally.Receiving, receiving)
			cell.Time(tally.Connecting, int64(hop.Times.Connecting))
			cell.Time(tally.TLSHandshaking, int64(hop.Times.TLSHandshaking))
			cell.Time(tally.Blocked, hop.SentAt-hop.Began-int64(hop.Times.Connecting+hop.Times.TLSHandshaking))
		}
	})
}
