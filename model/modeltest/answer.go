package modeltest

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// answer is a reply to one request, with what any wire needs to write it.
type answer struct {
	sign    signer
	req     *Request
	reply   *Reply
	usage   Usage
	thought int // of the output tokens
	nonce   string
	created int64 // seconds since 1970
	blocks  []answerBlock
}

// answerBlock is a block of the script as this answer has it.
type answerBlock struct {
	Block
	nonce string // of this block's ids
	whole string // the pieces, together
	// thought says that a thinking block came before.
	thought bool
	last    bool
}

// newAnswer leaves out the thinking that the request does not ask for and makes up the counts that the script lacks.
func newAnswer(a answer) *answer {
	characters, thoughts := 0, 0
	thought := false
	for i, b := range a.reply.Blocks {
		if b.thinks() && !a.req.Thinks {
			continue
		}
		block := answerBlock{Block: b, nonce: a.nonce + "x" + strconv.Itoa(i), whole: strings.Join(b.pieces, ""), thought: thought}
		if b.thinks() {
			thought = true
			thoughts += len(block.whole)
		}
		characters += len(block.whole) + len(b.input)
		a.blocks = append(a.blocks, block)
	}
	if n := len(a.blocks); n > 0 {
		a.blocks[n-1].last = true
	}
	if a.usage.Output == 0 {
		a.usage.Output = max(1, tokens(characters))
	}
	a.thought = min(tokens(thoughts), a.usage.Output)
	return &a
}

// tokens takes a token for four bytes.
func tokens(bytes int) int { return (bytes + 3) / 4 }

func (b Block) thinks() bool { return b.kind == "thinking" || b.kind == "redacted_thinking" }

// argumentPieces is a call's input as it is streamed: an empty piece, then a few bytes at a time.
func (b Block) argumentPieces() []string {
	return append([]string{""}, cutEvery(string(b.input), 12)...)
}

// arguments is a call's input as a string, "{}" for none.
func (b Block) arguments() string {
	if len(b.input) == 0 {
		return "{}"
	}
	return string(b.input)
}

// cutEvery cuts a text into pieces of about n bytes, between characters.
func cutEvery(s string, n int) []string {
	var list []string
	for len(s) > n {
		at := n
		for at < len(s) && !utf8.RuneStart(s[at]) {
			at++
		}
		list, s = append(list, s[:at]), s[at:]
	}
	if s != "" {
		list = append(list, s)
	}
	return list
}

// quote writes a JSON string.
func quote(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(text)
}

// jsonOr writes any value; what cannot be written is the fallback.
func jsonOr(v any, fallback string) string {
	text, err := json.Marshal(v)
	if err != nil {
		return fallback
	}
	return string(text)
}
