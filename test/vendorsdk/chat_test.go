package vendorsdk

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/shared"

	"github.com/steward-assistant/steward/model/modeltest"
)

// startOpenAI serves a scripted model and gives OpenAI's client of it.
func startOpenAI(t *testing.T, key string, script modeltest.Script) (*modeltest.Server, openai.Client) {
	t.Helper()
	s := modeltest.New(modeltest.Config{Script: script, Key: "k", CacheMinimumTokens: -1})
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return s, openai.NewClient(option.WithBaseURL(server.URL+"/v1"), option.WithAPIKey(key), option.WithMaxRetries(0))
}

var readParameters = shared.FunctionParameters{
	"type": "object", "properties": map[string]any{"q": map[string]any{"type": "string"}}, "required": []string{"q"}, "additionalProperties": false,
}

func chatParams(model string, messages ...openai.ChatCompletionMessageParamUnion) openai.ChatCompletionNewParams {
	return openai.ChatCompletionNewParams{
		Model:               model,
		MaxCompletionTokens: openai.Int(1000),
		Messages:            append([]openai.ChatCompletionMessageParamUnion{openai.SystemMessage("You help.")}, messages...),
		StreamOptions:       openai.ChatCompletionStreamOptionsParam{IncludeUsage: openai.Bool(true)},
		Tools: []openai.ChatCompletionToolUnionParam{openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{
			Name: "read", Description: openai.String("Reads."), Parameters: readParameters, Strict: openai.Bool(true),
		})},
	}
}

// chatStream asks and gathers the completion as the SDK does.
func chatStream(t *testing.T, client openai.Client, p openai.ChatCompletionNewParams) (openai.ChatCompletion, string, error) {
	t.Helper()
	var acc openai.ChatCompletionAccumulator
	var text strings.Builder
	events := client.Chat.Completions.NewStreaming(t.Context(), p)
	for events.Next() {
		chunk := events.Current()
		if !acc.AddChunk(chunk) {
			t.Fatalf("the SDK takes no chunk %s", chunk.RawJSON())
		}
		if len(chunk.Choices) > 0 {
			text.WriteString(chunk.Choices[0].Delta.Content)
		}
	}
	return acc.ChatCompletion, text.String(), events.Err()
}

func TestChatToolRounds(t *testing.T) {
	s, client := startOpenAI(t, "k", modeltest.Turns(
		modeltest.Reply{Blocks: []modeltest.Block{modeltest.Say("A ", "moment. 😀"), modeltest.Call("read", map[string]any{"q": "x"}), modeltest.Call("read", nil)}},
		modeltest.Reply{Blocks: []modeltest.Block{modeltest.Think("hm"), modeltest.Call("read", map[string]any{"q": "שלום"})}},
		modeltest.Reply{Blocks: []modeltest.Block{modeltest.Say("Done.")}},
	))
	p := chatParams("gpt-5", openai.UserMessage("who?"))
	wantArguments := [][]string{{`{"q":"x"}`, `{}`}, {`{"q":"שלום"}`}}
	for round, text := range []string{"A moment. 😀", "", "Done."} {
		got, said, err := chatStream(t, client, p)
		if err != nil || said != text || len(got.Choices) != 1 {
			t.Fatalf("round %d: got %+v, %q, %v; rejected %v", round, got, said, err, s.Rejected())
		}
		if got.Usage.CompletionTokens == 0 || got.Usage.PromptTokens == 0 || round > 0 && got.Usage.PromptTokensDetails.CachedTokens == 0 {
			t.Errorf("round %d: got usage %+v", round, got.Usage)
		}
		choice := got.Choices[0]
		if round == 2 {
			if choice.FinishReason != "stop" {
				t.Errorf("got %+v", choice)
			}
			break
		}
		if choice.FinishReason != "tool_calls" || len(choice.Message.ToolCalls) != len(wantArguments[round]) {
			t.Fatalf("round %d: got %+v", round, choice)
		}
		p.Messages = append(p.Messages, choice.Message.ToParam())
		for i, call := range choice.Message.ToolCalls {
			if call.Function.Arguments != wantArguments[round][i] || call.Function.Name != "read" || call.ID == "" {
				t.Errorf("round %d: got %+v", round, call)
			}
			p.Messages = append(p.Messages, openai.ToolMessage("two", call.ID))
		}
	}
	seen := s.Requests()
	if len(seen) != 3 || seen[2].Wire != modeltest.WireChat || seen[2].Round() != 2 || seen[2].Words != "who?" || len(seen[1].Results()) != 2 || seen[1].Results()[0].Text != "two" || seen[0].System[0] != "You help." {
		t.Errorf("got %+v", seen)
	}
}

func TestChatNotStreaming(t *testing.T) {
	_, client := startOpenAI(t, "k", modeltest.Always(modeltest.Reply{Blocks: []modeltest.Block{modeltest.Say("a ", "b"), modeltest.Call("read", map[string]any{"q": "x"})}}))
	p := chatParams("gpt-4.1", openai.UserMessage("hi"))
	p.StreamOptions = openai.ChatCompletionStreamOptionsParam{}
	got, err := client.Chat.Completions.New(t.Context(), p)
	if err != nil || got.Choices[0].Message.Content != "a b" || len(got.Choices[0].Message.ToolCalls) != 1 || got.Choices[0].FinishReason != "tool_calls" || got.Usage.TotalTokens == 0 {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestChatFaults(t *testing.T) {
	hi := openai.UserMessage("hi")
	for name, c := range map[string]struct {
		reply  modeltest.Reply
		status int
		code   string
	}{
		"overloaded": {modeltest.Reply{Fault: &modeltest.Overloaded}, http.StatusServiceUnavailable, "server_is_overloaded"},
		"limited":    {modeltest.Reply{Fault: &modeltest.RateLimited}, http.StatusTooManyRequests, "rate_limit_exceeded"},
	} {
		t.Run(name, func(t *testing.T) {
			_, client := startOpenAI(t, "k", modeltest.Always(c.reply))
			_, _, err := chatStream(t, client, chatParams("gpt-5", hi))
			var fault *openai.Error
			if !errors.As(err, &fault) || fault.StatusCode != c.status || fault.Code != c.code || fault.Response.Header.Get("X-Request-Id") == "" {
				t.Errorf("got %v", err)
			}
		})
	}
	t.Run("in mid-stream", func(t *testing.T) {
		_, client := startOpenAI(t, "k", modeltest.Always(modeltest.Reply{Blocks: []modeltest.Block{modeltest.Words(3)}, End: modeltest.End{Way: modeltest.Fail, After: 3}}))
		_, text, err := chatStream(t, client, chatParams("gpt-5", hi))
		if err == nil || !strings.Contains(err.Error(), "Overloaded") || text != "the" {
			t.Errorf("got %q, %v", text, err)
		}
	})
	t.Run("a refused request", func(t *testing.T) {
		s, client := startOpenAI(t, "k", nil)
		_, _, err := chatStream(t, client, chatParams("gpt-5", hi, openai.ToolMessage("two", "call_1")))
		var fault *openai.Error
		if !errors.As(err, &fault) || fault.StatusCode != http.StatusBadRequest || fault.Param != "messages[2].role" || s.Rejected()["result_without_use"] != 1 {
			t.Errorf("got %v, rejected %v", err, s.Rejected())
		}
	})
	t.Run("a wrong key", func(t *testing.T) {
		_, client := startOpenAI(t, "other", nil)
		_, _, err := chatStream(t, client, chatParams("gpt-5", hi))
		var fault *openai.Error
		if !errors.As(err, &fault) || fault.StatusCode != http.StatusUnauthorized || fault.Code != "invalid_api_key" {
			t.Errorf("got %v", err)
		}
	})
	t.Run("filtered", func(t *testing.T) {
		_, client := startOpenAI(t, "k", modeltest.Always(modeltest.Reply{Stop: "refusal"}))
		got, _, err := chatStream(t, client, chatParams("gpt-5", hi))
		if err != nil || got.Choices[0].FinishReason != "content_filter" {
			t.Errorf("got %+v, %v", got, err)
		}
	})
	t.Run("a refusal", func(t *testing.T) {
		_, client := startOpenAI(t, "k", modeltest.Always(modeltest.Reply{Blocks: []modeltest.Block{modeltest.Refuse("I ", "cannot.")}}))
		got, _, err := chatStream(t, client, chatParams("gpt-5", hi))
		if err != nil || got.Choices[0].Message.Refusal != "I cannot." {
			t.Errorf("got %+v, %v", got, err)
		}
	})
}

// What other servers do differently, the SDK reads all the same.
func TestChatOdd(t *testing.T) {
	s, client := startOpenAI(t, "k", modeltest.Turns(
		modeltest.Reply{
			Blocks: []modeltest.Block{modeltest.Think("hm"), modeltest.Say("a"), modeltest.Call("read", `not JSON`), modeltest.Call("read", nil)},
			Odd:    modeltest.Odd{Comments: 3, RepeatIDs: true, Reasoning: modeltest.ReasoningDetails, UsageInFinish: true, NoDone: true},
		},
		modeltest.Reply{Blocks: []modeltest.Block{modeltest.Words(3)}, Odd: modeltest.Odd{RouterErrors: true}, End: modeltest.End{Way: modeltest.Fail, After: 3}},
	))
	p := chatParams("x-ai/grok-4", openai.UserMessage("hi"))
	p.ReasoningEffort = shared.ReasoningEffortLow
	got, text, err := chatStream(t, client, p)
	if err != nil || text != "a" || len(got.Choices[0].Message.ToolCalls) != 2 || got.Choices[0].Message.ToolCalls[0].Function.Arguments != "not JSON" || got.Choices[0].Message.ToolCalls[1].ID != "call_1" || got.Usage.TotalTokens == 0 {
		t.Errorf("got %+v, %q, %v, rejected %v", got, text, err, s.Rejected())
	}
	if _, text, err := chatStream(t, client, p); err == nil || text != "the" {
		t.Errorf("got %q, %v", text, err)
	}
}
