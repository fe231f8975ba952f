package store_test

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/steward-assistant/steward/internal/store"
	"github.com/steward-assistant/steward/internal/store/storetest"
)

// percentiles reports how long something took as metrics of b, in milliseconds.
func percentiles(b *testing.B, what string, took []time.Duration) {
	b.Helper()
	slices.Sort(took)
	for _, p := range []int{50, 99} {
		b.ReportMetric(float64(took[len(took)*p/100])/1e6, fmt.Sprintf("p%d-%s-ms", p, what))
	}
}

func twoStatements(b *testing.B, id string) func(*store.Tx) error {
	b.Helper()
	return func(tx *store.Tx) error {
		if _, err := tx.Exec(b.Context(), insertWorker, id, 1); err != nil {
			return err
		}
		_, err := tx.Exec(b.Context(), "UPDATE workers SET renewed_at = $2 WHERE id = $1", id, 2)
		return err
	}
}

// BenchmarkWriteLone is one caller: two small statements, decided and durable.
func BenchmarkWriteLone(b *testing.B) {
	each(b, func(b *testing.B, db *store.DB) {
		decided, durable := make([]time.Duration, 0, b.N), make([]time.Duration, 0, b.N)
		for i := 0; b.Loop(); i++ {
			start := time.Now()
			c, err := db.Write(b.Context(), twoStatements(b, fmt.Sprint(i)))
			if err != nil {
				b.Fatal(err)
			}
			decided = append(decided, time.Since(start))
			if err := c.Wait(b.Context()); err != nil {
				b.Fatal(err)
			}
			durable = append(durable, time.Since(start))
		}
		percentiles(b, "decided", decided)
		percentiles(b, "durable", durable)
	})
}

// BenchmarkWriteGroup64 is 64 callers that each wait for their write to be durable before the next.
func BenchmarkWriteGroup64(b *testing.B) {
	each(b, func(b *testing.B, db *store.DB) {
		took := make([]time.Duration, b.N)
		var next atomic.Int64
		var wg sync.WaitGroup
		b.ResetTimer()
		for range 64 {
			wg.Go(func() {
				for i := next.Add(1); i <= int64(b.N); i = next.Add(1) {
					start := time.Now()
					if err := db.Do(b.Context(), twoStatements(b, fmt.Sprint(i))); err != nil {
						b.Error(err)
					}
					took[i-1] = time.Since(start)
				}
			})
		}
		wg.Wait()
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "writes/s")
		percentiles(b, "durable", took)
	})
}

// BenchmarkReadLone is one caller that reads one row in a snapshot.
func BenchmarkReadLone(b *testing.B) {
	each(b, func(b *testing.B, db *store.DB) {
		if err := db.Do(b.Context(), twoStatements(b, "a")); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			var at int64
			err := db.Read(b.Context(), func(tx *store.Tx) error {
				return tx.Row(b.Context(), "SELECT renewed_at FROM workers WHERE id = $1", "a").Scan(&at)
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkBareCommit is the floor: the same two statements and a FULL commit on one connection of database/sql,
// prepared, with nothing of this package.
func BenchmarkBareCommit(b *testing.B) {
	path := strings.TrimPrefix(storetest.SQLiteURL(b), "sqlite:")
	pool, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_txlock=immediate")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { pool.Close() })
	pool.SetMaxOpenConns(1)
	if _, err := pool.ExecContext(b.Context(), "CREATE TABLE workers (id TEXT PRIMARY KEY, renewed_at BIGINT NOT NULL)"); err != nil {
		b.Fatal(err)
	}
	prepare := func(query string) *sql.Stmt {
		s, err := pool.PrepareContext(b.Context(), query)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { s.Close() })
		return s
	}
	ins, upd := prepare(insertWorker), prepare("UPDATE workers SET renewed_at = $2 WHERE id = $1")
	took := make([]time.Duration, 0, b.N)
	for i := 0; b.Loop(); i++ {
		start := time.Now()
		tx, err := pool.BeginTx(b.Context(), nil)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := tx.Stmt(ins).Exec(fmt.Sprint(i), 1); err != nil {
			b.Fatal(err)
		}
		if _, err := tx.Stmt(upd).Exec(fmt.Sprint(i), 2); err != nil {
			b.Fatal(err)
		}
		if err := tx.Commit(); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(start))
	}
	percentiles(b, "durable", took)
}

// BenchmarkOpen is a start on a file whose schema is up to date.
func BenchmarkOpen(b *testing.B) {
	url := storetest.SQLiteURL(b)
	storetest.Open(b, url, store.Options{})
	for b.Loop() {
		db, err := store.Open(b.Context(), url, store.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if err := db.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func each(b *testing.B, body func(b *testing.B, db *store.DB)) {
	b.Helper()
	b.Run("sqlite", func(b *testing.B) { body(b, storetest.SQLite(b)) })
	b.Run("postgres", func(b *testing.B) { body(b, storetest.Open(b, storetest.PostgresURL(b), store.Options{})) })
}
