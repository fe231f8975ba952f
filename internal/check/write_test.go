package check_test

import (
	"strings"
	"testing"
)

// TestWritesSayWhatTheyActOn holds that nobody can be asked to confirm what the card could not say.
func TestWritesSayWhatTheyActOn(t *testing.T) {
	t.Parallel()
	for action, want := range map[string]string{
		`{sentence: {en: Drop it, he: a}}`:                                                                                         "preview: is missing: a write that asks first must say what it acts on",
		`{preview: {kind: Order}}`:                                                                                                 "sentence: is missing: what the card asks, in every one of locales",
		`{preview: {kind: Order}, sentence: {en: Drop it}}`:                                                                        "sentence: has no text in he",
		`{preview: {kind: Order}, sentence: Drop it}`:                                                                              "sentence: is one text for all languages",
		`{preview: {kind: Order}, sentence: {en: "Drop {count}", he: a}}`:                                                          "sentence: says {count}, and preview has no count",
		`{preview: {kind: Order}, sentence: {en: "Drop {id}", he: a}}`:                                                             "sentence: says {id}; there are {name} and {count}",
		`{confirm: never, preview: {kind: Order}}`:                                                                                 "confirm: is never, which only a write with an inverse may be",
		`{preview: {read: orders.create, input: {}}, sentence: {en: a, he: a}}`:                                                    "preview.read: orders.create is a write, and a preview only reads",
		`{preview: {kind: Order, values: [{label: X, new: /input/nope}]}, sentence: {en: a, he: a}}`:                               "preview.values[0].new: nope is no parameter of api.dropOrder",
		`{preview: {read: orders.get, input: {id: /input/id}, values: [{label: X, old: /target/nope}]}, sentence: {en: a, he: a}}`: "preview.values[0].old: /nope leads to nothing in the result of api.getOrder",
		`{preview: {kind: Order, also: {x: {read: orders.get}}, values: [{label: X, new: /x/nope}]}, sentence: {en: a, he: a}}`:    "preview.also.x.input: lacks id, which api.getOrder cannot be called without",
	} {
		body := strings.Replace(action, "{", "{operation: api.dropOrder, ", 1)
		r := run(t, head+"tools: {actions: {orders.get: {operation: api.getOrder}, orders.create: {operation: api.createOrder, sentence: {en: a, he: a}, preview: {kind: Order}}, orders.drop: "+body+"}}\n")
		if got := r.Faults.Error(); !strings.Contains(got, "tools.actions[orders.drop]."+want) {
			t.Errorf("%s\n got %s\nwant %s", action, got, want)
		}
	}
}

// TestCardsSpeakEveryLanguage warns of each text of a card that somebody would read in another language, and tells a
// sentence that is missing once, as a fault.
func TestCardsSpeakEveryLanguage(t *testing.T) {
	t.Parallel()
	r := run(t, head+`consequences: {gone: {text: {en: Gone}}}
tools:
  actions:
    orders.drop:
      operation: api.dropOrder
      sentence: {en: Drop it}
      preview:
        kind: {en: Order}
        values: [{label: {en: X}, new: /input/id, words: {a: {en: A}}}]
`)
	const action = "tools.actions[orders.drop]."
	for _, want := range []string{
		"consequences.gone.text: ", action + "preview.kind: ", action + "preview.values[0].label: ", action + "preview.values[0].words.a: ",
	} {
		if got := r.Warnings.Error(); !strings.Contains(got, want+"has no text in he") {
			t.Errorf("lacks %s:\n%s", want, got)
		}
	}
	if got := r.Warnings.Error(); strings.Contains(got, "sentence") {
		t.Errorf("told twice:\n%s", got)
	}
}
