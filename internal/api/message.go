package api

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/steward-assistant/steward/internal/event"
	"github.com/steward-assistant/steward/internal/id"
	"github.com/steward-assistant/steward/internal/turn"
)

const lastEventID = "Last-Event-ID"

type messageBody struct {
	ID           string          `json:"id,omitempty" format:"uuid" doc:"The client's own UUID of the message: the same again follows its turn."`
	Text         string          `json:"text" minLength:"1" maxLength:"20000" doc:"The member's words."`
	Page         json.RawMessage `json:"page,omitempty" doc:"Where the member is: route, title, locale, viewport {width, height}, headings, selection. What of it is unknown or wrong is left out and no fault."`
	ClientID     string          `json:"clientId,omitempty" maxLength:"64" doc:"Names the tab."`
	Capabilities []string        `json:"capabilities,omitempty" maxItems:"32" doc:"What the page can do, as navigate."`
	Launch       *launchBody     `json:"launch,omitempty" doc:"How the assistant was opened."`
	Engine       string          `json:"engine,omitempty" enum:"model,guide" doc:"Who is asked to answer; left out: the server decides."`
	Queue        bool            `json:"queue,omitempty" doc:"Wait for a running turn to end instead of being refused."`
	RetryOf      string          `json:"retryOf,omitempty" format:"uuid" doc:"The message that this one says again."`
}

type launchBody struct {
	Point  string          `json:"point,omitempty" maxLength:"128"`
	Source string          `json:"source,omitempty" maxLength:"128"`
	Path   string          `json:"path,omitempty" maxLength:"2000"`
	Seed   json.RawMessage `json:"seed,omitempty"`
}

// message takes a message and answers with its turn.
func (s *server) message(x *exchange) error {
	conversationID := x.r.PathValue("id")
	if !id.IsUUID(conversationID) { // it would be made: say what is wrong with it
		return &fault{field: "id", want: "a UUID in the path, as 8-4-4-4-12 hexadecimal digits"}
	}
	streamed, err := x.wantsStream()
	if err != nil {
		return err
	}
	in, _ := x.body.(*messageBody)
	send := turn.Send{
		ConversationID: strings.ToLower(conversationID), MessageID: strings.ToLower(in.ID), Text: in.Text,
		ClientID: in.ClientID, Capabilities: in.Capabilities, Engine: in.Engine, RetryOf: strings.ToLower(in.RetryOf), Queue: in.Queue,
		Page: in.Page,
	}
	if x.turn, err = s.engine.Send(x.r.Context(), x.by, send); err != nil {
		return err
	}
	x.body = nil // a stream may be long, and there may be many
	if !streamed {
		done, err := s.engine.Complete(x.r.Context(), x.by, x.turn)
		if err != nil {
			return err
		}
		if done.Messages == nil {
			done.Messages = json.RawMessage("[]")
		}
		return x.json(http.StatusOK, done)
	}
	f, err := s.engine.FollowStarted(x.r.Context(), x.by, x.turn)
	if err != nil {
		return err
	}
	return x.stream(f, false) // its first event comes at once
}

// wantsStream reads Accept. A client that does not say gets one answer at the end.
func (x *exchange) wantsStream() (bool, error) {
	header := strings.Join(x.r.Header.Values("Accept"), ",")
	if header == "" {
		return false, nil
	}
	stream, whole := accepts(header, "text/event-stream"), accepts(header, "application/json")
	if stream == 0 && whole == 0 {
		return false, &fault{field: "Accept", want: "text/event-stream or application/json"}
	}
	// Of equal wishes the stream is taken where it is named, and not only let in by a wildcard.
	return stream > whole || stream == whole && strings.Contains(strings.ToLower(header), "text/event-stream"), nil
}

// events follows a conversation from the last event that the client saw.
func (s *server) events(x *exchange) error {
	conversationID, err := x.id()
	if err != nil {
		return err
	}
	if header := strings.Join(x.r.Header.Values("Accept"), ","); header != "" && accepts(header, "text/event-stream") == 0 {
		return &fault{field: "Accept", want: "text/event-stream"}
	}
	last := x.r.Header.Values(lastEventID)
	from := event.ID{}
	if len(last) > 0 && last[0] != "" {
		if from, err = event.ParseID(last[0]); err != nil || len(last) > 1 || from.String() != last[0] {
			return &fault{field: lastEventID, want: "an event's id, as SEQ.N, two whole numbers"}
		}
	}
	f, err := s.engine.Follow(x.r.Context(), x.by, conversationID, from)
	if err != nil {
		return err
	}
	return x.stream(f, true)
}
