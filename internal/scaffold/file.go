package scaffold

import (
	"fmt"
	"strings"

	"github.com/steward-assistant/steward/config"
)

// file writes the text of a first steward.yaml.
type file struct {
	text    strings.Builder
	options Options
	draft   *Draft
	product product
	picked  picked
	nav     []page
}

func (f *file) line(format string, args ...any) {
	fmt.Fprintf(&f.text, format+"\n", args...)
}

// lines writes a text as it stands.
func (f *file) lines(text string) {
	f.text.WriteString(strings.TrimPrefix(text, "\n"))
}

func (f *file) write() []byte {
	f.head()
	f.identity()
	f.models()
	f.source()
	f.tools()
	f.pages()
	f.starters()
	f.surface()
	return []byte(f.text.String())
}

func (f *file) head() {
	from := lastName(f.options.DocumentPath)
	if f.options.PagesFrom != "" {
		from += " and " + lastName(f.options.PagesFrom)
	}
	f.line("# What %s tells Steward: who may ask, where its API is, which pages it has.", f.product.name)
	f.line("# Made by steward init from %s.", from)
	f.line("# It is yours now: read it through once, change what is guessed wrong, and run steward check after each change.")
	f.line("# Paths are relative to this file. For completion in an editor, point it at the output of steward schema.")
	f.line("")
	f.line("# What the assistant is put into. The model reads \"about\": say in a sentence what it is, and who uses it.")
	f.line("product:")
	f.line("  id: %s", scalar(f.product.id))
	f.line("  name: %s", scalar(f.product.name))
	f.line("  about: %s", scalar(f.product.about))
	f.line("")
	f.line("# The languages of your people; the first is the fallback. A text of this file can then stand in each:")
	f.line("# label: {en: Orders, de: Bestellungen}.")
	f.line("locales: [en]")
	f.line("")
}

// lastName is a file's name without its folder, or an address as it stands.
func lastName(name string) string {
	if !isAddress(name) {
		name = name[strings.LastIndexAny(name, `/\\`)+1:]
	}
	return cutAt(oneLine(name), 100)
}

func (f *file) identity() {
	f.lines(`
# How your server proves who asks. It signs a short-lived token (a JWT, HS256) for its signed-in member, and answers the
# page's request for it with {"token": "…"}. Make a secret once, and give it to your server and to Steward:
`)
	f.line("#   export %s=$(openssl rand -base64 32)", f.draft.SecretEnv)
	f.lines(`
# The claims to sign:
#   sub    your id of the member: "42"
#   roles  what the member is, of the roles below: ["member"]
#   aud    "steward"
#   exp    when it ends, in seconds since 1970: a few minutes ahead; the page asks for a new one by itself
#   org    your id of the member's organisation, where you have several
# Also understood: name, locale ("en"), time_zone ("Europe/Berlin"), plan, features, scopes. A claim that you call
# otherwise is mapped: claims: {org: tenant_id}. If you publish keys (RS256, ES256), take jwks_url in place of secret_env.
identity:
`)
	f.line("  secret_env: %s", f.draft.SecretEnv)
	f.lines(`
  audience: steward
  # The roles that may use the assistant, in your own words, and what each may do. Any other role is shut out.
  roles:
    member: [read, send]

`)
}

func (f *file) models() {
	f.line("# Which model answers. Left as it is, the first of these variables that is set says so: ANTHROPIC_API_KEY,")
	f.line("# OPENAI_API_KEY, OPENROUTER_API_KEY. Where none is, the guide answers without any model: it finds pages and runs reads.")
	f.line("# models:")
	f.line("#   loop: {provider: anthropic, model: %s}", scalar(config.DefaultLoopModel))
	f.line("")
}

func (f *file) source() {
	f.line("# Your API. Calls go to exactly this address; %s wins over it where it is set.", f.draft.BaseURLEnv)
	f.line("# authority: forward sends the member's own token along, as a bearer, so that your API decides what they may see;")
	f.line("# service sends a statement that Steward signs.")
	f.line("sources:")
	f.line("  %s:", sourceName)
	f.line("    openapi: %s", scalar(f.options.DocumentPath))
	if f.draft.Guessed {
		f.line("    # The document does not say on which host the API is. Put its address here.")
	}
	f.line("    base_url: %s", scalar(f.draft.BaseURL))
	f.line("    base_url_env: %s", f.draft.BaseURLEnv)
	f.line("    authority: forward")
	if len(f.picked.leaveOut) > 0 {
		f.line("    # Operations that say nothing of the product.")
		f.line("    leave_out:")
		for _, id := range f.picked.leaveOut {
			f.line("      - %s", scalar(id))
		}
	}
	f.line("")
}

func (f *file) tools() {
	p := f.picked
	f.lines(`
# What the assistant can read. The summary is what a model chooses by, asks are phrases by which the guide understands a
# question. {day} in one is a parameter of the operation that is a date, a time, a month, a number, true or false, or has an
# enum; free text fills none, unless entities says how a name is looked up, as {id:customer}. Other keys say who may use it
# (roles), what is never shown (omit) and how a result is drawn (table: items points at the list in the result, and is left
# out where the result itself is the list).
`)
	switch {
	case p.more > 0 && len(p.listed) > 0:
		f.line("# These %d are described; %s offered too, in the document's words.", len(p.listed), areMore(p.more))
	case p.more > 0:
		f.line("# None is described here; every GET of the document is offered, in its words.")
	default:
		f.line("# A GET that is not described here is offered too, in the document's words.")
	}
	if len(p.listed) == 0 {
		f.line("# tools:")
		f.line("#   actions:")
		f.line("#     orders.list:")
		f.line("#       operation: %s.listOrders", sourceName)
		f.line("#       summary: Orders of a day.")
		f.line("#       asks: {en: [\"orders of {date}\"]}")
	} else {
		f.line("tools:")
		f.line("  actions:")
	}
	for _, a := range p.listed {
		f.action(a)
	}
	f.writes()
	f.line("")
}

func areMore(n int) string {
	if n == 1 {
		return "1 other GET of the document is"
	}
	return fmt.Sprintf("%d other GETs of the document are", n)
}

func (f *file) action(a action) {
	remark := oneLine(a.line)
	if len(a.needs) > 0 {
		remark += ", needs " + oneLine(strings.Join(a.needs, ", "))
	}
	f.line("    %s: # %s", a.name, remark)
	f.line("      operation: %s", scalar(a.operation))
	if a.unsaid {
		f.line("      # The document does not say what this tells; a sentence here helps a model to choose it.")
	}
	f.line("      summary: %s", scalar(a.summary))
	if len(a.asks) > 0 {
		f.line("      asks:")
		f.line("        en: [%s]", scalars(a.asks))
	}
}

func scalars(texts []string) string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = scalar(t)
	}
	return strings.Join(out, ", ")
}

func (f *file) writes() {
	if len(f.picked.writes) == 0 {
		return
	}
	f.line("")
	f.line("# These would change something; they are not offered until you name them:")
	for _, w := range f.picked.writes {
		f.line("#   %s", oneLine(w))
	}
	if f.picked.moreWrites > 0 {
		f.line("#   and %d more; steward check lists them all", f.picked.moreWrites)
	}
}

func (f *file) pages() {
	f.lines(`
# Your pages: the only paths that are ever suggested or linked. {id} stands for an id. Give a page the other words that
# people use for it, synonyms: {en: [invoices]}, and the roles that may open it, roles: [member].
`)
	if len(f.nav) == 0 {
		f.line("# nav:")
		f.line("#   - {path: /orders, label: Orders}")
		f.line("#   - {path: \"/orders/{id}\", label: Order}")
		f.line("")
		return
	}
	f.line("nav:")
	for _, p := range f.nav {
		f.line("  - {path: %s, label: %s}", scalar(p.path), scalar(p.label))
	}
	f.line("")
}

func (f *file) starters() {
	f.line("# The first questions that the panel offers, in your people's words; pages: [/path] shows one on that page only.")
	if len(f.picked.starters) == 0 {
		f.line("# starters:")
		f.line("#   - text: Which orders came in today?")
		f.line("")
		return
	}
	f.line("starters:")
	for _, s := range f.picked.starters {
		f.line("  - text: %s", scalar(s))
	}
	f.line("")
}

func (f *file) surface() {
	f.line("# How the assistant presents itself. The model reads \"identity\"; \"title\" stands at the head of the panel.")
	f.line("surfaces:")
	f.line("  %s:", config.DefaultSurface)
	f.line("    persona:")
	f.line("      name: %s", scalar(f.product.name))
	f.line("      identity: %s", scalar("You help the people who use "+f.product.name+"."))
	f.line("      title: %s", scalar("Ask "+f.product.name))
}
