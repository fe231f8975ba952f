package config

// Preview is what a write's card shows of what it acts on: looked up by the server with the call's own arguments, never
// taken from the model's words. A pointer begins with where it points: /input into the call's arguments, /target into the
// result of Read, and /x into the result of the look-up x of Also.
type Preview struct {
	// Read is the read that finds what the write acts on. Empty where that does not exist yet, as where something is made;
	// then Kind says what.
	Read string `yaml:"read"`
	// Input maps the read's arguments to pointers into the call, as {id: /input/id}.
	Input map[string]string `yaml:"input"`
	// Name are pointers into the read's result that together name the thing: a name, a title, a time; never an id. Empty:
	// Kind stands for it.
	Name []string `yaml:"name"`
	// Kind is what kind of thing it is, as Booking. Required without Read.
	Kind Text `yaml:"kind"`
	// About are pointers into the read's result that tell more of it, on the line below the title. Empty: no such line.
	About []string `yaml:"about"`
	// Also are further reads, by a name of their own, for what stands behind an id of the call.
	Also map[string]Lookup `yaml:"also"`
	// Count points at how many things the write touches: a number, or a list that is counted. Empty: it is one.
	Count string `yaml:"count"`
	// Values are the rows of the card, in this order. Empty: the exact arguments alone tell them.
	Values []CardValue `yaml:"values"`
	// Outbound is the message that leaves the product. Empty: none does.
	Outbound *Outbound `yaml:"outbound"`
	// Consequences are names out of the file's consequences.
	Consequences []string `yaml:"consequences"`
	// Precondition has the product refuse the write where its target changed since the card was made. Empty: none is sent.
	Precondition *Precondition `yaml:"precondition"`
}

// Lookup is one read of a preview.
type Lookup struct {
	// Read is the read's name. Required.
	Read string `yaml:"read"`
	// Input maps its arguments to pointers, as {id: /input/stage_id}.
	Input map[string]string `yaml:"input"`
}

// CardValue is one row of a card: a value as it will be, and where it replaces another, as it is.
type CardValue struct {
	// Label names it. Required.
	Label Text `yaml:"label"`
	// New points at the value that is shown as what will be. Required where there is no Old.
	New string `yaml:"new"`
	// Old points at what is so now. Empty: there is nothing before.
	Old string `yaml:"old"`
	// Of points at the argument that the row is about, where New shows a name behind an id, as /input/stage_id. Defaults
	// to New.
	Of string `yaml:"of"`
	// As says how it is written: name, text, time, date, money, count, yes_no. Defaults to what the
	// value looks like.
	As string `yaml:"as"`
	// Currency points at the currency of an amount, or is its code, as ILS. Only for money, in minor units. Required there.
	Currency string `yaml:"currency"`
	// Words are what people call the values of an enum, by value. Empty: the product's own words are shown.
	Words map[string]Text `yaml:"words"`
}

// Outbound is a message that a write sends to somebody.
type Outbound struct {
	// Channel is how it goes: sms, email, app or call. Required.
	Channel string `yaml:"channel"`
	// To points at who gets it, as a name, a number or an address. Required.
	To string `yaml:"to"`
	// Text points at its words, which the card shows whole. Required.
	Text string `yaml:"text"`
}

// Precondition is how a product learns what the member saw.
type Precondition struct {
	// Header carries it. Defaults to If-Match.
	Header string `yaml:"header"`
	// Value points at what changes whenever the thing does, as /target/version. Required.
	Value string `yaml:"value"`
}

// Consequence is something that a write entails, as a card says it.
type Consequence struct {
	// Text says it. Required.
	Text Text `yaml:"text"`
	// Danger says that it cannot be taken back, or costs. Defaults to false.
	Danger bool `yaml:"danger"`
}

// Inverse takes a write back.
type Inverse struct {
	// Tool is the write that does it. Required.
	Tool string `yaml:"tool"`
	// Input maps its arguments to pointers into the call's /input and /output.
	Input map[string]string `yaml:"input"`
	// Precondition points into the call's /output at the version that the write left. Empty: none is sent, and it is told
	// that later changes are lost.
	Precondition string `yaml:"precondition"`
}

// Audit says what a write acts on.
type Audit struct {
	// Resource is the kind of thing. Required.
	Resource string `yaml:"resource"`
	// ID points at its id in the result.
	ID string `yaml:"id"`
	// Label points at its name in the result. Empty: none.
	Label string `yaml:"label"`
}
