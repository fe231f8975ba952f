package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf8"
)

var errMalformed = errors.New("malformed JSON")

const hexDigits = "0123456789abcdef"

// appendString appends s as a JSON string (RFC 8259, section 7). Bytes that are not UTF-8 become U+FFFD.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c < utf8.RuneSelf && c != '"' && c != '\\' {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			if r, n := utf8.DecodeRuneInString(s[i:]); r != utf8.RuneError || n != 1 {
				i += n
				continue
			}
			dst = append(append(dst, s[start:i]...), `\ufffd`...)
			i++
			start = i
			continue
		}
		dst = append(dst, s[start:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xf])
		}
		i++
		start = i
	}
	return append(append(dst, s[start:]...), '"')
}

// stringEnd returns the index of the quote that ends the JSON string whose content b starts with. It returns -1 where the
// content is cut off, is not UTF-8 or holds a raw control character: then only a full decoder can say what it is.
func stringEnd(b []byte) int {
	ascii := true
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case c == '"':
			if !ascii && !utf8.Valid(b[:i]) {
				return -1
			}
			return i
		case c == '\\':
			i++
		case c < 0x20:
			return -1
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	return -1
}

// unquote decodes the content of a JSON string, its quotes left off.
func unquote(content []byte) (string, error) {
	if bytes.IndexByte(content, '\\') < 0 && utf8.Valid(content) {
		return string(content), nil
	}
	quoted := make([]byte, 0, len(content)+2)
	quoted = append(append(append(quoted, '"'), content...), '"')
	var s string
	if err := json.Unmarshal(quoted, &s); err != nil {
		return "", errMalformed
	}
	return s, nil
}

// stringContent returns a copy of what stands between the quotes of a JSON string, nil for anything else.
func stringContent(raw json.RawMessage) []byte {
	raw = bytes.TrimSpace(raw)
	if len(raw) <= 2 || raw[0] != '"' {
		return nil
	}
	return bytes.Clone(raw[1 : len(raw)-1])
}

// quoted makes a JSON string of its content.
func quoted(content []byte) json.RawMessage {
	raw := make([]byte, 0, len(content)+2)
	return append(append(append(raw, '"'), content...), '"')
}

// validUTF8 replaces what is not UTF-8: the bytes of a block are stored, and a database refuses such text.
func validUTF8(data []byte) []byte {
	if utf8.Valid(data) {
		return data
	}
	return bytes.ToValidUTF8(data, []byte("\ufffd"))
}

// member is a key and a value of a JSON object, the value as it stands in the text.
type member struct {
	key   string
	value json.RawMessage
}

// members reads a JSON object without touching its values.
func members(object []byte) ([]member, error) {
	dec := json.NewDecoder(bytes.NewReader(object))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, errMalformed
	}
	var list []member
	for dec.More() {
		t, err := dec.Token()
		key, ok := t.(string)
		if err != nil || !ok {
			return nil, errMalformed
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, errMalformed
		}
		list = append(list, member{key, value})
	}
	if _, err := dec.Token(); err != nil {
		return nil, errMalformed
	}
	return list, nil
}

// setMember replaces the value of a key, or adds the key at the end.
func setMember(list []member, key string, value json.RawMessage) []member {
	for i := range list {
		if list[i].key == key {
			list[i].value = value
			return list
		}
	}
	return append(list, member{key, value})
}

// memberValue returns the value of a key, nil where there is none.
func memberValue(list []member, key string) json.RawMessage {
	for i := range list {
		if list[i].key == key {
			return list[i].value
		}
	}
	return nil
}

// appendMembers writes an object with its members in their order.
func appendMembers(dst []byte, list []member) []byte {
	dst = append(dst, '{')
	for i, m := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(appendString(dst, m.key), ':'), m.value...)
	}
	return append(dst, '}')
}
