package tool

import "strings"

// secretNames are names of fields, without case and separators, whose values are secrets, tokens, keys or links that
// act for whoever holds them.
var secretNames = map[string]bool{
	"password": true, "passwd": true, "passphrase": true, "pwd": true, "secret": true, "token": true, "jwt": true,
	"apikey": true, "authorization": true, "cookie": true, "setcookie": true, "sessionid": true, "sessionkey": true,
	"credential": true, "credentials": true, "otp": true, "totp": true, "onetimecode": true, "recoverycodes": true,
	"backupcodes": true, "cvv": true, "cvc": true, "cardnumber": true, "mnemonic": true, "seedphrase": true,
	"presignedurl": true, "signedurl": true, "uploadurl": true, "magiclink": true, "loginlink": true, "resetlink": true,
	"loginurl": true, "reseturl": true, "verificationlink": true, "verificationcode": true, "invitelink": true,
	"inviteurl": true, "webhookurl": true, "connectionstring": true,
}

// secretEnds are ends of names that say the same.
var secretEnds = []string{
	"password", "secret", "token", "apikey", "privatekey", "secretkey", "accesskey", "signingkey", "encryptionkey",
	"passwordhash", "signedurl", "magiclink", "resetlink", "credentials",
}

// harmless are names that end so and say where a list goes on, or count.
var harmless = map[string]bool{
	"nextpagetoken": true, "pagetoken": true, "prevpagetoken": true, "previouspagetoken": true, "continuationtoken": true,
	"nexttoken": true, "synctoken": true, "nextsynctoken": true,
}

// omitter drops what must not reach model, log or card.
type omitter struct {
	names map[string]bool
}

func newOmitter(more []string) *omitter {
	o := &omitter{names: map[string]bool{}}
	for _, n := range more {
		o.names[bareName(n)] = true
	}
	return o
}

func bareName(n string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '_' || r == '-' || r == '.' || r == ' ':
			return -1
		case r >= 'A' && r <= 'Z':
			return r + ('a' - 'A')
		}
		return r
	}, n)
}

// secret reports whether a field of that name is never shown.
func (o *omitter) secret(name string) bool {
	bare := bareName(name)
	if o.names[bare] || secretNames[bare] {
		return true
	}
	if harmless[bare] {
		return false
	}
	for _, end := range secretEnds {
		if strings.HasSuffix(bare, end) {
			return true
		}
	}
	return false
}

// apply drops the fields in place. A flag or a count under such a name, as "has_password": true, is no secret and stays.
func (o *omitter) apply(n *node, pointers *pointerSet) {
	if n.kind == nodeArray {
		next := pointers.item()
		kept := n.kids[:0]
		for _, kid := range n.kids {
			if next.here() {
				continue
			}
			o.apply(kid, next)
			kept = append(kept, kid)
		}
		n.kids = kept
		return
	}
	if n.kind != nodeObject {
		return
	}
	keys, kids := n.keys[:0], n.kids[:0]
	for i, key := range n.keys {
		kid, next := n.kids[i], pointers.key(key)
		if next.here() || o.secret(key) && (kid.kind != nodeScalar || isNumber(kid.raw)) {
			continue
		}
		o.apply(kid, next)
		keys, kids = append(keys, key), append(kids, kid)
	}
	n.keys, n.kids = keys, kids
}

func isNumber(raw string) bool { return raw != "true" && raw != "false" && raw != "null" }
