package gym

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// seedOnce makes the tables and fills them, if that was not done before. It is one
// transaction: a start that was cut short leaves nothing.
func (g *Gym) seedOnce(ctx context.Context) (err error) {
	tx, err := g.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer func() {
		if rollback := tx.Rollback(); rollback != nil && !errors.Is(rollback, sql.ErrTxDone) {
			err = errors.Join(err, rollback)
		}
	}()
	var tables int
	if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'orgs'`).Scan(&tables); err != nil {
		return fmt.Errorf("look for tables: %w", err)
	}
	if tables > 0 {
		return nil
	}
	schema, err := own.ReadFile("schema.sql")
	if err != nil {
		return fmt.Errorf("read the schema: %w", err)
	}
	if _, err := tx.ExecContext(ctx, string(schema)); err != nil {
		return fmt.Errorf("make the tables: %w", err)
	}
	for i, org := range []*orgSeed{harbourRow(), northside()} {
		zone, err := time.LoadLocation(org.tz)
		if err != nil {
			return fmt.Errorf("load a time zone: %w", err)
		}
		s := &seeder{
			tx: tx, statements: map[string]*sql.Stmt{}, now: g.now().In(zone), zone: zone, plan: org,
			// The data is the same at every first start, apart from the days it lies on.
			rand: rand.New(rand.NewPCG(uint64(i)+7, 20260317)), //nolint:gosec // made-up people need no secrets
		}
		if err := s.fill(ctx); err != nil {
			return fmt.Errorf("seed %s: %w", org.name, err)
		}
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// seeder fills one organisation. The first failure stops all that follows it and
// is what fill answers.
type seeder struct {
	tx         *sql.Tx
	statements map[string]*sql.Stmt
	now        time.Time
	zone       *time.Location
	rand       *rand.Rand
	plan       *orgSeed
	err        error

	org                                int64
	staff, members, plans, types       []int64
	exercises, workouts, programs      []int64
	leads, sessions                    []int64
	memberNames, leadNames, staffNames map[int64]string
	stages, pipelines                  []int64
	packs                              map[int64]bool
	away                               map[int64]bool
	trialSession                       []int64
	classWorkouts                      map[string][]int64
}

// orgSeed is what is written by hand of an organisation.
type orgSeed struct {
	name, about, tz, currency, plan, features string
	weekStart                                 time.Weekday
	feedState                                 string
	staff                                     [][4]string // name, role, title, locale
	named                                     []memberSeed
	first, last                               []string
	members                                   int
	phone                                     string // with one verb for a number
	plans                                     []planSeed
	types                                     []typeSeed
	week                                      map[time.Weekday]string // "07:00 Engine Lior, …"
	leads                                     []leadSeed
	threads                                   []threadSeed
	mail                                      string // domain
}

type memberSeed struct {
	name, plan, status, locale string
	visits                     int
	note                       string
}

type planSeed struct {
	name, kind            string
	price, visits, weekly int
}

type typeSeed struct {
	name, color       string
	minutes, capacity int
	about             string
}

type leadSeed struct {
	name, stage, source, interest, note string
	hours                               int // since the last contact, or since it came in
	contacted                           bool
}

type threadSeed struct {
	who     string // a member's or a lead's name
	channel string
	subject string
	unread  bool
	hours   int // since the last message
	lines   []string
}

func (s *seeder) fill(ctx context.Context) (err error) {
	defer func() {
		for _, statement := range s.statements {
			err = errors.Join(err, statement.Close())
		}
	}()
	p := s.plan
	s.org = s.insert(ctx, "orgs", "name, about, tz, currency, plan, features, week_start, feed_state, feed_as_of, feed_note",
		p.name, p.about, p.tz, p.currency, p.plan, p.features, int(p.weekStart), p.feedState, s.feedAsOf(), nil)
	s.seedPeople(ctx)
	s.seedTraining(ctx)
	s.seedClasses(ctx)
	s.seedLeads(ctx)
	s.seedOffice(ctx)
	s.seedTalk(ctx)
	return s.err
}

// feedAsOf is until when payments were read: now, or some days ago.
func (s *seeder) feedAsOf() int64 {
	if s.plan.feedState == "ok" {
		return s.now.UnixMicro()
	}
	return s.now.AddDate(0, 0, -3).UnixMicro()
}

// insert adds a row and answers its id. After a failure it does nothing.
func (s *seeder) insert(ctx context.Context, table, columns string, values ...any) int64 {
	if s.err != nil {
		return 0
	}
	statement := s.statements[table]
	if statement == nil {
		marks := strings.TrimSuffix(strings.Repeat("?, ", len(values)), ", ")
		if statement, s.err = s.tx.PrepareContext(ctx, "INSERT INTO "+table+" ("+columns+") VALUES ("+marks+")"); s.err != nil { //nolint:gosec // names of this file's own tables
			return 0
		}
		s.statements[table] = statement
	}
	result, err := statement.ExecContext(ctx, values...)
	if err != nil {
		s.err = fmt.Errorf("insert into %s: %w", table, err)
		return 0
	}
	id, err := result.LastInsertId()
	s.err = err
	return id
}

// day is the day some days from today.
func (s *seeder) day(days int) string { return s.now.AddDate(0, 0, days).Format(time.DateOnly) }

// ago is the moment some hours before now.
func (s *seeder) ago(hours int) int64 {
	return s.now.Add(-time.Duration(hours) * time.Hour).UnixMicro()
}

func pick[T any](s *seeder, from []T) T { return from[s.rand.IntN(len(from))] }
