package modeltest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strings"
)

// signer makes and checks what the vendor vouches for: a thinking block's signature, the data of redacted thinking, and
// ids that tell whether their reply was thought about. All of it can be checked without a memory, so that a server that
// was started anew knows its own.
type signer struct{ secret []byte }

func (s signer) mac(parts ...string) string {
	h := hmac.New(sha256.New, s.secret)
	h.Write([]byte(strings.Join(parts, "\x00"))) // a hash takes every byte
	return base64.StdEncoding.EncodeToString(h.Sum(nil))
}

func (s signer) thinking(model, text string) string { return s.mac("thinking", family(model), text) }

// redacted makes data that stands for hidden thinking; nonce tells one from another.
func (s signer) redacted(model, nonce string) string {
	return nonce + "." + s.mac("redacted", family(model), nonce)
}

func (s signer) isRedacted(model, data string) bool {
	nonce, _, ok := strings.Cut(data, ".")
	return ok && hmac.Equal([]byte(s.redacted(model, nonce)), []byte(data))
}

// itemID makes an id: of a tool use, or of an item of a response. thought says that its reply was thought about before.
func (s signer) itemID(prefix, model, nonce string, thought bool) string {
	kind := "n"
	if thought {
		kind = "t" + s.modelMark(model)
	}
	return prefix + nonce + kind
}

func (s signer) modelMark(model string) string {
	sum := sha256.Sum256(append(s.secret, family(model)...))
	return hex.EncodeToString(sum[:4])
}

// thought reports whether an id was made in a reply of this model family that has thinking.
func (s signer) thought(prefix, model, id string) bool {
	return strings.HasPrefix(id, prefix) && strings.HasSuffix(id, "t"+s.modelMark(model))
}

// encrypted makes reasoning that only this server can read.
func (s signer) encrypted(model, nonce string) string {
	return "gAAAA" + nonce + "." + s.mac("encrypted", family(model), nonce)
}

func (s signer) isEncrypted(model, data string) bool {
	nonce, _, ok := strings.Cut(strings.TrimPrefix(data, "gAAAA"), ".")
	return ok && hmac.Equal([]byte(s.encrypted(model, nonce)), []byte(data))
}

// replyOf is the part of an item's id that all ids of its reply share; empty for an id of another's making.
func (s signer) replyOf(id string) string {
	_, nonce, ok := strings.Cut(id, "_")
	at := strings.LastIndexByte(nonce, 'x')
	if !ok || at < 0 {
		return ""
	}
	return nonce[:at]
}

// family is a model's name without the date of its snapshot, or a gateway's word for how it is served.
func family(model string) string {
	name, _, _ := strings.Cut(model, ":")
	return snapshotPattern.ReplaceAllString(strings.TrimSuffix(name, "-latest"), "")
}
