package client

import (
	"net/http"
	"net/http/cookiejar"
	"net/url"
)

// Cookies are those of a user. The jar is made when the first cookie is set: most systems set none.
type Cookies struct{ jar *cookiejar.Jar }

// Clear forgets them.
func (c *Cookies) Clear() { c.jar = nil }

func (c *Cookies) isEmpty() bool { return c.jar == nil }

// set keeps the cookies that a response sets.
func (c *Cookies) set(from string, lines []string) {
	if len(lines) == 0 {
		return
	}
	at, err := url.Parse(from)
	if err != nil {
		return // it was requested, so it can be read
	}
	if c.jar == nil {
		c.jar, _ = cookiejar.New(nil) // never fails
	}
	response := http.Response{Header: http.Header{"Set-Cookie": lines}}
	c.jar.SetCookies(at, response.Cookies())
}

// of are the cookies to send, as they stand in the header.
func (c *Cookies) of(to string) []string {
	if c.jar == nil {
		return nil
	}
	at, err := url.Parse(to)
	if err != nil {
		return nil
	}
	all := c.jar.Cookies(at)
	if len(all) == 0 {
		return nil
	}
	request := http.Request{Header: http.Header{}}
	for _, cookie := range all {
		request.AddCookie(&http.Cookie{Name: cookie.Name, Value: cookie.Value})
	}
	return request.Header["Cookie"]
}

// Cookie is the value of a cookie that the last answer sets.
func (c *Client) Cookie(name string) (string, bool) {
	response := http.Response{Header: http.Header{"Set-Cookie": c.Response.Values("Set-Cookie")}}
	for _, cookie := range response.Cookies() {
		if cookie.Name == name {
			return cookie.Value, true
		}
	}
	return "", false
}
