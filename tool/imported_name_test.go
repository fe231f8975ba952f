package tool_test

import (
	"slices"
	"testing"

	"github.com/steward-assistant/steward/tool"
)

// TestImportedNames names operations that the host's file does not: without what their router says already, and whole
// where that is taken.
func TestImportedNames(t *testing.T) {
	t.Parallel()
	const document = `{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{
"/loans":{"get":{"operationId":"getLoans","tags":["loans"]},"post":{"operationId":"createLoan","tags":["loans"]}},
"/loans/all":{"get":{"operationId":"list_loans","tags":["loans"]}},
"/loans/{id}":{"get":{"operationId":"getLoan","tags":["loans"]}},
"/loans/{id}/days":{"get":{"operationId":"getLoanDays","tags":["loans"]}},
"/stock":{"get":{"operationId":"getStock","tags":["stock"]}},
"/companies":{"get":{"operationId":"searchCompany","tags":["companies"]}},
"/loose":{"get":{"operationId":"getApi"}},
"/tags":{"get":{"operationId":"tags","tags":["tags"]}},
"/nameless":{"get":{"tags":["nameless"]}}}}`
	api, err := tool.NewOpenAPI(tool.OpenAPIOptions{Name: "api", Document: []byte(document), BaseURL: "https://a.example"})
	if err != nil {
		t.Fatal(err)
	}
	definitions, err := api.Definitions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range definitions {
		got = append(got, d.Operation+" "+d.Name())
	}
	slices.Sort(got)
	want := []string{
		"api.GET /nameless nameless.get_nameless", "api.createLoan loans.create", "api.getApi api.get_api", "api.getLoan loans.get",
		"api.getLoanDays loans.get_days", "api.getLoans loans.list", "api.getStock stock.get", "api.list_loans loans.list_loans",
		"api.searchCompany companies.search", "api.tags tags.tags",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
