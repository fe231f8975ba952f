package gym

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// routes puts the API, the session and the pages on one mux.
func (g *Gym) routes(document []byte) (http.Handler, error) {
	if err := g.doc.bind(handlers()); err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	for _, op := range g.doc.operations {
		mux.HandleFunc(op.method+" "+op.path, func(w http.ResponseWriter, r *http.Request) { g.serveAPI(w, r, op) })
	}
	mux.HandleFunc("GET /api/openapi.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(document) // the reader is gone: nothing is left to tell
	})
	mux.HandleFunc("/api/", func(w http.ResponseWriter, _ *http.Request) { writeProblem(w, asRefusal(missing("page of the API"))) })
	g.pageRoutes(mux)
	return mux, nil
}

func asRefusal(err error) *problemError {
	p, _ := asProblem(err)
	return p
}

// serveAPI answers one request to one operation.
func (g *Gym) serveAPI(w http.ResponseWriter, r *http.Request, op *operation) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBodyBytes))
	if err != nil {
		writeProblem(w, &problemError{status: http.StatusRequestEntityTooLarge, detail: fmt.Sprintf("The body may have %d bytes at most.", maxBodyBytes)})
		return
	}
	who, statementID, err := g.authenticate(r, body)
	if err != nil {
		w.Header().Set("WWW-Authenticate", "Bearer")
		g.fail(r.Context(), w, op, err)
		return
	}
	// The role comes first: a member gets 403 on a route of the staff, whatever else
	// is wrong with the request.
	if !op.allows(who.roles) {
		g.fail(r.Context(), w, op, refuse(http.StatusForbidden, "Your role does not open this."))
		return
	}
	in, err := op.readInput(r, body)
	if err != nil {
		g.fail(r.Context(), w, op, err)
		return
	}
	key := r.Header.Get("Idempotency-Key")
	if len(key) > 120 {
		g.fail(r.Context(), w, op, badField("Idempotency-Key", "may have 120 characters at most"))
		return
	}
	if key == "" {
		key = statementID
	}
	answer, replayed, err := g.run(r.Context(), op, who, in, key)
	if err != nil {
		g.fail(r.Context(), w, op, err)
		return
	}
	if replayed {
		w.Header().Set("Idempotent-Replayed", "true")
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(op.status)
	_, _ = w.Write(answer) //nolint:gosec // JSON under its own type; the reader is gone: nothing is left to tell
}

func (g *Gym) fail(ctx context.Context, w http.ResponseWriter, op *operation, err error) {
	p, known := asProblem(err)
	if !known && ctx.Err() == nil {
		g.log.ErrorContext(ctx, "gym request failed", "operation", op.id, "error", err)
	}
	writeProblem(w, p)
}

// run runs an operation and answers its JSON: a read on the database, a write in
// a transaction that also keeps the answer under key, when there is one.
func (g *Gym) run(ctx context.Context, op *operation, who *principal, in input, key string) (answer []byte, replayed bool, err error) {
	c := &call{db: g.db, who: who, org: who.org, zone: g.zones[who.org], now: g.now(), in: in}
	if op.method == http.MethodGet {
		result, err := op.handle(ctx, c)
		if err != nil {
			return nil, false, err
		}
		answer, err = encode(result)
		return answer, false, err
	}
	tx, err := g.db.BeginTx(ctx, nil)
	if err != nil {
		return nil, false, fmt.Errorf("begin %s: %w", op.id, err)
	}
	defer func() {
		if rollback := tx.Rollback(); err != nil && rollback != nil && !errors.Is(rollback, sql.ErrTxDone) {
			err = errors.Join(err, rollback)
		}
	}()
	c.db = tx
	request, err := digest(op, in)
	if err != nil {
		return nil, false, err
	}
	if key != "" {
		answer, err = kept(ctx, tx, who, key, request, c.nowMicros())
		if answer != nil || err != nil {
			return answer, answer != nil, err
		}
	}
	result, err := op.handle(ctx, c)
	if err != nil {
		return nil, false, err
	}
	if answer, err = encode(result); err != nil {
		return nil, false, err
	}
	if key != "" {
		if _, err = c.exec(ctx, `INSERT INTO idempotency (org_id, person_id, key, request, status, body, at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			who.org, who.person, key, request, op.status, string(answer), c.nowMicros()); err != nil {
			return nil, false, err
		}
	}
	if err = tx.Commit(); err != nil {
		return nil, false, fmt.Errorf("commit %s: %w", op.id, err)
	}
	return answer, false, nil
}

// keptFor is how long the answer to a write is kept under its Idempotency-Key.
const keptFor = 24 * time.Hour

// kept answers what the write under key answered before. The same key with
// another request is refused.
func kept(ctx context.Context, tx *sql.Tx, who *principal, key, request string, now int64) ([]byte, error) {
	if _, err := tx.ExecContext(ctx, `DELETE FROM idempotency WHERE at < ?`, now-keptFor.Microseconds()); err != nil {
		return nil, fmt.Errorf("forget old keys: %w", err)
	}
	var before, body string
	err := tx.QueryRowContext(ctx, `SELECT request, body FROM idempotency WHERE org_id = ? AND person_id = ? AND key = ?`,
		who.org, who.person, key).Scan(&before, &body)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("look up a key: %w", err)
	case before != request:
		return nil, &problemError{status: http.StatusUnprocessableEntity, field: "Idempotency-Key", detail: "This Idempotency-Key was used for another request."}
	}
	return []byte(body), nil
}

// digest names a request: the operation and all that it was given.
func digest(op *operation, in input) (string, error) {
	text, err := json.Marshal(in) // keys come sorted
	if err != nil {
		return "", fmt.Errorf("name the request: %w", err)
	}
	sum := sha256.Sum256(append([]byte(op.id+"\n"), text...))
	return base64.RawURLEncoding.EncodeToString(sum[:]), nil
}

func encode(result any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(result); err != nil {
		return nil, fmt.Errorf("encode the answer: %w", err)
	}
	return out.Bytes(), nil
}
