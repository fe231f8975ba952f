package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed migrations/*.sql
var embedded embed.FS

// migrateAttempts is how often an SQLite schema is tried when another process migrates the same file at the same time.
const migrateAttempts = 5

func productMigrations() fs.FS {
	sub, err := fs.Sub(embedded, "migrations")
	if err != nil {
		return embedded // not reached: the pattern above names the folder
	}
	return sub
}

// migrate applies what the schema lacks. Looking at its version first costs one query, asking goose some forty.
func migrate(ctx context.Context, pool *sql.DB, dialect Dialect, opts Options) error {
	want, err := newestMigration(opts.Migrations)
	if err != nil {
		return err
	}
	for attempt := 1; ; attempt++ {
		have, err := schemaVersion(ctx, pool)
		if err == nil && have == want {
			return nil
		}
		if err == nil && have > want {
			return fmt.Errorf("the schema is at version %d, newer than this program's %d; run the newer program", have, want)
		}
		err = applyMigrations(ctx, pool, dialect, opts)
		if err == nil {
			return nil
		}
		// Postgres has a lock for this. In SQLite each file is one transaction, so the slower of two processes fails
		// on what the faster one made, and then finds it done.
		if dialect == Postgres || attempt == migrateAttempts || ctx.Err() != nil {
			return err
		}
	}
}

func applyMigrations(ctx context.Context, pool *sql.DB, dialect Dialect, opts Options) error {
	name := goose.DialectSQLite3
	options := []goose.ProviderOption{goose.WithDisableGlobalRegistry(true), goose.WithAllowOutofOrder(false)}
	if dialect == Postgres {
		name = goose.DialectPostgres
		locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 60))
		if err != nil {
			return fmt.Errorf("migration lock: %w", err)
		}
		options = append(options, goose.WithSessionLocker(locker))
	}
	provider, err := goose.NewProvider(name, pool, opts.Migrations, options...)
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	applied, err := provider.Up(ctx)
	if err != nil {
		var partial *goose.PartialError
		if errors.As(err, &partial) && partial.Failed != nil && partial.Failed.Source != nil {
			return fmt.Errorf("apply migration %q: %w", partial.Failed.Source.Path, partial.Err)
		}
		return fmt.Errorf("apply migrations: %w", err)
	}
	for _, m := range applied {
		opts.Log.InfoContext(ctx, "migrated", "file", m.Source.Path, "took", m.Duration)
	}
	return nil
}

// schemaVersion fails when there is no schema yet.
func schemaVersion(ctx context.Context, pool *sql.DB) (version int64, err error) {
	err = pool.QueryRowContext(ctx, "SELECT MAX(version_id) FROM goose_db_version WHERE is_applied").Scan(&version)
	return version, err
}

// newestMigration is the highest NNNN of the files NNNN_noun.sql; goose counts from 0001.
func newestMigration(files fs.FS) (int64, error) {
	names, err := fs.Glob(files, "*.sql")
	if err != nil {
		return 0, fmt.Errorf("list migrations: %w", err)
	}
	newest := int64(0)
	for _, name := range names {
		digits, _, _ := strings.Cut(name, "_")
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("migration %q: want a name like 0001_noun.sql", name)
		}
		newest = max(newest, n)
	}
	if newest < 1 {
		return 0, errors.New("no migrations")
	}
	return newest, nil
}
