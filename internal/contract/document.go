package contract

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/internal/words"
	"github.com/steward-assistant/steward/principal"
	"github.com/steward-assistant/steward/tool"
)

// Document is the contract as a client reads it, cut to one principal: no other role's tools, no prompt.
type Document struct {
	// Hash names the content of everything else in the document.
	Hash        string   `json:"hash"`
	Product     Product  `json:"product"`
	Persona     Persona  `json:"persona"`
	Locale      string   `json:"locale"`
	Locales     []string `json:"locales"`
	Answers     string   `json:"answers"`
	GuideReason string   `json:"guideReason,omitempty"`
	// Rights are what the member may do: read, send, decide, pick, undo.
	Rights   []string  `json:"rights"`
	Limits   Limits    `json:"limits"`
	Starters []Starter `json:"starters"`
	Tools    []Tool    `json:"tools"`
	Nav      []Page    `json:"nav"`
	// LinkOrigins are allowed in replies beside the nav index.
	LinkOrigins []string `json:"linkOrigins"`
	// Origins are what the widget may call beside its own origin.
	Origins []string `json:"origins"`
	// Words are the sentences of codes and the labels of the widget in the locale.
	Words map[string]string `json:"words"`
}

// Product names the product.
type Product struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Persona is how the assistant presents itself.
type Persona struct {
	Name       string `json:"name"`
	Title      string `json:"title"`
	Disclosure string `json:"disclosure"`
	// Picture is the path of an image; empty: none.
	Picture string `json:"picture,omitempty"`
}

// Limits are those that a client must keep.
type Limits struct {
	// MaxText is the most characters of a message.
	MaxText int `json:"maxText"`
	// MaxBodyBytes is the most bytes of a request's body.
	MaxBodyBytes int `json:"maxBodyBytes"`
	// MaxRounds is the most model calls of a turn.
	MaxRounds int `json:"maxRounds"`
}

// MaxBodyBytes is the most bytes of a request's body.
const MaxBodyBytes = 256 << 10

// Starter is a first question that pages offer; no pages: every page.
type Starter struct {
	Pages []string `json:"pages"`
	Text  string   `json:"text"`
}

// Tool is a tool as a person reads of it.
type Tool struct {
	Name     string `json:"name"`
	Summary  string `json:"summary"`
	Progress string `json:"progress,omitempty"`
}

// Page is a page of the nav index that this member may open.
type Page struct {
	Path  string   `json:"path"`
	Label string   `json:"label"`
	Focus []string `json:"focus,omitempty"`
}

// For is for whom a document is made.
type For struct {
	Principal   principal.Principal
	Locale      string
	Rights      []string
	Answers     string
	GuideReason string
	Surface     config.Surface
	Offer       *tool.Offer
	Nav         []Page
}

// New makes the document for one principal.
func New(cfg *config.Config, f For) (Document, error) {
	fallback := cfg.FallbackLocale()
	d := Document{
		Product: Product{ID: cfg.Product.ID, Name: cfg.Product.Name.In(f.Locale, fallback)},
		Persona: Persona{
			Name: f.Surface.Persona.Name, Title: f.Surface.Persona.Title.In(f.Locale, fallback),
			Disclosure: f.Surface.Persona.Disclosure.In(f.Locale, fallback), Picture: f.Surface.Persona.Picture,
		},
		Locale: f.Locale, Locales: cfg.Locales, Answers: f.Answers, GuideReason: f.GuideReason, Rights: f.Rights,
		Limits:      Limits{MaxText: cfg.Turn.MaxText, MaxBodyBytes: MaxBodyBytes, MaxRounds: cfg.Turn.MaxRounds},
		Starters:    []Starter{},
		Tools:       []Tool{},
		Nav:         append([]Page{}, f.Nav...),
		LinkOrigins: append([]string{}, f.Surface.LinkOrigins...),
		Origins:     []string{},
		Words:       map[string]string{},
	}
	for _, s := range cfg.Starters {
		if f.Principal.HasRole(s.Roles...) {
			d.Starters = append(d.Starters, Starter{Pages: append([]string{}, s.Pages...), Text: s.Text.In(f.Locale, fallback)})
		}
	}
	for _, def := range f.Offer.Definitions() {
		d.Tools = append(d.Tools, Tool{Name: def.Name(), Summary: def.Summary, Progress: def.Progress.In(f.Locale, fallback)})
	}
	w := words.For(f.Locale)
	for _, prefix := range []string{"ui.", "code."} {
		for _, k := range w.Keys(prefix) {
			d.Words[k] = w.Text(k, nil)
		}
	}
	b, err := json.Marshal(d)
	if err != nil {
		return d, fmt.Errorf("hash contract: %w", err)
	}
	sum := sha256.Sum256(b)
	d.Hash = hex.EncodeToString(sum[:])[:16]
	return d, nil
}
