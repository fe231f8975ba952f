package gym

import "context"

func formHandlers() map[string]handler {
	return map[string]handler{
		"listForms": listForms, "getForm": getForm, "listAnswers": listAnswers, "updateForm": updateForm, "turnAnswerIntoLead": turnAnswerIntoLead,
	}
}

func formQuery(c *call) *query {
	q := &query{
		cols: `f.id, f.name, f.kind, f.status, (SELECT count(*) FROM form_fields x WHERE x.form_id = f.id) AS fields,
			(SELECT count(*) FROM form_answers a WHERE a.form_id = f.id) AS answers,
			(SELECT max(received_at) FROM form_answers a WHERE a.form_id = f.id) AS "last_answer_at@time", f.share_link`,
		from: `forms f`, order: `f.name, f.id`,
	}
	return q.and(`f.org_id = ?`, c.org)
}

func listForms(ctx context.Context, c *call) (any, error) {
	q := formQuery(c)
	c.same(q, "kind", "f.kind")
	c.same(q, "status", "f.status")
	return c.list(ctx, q)
}

func getForm(ctx context.Context, c *call) (any, error) {
	form, err := c.one(ctx, formQuery(c).and(`f.id = ?`, c.in.int("id")), "form")
	if err != nil {
		return nil, err
	}
	form["questions"], err = c.rows(ctx, `SELECT key, label, type, required AS "required@bool" FROM form_fields WHERE form_id = ? ORDER BY position`, c.in.int("id"))
	return form, err
}

func listAnswers(ctx context.Context, c *call) (any, error) {
	if err := c.exists(ctx, "id", "forms"); err != nil {
		return nil, err
	}
	q := &query{
		cols: `a.id, f.id AS "form.id", f.name AS "form.name", a.name, a.phone, l.id AS "lead.id", l.name AS "lead.name",
			a.received_at AS "received_at@time", a.answers AS "answers@json"`,
		from: `form_answers a JOIN forms f ON f.id = a.form_id LEFT JOIN leads l ON l.id = a.lead_id`, order: `a.received_at DESC, a.id DESC`,
	}
	return c.list(ctx, q.and(`a.form_id = ?`, c.in.int("id")))
}

func updateForm(ctx context.Context, c *call) (any, error) {
	if err := c.change(ctx, "forms", map[string]string{"name": "name", "status": "status"}); err != nil {
		return nil, err
	}
	return getForm(ctx, c.with(c.in.int("id")))
}

func turnAnswerIntoLead(ctx context.Context, c *call) (any, error) {
	q := &query{cols: `a.name, a.phone, a.lead_id, f.name AS form`, from: `form_answers a JOIN forms f ON f.id = a.form_id`}
	answer, err := c.one(ctx, q.and(`a.id = ? AND a.org_id = ?`, c.in.int("id"), c.org), "answer")
	if err != nil {
		return nil, err
	}
	if err := checkTaken(answer["lead_id"] != nil, "That answer is a lead already."); err != nil {
		return nil, err
	}
	phone, _ := answer["phone"].(string)
	lead, err := c.newLead(ctx, object{"name": answer["name"], "phone": phone, "source": answer["form"], "interest": "Foundations"})
	if err != nil {
		return nil, err
	}
	if _, err := c.exec(ctx, `UPDATE form_answers SET lead_id = ? WHERE id = ?`, lead, c.in.int("id")); err != nil {
		return nil, err
	}
	return getLead(ctx, c.with(lead))
}
