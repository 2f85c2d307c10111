package tally

import (
	"encoding/json"
	"fmt"
	"testing"
)

func TestPairsAreReadAsEncodingJSONDoes(t *testing.T) {
	for _, text := range []string{"[]", "[0]", "[3245, 970,402 , 10]", "[ 1 ]", "[18446744073709551600]"} {
		var got pairs
		var want []uint64
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if err := json.Unmarshal([]byte(text), &want); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, not %v", text, got, want)
		}
	}
	for _, text := range []string{"{}", `"1"`, "[-1]", "[1.5]", "[1e3]", "[[1]]", "[99999999999999999999]", "[null]"} {
		var got pairs
		if err := json.Unmarshal([]byte(text), &got); err == nil {
			t.Errorf("%s was read as %v", text, got)
		}
	}
}
