package client

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
)

// Place is where a request goes.
type Place struct {
	Secure  bool
	Host    string // as it stands in the Host header
	Address string // host:port to connect to
	Target  string // path and query, as they stand in the request line
	User    string // the value of an Authorization header, of a URL with a user
	URL     string // the whole, without user and fragment: for cookies and redirects from here
}

// PlaceOf reads an absolute URL as net/http does.
func PlaceOf(text string) (Place, error) {
	parsed, err := url.Parse(text)
	if err != nil {
		return Place{}, fmt.Errorf("invalid URL: %w", withoutURL(err))
	}
	return placeAt(parsed)
}

// withoutURL takes the address out of an error: it may hold a secret.
func withoutURL(err error) error {
	if wrapped, ok := err.(*url.Error); ok {
		return wrapped.Err
	}
	return err
}

func placeAt(parsed *url.URL) (Place, error) {
	p := Place{Secure: parsed.Scheme == "https", Host: withoutEmptyPort(parsed.Host)}
	if !p.Secure && parsed.Scheme != "http" {
		return Place{}, fmt.Errorf("unsupported protocol scheme %q", parsed.Scheme)
	}
	if parsed.Hostname() == "" {
		return Place{}, fmt.Errorf("there is no host in the URL")
	}
	port := parsed.Port()
	if port == "" {
		port = map[bool]string{false: "80", true: "443"}[p.Secure]
	}
	name := parsed.Hostname()
	if strings.Contains(name, ":") {
		name = "[" + name + "]"
	}
	p.Address = name + ":" + port
	p.Target = parsed.RequestURI()
	if parsed.User != nil {
		password, _ := parsed.User.Password()
		p.User = "Basic " + base64.StdEncoding.EncodeToString([]byte(parsed.User.Username()+":"+password))
	}
	plain := *parsed
	plain.User, plain.Fragment, plain.RawFragment = nil, "", ""
	p.URL = plain.String()
	return p, nil
}

func withoutEmptyPort(host string) string { return strings.TrimSuffix(host, ":") }

// IsPlain reports whether a path with its query stands in the request line just as it is: what else there is, net/url
// looks at.
func IsPlain(target string) bool {
	if len(target) == 0 || target[0] != '/' {
		return false
	}
	query := false
	for i := range len(target) {
		c := target[i]
		switch {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9':
		case strings.IndexByte("-_.~$&+,/:;=@!'()*", c) >= 0:
		case c == '?':
			query = true
		case c == '%':
			if query {
				continue
			}
			if i+2 >= len(target) || !isHex(target[i+1]) || !isHex(target[i+2]) {
				return false
			}
		case query && c > ' ' && c < 0x7f && c != '#':
		default:
			return false
		}
	}
	return true
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
