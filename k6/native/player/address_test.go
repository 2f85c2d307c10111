package player

import (
	"encoding/json"
	"testing"

	"github.com/tidwall/gjson"

	"benchfolio.dev/native/client"
	"benchfolio.dev/native/template"
	"benchfolio.dev/native/vectors"
)

func TestAddressesOfRequests(t *testing.T) {
	for _, v := range vectors.Read[[]struct {
		URL, Base     string
		Hosts         []string
		Row, Captured json.RawMessage
		To, Error     string
	}](t, "urls") {
		names := &template.Names{Columns: map[string]int{}, Captures: map[string]int{}}
		var values template.Values
		for _, of := range []struct {
			object json.RawMessage
			places map[string]int
			values *[]template.Value
		}{{v.Row, names.Columns, &values.Row}, {v.Captured, names.Captures, &values.Captured}} {
			gjson.ParseBytes(of.object).ForEach(func(name, value gjson.Result) bool {
				of.places[name.Str] = len(*of.values)
				*of.values = append(*of.values, template.OfJSON(value))
				return true
			})
		}
		c := &compiler{names: names, base: v.Base, origins: client.OriginsOf(v.Base, v.Hosts)}
		var got client.Place
		address, err := c.address(v.URL)
		if err == nil { // one that never changes is refused at once
			u := &User{values: values}
			got, err = u.placeOf(&request{address: address, options: client.Options{Origins: c.origins}})
		}
		if v.Error != "" {
			if err == nil || err.Error() != v.Error {
				t.Errorf("%s: %v, not %s", v.URL, err, v.Error)
			}
			continue
		}
		want, parsed := client.PlaceOf(v.To)
		if parsed != nil {
			if err == nil || err.Error() != parsed.Error() {
				t.Errorf("%s: %v, not %v", v.URL, err, parsed)
			}
		} else if err != nil || got != want {
			t.Errorf("%s: %+v (%v), not %+v", v.URL, got, err, want)
		}
	}
}
