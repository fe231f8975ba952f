package api

import (
	"math"
	"net/http"
	"reflect"
	"strings"

	"github.com/steward-assistant/steward/internal/agui"
	"github.com/steward-assistant/steward/internal/conversation"
	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/identity"
)

// Pages of lists.
const (
	listDefault, listMost = 30, 100
	loadDefault, loadMost = 50, 200
	cursorMost            = 256
)

type createBody struct {
	ID string `json:"id,omitempty" format:"uuid" doc:"The client's own UUID, of any version; the same again gives the conversation that it made. Left out: the server makes one."`
}

type createdAnswer struct {
	Conversation conversation.Summary `json:"conversation"`
}

type listAnswer struct {
	Conversations []conversation.Summary `json:"conversations"`
	NextCursor    string                 `json:"nextCursor,omitempty" doc:"Where the next page begins; left out at the end."`
}

type cancelBody struct {
	TurnID string `json:"turnId,omitempty" format:"uuid" doc:"Stop this turn only; left out: whichever runs."`
}

type cancelAnswer struct {
	Cancelled bool `json:"cancelled" doc:"False when nothing ran."`
}

// routes are all that this server answers, but for its assets and its own documents.
func (s *server) routes() []route {
	const one = "/v1/conversations/{id}"
	return []route{
		{
			method: http.MethodGet, path: "/v1/status", id: "status", summary: "What would answer now; asks for no token.",
			status: http.StatusOK, answers: map[string]any{"application/json": statusAnswer{}}, serve: s.status,
		},
		{
			method: http.MethodGet, path: "/v1/contract", id: "contract", right: identity.Read,
			summary: "Wording, limits, starters and tools, cut to the member who asks.",
			status:  http.StatusOK, answers: map[string]any{"application/json": s.ContractShape}, serve: s.contract,
		},
		{
			method: http.MethodPost, path: "/v1/conversations", id: "createConversation", right: identity.Send,
			summary: "Make a conversation.", body: reflect.TypeFor[createBody](), optional: true,
			status: http.StatusCreated, answers: map[string]any{"application/json": createdAnswer{}}, serve: s.create,
		},
		{
			method: http.MethodGet, path: "/v1/conversations", id: "listConversations", right: identity.Read,
			summary: "The member's conversations, the newest first.",
			params: []param{
				{name: "cursor", in: "query", about: "nextCursor of the page before.", most: cursorMost},
				{name: "limit", in: "query", about: "How many at most; 30 unless told.", numeric: true, least: 1, most: listMost},
			},
			status: http.StatusOK, answers: map[string]any{"application/json": listAnswer{}}, serve: s.list,
		},
		{
			method: http.MethodGet, path: one, id: "loadConversation", right: identity.Read,
			summary: "A conversation with its newest messages.",
			params: []param{
				{name: "before", in: "query", about: "Only messages before this sequence number.", numeric: true, least: 1, most: math.MaxInt64},
				{name: "limit", in: "query", about: "How many messages at most; 50 unless told.", numeric: true, least: 1, most: loadMost},
			},
			status: http.StatusOK, answers: map[string]any{"application/json": conversation.View{}}, serve: s.load,
		},
		{
			method: http.MethodDelete, path: one, id: "eraseConversation", right: identity.Send,
			summary: "Erase a conversation and all that is stored of it.", status: http.StatusNoContent, serve: s.erase,
		},
		{
			method: http.MethodPost, path: one + "/messages", id: "sendMessage", right: identity.Send,
			summary: "Send a message and follow its turn, as events or as one answer at its end, by Accept.",
			body:    reflect.TypeFor[messageBody](), status: http.StatusOK,
			answers: map[string]any{"application/json": event.Complete{}, "text/event-stream": nil}, serve: s.message,
		},
		{
			method: http.MethodGet, path: one + "/events", id: "followConversation", right: identity.Read,
			summary: "Follow a conversation until its turn ends.",
			params:  []param{{name: lastEventID, in: "header", about: "The last event that was seen, as SEQ.N.", most: 40}},
			status:  http.StatusOK, answers: map[string]any{"text/event-stream": nil}, serve: s.events,
		},
		{
			method: http.MethodPost, path: one + "/cancel", id: "cancelTurn", right: identity.Send,
			summary: "Stop the turn that runs or waits.", body: reflect.TypeFor[cancelBody](), optional: true,
			status: http.StatusAccepted, answers: map[string]any{"application/json": cancelAnswer{}}, serve: s.cancel,
		},
		{
			method: http.MethodPost, path: one + "/calls/{callId}/claim", id: "claimCall", right: identity.Send,
			summary: "Take a call of the browser for one tab; it is taken once.",
			body:    reflect.TypeFor[claimBody](), status: http.StatusNoContent, serve: s.claim,
		},
		{
			method: http.MethodPost, path: one + "/calls/{callId}/result", id: "answerCall", right: identity.Send,
			summary: "Answer a call of the browser; when no other waits, the turn goes on.",
			body:    reflect.TypeFor[resultBody](), status: http.StatusNoContent, serve: s.result,
		},
		{
			method: http.MethodPost, path: "/v1/agui", id: "agui", right: identity.Send,
			summary: "Begin a run of a front end that speaks AG-UI 1.0, or follow it.",
			params:  []param{{name: "surface", in: "query", about: "The surface; left out: the first.", most: 64}},
			body:    reflect.TypeFor[agui.Input](), open: true, most: maxRunBytes,
			status: http.StatusOK, answers: map[string]any{"text/event-stream": nil}, serve: s.run,
		},
	}
}

func (s *server) create(x *exchange) error {
	in, _ := x.body.(*createBody)
	c, err := s.engine.Create(x.r.Context(), x.by, strings.ToLower(in.ID), "")
	if err != nil {
		return err
	}
	return x.json(http.StatusCreated, createdAnswer{c})
}

func (s *server) list(x *exchange) error {
	list, next, err := s.engine.List(x.r.Context(), x.by, x.query["cursor"], int(x.number("limit", listDefault)))
	if err != nil {
		return err
	}
	if list == nil {
		list = []conversation.Summary{}
	}
	return x.json(http.StatusOK, listAnswer{list, next})
}

func (s *server) load(x *exchange) error {
	id, err := x.id()
	if err != nil {
		return err
	}
	v, err := s.engine.Load(x.r.Context(), x.by, id, x.number("before", 0), int(x.number("limit", loadDefault)))
	if err != nil {
		return err
	}
	if v.Messages == nil {
		v.Messages = []conversation.Message{}
	}
	return x.json(http.StatusOK, v)
}

func (s *server) erase(x *exchange) error {
	id, err := x.id()
	if err != nil {
		return err
	}
	if err := s.engine.Erase(x.r.Context(), x.by, id); err != nil {
		return err
	}
	return x.nothing()
}

func (s *server) cancel(x *exchange) error {
	id, err := x.id()
	if err != nil {
		return err
	}
	turnID := ""
	if in, ok := x.body.(*cancelBody); ok {
		turnID = in.TurnID
	}
	ran, err := s.engine.Cancel(x.r.Context(), x.by, id, turnID)
	if err != nil {
		return err
	}
	return x.json(http.StatusAccepted, cancelAnswer{ran})
}
