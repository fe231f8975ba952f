package gym

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// object is one JSON object. The API's shapes are those of openapi.json; columns
// are named for them, so that one query is one answer:
//
//	b.id, p.name AS "member.name", s.starts_at AS "starts_at@time"
//
// A dot makes an object within; @time turns microseconds into a time of the
// organisation's zone, @bool a number into a truth, @json a text into its value.
// An inner object whose columns are all null is null.
type object map[string]any

// store is what queries run on: the database, or a transaction of it.
type store interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// query is a SELECT that is still being put together.
type query struct {
	cols  string
	from  string
	where []string
	args  []any
	group string
	order string
}

func (q *query) and(condition string, args ...any) *query {
	q.where = append(q.where, "("+condition+")")
	q.args = append(q.args, args...)
	return q
}

// words keeps rows in which every word of text is somewhere in one of columns.
func (q *query) words(text string, columns ...string) *query {
	escape := strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
	for word := range strings.FieldsSeq(text) {
		var alternatives []string
		var args []any
		for _, column := range columns {
			alternatives = append(alternatives, column+` LIKE ? ESCAPE '\'`)
			args = append(args, "%"+escape.Replace(word)+"%")
		}
		q.and(strings.Join(alternatives, " OR "), args...)
	}
	return q
}

func (q *query) tail() string {
	text := " FROM " + q.from
	if len(q.where) > 0 {
		text += " WHERE " + strings.Join(q.where, " AND ")
	}
	if q.group != "" {
		text += " GROUP BY " + q.group
	}
	return text
}

func (q *query) text() string {
	text := "SELECT " + q.cols + q.tail()
	if q.order != "" {
		text += " ORDER BY " + q.order
	}
	return text
}

// all reads every row of q.
func (c *call) all(ctx context.Context, q *query) ([]object, error) {
	return c.rows(ctx, q.text(), q.args...)
}

// one reads the only row of q; what is the noun of the 404 when there is none.
func (c *call) one(ctx context.Context, q *query, what string) (object, error) {
	rows, err := c.rows(ctx, q.text()+" LIMIT 1", q.args...)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, missing(what)
	}
	return rows[0], nil
}

// list reads one page of q, by the call's limit and offset.
func (c *call) list(ctx context.Context, q *query) (object, error) {
	limit, offset := c.in.int("limit"), c.in.int("offset")
	var total int64
	if err := c.db.QueryRowContext(ctx, "SELECT count(*) FROM (SELECT 1"+q.tail()+")", q.args...).Scan(&total); err != nil {
		return nil, fmt.Errorf("count: %w", err)
	}
	items, err := c.rows(ctx, fmt.Sprintf("%s LIMIT %d OFFSET %d", q.text(), limit, offset), q.args...)
	if err != nil {
		return nil, err
	}
	page := object{"items": items, "total": total, "offset": offset, "next_offset": nil}
	if next := offset + int64(len(items)); len(items) > 0 && next < total {
		page["next_offset"] = next
	}
	return page, nil
}

// number reads one number.
func (c *call) number(ctx context.Context, text string, args ...any) (int64, error) {
	var n sql.NullInt64
	if err := c.db.QueryRowContext(ctx, text, args...).Scan(&n); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, fmt.Errorf("read a number: %w", err)
	}
	return n.Int64, nil
}

// exec runs a statement and answers the new row's id, if it made one.
func (c *call) exec(ctx context.Context, text string, args ...any) (int64, error) {
	result, err := c.db.ExecContext(ctx, text, args...)
	if err != nil {
		return 0, fmt.Errorf("write: %w", err)
	}
	return result.LastInsertId()
}

func (c *call) rows(ctx context.Context, text string, args ...any) (_ []object, err error) {
	rows, err := c.db.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, fmt.Errorf("query: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	names, err := rows.Columns()
	if err != nil {
		return nil, fmt.Errorf("read columns: %w", err)
	}
	items := []object{}
	values, targets := make([]any, len(names)), make([]any, len(names))
	for i := range values {
		targets[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return nil, fmt.Errorf("read a row: %w", err)
		}
		item := object{}
		for i, name := range names {
			if err := item.put(name, values[i], c.zone); err != nil {
				return nil, err
			}
		}
		item.fold()
		items = append(items, item)
	}
	return items, rows.Err()
}

// put sets a value at its column's name.
func (o object) put(name string, value any, zone *time.Location) error {
	name, kind, _ := strings.Cut(name, "@")
	if value != nil {
		switch kind {
		case "time":
			micros, ok := value.(int64)
			if !ok {
				return fmt.Errorf("column %q is no time", name)
			}
			value = time.UnixMicro(micros).In(zone).Format(time.RFC3339)
		case "bool":
			value = value == int64(1)
		case "json":
			text, ok := value.(string)
			if !ok || json.Unmarshal([]byte(text), &value) != nil {
				return fmt.Errorf("column %q is no JSON", name)
			}
		}
	}
	for {
		outer, rest, nested := strings.Cut(name, ".")
		if !nested {
			o[name] = value
			return nil
		}
		inner, ok := o[outer].(object)
		if !ok {
			inner = object{}
			o[outer] = inner
		}
		o, name = inner, rest
	}
}

// fold turns inner objects without a value into null.
func (o object) fold() {
	for name, value := range o {
		inner, ok := value.(object)
		if !ok {
			continue
		}
		empty := true
		for _, v := range inner {
			empty = empty && v == nil
		}
		if empty {
			o[name] = nil
		}
	}
}
