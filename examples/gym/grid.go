package gym

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// The week's grid has a row for each quarter of an hour between two hours.
const (
	firstHour, lastHour = 6, 21
	rowsPerHour         = 4
	gridRows            = (lastHour - firstHour) * rowsPerHour
	maxLanes            = 3
)

// gridStyle writes the classes that place things, since pages have no inline style:
// rows and spans of the week, lanes of classes at one time, and widths in percent.
func gridStyle() string {
	var b strings.Builder
	for n := 1; n <= gridRows; n++ {
		fmt.Fprintf(&b, ".r%d{grid-row-start:%d}.h%d{grid-row-end:span %d}\n", n, n, n, n)
	}
	for lanes := 2; lanes <= maxLanes; lanes++ {
		for lane := range lanes {
			fmt.Fprintf(&b, ".l%dof%d{inline-size:calc(%d%% - 6px);margin-inline-start:calc(%d%% + 3px)}\n", lane+1, lanes, 100/lanes, 100*lane/lanes)
		}
	}
	for n := range 101 {
		fmt.Fprintf(&b, ".w%d{inline-size:%d%%}\n", n, n)
	}
	return b.String()
}

func serveGrid(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/css; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = w.Write([]byte(gridStyle())) // the reader is gone: nothing is left to tell
}

// gridRow is the row, from 1, at which a time of day stands.
func gridRow(t time.Time) int {
	quarter := (t.Hour()-firstHour)*rowsPerHour + t.Minute()*rowsPerHour/60
	return min(max(quarter, 0), gridRows-1) + 1
}

// place gives each session of a day its classes: row, span and lane.
func (v *view) place(sessions []object) {
	ends := []time.Time{} // of each lane of the group that now overlaps
	var group []object
	lanes := []int{}
	flush := func() {
		for i, s := range group {
			if n := min(len(ends), maxLanes); n > 1 {
				s["place"] = fmt.Sprintf("%v l%dof%d", s["place"], min(lanes[i], n-1)+1, n)
			}
		}
		group, ends, lanes = nil, nil, nil
	}
	for _, s := range sessions {
		from, _ := v.moment(s["starts_at"])
		to, _ := v.moment(s["ends_at"])
		span := max(2, int(to.Sub(from).Minutes())*rowsPerHour/60)
		row := gridRow(from)
		s["place"] = fmt.Sprintf("r%d h%d", row, min(span, gridRows-row+1))
		lane, apart := -1, true
		for i, end := range ends {
			if end.After(from) {
				apart = false
			} else if lane < 0 {
				lane = i
			}
		}
		if apart {
			flush()
			lane = -1
		}
		if lane < 0 {
			ends, lane = append(ends, to), len(ends)
		} else {
			ends[lane] = to
		}
		group, lanes = append(group, s), append(lanes, lane)
	}
	flush()
}
