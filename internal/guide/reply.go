package guide

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/words"
)

const (
	maxLinks       = 5
	maxSuggestions = 3
	// leastShared is how much of a question a suggestion has to share.
	leastShared = 0.8
)

// find looks for pages by the words of a question that carry its matter.
func (g *Guide) find(q *Question, r *reading) []conversation.Link {
	if g.config.Find == nil {
		return nil
	}
	var parts []string
	opening := r.opening()
	for _, t := range r.content() {
		if opening < 0 || t.from != r.tokens[opening].from || !intents().writes[t.text] || len(r.tokens) == 1 {
			parts = append(parts, r.text[t.from:t.to])
		}
	}
	if len(parts) == 0 {
		// "When do you open?" has no other word than one that asks for pages.
		for _, t := range r.tokens {
			if !light(t) {
				parts = append(parts, r.text[t.from:t.to])
			}
		}
	}
	query := strings.Join(parts, " ")
	if query == "" {
		return nil
	}
	links := g.config.Find(q.Principal, q.Locale, query)
	return links[:min(len(links), maxLinks)]
}

// pagesFor answers a question for a page; nil where no page is found.
func (g *Guide) pagesFor(q *Question, r *reading, sp speech) *Step {
	links := g.find(q, r)
	if len(links) == 0 {
		return nil
	}
	return &Step{Text: sp.Count("guide.pages", len(links), nil), Links: links}
}

// cannot answers what no read and no phrase answers: with pages and questions that come close.
func (g *Guide) cannot(q *Question, r *reading, reads []*read, sp speech) Step {
	links := g.find(q, r)
	if len(links) > 0 && !r.hard() && (r.asksForPage() || len(r.content()) <= 2) {
		return Step{Text: sp.Count("guide.pages", len(links), nil), Links: links}
	}
	head := sp.say("cannot", nil)
	if q.Reason == "asked" {
		head = sp.say("cannot_asked", nil)
	}
	near := g.near(q, r, reads)
	var b strings.Builder
	b.WriteString(head)
	switch {
	case len(links) > 0 || len(near) > 0:
		b.WriteString(" " + sp.say("close", nil))
		b.WriteString(bullets(near))
	default:
		b.WriteString(g.abilities(q, r, sp))
	}
	return Step{Text: b.String(), Links: links}
}

func (r *reading) hard() bool {
	return slices.ContainsFunc(r.tokens, func(t token) bool { return weight(t) == weightHard })
}

func bullets(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n")
	for _, l := range lines {
		b.WriteString("\n- " + escape(l))
	}
	return b.String()
}

// near gives questions that can be answered and share words with this one, the closest first: the host's own, and
// examples of phrases.
func (g *Guide) near(q *Question, r *reading, reads []*read) []string {
	type hit struct {
		text    string
		matched float64
	}
	var found []hit
	for _, s := range g.config.Starters {
		text := s.Text.In(r.lang, g.config.Locales...)
		a := g.newAsk(&read{}, strings.NewReplacer("{", " ", "}", " ").Replace(text))
		if a == nil || !q.Principal.HasRole(s.Roles...) {
			continue
		}
		if sum := r.shared(a); sum >= leastShared {
			found = append(found, hit{text, sum})
		}
	}
	for _, rd := range reads {
		var top hit
		for _, a := range rd.asks[r.lang] {
			if sum := r.shared(a); sum >= leastShared && sum > top.matched {
				if text, whole := a.example(r.lang, g, nil); whole {
					top = hit{sentence(text), sum}
				}
			}
		}
		if top.matched > 0 {
			found = append(found, top)
		}
	}
	slices.SortStableFunc(found, func(a, b hit) int { return cmp.Compare(b.matched, a.matched) })
	var out []string
	for _, f := range found {
		twice := slices.ContainsFunc(out, func(s string) bool { return alikeText(s, f.text) })
		if len(out) < maxSuggestions && !twice && g.answers(q, f.text, reads) {
			out = append(out, f.text)
		}
	}
	return out
}

// alikeText reports whether two texts are the same words.
func alikeText(a, b string) bool {
	x, _ := tokenize(a)
	y, _ := tokenize(b)
	return slices.EqualFunc(x, y, func(a, b token) bool { return a.text == b.text })
}

// answers reports whether a question is one that a read answers as it stands.
func (g *Guide) answers(q *Question, text string, reads []*read) bool {
	ranked := g.rank(g.newReading(text, q), reads)
	return len(ranked) > 0 && ranked[0].score >= enough && len(ranked[0].missing) == 0 && len(ties(ranked)) == 1
}

// sentence writes a phrase as a sentence begins, and ends a question as one.
func sentence(text string) string {
	tokens, _ := tokenize(text)
	if len(tokens) == 0 {
		return text
	}
	opening := tokens[0]
	if len(tokens) > 1 && weight(opening) == weightFiller && !slices.Contains(askers(), opening.text) {
		opening = tokens[1] // "у кого", "באילו"
	}
	if weight(opening) == weightQuestion || slices.Contains(askers(), opening.text) {
		text += "?"
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// shared is the weight of a phrase's words that carry meaning and stand in the question.
func (r *reading) shared(a *ask) float64 {
	var sum float64
	for i := range a.words {
		if at, quality := r.find(&a.words[i], 0); at >= 0 && !light(a.words[i]) && r.weights[at] >= 1 && !r.inMention(at) {
			sum += quality
		}
	}
	return sum
}

// abilities says what the guide can do here, with questions that it can answer.
func (g *Guide) abilities(q *Question, r *reading, sp speech) string {
	examples := g.examples(q, r)
	if len(examples) == 0 {
		return " " + sp.say("can_find", nil)
	}
	return " " + sp.say("can_read", nil) + bullets(examples)
}

// examples gives questions that a read of the offer answers: the host's starters for this page first, then phrases.
func (g *Guide) examples(q *Question, r *reading) []string {
	reads := g.offered(q)
	var out []string
	add := func(s string) bool {
		if s != "" && !slices.ContainsFunc(out, func(o string) bool { return alikeText(o, s) }) {
			out = append(out, s)
		}
		return len(out) == maxSuggestions
	}
	for _, here := range []bool{true, false} {
		for _, s := range g.config.Starters {
			if slices.Contains(s.Pages, q.Route) != here || !q.Principal.HasRole(s.Roles...) {
				continue
			}
			text := s.Text.In(r.lang, g.config.Locales...)
			if g.answers(q, text, reads) && add(text) {
				return out
			}
		}
	}
	for _, rd := range reads {
		for _, a := range rd.asks[r.lang] {
			text, whole := a.example(r.lang, g, nil)
			if text = sentence(text); !whole || !g.answers(q, text, reads) {
				continue
			}
			if add(text) {
				return out
			}
			break
		}
	}
	return out
}

// sample writes what a member might say in a slot; empty where only they know, or where no word of the language is known.
func (g *Guide) sample(s *slot, lang string) string {
	sp := speak(lang)
	switch {
	case s.entity != "", s.kind == kindName:
		return ""
	case s.kind == kindEnum && s.param == nil:
		return ""
	case s.kind == kindEnum:
		return g.wordIn(s.param.enum[0], lang)
	case s.kind == kindFlag && s.param != nil:
		return g.wordIn(s.param.name, lang)
	case s.param != nil && s.param.until != "":
		return sp.say("sample.range", nil)
	case s.kind == kindDate, s.kind == kindMoment:
		return sp.say("sample.date", nil)
	case s.kind == kindTime:
		return sp.say("sample.time", nil)
	case s.kind == kindMonth:
		return sp.say("sample.month", nil)
	default:
		return sp.say("sample.number", nil)
	}
}

// wordIn is a value in the host's words of a language; empty where it has none and the value is no word of it.
func (g *Guide) wordIn(v, lang string) string {
	if lang != "en" && len(g.config.Words[lang][v]) == 0 {
		return ""
	}
	return g.word(v, lang)
}

// choose lists the reads that fit equally well; it does not guess.
func (g *Guide) choose(tied []*candidate, r *reading, sp speech) Step {
	var lines []string
	for _, c := range tied[:min(len(tied), maxListed)] {
		line, _ := c.ask.example(r.lang, g, c.names)
		if slices.Contains(lines, line) {
			if p := c.read.def.Progress.In(r.lang, g.config.Locales...); p != "" {
				line += " (" + p + ")"
			}
		}
		lines = append(lines, line)
	}
	return Step{Text: sp.say("choose", nil) + bullets(lines)}
}

func (g *Guide) changesNothing(q *Question, r *reading, sp speech) Step {
	links := g.find(q, r)
	if len(links) > 0 {
		return Step{Text: sp.say("changes_nothing", nil) + " " + sp.Count("guide.changes_where", len(links), nil), Links: links}
	}
	return Step{Text: sp.say("changes_nothing", nil)}
}

func (g *Guide) smallTalk(is intent, q *Question, r *reading, sp speech) Step {
	switch is {
	case intentThanks:
		return Step{Text: sp.say("thanks", nil)}
	case intentWho:
		if name := g.config.Product.In(r.lang, g.config.Locales...); name != "" {
			return Step{Text: sp.say("who_of", words.Args{"product": escape(name)})}
		}
		return Step{Text: sp.say("who", nil)}
	case intentGreeting:
		return Step{Text: sp.say("greeting", nil) + g.abilities(q, r, sp)}
	default:
		return g.help(q, r, sp)
	}
}

func (g *Guide) help(q *Question, r *reading, sp speech) Step {
	return Step{Text: sp.say("help", nil) + g.abilities(q, r, sp)}
}
