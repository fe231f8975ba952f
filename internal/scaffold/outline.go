package scaffold

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/url"
	"strings"

	"github.com/goccy/go-yaml"
)

// localAddress is taken where neither the document nor whoever asks says where the API is.
const localAddress = "http://127.0.0.1:3000"

// outline is what a first file takes from a document beside its tools.
type outline struct {
	Info struct {
		Title, Description string
	}
	Servers []struct {
		URL       string
		Variables map[string]struct{ Default any }
	}
	Paths map[string]map[string]json.RawMessage

	// lines are "GET /loans/{id}" by the operation's id and by themselves; deprecated are those that should not be used
	// any more.
	lines      map[string]string
	deprecated map[string]bool
}

// readOutline takes what it finds. What has another shape than is looked for is left empty: whether the document can be
// read at all is for its reader to say, which has read it before.
func readOutline(raw []byte) *outline {
	raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	if trimmed := bytes.TrimSpace(raw); len(trimmed) > 0 && trimmed[0] != '{' {
		if converted, err := yaml.YAMLToJSON(raw); err == nil {
			raw = converted
		}
	}
	o := &outline{lines: map[string]string{}, deprecated: map[string]bool{}}
	_ = json.Unmarshal(raw, o) // it fills what fits
	for path, item := range o.Paths {
		for method, operation := range item {
			var op struct {
				OperationID string
				Deprecated  bool
			}
			_ = json.Unmarshal(operation, &op) // as above
			line := strings.ToUpper(method) + " " + path
			o.lines[op.OperationID], o.lines[line] = line, line
			o.deprecated[line] = op.Deprecated
		}
	}
	return o
}

// address says where the API is: where it is told to be, else at the first server of the document, if that is an address.
func (o *outline) address(given string, servers []string) (base string, guessed bool, err error) {
	if given != "" {
		if given, err = httpAddress(given); err != nil {
			return "", false, errors.New("--base-url: must be an address such as https://api.example.com, without a query")
		}
		return given, false, nil
	}
	if len(servers) == 0 {
		return localAddress, true, nil
	}
	address := servers[0]
	if len(o.Servers) > 0 {
		for name, v := range o.Servers[0].Variables {
			if standard, ok := v.Default.(string); ok {
				address = strings.ReplaceAll(address, "{"+name+"}", standard)
			}
		}
	}
	if base, err := httpAddress(address); err == nil {
		return base, false, nil
	}
	// A server such as "/api" says where on its host the API is, and not on which.
	if u, err := url.Parse(address); err == nil && u.Host == "" && strings.HasPrefix(u.Path, "/") && !strings.ContainsAny(address, "{}") {
		return localAddress + strings.TrimSuffix(u.EscapedPath(), "/"), true, nil
	}
	return localAddress, true, nil
}

// httpAddress gives an address without what must not stand in a base URL, or an error where it is none.
func httpAddress(raw string) (string, error) {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil {
		return "", err
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || strings.ContainsAny(raw, "{}") {
		return "", errors.New("no address")
	}
	return strings.TrimSuffix(u.String(), "/"), nil
}
