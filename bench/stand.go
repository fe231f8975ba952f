package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/steward-assistant/steward/config"
)

//go:embed host
var host embed.FS

// members is how many people of how many organisations send the messages.
const members = 200

// stand is a Steward process, with the model that it asks.
type stand struct {
	steward *process
	model   *process
	// provider is the host's by which Steward asks the model; empty: the one that the host's file names.
	provider string
	folder   string
	secret   string
	tokens   []string
	client   *http.Client
}

// newStand starts Steward before a model that is given, or before the scripted one where it is nil.
func (b *bench) newStand(ctx context.Context, model *process) (*stand, error) {
	return b.start(ctx, &stand{model: model})
}

// start makes a stand of which the provider and the model may be there already.
func (b *bench) start(ctx context.Context, s *stand) (_ *stand, err error) {
	s.client = loadClient()
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	if err := s.layOut(b.folder); err != nil {
		return s, err
	}
	if s.model == nil {
		if s.model, err = b.scriptedModel(ctx); err != nil {
			return s, err
		}
	}
	return s, b.startSteward(ctx, s)
}

// layOut makes the stand's folder with the host's files, and the members' tokens.
func (s *stand) layOut(parent string) (err error) {
	if s.folder, err = os.MkdirTemp(parent, "stand-"); err != nil {
		return err
	}
	for _, name := range []string{"steward.yaml", "openapi.json"} {
		text, err := host.ReadFile("host/" + name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(s.folder, name), text, 0o600); err != nil {
			return err
		}
	}
	s.secret = rand.Text() + rand.Text()
	for i := range members {
		token, err := memberToken([]byte(s.secret), i)
		if err != nil {
			return err
		}
		s.tokens = append(s.tokens, token)
	}
	return nil
}

// startSteward starts Steward on the stand's files and database.
func (b *bench) startSteward(ctx context.Context, s *stand) (err error) {
	env := append(s.environment(s.model.url), "STEWARD_DATABASE_URL="+s.database(),
		"STEWARD_DISABLED=", "STEWARD_AGENT_ENABLED=") // whatever this shell says
	program, args := b.steward, []string{"serve", "--config", filepath.Join(s.folder, "steward.yaml"), "--addr", "127.0.0.1:0"}
	if b.profile != "" {
		program, args = b.self, []string{roleHost, "-config", filepath.Join(s.folder, "steward.yaml"), "-profile", b.profile}
	}
	s.steward, err = launch(ctx, s.folder, env, program, args...)
	return err
}

// environment is what the host's file reads of Steward's environment, for a model at url.
func (s *stand) environment(url string) []string {
	return []string{
		"BENCH_TOKEN_SECRET=" + s.secret,
		"ANTHROPIC_API_KEY=bench", "ANTHROPIC_BASE_URL=" + url,
		"OPENAI_API_KEY=bench", "OPENAI_BASE_URL=" + url + "/v1",
		"OPENROUTER_API_KEY=bench", "OPENROUTER_BASE_URL=" + url + "/v1",
		"STEWARD_PROVIDER=" + s.provider, "STEWARD_MODEL=", // whatever this shell says
	}
}

// config is what Steward reads of the host, for a model at url.
func (s *stand) config(url string) (*config.Config, error) {
	variables := make(map[string]string)
	for _, each := range s.environment(url) {
		name, value, _ := strings.Cut(each, "=")
		variables[name] = value
	}
	cfg, faults := config.Load(config.Dir(s.folder), "steward.yaml", func(name string) (string, bool) {
		value, ok := variables[name]
		return value, ok
	})
	return cfg, faults.Err()
}

func (s *stand) database() string { return "sqlite:" + filepath.Join(s.folder, "steward.db") }

// scripted are the rules of the scripted model: 20 words at once, but for those who ask to be held.
const scripted = `{"words": 20, "rules": [{"match": "^hold", "say": "One moment.", "end": {"way": "stall", "after": 4}}]}`

const (
	usualWords = "Who is booked tomorrow at 18:00?"
	holdWords  = "hold the line"
)

func (b *bench) scriptedModel(ctx context.Context) (*process, error) {
	script := filepath.Join(b.folder, "rules.json")
	if err := os.WriteFile(script, []byte(scripted), 0o600); err != nil {
		return nil, err
	}
	return launch(ctx, b.folder, nil, b.model, "--addr", "127.0.0.1:0", "--script", script)
}

// role starts one of this program's own servers.
func (b *bench) role(ctx context.Context, args ...string) (*process, error) {
	return launch(ctx, b.folder, nil, b.self, args...)
}

// close ends Steward and its model.
func (s *stand) close() {
	s.client.CloseIdleConnections()
	if s.steward != nil {
		s.steward.stop()
	}
	if s.model != nil {
		s.model.stop()
	}
}

func (s *stand) token(i int) string { return s.tokens[i%len(s.tokens)] }

// loadClient keeps as many connections as it opened, so that none is made anew in a measurement.
func loadClient() *http.Client {
	return &http.Client{Transport: &http.Transport{
		MaxIdleConnsPerHost: 4096, IdleConnTimeout: time.Minute, DisableCompression: true, WriteBufferSize: 2 << 10,
	}}
}

// memberToken signs a token of one of the members (RFC 7515, HS256).
func memberToken(secret []byte, i int) (string, error) {
	now := time.Now()
	claims, err := json.Marshal(map[string]any{
		"sub": fmt.Sprintf("member-%d", i), "org": fmt.Sprintf("org-%d", i%10), "roles": []string{"staff"}, "aud": "bench",
		"iat": now.Unix(), "exp": now.Add(time.Hour).Unix(),
	})
	if err != nil {
		return "", err
	}
	enc := base64.RawURLEncoding
	signed := enc.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + enc.EncodeToString(claims)
	mac := hmac.New(sha256.New, secret)
	if _, err := mac.Write([]byte(signed)); err != nil {
		return "", err
	}
	return signed + "." + enc.EncodeToString(mac.Sum(nil)), nil
}

// newID is a random UUID (RFC 9562, version 4).
func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand ends the program instead
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// path is the address of a conversation's route.
func (s *stand) path(conversation, route string) string {
	return s.steward.url + "/v1/conversations/" + conversation + route
}

// post sends a message and gives the stream of its answer.
func (s *stand) post(ctx context.Context, token, conversation, words string) (*eventStream, error) {
	body, err := json.Marshal(map[string]any{
		"text": words, "page": map[string]any{"route": "/schedule", "title": "Schedule", "viewport": map[string]int{"width": 1280, "height": 720}},
	})
	if err != nil {
		return nil, err
	}
	return s.open(ctx, http.MethodPost, s.path(conversation, "/messages"), token, body)
}

// follow gives the events of a conversation.
func (s *stand) follow(ctx context.Context, token, conversation string) (*eventStream, error) {
	return s.open(ctx, http.MethodGet, s.path(conversation, "/events"), token, nil)
}

var errAnswer = errors.New("not the answer that was wanted")

func (s *stand) open(ctx context.Context, method, url, token string, body []byte) (*eventStream, error) {
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Accept", "text/event-stream")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := s.client.Do(req)
	if err != nil {
		return nil, err
	}
	if res.StatusCode != http.StatusOK {
		defer res.Body.Close() //nolint:errcheck // it is given up
		var text bytes.Buffer
		_, _ = text.ReadFrom(http.MaxBytesReader(nil, res.Body, 2000))
		return nil, fmt.Errorf("%w: %s %s", errAnswer, res.Status, text.String())
	}
	return newEventStream(res.Body), nil
}
