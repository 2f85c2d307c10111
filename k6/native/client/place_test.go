package client

import "testing"

func TestPlainTargets(t *testing.T) {
	for target, want := range map[string]bool{
		"/": true, "/a/b?c=d&e=%20": true, "/%41": true, "/a%zz": false, "/a b": false, "/a\r\nX: y": false, "/ü": false,
		"/a#b": false, "/a?b c": false, "/a?b\n": false, "": false, "a": false, "/a?ü": false, "/a|b": false,
	} {
		if got := IsPlain(target); got != want {
			t.Errorf("%q: %v", target, got)
		}
		if at, err := PlaceOf("http://h" + target); want && (err != nil || at.Target != target) {
			t.Errorf("%q is %q to net/url (%v)", target, at.Target, err)
		}
	}
}

func TestPlaces(t *testing.T) {
	for text, want := range map[string]Place{
		"http://h/a?b":            {Host: "h", Address: "h:80", Target: "/a?b", URL: "http://h/a?b"},
		"https://u:p@h:1/":        {Secure: true, Host: "h:1", Address: "h:1", Target: "/", User: "Basic dTpw", URL: "https://h:1/"},
		"http://[::1]:8080/a b#c": {Host: "[::1]:8080", Address: "[::1]:8080", Target: "/a%20b", URL: "http://[::1]:8080/a%20b"},
		"http://h?q":              {Host: "h", Address: "h:80", Target: "/?q", URL: "http://h?q"},
	} {
		if got, err := PlaceOf(text); err != nil || got != want {
			t.Errorf("%s: %+v (%v)", text, got, err)
		}
	}
	for _, text := range []string{"ftp://h/", "http:///a", "/a", "http://h\r\n/"} {
		if _, err := PlaceOf(text); err == nil {
			t.Errorf("%q was accepted", text)
		}
	}
}
