package client

import (
	"testing"

	"benchfolio.dev/native/vectors"
)

func TestOrigins(t *testing.T) {
	for _, v := range vectors.Read[[]struct {
		URL    string  `json:"url"`
		Origin *string `json:"origin"`
	}](t, "origins") {
		got, ok := originOf(v.URL)
		if ok != (v.Origin != nil) || ok && got != *v.Origin {
			t.Errorf("%q leads to %q (%v)", v.URL, got, ok)
		}
	}
}

func TestReferencesAreResolvedAsByABrowser(t *testing.T) {
	for _, v := range vectors.Read[[]struct {
		From, To string
		Leads    *string
	}](t, "references") {
		got, ok := resolveURL(v.From, v.To)
		if ok != (v.Leads != nil) || ok && got != *v.Leads {
			t.Errorf("%q from %q leads to %q (%v)", v.To, v.From, got, ok)
		}
	}
}

func TestRequestsGoWhereTheSpecSays(t *testing.T) {
	o := OriginsOf("http://shop.example:8080/base", []string{"https://cdn.example", "nonsense"})
	for text, want := range map[string]bool{
		"http://shop.example:8080/": true, "http://shop.example/": false, "https://shop.example:8080/": false,
		"https://CDN.example:443/a": true, "http://cdn.example/a": false, "https://cdn.example.evil/": false,
		"https://cdn.example@evil/": false, "": false,
	} {
		if err := o.Check(text); (err == nil) != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}
