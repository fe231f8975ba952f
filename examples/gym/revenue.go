package gym

import (
	"context"
	"fmt"
	"time"
)

func revenueHandlers() map[string]handler {
	return map[string]handler{"getRevenue": getRevenue, "setPaymentFeed": setPaymentFeed}
}

// getRevenue adds up a month. Card payments come from a feed that can be behind
// or silent; what it did not tell is unknown: the amount is null, not zero, and
// there is no total without it.
func getRevenue(ctx context.Context, c *call) (any, error) {
	first, after, err := c.month()
	if err != nil {
		return nil, err
	}
	feed, err := c.paymentFeed(ctx)
	if err != nil {
		return nil, err
	}
	state, _ := feed["state"].(string)
	asOf, _ := feed["as_of"].(string)
	read, err := time.Parse(time.RFC3339, asOf)
	if err != nil {
		return nil, fmt.Errorf("read the payment feed's time: %w", err)
	}
	// A month that was over before the feed fell behind is whole.
	if state == "stale" && !after.After(read) {
		state = "ok"
	}
	var parts []object
	var total int64
	for _, method := range []string{"card", "cash", "transfer"} {
		q := &query{cols: `coalesce(sum(amount), 0) AS amount, count(*) AS payments`, from: `payments`}
		q.and(`org_id = ? AND method = ? AND paid_on >= ? AND paid_on < ?`, c.org, method, first.Format(time.DateOnly), after.Format(time.DateOnly))
		part, err := c.one(ctx, q, "month")
		if err != nil {
			return nil, err
		}
		amount, _ := part["amount"].(int64)
		total += amount
		part["method"], part["state"] = method, "ok"
		if method == "card" && state != "ok" {
			part["state"] = state
			if state == "error" {
				part["amount"], part["payments"] = nil, nil
			}
		}
		parts = append(parts, part)
	}
	report := object{
		"month": first.Format("2006-01"), "state": state, "as_of": asOf, "currency": feed["currency"], "amount": total, "parts": parts, "warnings": []string{},
	}
	day := read.In(c.zone).Format("2 January")
	switch {
	case state == "error":
		report["amount"] = nil
		report["warnings"] = []string{"The card payments did not answer, so this month's total is unknown."}
	case state == "stale":
		report["amount"] = nil
		report["warnings"] = []string{"Card payments are read up to " + day + " only; later ones are missing, so there is no total."}
	case after.After(c.now):
		report["warnings"] = []string{"The month is not over; this is up to " + day + "."}
	}
	return report, nil
}

func (c *call) paymentFeed(ctx context.Context) (object, error) {
	q := &query{cols: `feed_state AS state, feed_as_of AS "as_of@time", feed_note AS note, currency`, from: `orgs`}
	return c.one(ctx, q.and(`id = ?`, c.org), "organisation")
}

func setPaymentFeed(ctx context.Context, c *call) (any, error) {
	if _, err := c.exec(ctx, `UPDATE orgs SET feed_state = ?, feed_note = ?, feed_as_of = CASE ? WHEN 'ok' THEN ? ELSE feed_as_of END WHERE id = ?`,
		c.in.str("state"), c.in.null("note"), c.in.str("state"), c.nowMicros(), c.org); err != nil {
		return nil, err
	}
	feed, err := c.paymentFeed(ctx)
	if err != nil {
		return nil, err
	}
	delete(feed, "currency")
	return feed, nil
}
