// Package storetest runs tests on both databases that the store knows: SQLite in a temporary folder, and a real
// Postgres.
//
// The Postgres is one server for each test binary, started by the first test that needs it and stopped by [Main]; every
// test gets a database of its own. Its programs come from PATH or /usr/lib/postgresql. STEWARD_TEST_POSTGRES_URL names a
// running server to use instead; its user must be allowed to create databases. Without any the Postgres half is
// skipped, unless CI=true, where it fails.
package storetest

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/steward-assistant/steward/internal/store"
)

// Main is for TestMain of a package that uses Each: it runs the tests, stops the server and returns the exit code.
//
//	func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }
func Main(m *testing.M) int {
	shared.owned = true
	defer shared.stop()
	return m.Run()
}

// Each runs body as the subtests "sqlite" and "postgres", each on a new database with the product's schema. The
// database is closed when its subtest ends; body may close it before.
func Each(t *testing.T, body func(t *testing.T, db *store.DB)) {
	t.Helper()
	EachURL(t, func(t *testing.T, url string) {
		t.Helper()
		body(t, Open(t, url, store.Options{}))
	})
}

// EachURL is Each for tests that open the database themselves, several times or in another process. The database at url
// is empty. What opens it must be closed when the subtest ends.
func EachURL(t *testing.T, body func(t *testing.T, url string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { body(t, SQLiteURL(t)) })
	t.Run("postgres", func(t *testing.T) { body(t, PostgresURL(t)) })
}

// SQLite opens a new SQLite database for tb, for tests that do not depend on the kind.
func SQLite(tb testing.TB) *store.DB {
	tb.Helper()
	return Open(tb, SQLiteURL(tb), store.Options{})
}

// SQLiteURL names an SQLite file that does not exist yet.
func SQLiteURL(tb testing.TB) string {
	tb.Helper()
	return "sqlite:" + filepath.Join(tb.TempDir(), "steward.db")
}

// PostgresURL makes an empty Postgres database that is dropped when tb ends, or skips tb.
func PostgresURL(tb testing.TB) string {
	tb.Helper()
	return shared.newDatabase(tb)
}

// Open opens url for tb and closes it when tb ends.
func Open(tb testing.TB, url string, opts store.Options) *store.DB {
	tb.Helper()
	db, err := store.Open(tb.Context(), url, opts)
	if err != nil {
		tb.Fatalf("open store: %v", err)
	}
	tb.Cleanup(func() {
		if err := db.Close(); err != nil {
			tb.Errorf("close store: %v", err)
		}
	})
	return db
}

// background is for clean-ups: tb.Context() has ended when they run.
func background() context.Context { return context.Background() }
