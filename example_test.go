package steward_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing/fstest"

	"github.com/steward-assistant/steward"
	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/tool"
)

// A Go program can be its own host: its functions are tools, and Steward is a handler beside its pages.
func ExampleNew() {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(folder) }()

	cfg, faults := config.Load(fstest.MapFS{"steward.yaml": {Data: []byte(`
product: {id: shop, name: Shop, about: A small shop.}
identity: {secret_env: SECRET, audience: steward, roles: {staff: [read, send]}}
`)}}, "steward.yaml", func(name string) (string, bool) { return strings.Repeat("s", 32), name == "SECRET" })
	if err := faults.Err(); err != nil {
		fmt.Println(err)
		return
	}

	type item struct {
		Name string `json:"name"`
	}
	stock, err := tool.NewFunctions("shop", tool.Func("stock.count", "How many of an item there are.",
		func(_ context.Context, _ tool.Call, in item) (map[string]int, error) {
			return map[string]int{in.Name: 7}, nil
		}))
	if err != nil {
		fmt.Println(err)
		return
	}

	server, err := steward.New(ctx, cfg, steward.WithTools(stock),
		steward.WithDatabase("sqlite:"+filepath.Join(folder, "steward.db")))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = server.Close(ctx) }()

	mux := http.NewServeMux()
	for _, pattern := range steward.Routes() {
		mux.Handle(pattern, server)
	}
	answer := httptest.NewRecorder()
	mux.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/v1/status", nil))
	fmt.Println(answer.Code)
	fmt.Println(server.Answers())
	// Output:
	// 200
	// guide no_key
}
