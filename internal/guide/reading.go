package guide

import (
	"math/bits"
	"time"
)

// reading is a question taken apart.
type reading struct {
	text     string
	lang     string
	locale   string
	now      time.Time
	tokens   []token
	weights  []float64
	mentions []*mention
	calendar *calendar
	index    map[string]set
	// rest are by token the ones that go on a phrase which it begins.
	rest []set
	cut  bool
	// slips are the tokens near to a phrase's word, by the word.
	slips map[string]set
	// entity and id are what the page shows; empty where it shows none.
	entity, id string
	// reads are those that it is held against.
	reads []*read
}

func (g *Guide) newReading(text string, q *Question) *reading {
	r := &reading{locale: q.Locale, now: q.Now, slips: map[string]set{}}
	r.text, r.cut = clip(text, maxBytes)
	var more bool
	r.tokens, more = tokenize(r.text)
	r.cut = r.cut || more
	if g.config.Here != nil && q.Route != "" {
		r.entity, r.id = g.config.Here(q.Principal, q.Route)
	}
	r.lang = language(r.tokens, q.Locale)
	r.calendar = newCalendar(r.tokens, q.Now, q.Locale)
	r.mentions = r.calendar.mentions()
	r.index = make(map[string]set, 3*len(r.tokens))
	r.weights = make([]float64, len(r.tokens))
	r.rest = g.synonyms.apply(r.tokens)
	for i := range r.tokens {
		r.weights[i] = weight(r.tokens[i])
		for _, k := range r.tokens[i].keys {
			r.index[k] |= 1 << i
		}
	}
	for i, s := range r.rest {
		if s == 0 {
			continue
		}
		r.weights[i] = 1
		for j := range r.tokens {
			if s.has(j) {
				r.weights[j] = 0
			}
		}
	}
	for _, m := range r.mentions {
		// The small words of a date carry nothing of their own; a date as a whole weighs as one word.
		for i := m.from; i < m.to; i++ {
			if r.weights[i] < weightHard {
				r.weights[i] = min(1, 1/float64(m.to-m.from))
			}
		}
		if m.hasNumber && !m.hasClock && !m.hasDay {
			r.weights[m.from] = min(r.weights[m.from], weightQuestion)
		}
	}
	return r
}

// whole gives a token with those that go on its phrase.
func (r *reading) whole(i int) set { return 1<<i | r.rest[i] }

// original gives the words of a set as they were written, from the first to the last.
func (r *reading) original(s set) string {
	if s == 0 {
		return ""
	}
	first, last := bits.TrailingZeros64(uint64(s)), 63-bits.LeadingZeros64(uint64(s))
	return r.text[r.tokens[first].from:r.tokens[last].to]
}

func (r *reading) weigh(s set) float64 {
	var sum float64
	for i, w := range r.weights {
		if s.has(i) {
			sum += w
		}
	}
	return sum
}

// wholeDates takes from the matched tokens those of a date that is matched in part: "this week" of a phrase is not the
// "next week" of a question.
func (r *reading) wholeDates(taken, filled set) set {
	for _, m := range r.mentions {
		if !m.hasDay && !m.hasClock && m.days == 0 || m.tokens&filled != 0 {
			continue
		}
		for i := m.from; i < m.to; i++ {
			if !taken.has(i) && (!r.calendar.is(i, senseOn) && !r.calendar.is(i, senseAt) || r.calendar.is(i, senseThis)) {
				taken &^= m.tokens
				break
			}
		}
	}
	return taken
}

// find gives the token that a phrase's word stands for, and how surely.
func (r *reading) find(w *token, not set) (int, float64) {
	for i, k := range w.keys {
		if s := r.index[k] &^ not; s != 0 {
			quality := stemQuality
			switch {
			case i == 0:
				quality = 1
			case k[0] == '=':
				quality = synonymQuality
			}
			return bits.TrailingZeros64(uint64(s)), quality
		}
	}
	if s := r.nearTo(w) &^ not; s != 0 {
		return bits.TrailingZeros64(uint64(s)), nearQuality
	}
	return -1, 0
}

// nearTo gives the tokens that are a slip away from a phrase's word. Phrases share words, so each is looked for once.
func (r *reading) nearTo(w *token) set {
	if len(w.text) < 5 || weight(*w) != 1 {
		return 0
	}
	if s, ok := r.slips[w.text]; ok {
		return s
	}
	var s set
	for i := range r.tokens {
		if r.weights[i] >= weightQuestion && r.weights[i] < weightHard && (near(w.text, r.tokens[i].text) || kin(w, &r.tokens[i])) {
			s |= 1 << i
		}
	}
	r.slips[w.text] = s
	return s
}
