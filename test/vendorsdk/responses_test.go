package vendorsdk

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"

	"github.com/steward-assistant/steward/model/modeltest"
)

func responseParams(input ...responses.ResponseInputItemUnionParam) responses.ResponseNewParams {
	return responses.ResponseNewParams{
		Model:           "gpt-5.4",
		Instructions:    openai.String("You help."),
		MaxOutputTokens: openai.Int(1000),
		Store:           openai.Bool(false),
		Include:         []responses.ResponseIncludable{responses.ResponseIncludableReasoningEncryptedContent},
		Reasoning:       shared.ReasoningParam{Effort: shared.ReasoningEffortMedium, Summary: shared.ReasoningSummaryAuto},
		Input:           responses.ResponseNewParamsInputUnion{OfInputItemList: input},
		Tools: []responses.ToolUnionParam{{OfFunction: &responses.FunctionToolParam{
			Name: "read", Description: openai.String("Reads."), Parameters: readParameters, Strict: openai.Bool(true),
		}}},
	}
}

func said(words string) responses.ResponseInputItemUnionParam {
	return responses.ResponseInputItemParamOfMessage(words, responses.EasyInputMessageRoleUser)
}

// streamed is what the SDK makes of a stream.
type streamed struct {
	response            responses.Response
	text, summary, args string
	failure             string
}

func responseStream(t *testing.T, client openai.Client, p responses.ResponseNewParams) (streamed, error) {
	t.Helper()
	var got streamed
	number := int64(0)
	events := client.Responses.NewStreaming(t.Context(), p)
	for events.Next() {
		e := events.Current()
		if e.SequenceNumber != number {
			t.Errorf("%s has number %d, want %d", e.Type, e.SequenceNumber, number)
		}
		number++
		switch e := e.AsAny().(type) {
		case responses.ResponseTextDeltaEvent:
			got.text += e.Delta
		case responses.ResponseReasoningSummaryTextDeltaEvent:
			got.summary += e.Delta
		case responses.ResponseFunctionCallArgumentsDeltaEvent:
			got.args += e.Delta
		case responses.ResponseCompletedEvent:
			got.response = e.Response
		case responses.ResponseIncompleteEvent:
			got.response = e.Response
		case responses.ResponseFailedEvent:
			got.failure = string(e.Response.Error.Code) + " " + e.Response.Error.Message
		}
	}
	return got, events.Err()
}

func TestResponsesToolRounds(t *testing.T) {
	s, client := startOpenAI(t, "k", modeltest.Turns(
		modeltest.Reply{Blocks: []modeltest.Block{
			modeltest.Think("Let me", " look."), modeltest.Redacted(), modeltest.Say("A ", "moment. 😀"), modeltest.Call("read", map[string]any{"q": "x"}), modeltest.Call("read", nil),
		}},
		modeltest.Reply{Blocks: []modeltest.Block{modeltest.Think("hm"), modeltest.Call("read", map[string]any{"q": "שלום"})}},
		modeltest.Reply{Blocks: []modeltest.Block{modeltest.Say("Done.")}},
	))
	p := responseParams(said("who?"))
	for round, want := range []streamed{
		{text: "A moment. 😀", summary: "Let me look.", args: `{"q":"x"}{}`},
		{summary: "hm", args: `{"q":"שלום"}`},
		{text: "Done."},
	} {
		got, err := responseStream(t, client, p)
		if err != nil || got.text != want.text || got.summary != want.summary || got.args != want.args || got.response.Status != "completed" {
			t.Fatalf("round %d: got %+v, %v; rejected %v", round, got, err, s.Rejected())
		}
		if usage := got.response.Usage; usage.OutputTokens == 0 || usage.TotalTokens == 0 || round > 0 && usage.InputTokensDetails.CachedTokens == 0 || round < 2 && usage.OutputTokensDetails.ReasoningTokens == 0 {
			t.Errorf("round %d: got usage %+v", round, usage)
		}
		// The SDK sends each item back as it came, and the server takes its encrypted thoughts.
		var outputs []responses.ResponseInputItemUnionParam
		for _, item := range got.response.Output {
			input := responses.ResponseInputItemUnionParam{}
			switch item := item.AsAny().(type) {
			case responses.ResponseReasoningItem:
				v := item.ToParam()
				input.OfReasoning = &v
			case responses.ResponseOutputMessage:
				v := item.ToParam()
				input.OfOutputMessage = &v
			case responses.ResponseFunctionToolCall:
				v := item.ToParam()
				input.OfFunctionCall = &v
				output := responses.ResponseInputItemParamOfFunctionCallOutput("two")
				output.OfFunctionCallOutput.CallID = openai.String(item.CallID)
				outputs = append(outputs, output)
			default:
				t.Fatalf("got %T", item)
			}
			p.Input.OfInputItemList = append(p.Input.OfInputItemList, input)
		}
		p.Input.OfInputItemList = append(p.Input.OfInputItemList, outputs...)
	}
	seen := s.Requests()
	if len(seen) != 3 || seen[2].Wire != modeltest.WireResponses || seen[2].Round() != 2 || seen[2].Words != "who?" || len(seen[1].Results()) != 2 || seen[1].Results()[0].Text != "two" || seen[0].System[0] != "You help." {
		t.Errorf("got %+v", seen)
	}
}

func TestResponsesNotStreaming(t *testing.T) {
	_, client := startOpenAI(t, "k", modeltest.Always(modeltest.Reply{Blocks: []modeltest.Block{modeltest.Say("a ", "b"), modeltest.Call("read", `{"q":`)}, Stop: "max_tokens"}))
	got, err := client.Responses.New(t.Context(), responseParams(said("hi")))
	if err != nil || got.OutputText() != "a b" || got.Status != "incomplete" || got.IncompleteDetails.Reason != "max_output_tokens" || got.Output[1].Status != "incomplete" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestResponsesFaults(t *testing.T) {
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
			_, err := responseStream(t, client, responseParams(said("hi")))
			var fault *openai.Error
			if !errors.As(err, &fault) || fault.StatusCode != c.status || fault.Code != c.code {
				t.Errorf("got %v", err)
			}
		})
	}
	t.Run("in mid-stream", func(t *testing.T) {
		_, client := startOpenAI(t, "k", modeltest.Always(modeltest.Reply{Blocks: []modeltest.Block{modeltest.Words(3)}, End: modeltest.End{Way: modeltest.Fail, After: 3}}))
		got, err := responseStream(t, client, responseParams(said("hi")))
		if err != nil || got.failure != "server_is_overloaded Overloaded" || got.text != "the" {
			t.Errorf("got %+v, %v", got, err)
		}
	})
	t.Run("a refused request", func(t *testing.T) {
		s, client := startOpenAI(t, "k", nil)
		_, err := responseStream(t, client, responseParams(said("hi"), responses.ResponseInputItemParamOfFunctionCall(`{}`, "call_1", "read")))
		var fault *openai.Error
		if !errors.As(err, &fault) || fault.StatusCode != http.StatusBadRequest || !strings.Contains(fault.Message, "call_1") || s.Rejected()["unanswered"] != 1 {
			t.Errorf("got %v, rejected %v", err, s.Rejected())
		}
	})
	t.Run("an item that is not stored", func(t *testing.T) {
		s, client := startOpenAI(t, "k", nil)
		_, err := responseStream(t, client, responseParams(said("hi"), responses.ResponseInputItemParamOfItemReference("msg_1")))
		var fault *openai.Error
		if !errors.As(err, &fault) || fault.StatusCode != http.StatusNotFound || s.Rejected()["item_not_found"] != 1 {
			t.Errorf("got %v, rejected %v", err, s.Rejected())
		}
	})
}
