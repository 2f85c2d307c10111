// Answers GET /orders/ID with an order in JSON: its 20 lines, and what they cost.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"math"
	"net/http"
	"os"
	"strconv"
)

const (
	orders = 1000
	lines  = 20
)

type line struct {
	Article string  `json:"article"`
	Price   float64 `json:"price"`
}

type order struct {
	ID    int     `json:"id"`
	Lines []line  `json:"lines"`
	Total float64 `json:"total"`
}

func cents(amount float64) float64 { return math.Round(100*amount) / 100 }

func orderOf(id int) order {
	o := order{ID: id, Lines: make([]line, 0, lines)}
	for i := range lines {
		article := (id*31 + i*7) % 997
		price := cents(float64(article) / 7)
		o.Lines = append(o.Lines, line{fmt.Sprintf("article %d", article), price})
		o.Total = cents(o.Total + price)
	}
	return o
}

func main() {
	http.HandleFunc("GET /orders/{id}", func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.Atoi(r.PathValue("id"))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("content-type", "application/json")
		if err := json.NewEncoder(w).Encode(orderOf(id % orders)); err != nil {
			log.Print(err)
		}
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
