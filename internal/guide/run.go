package guide

import (
	"encoding/json"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"github.com/steward-assistant/steward/internal/words"
	"github.com/steward-assistant/steward/tool"
)

// run takes the next step of a read that was chosen: asks for what is missing, looks names up, calls, tells the result.
func (g *Guide) run(q *Question, c *candidate, sp speech, done []Done) Step {
	if len(c.missing) > 0 {
		return Step{Notes: c.tell(sp), Text: g.ask(c, sp)}
	}
	if step := g.resolve(q, c, done, sp); step != nil {
		step.Notes = c.tell(sp)
		return *step
	}
	notes := c.tell(sp)
	call := Call{Tool: c.read.def.Name(), Input: c.arguments()}
	res := resultOf(call, done)
	if res == nil {
		return Step{Notes: notes, Calls: []Call{call}}
	}
	if !res.OK {
		return Step{Notes: notes, Text: g.failure(res, sp)}
	}
	if n, counted := count(c.read.def, res); counted && n == 0 && c.clockParam != "" {
		if step := g.withoutHour(c, sp, done); step != nil {
			step.Notes = notes
			return *step
		}
	}
	return Step{Notes: notes, Text: g.tell(c, res, sp)}
}

// withoutHour reads the same day without its hour, where nothing stands at the hour.
func (g *Guide) withoutHour(c *candidate, sp speech, done []Done) *Step {
	wide := *c
	wide.args = maps.Clone(c.args)
	delete(wide.args, c.clockParam)
	call := Call{Tool: c.read.def.Name(), Input: wide.arguments(), Quiet: true}
	res := resultOf(call, done)
	if res == nil {
		return &Step{Calls: []Call{call}}
	}
	n, counted := count(c.read.def, res)
	if !res.OK || !counted || n == 0 {
		return nil
	}
	return &Step{Text: g.counted(c, sp, sp.say("none_for", words.Args{"about": c.about(sp)})) + " " + sp.Count("guide.without_hour", n, nil)}
}

// count gives how many records a result holds, where it is a list: by its table, else, as of a look-up that was not
// drawn, by the total that it tells or the items that it holds.
func count(d *tool.Definition, res *tool.Result) (int, bool) {
	if res.Table != nil {
		return max(res.Table.Total, len(res.Table.Rows)), true
	}
	data := tool.Decode(res.Data)
	list, ok := data.([]any)
	if ok {
		return len(list), true
	}
	if d.Table != nil {
		list, ok = tool.First(data, d.Table.Items).([]any)
	}
	if !ok {
		if list, ok = tool.First(data, "/items").([]any); !ok {
			return 0, false
		}
	}
	if total, isNumber := tool.First(data, "/total").(json.Number); isNumber {
		if n, err := total.Int64(); err == nil {
			return max(int(n), len(list)), true
		}
	}
	return len(list), true
}

// about says what was asked for: names, options, when.
func (c *candidate) about(sp speech) string {
	var parts []string
	for _, l := range c.labels {
		parts = append(parts, escape(l))
	}
	if when := sp.when(c.day, c.last, c.reading.calendar.today, c.minutes, c.timed); when != "" {
		parts = append(parts, when)
	}
	return strings.Join(parts, ", ")
}

// counted completes the sentence that counts: of what the records are, and what narrowed them.
func (g *Guide) counted(c *candidate, sp speech, sentence string) string {
	if t := c.read.def.Table; t != nil {
		if title := t.Title[c.reading.lang]; title != "" {
			sentence = sp.say("of", words.Args{"what": escape(title), "sentence": sentence})
		}
	}
	var filters []string
	for _, p := range c.read.order {
		f, ok := c.filters[p.name]
		if !ok || c.args[p.name] == nil {
			continue
		}
		name := f.said
		if word := g.wordIn(f.value, c.reading.lang); word != "" {
			name = word
		}
		if name != "" {
			filters = append(filters, escape(name))
		}
	}
	if len(filters) == 0 {
		return sentence
	}
	return sentence + " " + sp.say("filter", words.Args{"filters": strings.Join(filters, ", ")})
}

// tell tells a result that was read.
func (g *Guide) tell(c *candidate, res *tool.Result, sp speech) string {
	var b strings.Builder
	about := c.about(sp)
	n, counted := count(c.read.def, res)
	suffix := ""
	args := words.Args{"about": about}
	if about != "" {
		suffix = "_for"
	}
	switch {
	case counted && n == 0:
		b.WriteString(g.counted(c, sp, sp.say("none"+suffix, args)))
	case res.Table != nil:
		b.WriteString(g.counted(c, sp, sp.Count("guide.found"+suffix, n, args)))
		if shown := len(res.Table.Rows); shown < n && shown > 0 {
			b.WriteString(" " + sp.Count("guide.shown", shown, nil))
		}
	default:
		data := tool.Decode(res.Data)
		if m, ok := data.(map[string]any); ok && counted && m["items"] != nil {
			data = m["items"]
		}
		text := sp.record(data, c.reading.now)
		switch {
		case text == "":
			b.WriteString(sp.say("nothing_to_tell", nil))
		case counted:
			b.WriteString(g.counted(c, sp, sp.Count("guide.found"+suffix, n, args)) + "\n\n" + text)
		case about != "":
			b.WriteString(sp.say("here_for", args) + "\n\n" + text)
		default:
			b.WriteString(sp.say("here", nil) + "\n\n" + text)
		}
	}
	b.WriteString(sp.mustTell(c.read.def, res))
	return b.String()
}

// mustTell lists the parts of a result that a reply must tell.
func (s speech) mustTell(d *tool.Definition, res *tool.Result) string {
	if len(d.MustTell) == 0 {
		return ""
	}
	data := tool.Decode(res.Data)
	var lines []string
	var add func(v any)
	add = func(v any) {
		switch x := v.(type) {
		case []any:
			for _, w := range x {
				add(w)
			}
		case map[string]any:
			for _, k := range sortedKeys(x) {
				add(x[k])
			}
		case string:
			if line := escape(x); line != "" && !slices.Contains(lines, line) && len(lines) < maxRows {
				lines = append(lines, line)
			}
		default:
		}
	}
	for _, p := range d.MustTell {
		for _, v := range tool.At(data, p) {
			add(v)
		}
	}
	if len(lines) == 0 {
		return ""
	}
	return "\n\n" + s.say("told_with_it", nil) + "\n\n- " + strings.Join(lines, "\n- ")
}

// failure says that something could not be read: the result's own sentence, else one by its status. It is never zero.
func (g *Guide) failure(res *tool.Result, sp speech) string {
	if res.Sentence != "" {
		return res.Sentence
	}
	switch {
	case res.Code == "refused_by_host", res.Code == "not_allowed_here", res.Code == "not_found":
		return sp.say("failed."+res.Code, nil)
	case res.Status == tool.StatusNotConfigured, res.Status == tool.StatusNotAvailable:
		return sp.say("failed."+string(res.Status), nil)
	default:
		return sp.say("failed.unreadable", nil)
	}
}

// ask asks in one sentence for all that is missing.
func (g *Guide) ask(c *candidate, sp speech) string {
	var needs []string
	for i := range c.missing {
		s := &c.missing[i]
		var need string
		switch {
		case s.kind == kindName:
			need = sp.say("need.name", words.Args{"what": escape(g.whom(s.what, c.reading.lang))})
		case s.entity != "":
			need = sp.say("need.name", words.Args{"what": escape(g.whom(s.entity, c.reading.lang))})
		case s.kind == kindDate && s.param.until != "", s.kind == kindDate && s.param.opens != "",
			s.kind == kindMoment && (s.param.until != "" || s.param.opens != ""):
			need = sp.say("need.range", nil)
		case s.kind == kindDate:
			need = sp.say("need.date", nil)
		case s.kind == kindMoment:
			need = sp.say("need.moment", nil)
		case s.kind == kindTime:
			need = sp.say("need.time", nil)
		case s.kind == kindMonth:
			need = sp.say("need.month", nil)
		case s.kind == kindNumber:
			need = numberNeed(s.param, sp)
		case s.kind == kindEnum:
			need = sp.say("need.enum", words.Args{"values": g.values(s.param, c.reading.lang)})
		default:
			need = sp.say("need.other", words.Args{"name": escape(label(s.param.name))})
		}
		if !slices.Contains(needs, need) {
			needs = append(needs, need)
		}
	}
	return sp.say("need", words.Args{"needs": sp.join(needs)})
}

func numberNeed(p *param, sp speech) string {
	args := words.Args{"name": escape(strings.ToLower(label(p.name)))}
	if p.min == nil || p.max == nil {
		return sp.say("need.number", args)
	}
	args["min"], args["max"] = itoa(int(*p.min)), itoa(int(*p.max))
	return sp.say("need.number_between", args)
}

// values lists what an enum takes, in the host's words for them where it has any.
func (g *Guide) values(p *param, lang string) string {
	var out []string
	for i, v := range p.enum {
		if i == maxListed {
			out = append(out, "…")
			break
		}
		out = append(out, escape(g.word(v, lang)))
	}
	return strings.Join(out, ", ")
}

func (g *Guide) word(v, lang string) string {
	if list := g.config.Words[lang][v]; len(list) > 0 {
		return list[0]
	}
	return strings.Join(nameParts(v), " ")
}

// tell says how the question was read: what it goes on from, what was taken how, and what was left out.
func (c *candidate) tell(sp speech) []string {
	var notes []string
	if c.from != nil {
		origin := c.from
		for origin.from != nil {
			origin = origin.from
		}
		notes = append(notes, sp.say("went_on", words.Args{"said": plain(strings.TrimSpace(origin.reading.text))}))
	}
	if note := c.tookNote(sp); note != "" {
		notes = append(notes, note)
	}
	if c.onPage != "" {
		notes = append(notes, sp.say("took_here", words.Args{"said": plain(c.onPage)}))
	}
	notes = append(notes, c.notes...)
	return append(notes, c.leftOut(sp)...)
}

// tookNote tells dates and hours that were not written as they were used.
func (c *candidate) tookNote(sp speech) string {
	var all set
	plainly := true
	for _, m := range c.took {
		if m.hasDay || m.hasClock {
			all |= m.tokens
			plainly = plainly && m.literal
		}
	}
	if all == 0 || plainly {
		return ""
	}
	when := sp.when(c.day, c.last, c.reading.calendar.today, c.minutes, c.timed)
	if when == "" {
		return ""
	}
	return sp.say("took", words.Args{"said": plain(c.reading.said(all)), "when": when})
}

// said gives the words of a set as they were written: as one stretch where only small words stand between them, else
// each stretch by itself; small words at its start are left off.
func (r *reading) said(s set) string {
	first, last := bits.TrailingZeros64(uint64(s)), 63-bits.LeadingZeros64(uint64(s))
	for first < last && weight(r.tokens[first]) == weightFiller && !r.calendar.is(first, senseThis) && !r.calendar.is(first, senseAgo) && !r.calendar.opensLength(first) && r.tokens[first].text != "since" && r.tokens[first].text != "from" {
		first++
	}
	var parts []string
	start := first
	for i := first; i <= last; i++ {
		if s.has(i) || light(r.tokens[i]) {
			continue
		}
		if t := r.trim(s & span(start, i)); t != 0 {
			parts = append(parts, r.original(t))
		}
		start = i + 1
	}
	parts = append(parts, r.original(s&span(start, last+1)))
	return strings.Join(parts, " … ")
}

// leftOut tells the words that carry meaning and were not used.
func (c *candidate) leftOut(sp speech) []string {
	r := c.reading
	var parts []string
	for _, m := range r.mentions {
		if (m.hasDay || m.hasClock) && m.tokens&(c.used|c.named) == 0 {
			parts = append(parts, sp.say("quoted", words.Args{"said": plain(r.said(m.tokens))}))
		}
	}
	for i, t := range r.tokens {
		if c.used.has(i) || c.named.has(i) || light(t) && weight(t) != weightOwn || r.inMention(i) {
			continue
		}
		parts = append(parts, sp.say("quoted", words.Args{"said": plain(r.text[t.from:t.to])}))
	}
	if len(parts) == 0 {
		return nil
	}
	return []string{sp.say("left_out", words.Args{"said": strings.Join(parts, ", ")})}
}

func (r *reading) inMention(i int) bool {
	for _, m := range r.mentions {
		if (m.hasDay || m.hasClock) && m.tokens.has(i) {
			return true
		}
	}
	return false
}
