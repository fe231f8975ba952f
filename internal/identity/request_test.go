package identity_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/steward-assistant/steward/internal/identity"
)

func TestBearer(t *testing.T) {
	for _, tt := range []struct {
		values []string
		want   string
	}{
		{[]string{"Bearer abc.def"}, "abc.def"},
		{[]string{"bearer   abc"}, "abc"},
		{nil, ""},
		{[]string{""}, ""},
		{[]string{"Bearer"}, ""},
		{[]string{"Bearer "}, ""},
		{[]string{"Basic YTpi"}, ""},
		{[]string{"Bearer a b"}, ""},
		{[]string{"Bearer a", "Bearer b"}, ""},
		{[]string{"Bearer " + strings.Repeat("a", identity.MaxTokenBytes+1)}, ""},
	} {
		got, err := identity.Bearer(http.Header{"Authorization": tt.values})
		if got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%.40q: got %.20q, %v", tt.values, got, err)
		}
	}
}

func TestTokenInQuery(t *testing.T) {
	for query, want := range map[string]string{
		"": "", "limit=3": "", "before=token": "", "a=1&access_token=x": "access_token", "TOKEN": "token", "auth=": "auth",
	} {
		if got, ok := identity.TokenInQuery(query); got != want || ok != (want != "") {
			t.Errorf("%q: got %q, %v", query, got, ok)
		}
	}
}
