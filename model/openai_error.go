package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// openAIFault is an error object as OpenAI's two wires carry it, in an answer or in a stream. Servers that copy the
// wire write numbers or words into code, and some leave the object out and write its members beside "object".
type openAIFault struct {
	Message string          `json:"message"`
	Type    string          `json:"type"`
	Param   string          `json:"param"`
	Code    json.RawMessage `json:"code"`
}

// readOpenAIFault reads an error member; ok is false where there is none.
func readOpenAIFault(raw json.RawMessage) (f openAIFault, ok bool) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return f, false
	}
	var loose struct {
		Message, Type, Param, Code json.RawMessage
	}
	if json.Unmarshal(raw, &loose) != nil {
		return f, true // a bare word or a list: it says that there is a fault, and no more
	}
	// Each member by itself: one of another type must not hide the others.
	for _, m := range []struct {
		from json.RawMessage
		to   *string
	}{{loose.Message, &f.Message}, {loose.Type, &f.Type}, {loose.Param, &f.Param}} {
		if json.Unmarshal(m.from, m.to) != nil {
			*m.to = ""
		}
	}
	f.Code = loose.Code
	return f, true
}

// name is the fault's plainest name: its code where that is a name, else its type.
func (f openAIFault) name() string {
	var word string
	if json.Unmarshal(f.Code, &word) == nil && faultType(word) != "" {
		return word
	}
	return faultType(f.Type)
}

// status is the HTTP status that the code is, where it is a number.
func (f openAIFault) status() int {
	n, err := strconv.Atoi(strings.Trim(string(f.Code), `"`))
	if err != nil || n < 400 || n > 599 {
		return 0
	}
	return n
}

// code classifies a fault by its name, empty where that says nothing.
func (f openAIFault) code() Code {
	name := strings.ToLower(f.name())
	if strings.HasPrefix(name, "billing_") {
		return CodeOutOfCredit
	}
	if code, ok := openAICodes[name]; ok {
		if code == CodeInvalidRequest && f.aboutMoney() {
			return CodeOutOfCredit
		}
		return code
	}
	if f.aboutMoney() {
		return CodeOutOfCredit
	}
	return ""
}

// aboutMoney reports whether a fault's message says that there is no credit left: some servers say it there alone.
func (f openAIFault) aboutMoney() bool {
	message := strings.ToLower(f.Message)
	for _, words := range []string{"insufficient credits", "insufficient balance", "exceeded your current quota", "credit balance"} {
		if strings.Contains(message, words) {
			return true
		}
	}
	return false
}

// openAICodes classifies the codes and types of OpenAI ("Error codes") and of the servers that copy its wire.
var openAICodes = map[string]Code{
	"insufficient_quota": CodeOutOfCredit, "insufficient_credits": CodeOutOfCredit, "insufficient_balance": CodeOutOfCredit,
	"payment_required": CodeOutOfCredit,

	"rate_limit_exceeded": CodeRateLimited, "rate_limit_error": CodeRateLimited, "too_many_requests": CodeRateLimited,
	"tokens": CodeRateLimited, "requests": CodeRateLimited,

	"invalid_api_key": CodeUnauthorized, "authentication_error": CodeUnauthorized, "permission_error": CodeUnauthorized,
	"invalid_authentication": CodeUnauthorized, "unsupported_country_region_territory": CodeUnauthorized,

	"overloaded_error": CodeOverloaded, "server_is_overloaded": CodeOverloaded, "engine_overloaded": CodeOverloaded,
	"slow_down": CodeOverloaded, "capacity_exceeded": CodeOverloaded,

	"server_error": CodeUnavailable, "api_error": CodeUnavailable, "internal_error": CodeUnavailable,
	"internal_server_error": CodeUnavailable, "service_unavailable": CodeUnavailable, "timeout": CodeUnavailable,

	"invalid_request_error": CodeInvalidRequest, "invalid_prompt": CodeInvalidRequest, "model_not_found": CodeInvalidRequest,
	"context_length_exceeded": CodeInvalidRequest, "not_found_error": CodeInvalidRequest, "badrequesterror": CodeInvalidRequest,
	"invalid_value": CodeInvalidRequest, "unsupported_parameter": CodeInvalidRequest, "unsupported_value": CodeInvalidRequest,
	"content_policy_violation": CodeInvalidRequest, "content_filter": CodeInvalidRequest, "invalid_encrypted_content": CodeInvalidRequest,
}

// inStream makes the error of a fault that came inside a reply.
func (f openAIFault) inStream() *Error {
	code := f.code()
	if status := f.status(); code == "" && status != 0 {
		code = statusCode(status, "")
	}
	if code == "" {
		code = CodeUnavailable
	}
	return &Error{Code: code, Type: f.name(), Err: paramPath(f.Param)}
}

// openAIDocument reads the document of an answer that is not a 200.
func openAIDocument(document []byte) Error {
	var doc struct {
		Error  json.RawMessage `json:"error"`
		Object string          `json:"object"`
	}
	if json.Unmarshal(document, &doc) != nil {
		return Error{} // a gateway's page: nothing of it is kept
	}
	if len(doc.Error) == 0 && doc.Object == "error" {
		doc.Error = document
	}
	f, _ := readOpenAIFault(doc.Error)
	return Error{Code: f.code(), Type: f.name(), Err: paramPath(f.Param)}
}

// paramPath says where in the request the vendor found fault ("messages[3].tool_call_id"), as long as every word of it
// is the API's own.
func paramPath(param string) error {
	words := strings.FieldsFunc(param, func(r rune) bool { return r == '.' || r == '[' || r == ']' })
	if len(words) == 0 || len(param) > 200 {
		return nil
	}
	for _, word := range words {
		if !requestWords[word] && !openAIWords[word] && !allDigits(word) {
			return nil
		}
	}
	return errors.New("refused at " + param)
}

// openAIWords are the names of OpenAI's two wires that a fault's place is made of, beside [requestWords].
var openAIWords = map[string]bool{
	"arguments": true, "call_id": true, "encrypted_content": true, "function": true, "include": true, "include_usage": true,
	"instructions": true, "max_completion_tokens": true, "max_output_tokens": true, "output": true, "parameters": true,
	"reasoning": true, "reasoning_content": true, "reasoning_details": true, "reasoning_effort": true, "status": true,
	"store": true, "stream_options": true, "summary": true, "tool_call_id": true, "tool_calls": true,
}
