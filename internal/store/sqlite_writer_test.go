package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"testing/fstest"
)

// A group is built by hand here, so that its members are known; b refers to a row that nobody adds, which a deferred
// constraint notices at COMMIT only.
var deferredSchema = fstest.MapFS{"0001_a.sql": &fstest.MapFile{Data: []byte(`-- +goose Up
CREATE TABLE a (id BIGINT PRIMARY KEY, b BIGINT REFERENCES a (id) DEFERRABLE INITIALLY DEFERRED);`)}}

func openWriter(t *testing.T) (*DB, *sqliteWriter) {
	t.Helper()
	db, err := Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "steward.db"), Options{Migrations: deferredSchema})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db, db.engine.(*sqliteEngine).writer
}

func addRow(t *testing.T, id int, b any) func(*Tx) error {
	t.Helper()
	return func(tx *Tx) error {
		_, err := tx.Exec(t.Context(), "INSERT INTO a (id, b) VALUES ($1, $2)", id, b)
		return err
	}
}

func countRows(t *testing.T, db *DB) (n int) {
	t.Helper()
	err := db.Read(t.Context(), func(tx *Tx) error { return tx.Row(t.Context(), "SELECT COUNT(*) FROM a").Scan(&n) })
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestGroupSharesOneCommit(t *testing.T) {
	db, w := openWriter(t)
	wrong := errors.New("wrong")
	<-w.turn
	var commits []*Commit
	for i := range 10 {
		c, err := w.decide(t.Context(), func(tx *Tx) error {
			if err := addRow(t, i, nil)(tx); err != nil {
				return err
			}
			if i%3 == 0 { // the first member too
				return wrong
			}
			return nil
		})
		if (i%3 == 0) != errors.Is(err, wrong) {
			t.Fatalf("member %d: %v", i, err)
		}
		if c != nil {
			commits = append(commits, c)
		}
	}
	select {
	case <-commits[0].Done():
		t.Fatal("durable while the group was still growing")
	default:
	}
	if n := countRows(t, db); n != 0 {
		t.Errorf("readers see %d rows before the commit", n)
	}
	w.yield()
	for _, c := range commits {
		if c != commits[0] {
			t.Error("members have different commits")
		}
		if err := c.Wait(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if n := countRows(t, db); n != 6 {
		t.Errorf("rows = %d, want the 6 that succeeded", n)
	}
}

func TestFailedCommitFailsItsGroupOnly(t *testing.T) {
	db, w := openWriter(t)
	<-w.turn
	var commits []*Commit
	for i, b := range []any{nil, 99, nil} {
		c, err := w.decide(t.Context(), addRow(t, i, b))
		if err != nil {
			t.Fatal(err)
		}
		commits = append(commits, c)
	}
	w.yield()
	for i, c := range commits {
		if err := c.Wait(t.Context()); err == nil || c.Err() == nil {
			t.Errorf("member %d of a failed commit: Wait %v, Err %v", i, err, c.Err())
		}
	}
	if err := db.Do(t.Context(), addRow(t, 5, nil)); err != nil {
		t.Errorf("write after a failed commit: %v", err)
	}
	if n := countRows(t, db); n != 1 {
		t.Errorf("rows = %d, want 1", n)
	}
}

// SQLite rolls the whole transaction back by itself when the disk is full; here a member does.
func TestLostTransactionFailsTheMembersBefore(t *testing.T) {
	db, w := openWriter(t)
	<-w.turn
	c, err := w.decide(t.Context(), addRow(t, 1, nil))
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.decide(t.Context(), func(tx *Tx) error {
		if err := addRow(t, 2, nil)(tx); err != nil {
			return err
		}
		_, err := tx.Exec(t.Context(), "INSERT OR ROLLBACK INTO a (id) VALUES ($1)", 1)
		return err
	})
	if !errors.Is(err, ErrUnique) {
		t.Fatalf("decide = %v, want ErrUnique", err)
	}
	if err := c.Wait(t.Context()); err == nil {
		t.Error("the member before the lost one counts as durable")
	}
	c, err = w.decide(t.Context(), addRow(t, 3, nil))
	if err != nil {
		t.Fatal(err)
	}
	w.yield()
	if err := c.Wait(t.Context()); err != nil {
		t.Error(err)
	}
	if n := countRows(t, db); n != 1 {
		t.Errorf("rows = %d, want 1", n)
	}
}

func TestGroupIsBounded(t *testing.T) {
	_, w := openWriter(t)
	<-w.turn
	groups := map[*Commit]int{}
	for i := range maxGroup + 3 {
		c, err := w.decide(t.Context(), addRow(t, i, nil))
		if err != nil {
			t.Fatal(err)
		}
		groups[c]++
	}
	w.yield()
	if len(groups) != 2 {
		t.Errorf("groups = %d, want 2", len(groups))
	}
	for c, n := range groups {
		if err := c.Wait(t.Context()); err != nil || n != maxGroup && n != 3 {
			t.Errorf("a group of %d: %v", n, err)
		}
	}
}

func TestQueuedWriteIsDroppedWhenItsContextEnds(t *testing.T) {
	db, w := openWriter(t)
	<-w.turn
	ctx, cancel := context.WithCancel(t.Context())
	got := make(chan error)
	go func() {
		_, err := db.Write(ctx, func(*Tx) error { t.Error("fn ran"); return nil })
		got <- err
	}()
	cancel()
	if err := <-got; !errors.Is(err, context.Canceled) {
		t.Errorf("Write = %v, want context.Canceled", err)
	}
	w.yield()
	if err := db.Do(t.Context(), addRow(t, 1, nil)); err != nil {
		t.Error(err)
	}
}

func TestStatementsAreBounded(t *testing.T) {
	db, w := openWriter(t)
	for i := range maxStatements + 10 {
		err := db.Do(t.Context(), func(tx *Tx) error {
			return tx.Row(t.Context(), fmt.Sprintf("SELECT %d", i)).Scan(new(int))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	<-w.turn
	if n := len(w.conn.statements); n > maxStatements {
		t.Errorf("%d statements are kept", n)
	}
	w.yield()
}
