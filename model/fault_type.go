package model

import "strings"

// maxTypeBytes bounds a fault's type.
const maxTypeBytes = 80

// faultType returns a vendor's error type where it is made of the words that such types are made of ("rate_limit_error",
// "BadRequestError"), and nothing otherwise: some servers quote the key or the request there.
func faultType(s string) string {
	if len(s) > maxTypeBytes {
		return ""
	}
	from := 0
	for i := range len(s) + 1 {
		ends := i == len(s) || strings.IndexByte("_-.", s[i]) >= 0
		hump := !ends && i > from && isUpper(s[i]) && (!isUpper(s[i-1]) || i+1 < len(s) && isLower(s[i+1]))
		if !ends && !hump {
			continue
		}
		if !faultWords[strings.ToLower(s[from:i])] {
			return ""
		}
		from = i
		if ends {
			from++
		}
	}
	return s
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }

// faultWords are the words of the vendors' error types and codes.
var faultWords = wordSet(`
	above access account active aborted already api argument arguments array at authenticated authentication authorization
	auth availability available bad balance below billing blocked budget busy call cancelled canceled capacity chat check
	client closed completion completions concurrency conflict connection content context country credentials credit
	credits daily deadline denied deployment deprecated disabled does down duplicate effort empty encrypted endpoint
	engine entity error errors exceed exceeded exception exhausted exist expired failed failure filter flagged forbidden
	found function gateway geo guardrail hard header image in inactive incomplete inference input insufficient integer
	internal invalid is it json key large length limit limited loading location long many max maximum message messages
	method min minimum missing model models moderation monthly must name network no not null number of on organization
	out output over overload overloaded param parameter parameters parse parsing payload payment per permission policy
	precondition processing project prompt provider quota range rate reached ready reasoning refused region rejected
	request requests required resource resources response responses retry route safety schema server service short size
	slow soft spend state status stopped stream string support supported suspended system tasks temporarily territory
	thinking throttled throttling time timed timeout token tokens too tool tools type unable unauthenticated unauthorized
	unavailable unexpected unhandled unknown unprocessable unsupported upstream url usage user validation value verified
	version violation`)

func wordSet(text string) map[string]bool {
	set := make(map[string]bool)
	for word := range strings.FieldsSeq(text) {
		set[word] = true
	}
	return set
}
