package store_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/steward-assistant/steward/internal/store"
	"github.com/steward-assistant/steward/internal/store/storetest"
)

const insertWorker = "INSERT INTO workers (id, renewed_at) VALUES ($1, $2)"

func insert(t *testing.T, id string, at int64) func(*store.Tx) error {
	t.Helper()
	return func(tx *store.Tx) error {
		_, err := tx.Exec(t.Context(), insertWorker, id, at)
		return err
	}
}

func mustDo(t *testing.T, db *store.DB, fn func(*store.Tx) error) {
	t.Helper()
	if err := db.Do(t.Context(), fn); err != nil {
		t.Fatalf("Do: %v", err)
	}
}

// workers reads all ids in order.
func workers(t *testing.T, db *store.DB) []string {
	t.Helper()
	var ids []string
	err := db.Read(t.Context(), func(tx *store.Tx) error {
		rows, err := tx.Query(t.Context(), "SELECT id FROM workers ORDER BY id")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var id string
			if err := rows.Scan(&id); err != nil {
				return err
			}
			ids = append(ids, id)
		}
		return rows.Err()
	})
	if err != nil {
		t.Fatalf("Read: %v", err)
	}
	return ids
}

func wantWorkers(t *testing.T, db *store.DB, want ...string) {
	t.Helper()
	if got := workers(t, db); !slices.Equal(got, want) {
		t.Errorf("workers = %q, want %q", got, want)
	}
}

func TestWriteIsReadBack(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		mustDo(t, db, insert(t, "b", 2))
		mustDo(t, db, insert(t, "a", 1))
		wantWorkers(t, db, "a", "b")
	})
}

func TestFailedWriteLeavesNothing(t *testing.T) {
	wrong := errors.New("wrong")
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		c, err := db.Write(t.Context(), func(tx *store.Tx) error {
			if err := insert(t, "a", 1)(tx); err != nil {
				return err
			}
			return wrong
		})
		if !errors.Is(err, wrong) || c != nil {
			t.Fatalf("Write = %v, %v; want nil and the error of fn", c, err)
		}
		mustDo(t, db, insert(t, "b", 2))
		wantWorkers(t, db, "b")
	})
}

func TestPanicRollsBackAndReachesTheCaller(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		func() {
			defer func() {
				if got := recover(); got != "boom" {
					t.Errorf("recovered %v, want boom", got)
				}
			}()
			_ = db.Do(t.Context(), func(tx *store.Tx) error {
				if err := insert(t, "a", 1)(tx); err != nil {
					return err
				}
				panic("boom")
			})
		}()
		func() {
			defer func() { _ = recover() }()
			_ = db.Read(t.Context(), func(*store.Tx) error { panic("boom") })
		}()
		mustDo(t, db, insert(t, "b", 2))
		wantWorkers(t, db, "b")
	})
}

func TestGoexitRollsBack(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		var wg sync.WaitGroup
		wg.Go(func() {
			_ = db.Do(t.Context(), func(tx *store.Tx) error {
				if err := insert(t, "a", 1)(tx); err != nil {
					return err
				}
				t.SkipNow() // what t.Fatal does to its goroutine
				return nil
			})
		})
		wg.Wait()
		mustDo(t, db, insert(t, "b", 2))
		wantWorkers(t, db, "b")
	})
}

func TestUnique(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		mustDo(t, db, insert(t, "a", 1))
		if err := db.Do(t.Context(), insert(t, "a", 2)); !errors.Is(err, store.ErrUnique) {
			t.Errorf("second insert: %v, want ErrUnique", err)
		}
		if strings.Contains(fmt.Sprint(db.Do(t.Context(), insert(t, "a", 2))), "(a)") {
			t.Error("the error repeats the value")
		}
	})
}

func TestSwallowedErrorStillFails(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		mustDo(t, db, insert(t, "a", 1))
		err := db.Do(t.Context(), func(tx *store.Tx) error {
			_, _ = tx.Exec(t.Context(), insertWorker, "a", 2)
			if _, err := tx.Exec(t.Context(), insertWorker, "b", 2); !errors.Is(err, store.ErrUnique) {
				t.Errorf("statement after a failed one: %v, want its ErrUnique", err)
			}
			return nil
		})
		if !errors.Is(err, store.ErrUnique) {
			t.Errorf("Do = %v, want ErrUnique", err)
		}
		wantWorkers(t, db, "a")
	})
}

func TestNotFound(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		err := db.Do(t.Context(), func(tx *store.Tx) error {
			var at int64
			err := tx.Row(t.Context(), "SELECT renewed_at FROM workers WHERE id = $1", "x").Scan(&at)
			if !errors.Is(err, store.ErrNotFound) {
				t.Errorf("Scan = %v, want ErrNotFound", err)
			}
			return insert(t, "a", 1)(tx) // it does not end the transaction
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

func TestPlaceholdersReturningAndConditionalUpsert(t *testing.T) {
	const claim = `INSERT INTO workers (id, renewed_at) VALUES ($2, $1)
		ON CONFLICT (id) DO UPDATE SET renewed_at = $1 WHERE workers.renewed_at < $1 RETURNING id, renewed_at`
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		for _, step := range []struct {
			at    int64
			taken bool
		}{{5, true}, {7, true}, {6, false}, {7, false}, {8, true}} {
			var id string
			var at int64
			err := db.Do(t.Context(), func(tx *store.Tx) error {
				err := tx.Row(t.Context(), claim, step.at, "w").Scan(&id, &at)
				if errors.Is(err, store.ErrNotFound) {
					return nil
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if taken := id == "w" && at == step.at; taken != step.taken {
				t.Errorf("claim at %d: taken %v, want %v", step.at, taken, step.taken)
			}
		}
		mustDo(t, db, func(tx *store.Tx) error {
			n, err := tx.Exec(t.Context(), "UPDATE workers SET renewed_at = $2 WHERE id = $1 AND renewed_at <> $2", "w", 9)
			if n != 1 {
				t.Errorf("affected = %d, want 1", n)
			}
			return err
		})
	})
}

func TestClockIsTheDatabases(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		last := int64(1_700_000_000_000_000)
		for range 200 {
			var now, ahead int64
			mustDo(t, db, func(tx *store.Tx) error {
				return tx.Row(t.Context(), "SELECT "+tx.Clock()+", "+tx.Clock()+" + CAST($1 AS BIGINT)", 1_000_000).Scan(&now, &ahead)
			})
			if now < last || now > 4_000_000_000_000_000 {
				t.Fatalf("clock = %d after %d; want microseconds that do not run back", now, last)
			}
			if d := ahead - now; d < 1_000_000 || d > 1_500_000 {
				t.Fatalf("one second ahead = %d µs", d)
			}
			last = now
		}
	})
}

func TestDecidedIsBeforeDurable(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		c, err := db.Write(t.Context(), insert(t, "a", 1))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		<-c.Done()
		if c.Err() != nil {
			t.Errorf("Err = %v after a good commit", c.Err())
		}
		wantWorkers(t, db, "a")
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if err := c.Wait(ended); err != nil {
			t.Errorf("Wait with an ended context on a durable commit = %v, want nil", err)
		}
	})
}

func TestReadIsOneSnapshotAndCannotWrite(t *testing.T) {
	const count = "SELECT COUNT(*) FROM workers"
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		mustDo(t, db, insert(t, "a", 1))
		err := db.Read(t.Context(), func(tx *store.Tx) error {
			var before, after int
			if err := tx.Row(t.Context(), count).Scan(&before); err != nil {
				return err
			}
			mustDo(t, db, insert(t, "b", 2))
			if err := tx.Row(t.Context(), count).Scan(&after); err != nil {
				return err
			}
			if before != 1 || after != 1 {
				t.Errorf("counts in one read = %d, %d; want 1, 1", before, after)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Read(t.Context(), insert(t, "c", 3)); err == nil {
			t.Error("a Read inserted")
		}
		wantWorkers(t, db, "a", "b")
	})
}

func TestMisuse(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		mustDo(t, db, insert(t, "a", 1))
		mustDo(t, db, insert(t, "b", 1))
		var leaked *store.Tx
		mustDo(t, db, func(tx *store.Tx) error {
			leaked = tx
			rows, err := tx.Query(t.Context(), "SELECT id FROM workers")
			if err != nil {
				return err
			}
			if !rows.Next() {
				t.Error("no row")
			}
			if _, err := tx.Exec(t.Context(), insertWorker, "c", 1); !errors.Is(err, store.ErrTx) {
				t.Errorf("statement beside open rows: %v, want ErrTx", err)
			}
			return nil // rows left open: Write closes them
		})
		if _, err := leaked.Exec(t.Context(), insertWorker, "c", 1); !errors.Is(err, store.ErrTx) {
			t.Errorf("statement after the end: %v, want ErrTx", err)
		}
		mustDo(t, db, insert(t, "d", 1))
		wantWorkers(t, db, "a", "b", "d")
	})
}

func TestCancel(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		why := errors.New("the member left")
		ended, cancel := context.WithCancelCause(t.Context())
		cancel(why)
		if _, err := db.Write(ended, insert(t, "a", 1)); !errors.Is(err, why) {
			t.Errorf("Write with an ended context = %v, want its cause", err)
		}
		if err := db.Read(ended, func(tx *store.Tx) error {
			return tx.Row(ended, "SELECT 1").Scan(new(int))
		}); !errors.Is(err, why) {
			t.Errorf("Read with an ended context = %v, want its cause", err)
		}
		// An fn whose context ends between statements is rolled back.
		ctx, cancel2 := context.WithCancel(t.Context())
		_, err := db.Write(ctx, func(tx *store.Tx) error {
			if _, err := tx.Exec(ctx, insertWorker, "a", 1); err != nil {
				return err
			}
			cancel2()
			_, err := tx.Exec(ctx, insertWorker, "b", 1)
			return err
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("Write cancelled half-way = %v, want context.Canceled", err)
		}
		// One whose context ends after the decision is not.
		ctx, cancel3 := context.WithCancel(t.Context())
		c, err := db.Write(ctx, insert(t, "c", 1))
		cancel3()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Wait(t.Context()); err != nil {
			t.Errorf("commit after the caller left: %v", err)
		}
		wantWorkers(t, db, "c")
	})
}

func TestConcurrentWriters(t *testing.T) {
	const writers, each = 32, 20
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		mustDo(t, db, insert(t, "counter", 0))
		wrong := errors.New("wrong")
		var wg sync.WaitGroup
		for w := range writers {
			wg.Go(func() {
				for i := range each {
					// Every fourth fails after its statement; its neighbours in the group must not notice.
					fails := (w+i)%4 == 0
					err := db.Do(t.Context(), func(tx *store.Tx) error {
						if err := insert(t, fmt.Sprintf("%02d-%02d", w, i), 1)(tx); err != nil {
							return err
						}
						if _, err := tx.Exec(t.Context(), "UPDATE workers SET renewed_at = renewed_at + 1 WHERE id = $1", "counter"); err != nil {
							return err
						}
						if fails {
							return wrong
						}
						return nil
					})
					if fails != errors.Is(err, wrong) || !fails && err != nil {
						t.Errorf("writer %d, write %d: %v", w, i, err)
					}
				}
			})
		}
		wg.Wait()
		var rows, counter int
		err := db.Read(t.Context(), func(tx *store.Tx) error {
			if err := tx.Row(t.Context(), "SELECT COUNT(*) FROM workers WHERE id <> 'counter'").Scan(&rows); err != nil {
				return err
			}
			return tx.Row(t.Context(), "SELECT renewed_at FROM workers WHERE id = 'counter'").Scan(&counter)
		})
		if err != nil {
			t.Fatal(err)
		}
		if want := writers * each * 3 / 4; rows != want || counter != want {
			t.Errorf("rows %d, counter %d; want %d of each", rows, counter, want)
		}
	})
}

func TestTwoProcessesShareADatabase(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		var wg sync.WaitGroup
		dbs := make([]*store.DB, 2)
		for i := range dbs { // both migrate at once
			wg.Go(func() {
				var err error
				if dbs[i], err = store.Open(t.Context(), url, store.Options{}); err != nil {
					t.Errorf("open %d: %v", i, err)
				}
			})
		}
		wg.Wait()
		if t.Failed() {
			t.FailNow()
		}
		for i, db := range dbs {
			for w := range 4 {
				wg.Go(func() {
					for n := range 25 {
						if err := db.Do(t.Context(), insert(t, fmt.Sprint(i, w, n), 1)); err != nil {
							t.Error(err)
						}
					}
				})
			}
		}
		wg.Wait()
		if got := len(workers(t, dbs[0])); got != 200 {
			t.Errorf("rows = %d, want 200", got)
		}
		for _, db := range dbs {
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestCloseFinishesWhatIsDecided(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		db := storetest.Open(t, url, store.Options{})
		var commits []*store.Commit
		for i := range 20 {
			c, err := db.Write(t.Context(), insert(t, fmt.Sprintf("%02d", i), 1))
			if err != nil {
				t.Fatal(err)
			}
			commits = append(commits, c)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		for _, c := range commits {
			select {
			case <-c.Done():
				if c.Err() != nil {
					t.Error(c.Err())
				}
			default:
				t.Error("a commit is undecided after Close")
			}
		}
		if err := db.Do(t.Context(), insert(t, "x", 1)); !errors.Is(err, store.ErrClosed) {
			t.Errorf("Do after Close = %v, want ErrClosed", err)
		}
		if err := db.Read(t.Context(), func(*store.Tx) error { return nil }); !errors.Is(err, store.ErrClosed) {
			t.Errorf("Read after Close = %v, want ErrClosed", err)
		}
		if got := len(workers(t, storetest.Open(t, url, store.Options{}))); got != 20 {
			t.Errorf("rows after reopening = %d, want 20", got)
		}
	})
}

func TestCloseWaitsForWhatRuns(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		db, err := store.Open(t.Context(), url, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		began, closed := make(chan struct{}), make(chan error, 1)
		var wg sync.WaitGroup
		for _, run := range []func(context.Context, func(*store.Tx) error) error{db.Do, db.Read} {
			wg.Go(func() {
				err := run(t.Context(), func(tx *store.Tx) error {
					began <- struct{}{}
					select {
					case <-closed:
						t.Error("Close returned while a transaction was running")
					case <-time.After(20 * time.Millisecond): // a Close that does not wait is done by then
					}
					return tx.Row(t.Context(), "SELECT 1").Scan(new(int))
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		<-began
		<-began
		if err := db.Close(); err != nil {
			t.Error(err)
		}
		closed <- nil
		wg.Wait()
	})
}

func TestMigrations(t *testing.T) {
	file := func(sql string) *fstest.MapFile { return &fstest.MapFile{Data: []byte("-- +goose Up\n" + sql)} }
	old := fstest.MapFS{"0001_a.sql": file("CREATE TABLE a (id BIGINT PRIMARY KEY);")}
	newer := fstest.MapFS{"0001_a.sql": old["0001_a.sql"], "0002_b.sql": file("CREATE TABLE b (id BIGINT PRIMARY KEY);")}
	broken := fstest.MapFS{"0001_a.sql": old["0001_a.sql"], "0002_b.sql": newer["0002_b.sql"], "0003_c.sql": file("CREATE TABEL c (id BIGINT);")}
	storetest.EachURL(t, func(t *testing.T, url string) {
		open := func(files fstest.MapFS) error {
			db, err := store.Open(t.Context(), url, store.Options{Migrations: files})
			if err != nil {
				return err
			}
			return db.Close()
		}
		for i, files := range []fstest.MapFS{old, old, newer} {
			if err := open(files); err != nil {
				t.Fatalf("open %d: %v", i, err)
			}
		}
		if err := open(old); err == nil || !strings.Contains(err.Error(), "newer") {
			t.Errorf("open with fewer migrations than the schema has: %v, want an error that says so", err)
		}
		if err := open(broken); err == nil || !strings.Contains(err.Error(), "0003") {
			t.Errorf("open with a broken migration: %v, want an error naming it", err)
		}
		if err := open(newer); err != nil {
			t.Errorf("open after the broken one: %v", err)
		}
	})
}

func TestOpenRefusesAndKeepsPasswords(t *testing.T) {
	for _, tc := range []struct{ url, want string }{
		{"", "sqlite:PATH"},
		{"sqlite:", "sqlite:PATH"},
		{"sqlite::memory:", "memory"},
		{"mysql://root:hunter2@db/x", "postgres://"},
		{"root:hunter2@db/x", "postgres://"},
		{"postgres://u:hunter2@host:notaport/db", "postgres://USER"},
		{"postgres://u:hunter2%zz@host/db", "postgres://USER"},
		{"postgres://u:hunter2@127.0.0.1:1/db?connect_timeout=1", "127.0.0.1:1"},
		{"sqlite:" + t.TempDir() + "/none/steward.db", "folder must exist"},
	} {
		_, err := store.Open(t.Context(), tc.url, store.Options{})
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("Open(%q) = %v, want an error with %q", tc.url, err, tc.want)
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("Open(%q) = %v repeats the password", tc.url, err)
		}
	}
}
