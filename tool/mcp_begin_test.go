package tool_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/steward-assistant/steward/config"
)

// TestMCPOlderProtocol has servers that say nothing, or nothing in time, to the request with which the newest protocol
// begins.
func TestMCPOlderProtocol(t *testing.T) {
	t.Parallel()
	over := make(chan struct{})
	address := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var call struct {
			ID     json.RawMessage
			Method string
		}
		_ = json.NewDecoder(r.Body).Decode(&call) // a request without a body is answered below
		answer, known := oldAnswers[call.Method]
		switch {
		case r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
		case known:
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, call.ID, answer)
		case call.ID == nil:
			w.WriteHeader(http.StatusAccepted)
		default:
			select {
			case <-over:
			case <-r.Context().Done():
			}
		}
	}))
	t.Cleanup(address.Close)
	t.Cleanup(func() { close(over) })
	for name, server := range map[string]config.MCPServer{
		"silent program": program(t, "old"), "late program": program(t, "late"), "silent address": {URL: address.URL + "/mcp"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			started := time.Now()
			d := newDesk(t, server, reads("text"))
			if took := time.Since(started); took > 6*time.Second {
				t.Errorf("it took %s", took)
			}
			const want = `{"status":"read","data":"<<k7m2p9qrstuvw:hello:k7m2p9qrstuvw>>"}`
			d.want(t, "notes.text", want)
			// The late one's refusal has come meanwhile, and is nobody's.
			d.want(t, "notes.text", want)
		})
	}
}

// TestMCPSlowToStart has a server that knows the newest protocol alone, and begins to answer after the older way was
// tried.
func TestMCPSlowToStart(t *testing.T) {
	t.Parallel()
	newDesk(t, program(t, "slow"), nil)
}
