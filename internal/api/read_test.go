package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

type sample struct {
	A string   `json:"a,omitempty"`
	B *inner   `json:"b,omitempty"`
	L []string `json:"l,omitempty"`
	F bool     `json:"f,omitempty"`
	// Free is read as it is.
	Free json.RawMessage `json:"free,omitempty"`
	M    []inner         `json:"m,omitempty"`
}

type inner struct {
	C int `json:"c,omitempty"`
	D struct {
		E string `json:"e,omitempty"`
	} `json:"d,omitzero"`
}

func sampleShape(tb testing.TB) *shape {
	tb.Helper()
	s, err := shapeOf(reflect.TypeFor[sample](), false)
	if err != nil {
		tb.Fatal(err)
	}
	s.fields["m"].elem.required, s.fields["b"].required = nil, nil // omitzero is not asked for either
	return s
}

func TestRead(t *testing.T) {
	s := sampleShape(t)
	var got sample
	if err := s.read([]byte(` {"a":"x\u0041\ud83d\ude00","b":{"c":-3,"d":{"e":"y"}},"l":["",""],"f":true,"free":[null,1e5,{"k":"v"}],"m":[{},{"c":0}]} `), &got); err != nil {
		t.Fatal(err)
	}
	if got.A != "xA😀" || got.B.C != -3 || got.B.D.E != "y" || len(got.L) != 2 || !got.F || string(got.Free) != `[null,1e5,{"k":"v"}]` || len(got.M) != 2 {
		t.Errorf("got %+v", got)
	}
	for body, field := range map[string]string{
		``: "body", ` `: "body", `{`: "body", `{} {}`: "body", `[]`: "body", `"a"`: "body", `1`: "body", `null`: "body", "\ufeff{}": "body",
		`{"a":1}`: "a", `{"a":null}`: "a", `{"a":{}}`: "a", `{"A":"x"}`: "A", `{"a":"x","a":"x"}`: "a", `{"a":"x","A":"x"}`: "A",
		`{"":1}`: "*", `{"b":{"d":{"E":""}}}`: "b.d.E", `{"b":{"c":1.0}}`: "b.c", `{"b":{"c":1e2}}`: "b.c",
		`{"b":{"c":9223372036854775808}}`: "b.c", `{"b":[]}`: "b", `{"l":{}}`: "l", `{"l":["",1]}`: "l[1]", `{"l":[null]}`: "l[0]",
		`{"f":"true"}`: "f", `{"f":0}`: "f", `{"free":null}`: "free", `{"free":{"x":[{"k":1,"k":2}]}}`: "free.x[0].k",
		`{"m":[{},{"c":1,"c":1}]}`: "m[1].c", `{"free":"\u0000"}`: "free", `{"free":{"\u0000":1}}`: "free.*",
		`{"free":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `}`: "free" + strings.Repeat("[0]", 31),
	} {
		err := s.read([]byte(body), &sample{})
		var f *fault
		if !errors.As(err, &f) || f.field != field || f.want == "" {
			t.Errorf("%s: got %v, want a fault of %s", body, err, field)
		}
	}
}

// FuzzRead holds the reader against encoding/json: it takes what that takes, less what that should not.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"a":"x","a":"y"}`, `{"A":"x"}`, `{"a":"\ud800"}`, `{"b":{"c":1},"l":["x"],"f":false,"free":{"k":[1,{"k":null}]},"m":[{"d":{"e":""}}]}`,
		`{"free":{"k":1,"\u006b":2}}`, `{"l":[],"m":[]} `, "{\"a\":\"\xff\"}", `{"b":{"c":-0}}`, `{"b":{"c":1E2}}`, `{"f":tru}`, "{\"a\":\"\x01\"}",
	} {
		f.Add([]byte(seed))
	}
	s := sampleShape(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		var got, want sample
		err := s.read(b, &got)
		strict := json.NewDecoder(bytes.NewReader(b))
		strict.DisallowUnknownFields()
		stdErr := strict.Decode(&want)
		if stdErr == nil {
			if _, more := strict.Token(); !errors.Is(more, io.EOF) {
				stdErr = errors.New("more behind it")
			}
		}
		sound := stdErr == nil && utf8.Valid(b) && proper(json.NewDecoder(bytes.NewReader(b)))
		if (err == nil) != sound {
			t.Fatalf("%q: read says %v, encoding/json %v, proper %v", b, err, stdErr, sound)
		}
		if err == nil && !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: got %+v, want %+v", b, got, want)
		}
	})
}

// proper reports whether a value that encoding/json takes has what it should not: it reads the tokens by itself.
func proper(dec *json.Decoder) bool {
	dec.UseNumber()
	var value func(path []string, depth int) bool
	value = func(path []string, depth int) bool {
		tok, err := dec.Token()
		if err != nil || depth > maxDepth {
			return false
		}
		isFree := len(path) > 0 && path[0] == "free"
		switch v := tok.(type) {
		case nil:
			return isFree && len(path) > 1
		case string:
			return !strings.Contains(v, "\x00")
		case json.Delim:
			if v == '[' {
				for dec.More() {
					if !value(append(slices.Clone(path), "[]"), depth+1) {
						return false
					}
				}
			} else {
				if len(path) == 0 && v != '{' {
					return false
				}
				seen := map[string]bool{}
				for dec.More() {
					k, err := dec.Token()
					key, ok := k.(string)
					if err != nil || !ok || seen[key] || strings.Contains(key, "\x00") {
						return false
					}
					if !isFree && !slices.Contains([]string{"a", "b", "l", "f", "free", "m", "c", "d", "e"}, key) {
						return false
					}
					seen[key] = true
					if !value(append(slices.Clone(path), key), depth+1) {
						return false
					}
				}
			}
			_, err = dec.Token()
			return err == nil
		}
		return true
	}
	return value(nil, 1)
}

func BenchmarkRead(b *testing.B) {
	s, err := shapeOf(reflect.TypeFor[messageBody](), false)
	if err != nil {
		b.Fatal(err)
	}
	body := []byte(`{"id":"` + messageID + `","text":"Who is booked tomorrow at 18:00?","page":{"route":"/schedule","title":"Schedule","locale":"en","viewport":{"width":1280,"height":720}},"clientId":"tab","capabilities":["navigate"]}`)
	for b.Loop() {
		if err := s.read(body, &messageBody{}); err != nil {
			b.Fatal(err)
		}
	}
}
