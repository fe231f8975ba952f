package model

import "bytes"

// plainJSON reads JSON as servers write nearly every event of a stream: keys of lower-case letters, no spaces but behind
// a colon or a comma, short numbers, no escapes but in what a model said. What is written otherwise is not taken, and the
// full decoder has to look. What is taken the full decoder takes too, save for an escape that is none, which is found
// when the text is decoded.
type plainJSON struct{ rest []byte }

// maxPlainDepth bounds the objects and lists inside each other.
const maxPlainDepth = 8

// next eats a character where it comes next.
func (p *plainJSON) next(c byte) bool {
	if len(p.rest) == 0 || p.rest[0] != c {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

// null eats a null.
func (p *plainJSON) null() bool {
	rest, ok := bytes.CutPrefix(p.rest, []byte("null"))
	if ok {
		p.rest = rest
	}
	return ok
}

// text eats a string and gives it with its quotes. Its escapes are as they came, and one that is none is not found here.
func (p *plainJSON) text() ([]byte, bool) {
	if len(p.rest) == 0 || p.rest[0] != '"' {
		return nil, false
	}
	end := stringEnd(p.rest[1:])
	if end < 0 {
		return nil, false
	}
	text := p.rest[:end+2]
	p.rest = p.rest[end+2:]
	return text, true
}

// word eats a string without escapes and gives what it says.
func (p *plainJSON) word() ([]byte, bool) {
	text, ok := p.text()
	if !ok || bytes.IndexByte(text, '\\') >= 0 {
		return nil, false
	}
	return text[1 : len(text)-1], true
}

// int eats a number of at most 15 digits.
func (p *plainJSON) int() (n int, ok bool) {
	digits := 0
	for digits < len(p.rest) && p.rest[digits] >= '0' && p.rest[digits] <= '9' {
		if digits++; digits > 15 {
			return 0, false
		}
		n = 10*n + int(p.rest[digits-1]-'0')
	}
	if digits == 0 || digits > 1 && p.rest[0] == '0' {
		return 0, false
	}
	p.rest = p.rest[digits:]
	return n, true // what follows must be a comma or an end, so a fraction is not taken
}

// object eats an object; member eats the value of a key.
func (p *plainJSON) object(member func(key []byte) bool) bool {
	if !p.next('{') {
		return false
	}
	if p.next('}') {
		return true
	}
	for {
		key, ok := p.word()
		if !ok || !plainKey(key) || !p.next(':') {
			return false
		}
		p.next(' ')
		if !member(key) {
			return false
		}
		if p.next('}') {
			return true
		}
		if !p.next(',') {
			return false
		}
		p.next(' ')
	}
}

// plainKey reports whether a key is of small letters, digits and _: the full decoder takes "Content" for "content".
func plainKey(key []byte) bool {
	for _, c := range key {
		if !isLower(c) && c != '_' && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// skip eats any value.
func (p *plainJSON) skip(depth int) bool {
	if len(p.rest) == 0 || depth > maxPlainDepth {
		return false
	}
	switch p.rest[0] {
	case '"':
		_, ok := p.word()
		return ok
	case '{':
		return p.object(func([]byte) bool { return p.skip(depth + 1) })
	case '[':
		return p.list(depth)
	case 'n':
		return p.null()
	case 't', 'f':
		for _, literal := range []string{"true", "false"} {
			if bytes.HasPrefix(p.rest, []byte(literal)) {
				p.rest = p.rest[len(literal):]
				return true
			}
		}
		return false
	}
	_, ok := p.int()
	return ok
}

// list eats a list.
func (p *plainJSON) list(depth int) bool {
	if !p.next('[') {
		return false
	}
	if p.next(']') {
		return true
	}
	for {
		if !p.skip(depth + 1) {
			return false
		}
		if p.next(']') {
			return true
		}
		if !p.next(',') {
			return false
		}
		p.next(' ')
	}
}

// done reports whether nothing is left.
func (p *plainJSON) done() bool { return len(p.rest) == 0 }
