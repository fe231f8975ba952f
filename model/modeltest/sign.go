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

// callID makes the id of a tool use. thought says that the reply has thinking.
func (s signer) callID(model, nonce string, thought bool) string {
	kind := "n"
	if thought {
		kind = "t" + s.modelMark(model)
	}
	return "toolu_" + nonce + kind
}

func (s signer) modelMark(model string) string {
	sum := sha256.Sum256(append(s.secret, family(model)...))
	return hex.EncodeToString(sum[:4])
}

// thought reports whether an id was made in a reply of this model family that has thinking.
func (s signer) thought(model, id string) bool {
	return strings.HasPrefix(id, "toolu_") && strings.HasSuffix(id, "t"+s.modelMark(model))
}

// family is a model's name without the date of its snapshot.
func family(model string) string { return snapshotPattern.ReplaceAllString(model, "") }
