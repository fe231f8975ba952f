package gym

import (
	"context"
	"crypto/rand"
	"fmt"
)

func bookingWrites() map[string]handler {
	return map[string]handler{
		"createBooking": createBooking, "cancelBooking": cancelBooking, "checkInBooking": checkInBooking, "markNoShow": markNoShow,
	}
}

func createBooking(ctx context.Context, c *call) (any, error) {
	if err := c.exists(ctx, "session_id", "sessions"); err != nil {
		return nil, err
	}
	session, err := getSession(ctx, c.with(c.in.int("session_id")))
	if err != nil {
		return nil, err
	}
	if err := c.memberExists(ctx, "member_id"); err != nil {
		return nil, err
	}
	id, member := c.in.int("session_id"), c.in.int("member_id")
	row, _ := session.(object)
	if err := checkTaken(row["status"] == "cancelled", "That session is cancelled."); err != nil {
		return nil, err
	}
	past, err := c.number(ctx, `SELECT count(*) FROM sessions WHERE id = ? AND ends_at <= ?`, id, c.nowMicros())
	if err != nil {
		return nil, err
	}
	if err := checkTaken(past > 0, "That session is over."); err != nil {
		return nil, err
	}
	already, err := c.number(ctx, `SELECT count(*) FROM bookings WHERE session_id = ? AND person_id = ? AND status <> 'cancelled'`, id, member)
	if err != nil {
		return nil, err
	}
	if err := checkTaken(already > 0, "That member is in this session already."); err != nil {
		return nil, err
	}
	status := "booked"
	if left, _ := row["places_left"].(int64); left == 0 {
		status = "waiting"
	}
	booking, err := c.exec(ctx, `INSERT INTO bookings (org_id, session_id, person_id, status, booked_at, source, check_in_code) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		c.org, id, member, status, c.nowMicros(), c.in.or("source", "desk"), rand.Text()[:8])
	if err != nil {
		return nil, err
	}
	if status == "booked" {
		if err := c.spendVisit(ctx, member, -1); err != nil {
			return nil, err
		}
	}
	return c.booked(ctx, booking, map[string]string{"booked": "Booked", "waiting": "Put on the waiting list:"}[status])
}

func cancelBooking(ctx context.Context, c *call) (any, error) {
	booking, err := c.bookingIn(ctx, "booked", "waiting")
	if err != nil {
		return nil, err
	}
	if _, err := c.exec(ctx, `UPDATE bookings SET status = 'cancelled' WHERE id = ?`, c.in.int("id")); err != nil {
		return nil, err
	}
	if booking["status"] == "booked" {
		member, _ := booking["member"].(object)
		if err := c.spendVisit(ctx, member["id"], 1); err != nil {
			return nil, err
		}
		if err := c.promote(ctx, booking["session_id"]); err != nil {
			return nil, err
		}
	}
	return c.booked(ctx, c.in.int("id"), "Cancelled")
}

// promote gives a free place of a session to whoever has waited for it longest.
func (c *call) promote(ctx context.Context, session any) error {
	next, err := c.rows(ctx, `SELECT id, person_id FROM bookings WHERE session_id = ? AND status = 'waiting' ORDER BY booked_at, id LIMIT 1`, session)
	if err != nil || len(next) == 0 {
		return err
	}
	if _, err := c.exec(ctx, `UPDATE bookings SET status = 'booked' WHERE id = ?`, next[0]["id"]); err != nil {
		return err
	}
	return c.spendVisit(ctx, next[0]["person_id"], -1)
}

// spendVisit takes a visit off a member's pack, or puts one back; plans without
// packs have none to count.
func (c *call) spendVisit(ctx context.Context, member any, change int) error {
	_, err := c.exec(ctx, `UPDATE memberships SET visits_left = max(0, visits_left + ?) WHERE person_id = ? AND status <> 'ended' AND visits_left IS NOT NULL`, change, member)
	return err
}

func checkInBooking(ctx context.Context, c *call) (any, error) {
	return c.settleBooking(ctx, "attended", "Checked in")
}

func markNoShow(ctx context.Context, c *call) (any, error) {
	return c.settleBooking(ctx, "no_show", "Marked as a no-show:")
}

func (c *call) settleBooking(ctx context.Context, status, verb string) (any, error) {
	if _, err := c.bookingIn(ctx, "booked", "attended", "no_show"); err != nil {
		return nil, err
	}
	if _, err := c.exec(ctx, `UPDATE bookings SET status = ? WHERE id = ?`, status, c.in.int("id")); err != nil {
		return nil, err
	}
	return c.booked(ctx, c.in.int("id"), verb)
}

// bookingIn reads the call's booking and refuses one that is in none of the states.
func (c *call) bookingIn(ctx context.Context, states ...string) (object, error) {
	found, err := getBooking(ctx, c)
	if err != nil {
		return nil, err
	}
	booking, _ := found.(object)
	for _, state := range states {
		if booking["status"] == state {
			return booking, nil
		}
	}
	return nil, conflict(fmt.Sprintf("That booking is %v, so this cannot be done with it.", booking["status"]))
}

// booked writes a booking down as activity and answers it.
func (c *call) booked(ctx context.Context, id int64, verb string) (any, error) {
	found, err := getBooking(ctx, c.with(id))
	if err != nil {
		return nil, err
	}
	b, _ := found.(object)
	member, _ := b["member"].(object)
	class, _ := b["class"].(object)
	return found, c.note(ctx, "booking", fmt.Sprintf("%s %v, %v %s", verb, member["name"], class["name"], clock(b["starts_at"])))
}
