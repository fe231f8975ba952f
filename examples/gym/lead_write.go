package gym

import (
	"context"
	"fmt"
)

func leadWrites() map[string]handler {
	return map[string]handler{
		"createLead": createLead, "updateLead": updateLead, "moveLead": moveLead, "addLeadNote": addLeadNote, "bookTrial": bookTrial,
	}
}

func createLead(ctx context.Context, c *call) (any, error) {
	if err := c.exists(ctx, "pipeline_id", "pipelines"); err != nil {
		return nil, err
	}
	if err := c.staffExists(ctx, "owner_id"); err != nil {
		return nil, err
	}
	if err := checkMail(c.in); err != nil {
		return nil, err
	}
	id, err := c.newLead(ctx, object{
		"pipeline": c.in.null("pipeline_id"), "name": c.in.str("name"), "phone": c.in.str("phone"), "email": c.in.null("email"),
		"source": c.in.or("source", "Walk-in"), "interest": c.in.or("interest", "Foundations"), "owner": c.in.null("owner_id"), "note": c.in.null("note"),
	})
	if err != nil {
		return nil, err
	}
	return getLead(ctx, c.with(id))
}

// newLead puts a lead into the first stage of its pipeline, or of the first one.
func (c *call) newLead(ctx context.Context, lead object) (int64, error) {
	stage, err := c.number(ctx, `SELECT id FROM stages WHERE org_id = ?1 AND pipeline_id = coalesce(?2, (SELECT min(id) FROM pipelines WHERE org_id = ?1)) ORDER BY position LIMIT 1`,
		c.org, lead["pipeline"])
	if err != nil {
		return 0, err
	}
	id, err := c.exec(ctx, `INSERT INTO leads (org_id, stage_id, name, phone, email, source, interest, status, owner_id, created_at, note) VALUES (?, ?, ?, ?, ?, ?, ?, 'open', ?, ?, ?)`,
		c.org, stage, lead["name"], lead["phone"], lead["email"], lead["source"], lead["interest"], lead["owner"], c.nowMicros(), lead["note"])
	if err != nil {
		return 0, err
	}
	if err := c.leadEvent(ctx, id, "created", fmt.Sprintf("Came in by %v", lead["source"])); err != nil {
		return 0, err
	}
	return id, c.note(ctx, "lead", fmt.Sprintf("Added lead %v", lead["name"]))
}

func (c *call) leadEvent(ctx context.Context, lead int64, kind, text string) error {
	_, err := c.exec(ctx, `INSERT INTO lead_events (lead_id, at, kind, text, person_id) VALUES (?, ?, ?, ?, ?)`, lead, c.nowMicros(), kind, text, c.who.person)
	return err
}

func updateLead(ctx context.Context, c *call) (any, error) {
	if err := c.staffExists(ctx, "owner_id"); err != nil {
		return nil, err
	}
	if err := checkMail(c.in); err != nil {
		return nil, err
	}
	if err := c.change(ctx, "leads", map[string]string{
		"name": "name", "phone": "phone", "email": "email", "interest": "interest", "note": "note", "owner_id": "owner_id", "status": "status",
	}); err != nil {
		return nil, err
	}
	if c.in.has("status") {
		if _, err := c.exec(ctx, `UPDATE leads SET closed_at = CASE status WHEN 'open' THEN NULL ELSE ? END WHERE id = ?`, c.nowMicros(), c.in.int("id")); err != nil {
			return nil, err
		}
	}
	return getLead(ctx, c.with(c.in.int("id")))
}

func moveLead(ctx context.Context, c *call) (any, error) {
	if err := c.exists(ctx, "id", "leads"); err != nil {
		return nil, err
	}
	if err := c.exists(ctx, "stage_id", "stages"); err != nil {
		return nil, err
	}
	same, err := c.rows(ctx, `SELECT b.name, l.name AS lead FROM leads l JOIN stages a ON a.id = l.stage_id JOIN stages b ON b.pipeline_id = a.pipeline_id WHERE l.id = ? AND b.id = ?`,
		c.in.int("id"), c.in.int("stage_id"))
	if err != nil {
		return nil, err
	}
	if len(same) == 0 {
		return nil, conflict("That stage belongs to another pipeline.")
	}
	if _, err := c.exec(ctx, `UPDATE leads SET stage_id = ? WHERE id = ?`, c.in.int("stage_id"), c.in.int("id")); err != nil {
		return nil, err
	}
	if err := c.leadEvent(ctx, c.in.int("id"), "stage", fmt.Sprintf("Moved to %v", same[0]["name"])); err != nil {
		return nil, err
	}
	if err := c.note(ctx, "lead", fmt.Sprintf("Moved %v to %v", same[0]["lead"], same[0]["name"])); err != nil {
		return nil, err
	}
	return getLead(ctx, c.with(c.in.int("id")))
}

func addLeadNote(ctx context.Context, c *call) (any, error) {
	if err := c.exists(ctx, "id", "leads"); err != nil {
		return nil, err
	}
	kind := c.in.or("kind", "note")
	if err := c.leadEvent(ctx, c.in.int("id"), kind, c.in.str("text")); err != nil {
		return nil, err
	}
	if kind != "note" { // a call or a text is a contact; a note is not
		if _, err := c.exec(ctx, `UPDATE leads SET last_contact_at = ? WHERE id = ?`, c.nowMicros(), c.in.int("id")); err != nil {
			return nil, err
		}
	}
	return getLead(ctx, c.with(c.in.int("id")))
}

// bookTrial gives a lead a trial place and moves it to the stage of that name,
// where the pipeline has one.
func bookTrial(ctx context.Context, c *call) (any, error) {
	if err := c.exists(ctx, "id", "leads"); err != nil {
		return nil, err
	}
	if err := c.exists(ctx, "session_id", "sessions"); err != nil {
		return nil, err
	}
	session, err := c.one(ctx, sessionQuery(c).and(`s.id = ?`, c.in.int("session_id")), "session")
	if err != nil {
		return nil, err
	}
	if err := checkTaken(session["status"] == "cancelled" || session["places_left"] == int64(0), "That session is full or cancelled."); err != nil {
		return nil, err
	}
	id := c.in.int("id")
	if _, err := c.exec(ctx, `UPDATE leads SET trial_session_id = ?1, stage_id = coalesce((SELECT b.id FROM stages a JOIN stages b ON b.pipeline_id = a.pipeline_id
		WHERE a.id = leads.stage_id AND b.name = 'Trial booked'), stage_id) WHERE id = ?2`, c.in.int("session_id"), id); err != nil {
		return nil, err
	}
	class, _ := session["class"].(object)
	text := fmt.Sprintf("Trial in %v, %s", class["name"], clock(session["starts_at"]))
	if err := c.leadEvent(ctx, id, "trial", text); err != nil {
		return nil, err
	}
	return getLead(ctx, c.with(id))
}
