// Package guide answers with no model: deterministically, from the nav index and the host's reads, and it says so.
//
// A question is held against the phrases ("asks") that the host's file gives its reads. Arguments are filled only by
// typed extractors: dates, times, numbers, enums, and names that a declared search read finds. What a reply says stands
// in results; what was left out of account is told in a note.
package guide

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/words"
	"github.com/steward-assistant/steward/principal"
	"github.com/steward-assistant/steward/tool"
)

// Question is what the member wrote and where it stands.
type Question struct {
	Text      string
	Locale    string
	Principal principal.Principal
	// Now is the turn's one clock, in the org's time zone.
	Now time.Time
	// Route is the page's path; may be empty.
	Route string
	// Offer is what this member may use; nil: no read. Its definitions must not change once they were offered.
	Offer *tool.Offer
	// Reason says why the guide answers: "no_key", "unavailable", "budget", "agent_off" or "asked".
	Reason string
	// Earlier are the member's messages before this one that the guide answered, the newest last, without a model's
	// answer between; at most the last four are read. A message that says nothing whole of its own is read as going on
	// from them: "Levi", "the second", "and on Thursday?". Empty: every message stands alone.
	Earlier []string
}

// Done is a call that the guide asked for, with its result.
type Done struct {
	Tool   string
	Input  json.RawMessage
	Result tool.Result
}

// Step is what the guide does next: calls to run, or the end of its reply.
type Step struct {
	// Notes say how the question was read, a sentence each: "Took “6pm tomorrow” as Wed 18 March, 18:00". They are
	// plain text, not Markdown, and hold words of the member and names of others. Every step gives them all.
	Notes []string
	// Calls are reads to run; empty when the reply is whole.
	Calls []Call
	// Text is the reply in Markdown, from templates over results only; text of others is escaped in it.
	Text string
	// Links are pages that it found.
	Links []conversation.Link
}

// Call is a read to run.
type Call struct {
	Tool  string
	Input json.RawMessage
	// Quiet says that its result serves the answer and is not one: no table of it is drawn.
	Quiet bool
}

// Config is what the guide knows of a host.
type Config struct {
	// Product is the host's name, told where the guide says what it is; nil: it is not named.
	Product config.Text
	// Locales are the host's languages, the fallback first; the phrases of each are tried after those of the
	// question's own. Empty: English.
	Locales []string
	// Find looks for pages that the principal may open, the best first; nil: none are found.
	Find func(p principal.Principal, locale, query string) []conversation.Link
	// Here says what a page shows: an entity and its id; empty where it shows none. With it "this member" is the one on
	// the page. Nil: no page does.
	Here func(p principal.Principal, route string) (entity, id string)
	// Entities say by name how {x:entity} is looked up. A phrase with an entity that is not here is never matched.
	Entities map[string]config.Entity
	// Words are what people call the host's things: by language, by term.
	Words map[string]map[string][]string
	// Starters are questions to suggest, where a read answers them.
	Starters []config.Starter
	// Terms are the labels and other names of the host's pages: their words are no one's name. Empty: none are known.
	Terms []string
}

// Guide answers questions. Safe for concurrent use; it keeps nothing of a question between calls, so that any process
// can take the next step from the log.
type Guide struct {
	config   Config
	synonyms *synonyms
	// terms are the words of the host's pages and things, which are looked up as no one's name.
	terms map[string]bool
	// reads are definitions made ready, by *tool.Definition; the same definition always gives the same.
	reads sync.Map
}

// New makes a guide. It never fails: a phrase that cannot work is one that is never matched.
func New(c Config) *Guide {
	if len(c.Locales) == 0 {
		c.Locales = []string{"en"}
	}
	return &Guide{config: c, synonyms: newSynonyms(c.Words), terms: newTerms(c)}
}

const (
	// maxCalls is how many calls one answer may take; more means that the log is not of this question.
	maxCalls = 12
	// maxTries is how many reads are tried for a name that alone decides.
	maxTries = 4
	// maxEarlier is how many earlier messages are read.
	maxEarlier = 4
)

// Next gives the next step of the answer to q, given the calls that were done so far, in order. The same q and done
// give the same step. Where ctx has ended the step is empty.
func (g *Guide) Next(ctx context.Context, q Question, done []Done) Step {
	if ctx.Err() != nil {
		return Step{}
	}
	r := g.newReading(q.Text, &q)
	sp := speak(r.lang)
	var step Step
	switch {
	case len(done) > maxCalls:
		step = Step{Text: sp.say("too_many", nil)}
	case len(r.tokens) == 0:
		step = g.help(&q, r, sp)
	default:
		step = g.answer(&q, r, sp, done)
	}
	if r.cut {
		step.Notes = append([]string{sp.say("cut", nil)}, step.Notes...)
	}
	return step
}

func (g *Guide) answer(q *Question, r *reading, sp speech, done []Done) Step {
	reads := g.offered(q)
	ranked := g.rank(r, reads)
	var best *candidate
	if len(ranked) > 0 {
		best = ranked[0]
	}
	sure := best != nil && best.score >= enough
	if is := r.intent(); is != intentNone && !sure {
		return g.smallTalk(is, q, r, sp)
	}
	if r.asksToChange(best) {
		return g.changesNothing(q, r, sp)
	}
	if !sure {
		if c := g.goOn(q, r, reads); c != nil {
			return g.run(q, c, sp, done)
		}
		return g.cannot(q, r, reads, sp)
	}
	if r.asksHowTo() && !best.whole {
		return g.cannot(q, r, reads, sp)
	}
	if r.asksToGo() && (len(best.missing) > 0 || best.named != 0) {
		if step := g.pagesFor(q, r, sp); step != nil {
			return *step
		}
	}
	if best.ask.loose {
		return g.tryNames(q, r, reads, ranked, sp, done)
	}
	if tied := ties(ranked); len(tied) > 1 {
		return g.choose(tied, r, sp)
	}
	step := g.run(q, best, sp, done)
	if best.nobody && best.weak {
		return g.cannot(q, r, reads, sp)
	}
	return step
}

// tryNames takes phrases of small words and a name in turn, until one's name is found.
func (g *Guide) tryNames(q *Question, r *reading, reads []*read, ranked []*candidate, sp speech, done []Done) Step {
	for _, c := range ranked[:min(len(ranked), maxTries)] {
		if !c.ask.loose || c.score < enough {
			break
		}
		if step := g.run(q, c, sp, done); !c.nobody {
			return step
		}
	}
	return g.cannot(q, r, reads, sp)
}

// rank ranks the reads by the phrases of the question's own language, and by the others only where none of those fits.
func (g *Guide) rank(r *reading, reads []*read) []*candidate {
	r.reads = reads
	ranked := g.best(r, reads, r.lang)
	if len(ranked) > 0 && ranked[0].score >= enough {
		return ranked
	}
	var rest []string
	for _, l := range append([]string{r.locale}, g.config.Locales...) {
		if l != r.lang && l != "" {
			rest = append(rest, l)
		}
	}
	if other := g.best(r, reads, rest...); len(other) > 0 && (len(ranked) == 0 || other[0].score > ranked[0].score) {
		return other
	}
	return ranked
}

// ties are the candidates that fit as well as the first.
func ties(ranked []*candidate) []*candidate {
	top := ranked[0]
	n := 1
	for n < len(ranked) && top.score-ranked[n].score < closeBy && len(ranked[n].missing) == len(top.missing) &&
		ranked[n].whole == top.whole && ranked[n].score >= enough {
		n++
	}
	return ranked[:n]
}

// goOn reads the message as going on from the ones before it; nil where it does not.
func (g *Guide) goOn(q *Question, r *reading, reads []*read) *candidate {
	earlier := q.Earlier
	if len(earlier) > maxEarlier {
		earlier = earlier[len(earlier)-maxEarlier:]
	}
	var prev *candidate
	for _, text := range earlier {
		e := g.newReading(text, q)
		ranked := g.rank(e, reads)
		switch {
		case len(ranked) > 0 && ranked[0].score >= enough && !e.asksToChange(ranked[0]):
			prev = ranked[0]
		case prev != nil:
			prev = g.follow(prev, e)
		}
	}
	if prev == nil {
		return nil
	}
	return g.follow(prev, r)
}

// offered makes the offer's reads ready.
func (g *Guide) offered(q *Question) []*read {
	if q.Offer == nil {
		return nil
	}
	defs := q.Offer.Definitions()
	out := make([]*read, 0, len(defs))
	for _, d := range defs {
		if d.Effect == tool.Write {
			continue
		}
		v, ok := g.reads.Load(d)
		if !ok {
			v, _ = g.reads.LoadOrStore(d, g.newRead(d))
		}
		if rd, ok := v.(*read); ok {
			out = append(out, rd)
		}
	}
	return out
}

func (g *Guide) offers(q *Question, name string) bool {
	for _, rd := range g.offered(q) {
		if rd.def.Name() == name {
			return true
		}
	}
	return false
}

// Unusable lists the phrases of a definition that no question ever runs, because a slot of theirs has no typed
// extractor, names no argument, or is of an entity that nothing declares how to look up.
func (g *Guide) Unusable(d *tool.Definition) []string {
	rd := &read{def: d, params: params(d.Input)}
	rd.order = ordered(rd.params)
	var out []string
	for _, lang := range slices.Sorted(maps.Keys(d.Asks)) {
		for _, phrase := range d.Asks[lang] {
			if g.newAsk(rd, phrase) == nil {
				out = append(out, phrase)
			}
		}
	}
	return out
}

// Disclosure is the sentence that stands under every reply of the guide, in the language of locale.
func Disclosure(locale string) string { return words.For(locale).Text("guide.disclosure", nil) }
