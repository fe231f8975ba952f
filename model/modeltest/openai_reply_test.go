package modeltest_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/steward-assistant/steward/model/modeltest"
)

const chatPath = "/v1/chat/completions"

// streams are the bodies that ask for a stream on each wire, with a tool to call.
var streams = map[string]string{
	"/v1/messages": ask(hi, `"stream":true`, `"thinking":{"type":"adaptive"}`, tools(tool("read", ""))),
	chatPath:       chat(hi, `"stream":true`, `"stream_options":{"include_usage":true}`, tools(chatTool("read", open))),
	responsesPath:  respond(hi, `"stream":true`, `"reasoning":{"summary":"auto"}`, `"include":["reasoning.encrypted_content"]`, unkept, tools(responseTool("read", open))),
}

// serve starts a server and gives its address.
func serve(t *testing.T, script modeltest.Script) (*modeltest.Server, string) {
	t.Helper()
	s := modeltest.New(modeltest.Config{Script: script})
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return s, server.URL
}

// send asks over HTTP; the caller closes the body.
func send(t *testing.T, address, path string) io.ReadCloser {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+path, strings.NewReader(streams[path]))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer k")
	r.Header.Set("Anthropic-Version", "2023-06-01")
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("got %s", answer.Status)
	}
	return answer.Body
}

// data are the data lines of a stream.
func data(stream string) []string {
	var lines []string
	for line := range strings.Lines(stream) {
		if text, ok := strings.CutPrefix(line, "data: "); ok {
			lines = append(lines, strings.TrimSpace(text))
		}
	}
	return lines
}

func chatStream(t *testing.T, reply modeltest.Reply) string {
	t.Helper()
	status, answer := post(t, modeltest.New(modeltest.Config{Script: modeltest.Always(reply)}), streams[chatPath], onto(chatPath))
	if status != http.StatusOK {
		t.Fatalf("got %d %s", status, answer)
	}
	return answer
}

// deltas are the deltas of a stream's chunks, and "usage" for the chunk that has no choice.
func deltas(t *testing.T, stream string) []string {
	t.Helper()
	var list []string
	for _, line := range data(stream) {
		var chunk struct {
			Choices []struct {
				Delta  json.RawMessage
				Finish *string `json:"finish_reason"`
			}
			Usage *struct {
				Total int `json:"total_tokens"`
			}
			Error json.RawMessage
		}
		if line == "[DONE]" {
			list = append(list, line)
			continue
		}
		if err := json.Unmarshal([]byte(line), &chunk); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		text := string(chunk.Error)
		if len(chunk.Choices) == 1 {
			text += string(chunk.Choices[0].Delta)
			if finish := chunk.Choices[0].Finish; finish != nil {
				text += " " + *finish
			}
		}
		if chunk.Usage != nil && chunk.Usage.Total > 0 {
			text += " usage"
		}
		list = append(list, strings.TrimSpace(text))
	}
	return list
}

func TestChatStream(t *testing.T) {
	got := deltas(t, chatStream(t, modeltest.Reply{Blocks: []modeltest.Block{
		modeltest.Think("hm"), modeltest.Say("a ", "b"), modeltest.CallWithID("c1", "read", `{"q":"0123456789"}`), modeltest.CallWithID("c2", "read", nil),
	}}))
	want := []string{
		`{"role":"assistant","content":"","refusal":null}`, `{"content":"a "}`, `{"content":"b"}`,
		`{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"read","arguments":""}}]}`,
		`{"tool_calls":[{"index":0,"function":{"arguments":"{\"q\":\"012345"}}]}`, `{"tool_calls":[{"index":0,"function":{"arguments":"6789\"}"}}]}`,
		`{"tool_calls":[{"index":1,"id":"c2","type":"function","function":{"name":"read","arguments":""}}]}`,
		`{"tool_calls":[{"index":1,"function":{"arguments":"{}"}}]}`,
		`{} tool_calls`, `usage`, `[DONE]`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %s\nwant %s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	unasked := strings.Replace(streams[chatPath], `"stream_options":{"include_usage":true},`, "", 1)
	if _, answer := post(t, modeltest.New(modeltest.Config{}), unasked, onto(chatPath)); strings.Contains(answer, "usage") {
		t.Errorf("usage that nobody asked for: %s", answer)
	}
}

// Each way of being not quite compatible shows.
func TestOdd(t *testing.T) {
	text := modeltest.Say("a")
	first := `{"role":"assistant","content":null,"refusal":null}`
	for name, c := range map[string]struct {
		odd    modeltest.Odd
		blocks []modeltest.Block
		end    modeltest.End
		want   []string
	}{
		"repeated ids": {modeltest.Odd{RepeatIDs: true, WholeCalls: true}, []modeltest.Block{modeltest.Call("read", `{"q":`), modeltest.Call("read", nil)}, modeltest.End{}, []string{
			first, `{"tool_calls":[{"id":"call_0","function":{"name":"read","arguments":"{\"q\":"}}]}`, `{"tool_calls":[{"id":"call_1","function":{"name":"read","arguments":"{}"}}]}`, `{} tool_calls`, `usage`, `[DONE]`,
		}},
		"reasoning_content": {modeltest.Odd{Reasoning: modeltest.ReasoningContent}, []modeltest.Block{modeltest.Think("h", "m"), text}, modeltest.End{}, []string{
			`{"role":"assistant","content":"","refusal":null}`, `{"content":null,"reasoning_content":"h"}`, `{"content":null,"reasoning_content":"m"}`, `{"content":"a"}`, `{} stop`, `usage`, `[DONE]`,
		}},
		"reasoning": {modeltest.Odd{Reasoning: modeltest.ReasoningText}, []modeltest.Block{modeltest.Think("h")}, modeltest.End{}, []string{first, `{"content":null,"reasoning":"h"}`, `{} stop`, `usage`, `[DONE]`}},
		"no usage":  {modeltest.Odd{NoUsage: true}, []modeltest.Block{text}, modeltest.End{}, []string{`{"role":"assistant","content":"","refusal":null}`, `{"content":"a"}`, `{} stop`, `[DONE]`}},
		"one end":   {modeltest.Odd{UsageInFinish: true, NoDone: true}, []modeltest.Block{text}, modeltest.End{}, []string{`{"role":"assistant","content":"","refusal":null}`, `{"content":"a"}`, `{} stop usage`}},
		"an error": {modeltest.Odd{}, []modeltest.Block{text}, modeltest.End{Way: modeltest.Fail, Fault: &modeltest.Broken}, []string{
			`{"role":"assistant","content":"","refusal":null}`, `{"content":"a"}`, `{"message":"Internal server error","type":"server_error","param":null,"code":"server_error"}`,
		}},
		"an error in a choice": {modeltest.Odd{RouterErrors: true}, []modeltest.Block{text}, modeltest.End{Way: modeltest.Fail, Fault: &modeltest.Fault{Status: 502, Type: "x", Message: "gone"}}, []string{
			`{"role":"assistant","content":"","refusal":null}`, `{"content":"a"}`, `{"code":502,"message":"gone"}{"content":""} error`,
		}},
		"closed":  {modeltest.Odd{}, []modeltest.Block{text}, modeltest.End{Way: modeltest.Close}, []string{`{"role":"assistant","content":"","refusal":null}`, `{"content":"a"}`}},
		"refused": {modeltest.Odd{}, []modeltest.Block{modeltest.Refuse("no")}, modeltest.End{}, []string{first, `{"refusal":"no"}`, `{} stop`, `usage`, `[DONE]`}},
		"raw":     {modeltest.Odd{}, []modeltest.Block{modeltest.Raw(`{"x":1}`)}, modeltest.End{}, []string{first, `{"x":1}`, `{} stop`, `usage`, `[DONE]`}},
	} {
		if got := deltas(t, chatStream(t, modeltest.Reply{Blocks: c.blocks, Odd: c.odd, End: c.end})); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %s\nwant %s", name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
	gone := modeltest.Reply{Fault: &modeltest.Fault{Status: 404, Message: "gone"}, Odd: modeltest.Odd{RouterErrors: true}}
	if status, answer := post(t, modeltest.New(modeltest.Config{Script: modeltest.Always(gone)}), streams[chatPath], onto(chatPath)); status != http.StatusNotFound || !strings.HasPrefix(answer, `{"error":{"code":404,"message":"gone"},`) {
		t.Errorf("got %d %s", status, answer)
	}
	commented := chatStream(t, modeltest.Reply{Blocks: []modeltest.Block{text, text}, Odd: modeltest.Odd{Comments: 3}})
	if !strings.HasPrefix(commented, ": OPENROUTER PROCESSING\n\n: OPENROUTER") || strings.Count(commented, ": OPENROUTER PROCESSING\n\n") != 5 {
		t.Errorf("got %s", commented)
	}
}

// OpenRouter's details of a thought go back as they came, and to the same family of models.
func TestReasoningDetailsAreHeld(t *testing.T) {
	s := modeltest.New(modeltest.Config{Script: modeltest.Always(modeltest.Reply{Blocks: []modeltest.Block{modeltest.Think("h", "m"), modeltest.Redacted(), modeltest.Say("a")}, Odd: modeltest.Odd{Reasoning: modeltest.ReasoningDetails}})})
	const effort = `"reasoning":{"effort":"low"}`
	_, stream := post(t, s, as("x-ai/grok-4", chat(hi, effort, `"stream":true`)), onto(chatPath))
	if got := deltas(t, stream); len(got) != 8 || !strings.Contains(got[3], `"signature"`) || !strings.Contains(got[4], `"reasoning.encrypted"`) {
		t.Fatalf("got %s", strings.Join(got, "\n"))
	}
	_, answer := post(t, s, as("x-ai/grok-4", chat(hi, effort)), onto(chatPath))
	var doc struct {
		Choices []struct {
			Message struct {
				Details json.RawMessage `json:"reasoning_details"`
			}
		}
	}
	if err := json.Unmarshal([]byte(answer), &doc); err != nil || len(doc.Choices) != 1 {
		t.Fatalf("got %s, %v", answer, err)
	}
	said := `{"role":"assistant","content":"a","reasoning_details":` + string(doc.Choices[0].Message.Details) + `}`
	for model, want := range map[string]int{"x-ai/grok-4": http.StatusOK, "x-ai/grok-5": http.StatusBadRequest} {
		if status, answer := post(t, s, as(model, chat(hi+","+said+","+hi, effort)), onto(chatPath)); status != want {
			t.Errorf("%s: got %d %s", model, status, answer)
		}
	}
}

func TestResponsesStream(t *testing.T) {
	s := modeltest.New(modeltest.Config{Script: modeltest.Always(modeltest.Reply{Blocks: []modeltest.Block{
		modeltest.Think("h", "m"), modeltest.Redacted(), modeltest.Say("a ", "b"), modeltest.Refuse("no"), modeltest.Call("read", `{"q":"0123456789"}`), modeltest.Raw(`{"id":"ws_1","type":"web_search_call"}`),
	}})})
	_, stream := post(t, s, streams[responsesPath], onto(responsesPath))
	var types []string
	for i, line := range data(stream) {
		var e struct {
			Type     string
			Sequence int `json:"sequence_number"`
			Delta    string
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil || e.Sequence != i {
			t.Fatalf("%d: got %s, %v", i, line, err)
		}
		types = append(types, strings.TrimPrefix(strings.TrimSpace(e.Type+" "+e.Delta), "response."))
	}
	want := []string{
		"created", "in_progress",
		"output_item.added", "reasoning_summary_part.added", "reasoning_summary_text.delta h", "reasoning_summary_text.delta m", "reasoning_summary_text.done", "reasoning_summary_part.done", "output_item.done",
		"output_item.added", "output_item.done",
		"output_item.added", "content_part.added", "output_text.delta a", "output_text.delta b", "output_text.done", "content_part.done", "output_item.done",
		"output_item.added", "content_part.added", "refusal.delta no", "refusal.done", "content_part.done", "output_item.done",
		"output_item.added", `function_call_arguments.delta {"q":"012345`, `function_call_arguments.delta 6789"}`, "function_call_arguments.done", "output_item.done",
		"output_item.added", "output_item.done",
		"completed",
	}
	if !slices.Equal(types, want) {
		t.Errorf("got %s\nwant %s", strings.Join(types, "\n"), strings.Join(want, "\n"))
	}
	for stop, want := range map[string]string{"max_tokens": "max_output_tokens", "refusal": "content_filter"} {
		s.SetScript(modeltest.Always(modeltest.Reply{Stop: stop, Blocks: []modeltest.Block{modeltest.Say("a")}}))
		if _, stream := post(t, s, streams[responsesPath], onto(responsesPath)); !strings.Contains(stream, "event: response.incomplete\n") || !strings.Contains(stream, `"reason":"`+want+`"`) || !strings.Contains(stream, `"status":"incomplete","content"`) {
			t.Errorf("%s: got %s", stop, stream)
		}
	}
}

// An event's number is the same point of a reply on every wire, whether the reply is held there or ends.
func TestNumbersMeanTheSame(t *testing.T) {
	blocks := []modeltest.Block{modeltest.Think("h", "m"), modeltest.Say("one", " two", " three"), modeltest.Call("read", nil)}
	for path := range streams {
		gate := make(chan struct{})
		s, address := serve(t, modeltest.Turns(
			modeltest.Reply{Blocks: blocks, Hold: map[int]<-chan struct{}{9: gate}},
			modeltest.Reply{Blocks: blocks, End: modeltest.End{Way: modeltest.Cut, After: 9}},
			modeltest.Reply{Blocks: blocks, End: modeltest.End{Way: modeltest.Fail, After: 9}},
		))
		body := send(t, address, path)
		held, reader := "", bufio.NewReader(body)
		for !strings.Contains(held, `" two"`) {
			line, err := reader.ReadString('\n')
			if err != nil {
				t.Fatalf("%s: %v after %s", path, err, held)
			}
			held += line
		}
		if s.Active() != 1 {
			t.Errorf("%s: nothing is held", path)
		}
		close(gate) // what was before the gate came through
		rest, err := io.ReadAll(reader)
		if err != nil || !strings.Contains(string(rest), `" three"`) || strings.Contains(held, `" three"`) {
			t.Errorf("%s: got %s and %s, %v", path, held, rest, err)
		}
		body.Close()
		body = send(t, address, path)
		cut, err := io.ReadAll(body)
		if !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(string(cut), `" two"`) || strings.Contains(string(cut), `" three"`) {
			t.Errorf("%s: got %s, %v", path, cut, err)
		}
		body.Close()
		body = send(t, address, path)
		failed, err := io.ReadAll(body)
		lines := data(string(failed))
		if err != nil || !strings.Contains(lines[len(lines)-1], "verloaded") || strings.Contains(string(failed), `" three"`) {
			t.Errorf("%s: got %s, %v", path, failed, err)
		}
		body.Close()
	}
}

// One script, one request: what it sees is the same on every wire.
func TestOneFormOfRequest(t *testing.T) {
	const said = `{"role":"user","content":"who?"}`
	for path, body := range map[string]string{
		"/v1/messages": ask(said+","+assistant(`{"type":"tool_use","id":"a","name":"read","input":{"q":1}}`)+","+user(`{"type":"tool_result","tool_use_id":"a","content":"two"}`), `"system":"You help."`, tools(tool("read", `,"properties":{}`))),
		chatPath:       chat(`{"role":"system","content":"You help."},`+said+","+called("a", "read", `"{\"q\":1}"`)+`,{"role":"tool","tool_call_id":"a","content":"two"}`, `"max_completion_tokens":100`, tools(chatTool("read", open))),
		responsesPath:  respond(said+","+strings.Replace(callA, `"{}"`, `"{\"q\":1}"`, 1)+","+strings.Replace(outputA, `"1"`, `"two"`, 1), `"instructions":"You help."`, `"max_output_tokens":100`, tools(responseTool("read", open))),
	} {
		s := modeltest.New(modeltest.Config{})
		if status, answer := post(t, s, body, onto(path), func(r *http.Request) { r.Header.Set("Anthropic-Version", "2023-06-01") }); status != http.StatusOK {
			t.Fatalf("%s: got %d %s", path, status, answer)
		}
		got := s.Requests()[0]
		messages := got.Messages
		if len(messages) != 3 || messages[1].Role != "assistant" || messages[1].Parts[0].Type != "tool_use" || messages[1].Parts[0].Name != "read" || messages[1].Parts[0].Input["q"] != json.Number("1") || messages[2].Role != "user" {
			t.Errorf("%s: got %+v", path, messages)
		}
		if got.Words != "who?" || got.Round() != 1 || len(got.Results()) != 1 || got.Results()[0].ID != "a" || got.Results()[0].Text != "two" || !slices.Equal(got.System, []string{"You help."}) || !got.Offers("read") || got.MaxTokens != 100 || string(got.Body) != body || got.Header.Get("Authorization") != "" {
			t.Errorf("%s: got %+v", path, got)
		}
	}
}

// OpenAI's caches need no mark: the prefix of an earlier request is read when it is long enough.
func TestAutomaticCache(t *testing.T) {
	long := strings.Repeat("w", 8000)
	for path, body := range map[string]func(last string) string{
		chatPath: func(last string) string {
			return chat(`{"role":"system","content":"` + long + `"},` + hi + last)
		},
		responsesPath: func(last string) string { return respond(hi+last, `"instructions":"`+long+`"`) },
	} {
		s := modeltest.New(modeltest.Config{})
		cached := func(body string) (in, cached int) {
			status, answer := post(t, s, body, onto(path))
			type details struct {
				Cached int `json:"cached_tokens"`
			}
			var doc struct {
				Usage struct {
					Prompt  int     `json:"prompt_tokens"`
					Input   int     `json:"input_tokens"`
					Chat    details `json:"prompt_tokens_details"`
					Respond details `json:"input_tokens_details"`
				}
			}
			if err := json.Unmarshal([]byte(answer), &doc); err != nil || status != http.StatusOK {
				t.Fatalf("got %d %s, %v", status, answer, err)
			}
			return doc.Usage.Prompt + doc.Usage.Input, doc.Usage.Chat.Cached + doc.Usage.Respond.Cached
		}
		first, none := cached(body(""))
		if first < 2000 || none != 0 {
			t.Errorf("%s: first: got %d, %d", path, first, none)
		}
		if in, read := cached(body(`,{"role":"assistant","content":"a"},` + hi)); read != first || in <= first {
			t.Errorf("%s: grown: got %d, %d after %d", path, in, read, first)
		}
		if _, read := cached(strings.Replace(body(""), "www", "vvv", 1)); read != 0 {
			t.Errorf("%s: changed: got %d", path, read)
		}
		if _, read := cached(as("gpt-5-mini", body(""))); read != 0 {
			t.Errorf("%s: another model: got %d", path, read)
		}
	}
	short := modeltest.New(modeltest.Config{})
	for range 2 {
		if _, answer := post(t, short, chat(hi), onto(chatPath)); !strings.Contains(answer, `"cached_tokens":0`) {
			t.Errorf("got %s", answer)
		}
	}
}
