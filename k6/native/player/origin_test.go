package player

import "testing"

func TestOrigins(t *testing.T) {
	for text, want := range map[string]string{
		"http://Shop.example:8080/a": "http://shop.example:8080", "HTTPS://h:443": "https://h", "http://h:80?x": "http://h",
		"http://u:p@h/": "http://h", "http://a@b:1@h:2/": "http://h:2", "http://[::1]:80/": "http://[::1]",
		"http://h\\@evil/": "http://h", "http://h:/": "http://h", "http://": "", "/a": "", "ftp://h/": "", "http://${row.h}/": "",
		"http://h:123456/": "", "http://%68/": "", "http://h /": "http://h",
	} {
		if got, ok := originOf(text); got != want || ok != (want != "") {
			t.Errorf("%q leads to %q, not %q", text, got, want)
		}
	}
}

func TestRequestsGoWhereTheSpecSays(t *testing.T) {
	o := originsOf("http://shop.example:8080/base", []string{"https://cdn.example", "nonsense"})
	for text, want := range map[string]bool{
		"http://shop.example:8080/": true, "http://shop.example/": false, "https://shop.example:8080/": false,
		"https://CDN.example:443/a": true, "http://cdn.example/a": false, "https://cdn.example.evil/": false,
		"https://cdn.example@evil/": false, "": false,
	} {
		if err := o.check(text); (err == nil) != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestResolvesAsABrowser(t *testing.T) {
	const from = "http://u@h:81/a/b/c?q#f"
	for reference, want := range map[string]string{
		"https://X:443/y#z": "https://x/y", "//k/y": "http://k/y", `\\k\y`: "", "/y?z": "http://h:81/y?z",
		"?z": "http://h:81/a/b/c?z", "": "http://h:81/a/b/c?q", "d": "http://h:81/a/b/d", "../d?..": "http://h:81/a/d?..",
		"../../../d": "http://h:81/d", "./.": "http://h:81/a/b/", " /y ": "http://h:81/y", "http:y": "", "ftp://h/": "",
		"http://": "", "javascript:x": "",
	} {
		if got, ok := resolveURL(from, reference); got != want || ok != (want != "") {
			t.Errorf("%q leads to %q, not %q", reference, got, want)
		}
	}
	if got, _ := resolveURL("http://h", "y"); got != "http://h/y" {
		t.Errorf("from the root to %q", got)
	}
	if got, _ := resolveURL("http://h?q", ""); got != "http://h/?q" {
		t.Errorf("from a query to %q", got)
	}
}
