package vendorsdk

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	"github.com/steward-assistant/steward/model/modeltest"
)

func start(t *testing.T, script modeltest.Script) (*modeltest.Server, anthropic.Client) {
	t.Helper()
	s := modeltest.New(modeltest.Config{Script: script, Key: "k", CacheMinimumTokens: -1})
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return s, anthropic.NewClient(option.WithBaseURL(server.URL), option.WithAPIKey("k"), option.WithMaxRetries(0))
}

func params(messages ...anthropic.MessageParam) anthropic.MessageNewParams {
	return anthropic.MessageNewParams{
		Model:     "claude-sonnet-5",
		MaxTokens: 1000,
		Messages:  messages,
		System:    []anthropic.TextBlockParam{{Text: "You help.", CacheControl: anthropic.NewCacheControlEphemeralParam()}},
		Thinking:  anthropic.ThinkingConfigParamUnion{OfAdaptive: &anthropic.ThinkingConfigAdaptiveParam{}},
		OutputConfig: anthropic.OutputConfigParam{
			Effort: anthropic.OutputConfigEffortMedium,
		},
		Tools: []anthropic.ToolUnionParam{{OfTool: &anthropic.ToolParam{
			Name:        "read",
			Description: anthropic.String("Reads."),
			InputSchema: anthropic.ToolInputSchemaParam{Properties: map[string]any{"q": map[string]any{"type": "string"}}},
		}}},
	}
}

// stream asks and gathers the message as the SDK does.
func stream(t *testing.T, client anthropic.Client, p anthropic.MessageNewParams) (anthropic.Message, string, error) {
	t.Helper()
	var message anthropic.Message
	var text strings.Builder
	events := client.Messages.NewStreaming(t.Context(), p)
	for events.Next() {
		event := events.Current()
		if err := message.Accumulate(event); err != nil {
			t.Fatal(err)
		}
		if event.Type == "content_block_delta" {
			text.WriteString(event.Delta.Text)
		}
	}
	return message, text.String(), events.Err()
}

func TestToolRound(t *testing.T) {
	s, client := start(t, modeltest.Turns(
		modeltest.Reply{Blocks: []modeltest.Block{
			modeltest.Think("Let me", " look."), modeltest.Redacted(), modeltest.Say("A ", "moment. 😀"), modeltest.Call("read", map[string]any{"q": "x"}), modeltest.Call("read", nil),
		}},
		modeltest.Reply{Blocks: []modeltest.Block{modeltest.Say("Done.")}},
	))
	question := anthropic.NewUserMessage(anthropic.NewTextBlock("who?"))
	got, text, err := stream(t, client, params(question))
	if err != nil || text != "A moment. 😀" || got.StopReason != anthropic.StopReasonToolUse || len(got.Content) != 5 {
		t.Fatalf("got %s, %q, %v", got.RawJSON(), text, err)
	}
	if got.Content[0].Thinking != "Let me look." || got.Content[0].Signature == "" || got.Content[1].Data == "" || string(got.Content[3].Input) != `{"q":"x"}` {
		t.Errorf("got %s", got.RawJSON())
	}
	if got.Usage.OutputTokens == 0 || got.Usage.CacheCreationInputTokens == 0 {
		t.Errorf("got %+v", got.Usage)
	}
	var results []anthropic.ContentBlockParamUnion
	for _, b := range got.Content {
		if b.Type == "tool_use" {
			results = append(results, anthropic.NewToolResultBlock(b.ID, "two", false))
		}
	}
	// The SDK sends the thinking back as it came, and the server takes its signature.
	again, text, err := stream(t, client, params(question, got.ToParam(), anthropic.NewUserMessage(results...)))
	if err != nil || text != "Done." || again.StopReason != anthropic.StopReasonEndTurn || again.Usage.CacheReadInputTokens == 0 {
		t.Fatalf("got %s, %q, %v; rejected %v", again.RawJSON(), text, err, s.Rejected())
	}
}

func TestNotStreaming(t *testing.T) {
	_, client := start(t, modeltest.Always(modeltest.Reply{Blocks: []modeltest.Block{modeltest.Say("a ", "b"), modeltest.Call("read", map[string]any{"q": "x"})}}))
	got, err := client.Messages.New(t.Context(), params(anthropic.NewUserMessage(anthropic.NewTextBlock("hi"))))
	if err != nil || len(got.Content) != 2 || got.Content[0].Text != "a b" || got.StopReason != anthropic.StopReasonToolUse {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestFaults(t *testing.T) {
	hi := anthropic.NewUserMessage(anthropic.NewTextBlock("hi"))
	for name, c := range map[string]struct {
		reply  modeltest.Reply
		status int
		kind   string
	}{
		"overloaded": {modeltest.Reply{Fault: &modeltest.Overloaded}, 529, "overloaded_error"},
		"limited":    {modeltest.Reply{Fault: &modeltest.RateLimited}, http.StatusTooManyRequests, "rate_limit_error"},
	} {
		t.Run(name, func(t *testing.T) {
			_, client := start(t, modeltest.Always(c.reply))
			_, _, err := stream(t, client, params(hi))
			var fault *anthropic.Error
			if !errors.As(err, &fault) || fault.StatusCode != c.status || fault.RequestID == "" || !strings.Contains(fault.RawJSON(), c.kind) {
				t.Errorf("got %v", err)
			}
		})
	}
	t.Run("in mid-stream", func(t *testing.T) {
		_, client := start(t, modeltest.Always(modeltest.Reply{Blocks: []modeltest.Block{modeltest.Words(3)}, End: modeltest.End{Way: modeltest.Fail, After: 3}}))
		_, text, err := stream(t, client, params(hi))
		if err == nil || !strings.Contains(err.Error(), "overloaded_error") || text != "the" {
			t.Errorf("got %q, %v", text, err)
		}
	})
	t.Run("a refused request", func(t *testing.T) {
		s, client := start(t, nil)
		_, _, err := stream(t, client, params(hi, anthropic.NewAssistantMessage(anthropic.NewTextBlock("a"))))
		var fault *anthropic.Error
		if !errors.As(err, &fault) || fault.StatusCode != http.StatusBadRequest || s.Rejected()["prefill"] != 1 {
			t.Errorf("got %v, rejected %v", err, s.Rejected())
		}
	})
	t.Run("a wrong key", func(t *testing.T) {
		s, _ := start(t, nil)
		server := httptest.NewServer(s)
		defer server.Close()
		client := anthropic.NewClient(option.WithBaseURL(server.URL), option.WithAPIKey("other"), option.WithMaxRetries(0))
		_, _, err := stream(t, client, params(hi))
		var fault *anthropic.Error
		if !errors.As(err, &fault) || fault.StatusCode != http.StatusUnauthorized {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a refusal", func(t *testing.T) {
		_, client := start(t, modeltest.Always(modeltest.Reply{Stop: "refusal"}))
		got, _, err := stream(t, client, params(hi))
		if err != nil || got.StopReason != anthropic.StopReasonRefusal {
			t.Errorf("got %s, %v", got.RawJSON(), err)
		}
	})
}
