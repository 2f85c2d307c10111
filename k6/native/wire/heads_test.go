package wire

import (
	"testing"
	"time"
)

func TestTheSameHeadIsReadOnce(t *testing.T) {
	const ok, other = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n"
	heads := new(Heads)
	statusOf := func(text string, size int) int {
		_, response, err := readKnowing(heads, text, size, false)
		if err != nil {
			t.Fatal(err)
		}
		return response.Status
	}
	statusOf(ok+"ok", 1<<16)
	known := *heads.last.Load()
	known.response.Status = 299 // whoever says this has not read the head
	heads.last.Store(&known)
	for _, c := range []struct {
		name, text string
		size, want int
	}{
		{"the same head", ok + "no", 1 << 16, 299},
		{"the same head in two pieces", ok + "no", 20, 200},
		{"another head", other + "no", 1 << 16, 404},
		{"the same head behind hints", "HTTP/1.1 103 Early Hints\r\n\r\n" + ok + "no", 1 << 16, 200},
	} {
		if got := statusOf(c.text, c.size); got != c.want {
			t.Errorf("%s: %d, not %d", c.name, got, c.want)
		}
	}
	if heads.last.Load() != &known {
		t.Error("a head was noted at once after another one")
	}
	known.noted -= int64(time.Second)
	statusOf(other+"no", 1<<16)
	if status := heads.last.Load().response.Status; status != 404 {
		t.Errorf("the head that came last has not been noted, but that of status %d", status)
	}
	heads = new(Heads)
	statusOf("HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 2\r\n\r\nok", 1<<16)
	if heads.last.Load() != nil {
		t.Error("a head whose header stands on two lines was noted: reading it changes its bytes")
	}
}
