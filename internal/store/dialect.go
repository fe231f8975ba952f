package store

import "fmt"

// Dialect names a kind of database.
type Dialect int

// The databases that Open knows.
const (
	SQLite Dialect = iota + 1
	Postgres
)

// String returns "sqlite" or "postgres".
func (d Dialect) String() string {
	switch d {
	case SQLite:
		return "sqlite"
	case Postgres:
		return "postgres"
	default:
		return fmt.Sprintf("Dialect(%d)", int(d))
	}
}

// clock is the database's own time as an SQL expression: int64 microseconds since 1970 UTC. SQLite counts in
// milliseconds; its value is rounded, because the product of a float and 1e6 may lie just below a whole number.
func (d Dialect) clock() string {
	if d == Postgres {
		return "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)"
	}
	return "CAST(ROUND(unixepoch('subsec') * 1000) AS INTEGER) * 1000"
}
