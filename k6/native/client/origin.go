package client

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// What src/suite/cases/origin.ts and k6/user/redirects.js do, for the same texts alike.

var (
	absolute     = regexp.MustCompile(`(?i)^https?://`)
	hasScheme    = regexp.MustCompile(`(?i)^[a-z][a-z0-9+.-]*:`)
	hasAuthority = regexp.MustCompile(`(?i)^(https?)://([^/?#\\\s\v\p{Z}\x{feff}]*)`)
	hostAndPort  = regexp.MustCompile(`^(\[[0-9a-f:.]+\]|[^:\[\]%{}]+)(?::([0-9]{0,5}))?$`)
	toPath       = regexp.MustCompile(`(?i)^[a-z]+://[^/?#\\]*`)
)

// IsAbsolute reports whether an address begins with http:// or https://.
func IsAbsolute(text string) bool { return absolute.MatchString(text) }

// originOf reads where an address leads: scheme, host and port, in one spelling; the port only where it is not the
// scheme's own. It reports false for what is not an absolute http(s) URL with a host.
func originOf(text string) (string, bool) {
	found := hasAuthority.FindStringSubmatch(text)
	if found == nil {
		return "", false
	}
	scheme := strings.ToLower(found[1])
	host := hostAndPort.FindStringSubmatch(strings.ToLower(found[2][strings.LastIndexByte(found[2], '@')+1:]))
	if host == nil {
		return "", false
	}
	name, port := host[1], host[2]
	if port == "" || scheme == "http" && port == "80" || scheme == "https" && port == "443" {
		return scheme + "://" + name, true
	}
	return scheme + "://" + name + ":" + port, true
}

// Origins are those that requests may go to.
type Origins map[string]bool

// OriginsOf are the one of an address, and others.
func OriginsOf(base string, others []string) Origins {
	all := Origins{}
	for _, text := range append([]string{base}, others...) {
		if origin, ok := originOf(text); ok {
			all[origin] = true
		}
	}
	return all
}

// Check fails if an address leads elsewhere.
func (o Origins) Check(text string) error {
	origin, ok := originOf(text)
	if o[origin] {
		return nil
	}
	where := origin + ", which the spec does not name"
	if !ok {
		where = "what is not a valid http(s) URL"
	}
	return fmt.Errorf("the request leads to %s: add it to the environment's `hosts`", where)
}

// resolveURL follows a reference from an address, as a browser does (RFC 3986, section 5.2). The result has no fragment
// and no user; it reports false where the reference leads nowhere that http can go.
func resolveURL(from, reference string) (string, bool) {
	base, ok := originOf(from)
	if !ok {
		return "", false
	}
	target, _, _ := strings.Cut(strings.TrimFunc(reference, isSpace), "#")
	if hasScheme.MatchString(target) {
		return rebuilt(target)
	}
	if len(target) > 1 && strings.ContainsRune(`/\`, rune(target[0])) && strings.ContainsRune(`/\`, rune(target[1])) {
		return rebuilt(base[:strings.IndexByte(base, ':')] + ":" + target)
	}
	whole, _, _ := strings.Cut(toPath.ReplaceAllString(from, ""), "#")
	path, query := splitQuery(whole)
	switch {
	case target == "" && path == "":
		return base + "/" + query, true
	case target == "":
		return base + path + query, true
	case target[0] == '?' && path == "":
		return base + "/" + target, true
	case target[0] == '?':
		return base + path + target, true
	case target[0] == '/':
		return base + target, true
	}
	return base + withoutDots(path[:max(0, strings.LastIndexByte(path, '/'))]+"/"+target), true
}

// rebuilt is made of the origin that was checked, so that no other reader takes the address for another.
func rebuilt(text string) (string, bool) {
	origin, ok := originOf(text)
	if !ok {
		return "", false
	}
	rest := toPath.ReplaceAllString(text, "")
	if !strings.HasPrefix(rest, "/") {
		rest = "/" + rest
	}
	return origin + rest, true
}

// isSpace is JavaScript's \s.
func isSpace(r rune) bool {
	return r == '\uFEFF' || r != '\u0085' && unicode.IsSpace(r)
}

func splitQuery(rest string) (path, query string) {
	if at := strings.IndexByte(rest, '?'); at >= 0 {
		return rest[:at], rest[at:]
	}
	return rest, ""
}

// withoutDots takes the steps "." and ".." out of a path, which may have a query.
func withoutDots(path string) string {
	way, query := splitQuery(path)
	var steps []string
	for _, step := range strings.Split(way, "/")[1:] {
		switch {
		case step == ".." && len(steps) > 0:
			steps = steps[:len(steps)-1]
		case step != "." && step != "..":
			steps = append(steps, step)
		}
	}
	if strings.HasSuffix(way, "/.") || strings.HasSuffix(way, "/..") {
		steps = append(steps, "")
	}
	return "/" + strings.Join(steps, "/") + query
}
