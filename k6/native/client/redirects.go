package client

import "slices"

// Elsewhere is why a redirect was not followed, without path and query: they may hold a secret.
type Elsewhere struct{ where string }

func (e *Elsewhere) Error() string { return "a redirect to " + e.where }

// next keeps the cookies of an answer, and is the request that it leads to; nil: it is the last one.
func (c *Client) next(r, first *Request) (*Request, error) {
	c.Jar.set(r.Place.URL, c.Response.Values("Set-Cookie"))
	location, there := c.Response.Header("Location")
	if !r.leads(c.Response.Status, there, c.Followed) {
		return nil, nil
	}
	return r.redirected(first, c.Response.Status, location)
}

// leads reports whether an answer leads on, after so many that did.
func (r *Request) leads(status int, hasLocation bool, followed int) bool {
	return hasLocation && followed < r.Redirects && slices.Contains([]int{301, 302, 303, 307, 308}, status)
}

// redirected is the request that follows: after 301, 302 and 303 a GET, after 307 and 308 one with method and body. Another host
// than that of the first request, which must be named too, gets no header of it.
func (r *Request) redirected(first *Request, status int, location string) (*Request, error) {
	to, ok := resolveURL(r.Place.URL, location)
	if !ok {
		return nil, &Elsewhere{"what is not a valid http(s) URL"}
	}
	origin, _ := originOf(to)
	if !r.Origins[origin] {
		return nil, &Elsewhere{origin + ", which the spec does not name"}
	}
	place, err := PlaceOf(to)
	if err != nil {
		return nil, err
	}
	next := *first
	next.ready, next.Place, next.Method, next.Body, next.HasBody = nil, place, r.Method, r.Body, r.HasBody
	if status <= 303 && r.Method != "HEAD" {
		next.Method, next.Body, next.HasBody = "GET", nil, false
	}
	if home, _ := originOf(first.Place.URL); origin != home {
		next.Host, next.Agent, next.Cookies, next.Headers = "", first.UserAgent, nil, nil
	}
	return &next, nil
}
