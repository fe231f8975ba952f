package tool

import "testing"

func TestOmit(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		in, want string
		pointers []string
	}{
		{`{"password":"x","Api-Key":"x","otp":123456,"clientSecret":"x","refresh_token":"x","magicLink":"x","id":1}`, `{"id":1}`, nil},
		{`{"a":[{"token":{"v":1},"n":1},{"token":null,"n":2}]}`, `{"a":[{"n":1},{"token":null,"n":2}]}`, nil},
		{`{"has_password":true,"next_page_token":"n","tokens":5,"secretary":"Dana"}`, `{"has_password":true,"next_page_token":"n","tokens":5,"secretary":"Dana"}`, nil},
		{`{"house_code":"x","items":[{"code":1,"n":1},{"code":2,"n":2}],"list":[1,2]}`, `{"items":[{"n":1},{"n":2}],"list":[]}`, []string{"/items/*/code", "/list/*"}},
		{`{"a/b":1,"c~d":2,"e":3}`, `{"e":3}`, []string{"/a~1b", "/c~0d"}},
	} {
		n, err := parseNode([]byte(test.in))
		if err != nil {
			t.Fatal(err)
		}
		newOmitter([]string{"House-Code"}).apply(n, newPointerSet(test.pointers))
		if got := n.String(); got != test.want {
			t.Errorf("%s: %s, want %s", test.in, got, test.want)
		}
	}
}
