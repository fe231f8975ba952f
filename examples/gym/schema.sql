-- Times are microseconds since 1970 UTC; days are YYYY-MM-DD in the organisation's time zone.
CREATE TABLE orgs (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, about TEXT NOT NULL, tz TEXT NOT NULL, currency TEXT NOT NULL,
  plan TEXT NOT NULL, features TEXT NOT NULL, week_start INTEGER NOT NULL,
  feed_state TEXT NOT NULL, feed_as_of INTEGER NOT NULL, feed_note TEXT);
CREATE TABLE people (
  id INTEGER PRIMARY KEY, org_id INTEGER NOT NULL REFERENCES orgs, name TEXT NOT NULL, email TEXT NOT NULL, phone TEXT NOT NULL,
  role TEXT NOT NULL, title TEXT NOT NULL DEFAULT '', status TEXT NOT NULL, locale TEXT NOT NULL,
  joined_on TEXT NOT NULL, birthday TEXT, note TEXT);
CREATE INDEX people_org ON people (org_id, role, name);
CREATE TABLE class_types (
  id INTEGER PRIMARY KEY, org_id INTEGER NOT NULL REFERENCES orgs, name TEXT NOT NULL, color TEXT NOT NULL,
  minutes INTEGER NOT NULL, capacity INTEGER NOT NULL, about TEXT NOT NULL, active INTEGER NOT NULL DEFAULT 1);
CREATE TABLE sessions (
  id INTEGER PRIMARY KEY, org_id INTEGER NOT NULL REFERENCES orgs, class_type_id INTEGER NOT NULL REFERENCES class_types,
  coach_id INTEGER NOT NULL REFERENCES people, starts_at INTEGER NOT NULL, ends_at INTEGER NOT NULL, capacity INTEGER NOT NULL,
  room TEXT NOT NULL, status TEXT NOT NULL, note TEXT, live_link TEXT);
CREATE INDEX sessions_time ON sessions (org_id, starts_at);
CREATE TABLE bookings (
  id INTEGER PRIMARY KEY, org_id INTEGER NOT NULL REFERENCES orgs, session_id INTEGER NOT NULL REFERENCES sessions,
  person_id INTEGER NOT NULL REFERENCES people, status TEXT NOT NULL, booked_at INTEGER NOT NULL,
  source TEXT NOT NULL, check_in_code TEXT NOT NULL);
CREATE INDEX bookings_session ON bookings (session_id, status);
CREATE INDEX bookings_person ON bookings (person_id, status);
CREATE TABLE plans (
  id INTEGER PRIMARY KEY, org_id INTEGER NOT NULL REFERENCES orgs, name TEXT NOT NULL, kind TEXT NOT NULL,
  price INTEGER NOT NULL, visits INTEGER, per_week INTEGER);
CREATE TABLE memberships (
  id INTEGER PRIMARY KEY, org_id INTEGER NOT NULL REFERENCES orgs, person_id INTEGER NOT NULL REFERENCES people,
  plan_id INTEGER NOT NULL REFERENCES plans, status TEXT NOT NULL, starts_on TEXT NOT NULL, ends_on TEXT,
  paused_until TEXT, visits_left INTEGER, price INTEGER NOT NULL, auto_renews INTEGER NOT NULL);
CREATE INDEX memberships_person ON memberships (person_id, status);
CREATE TABLE payments (
  id INTEGER PRIMARY KEY, org_id INTEGER NOT NULL REFERENCES orgs, membership_id INTEGER NOT NULL REFERENCES memberships,
  amount INTEGER NOT NULL, method TEXT NOT NULL, paid_on TEXT NOT NULL);
CREATE INDEX payments_day ON payments (org_id, paid_on);
CREATE TABLE exercises (
  id INTEGER PRIMARY KEY, org_id INTEGER NOT NULL REFERENCES orgs, name TEXT NOT NULL, category TEXT NOT NULL,
  unit TEXT NOT NULL, cue TEXT NOT NULL);
CREATE TABLE workouts (
  id INTEGER PRIMARY KEY, org_id INTEGER NOT NULL REFERENCES orgs, title TEXT NOT NULL, kind TEXT NOT NULL, minutes INTEGER NOT NULL,
  level TEXT NOT NULL, description TEXT NOT NULL, author_id INTEGER NOT NULL REFERENCES people, updated_at INTEGER NOT NULL);
CREATE TABLE workout_parts (
  workout_id INTEGER NOT NULL REFERENCES workouts, position INTEGER NOT NULL, exercise_id INTEGER NOT NULL REFERENCES exercises,
  sets INTEGER NOT NULL, reps TEXT NOT NULL, load TEXT, PRIMARY KEY (workout_id, position));
CREATE TABLE results (
  id INTEGER PRIMARY KEY, org_id INTEGER NOT NULL REFERENCES orgs, person_id INTEGER NOT NULL REFERENCES people,
  workout_id INTEGER NOT NULL REFERENCES workouts, score REAL NOT NULL, unit TEXT NOT NULL, as_written INTEGER NOT NULL,
  note TEXT, logged_at INTEGER NOT NULL);
CREATE TABLE programs (
  id INTEGER PRIMARY KEY, org_id INTEGER NOT NULL REFERENCES orgs, name TEXT NOT NULL, goal TEXT NOT NULL, weeks INTEGER NOT NULL,
  status TEXT NOT NULL, coach_id INTEGER NOT NULL REFERENCES people);
CREATE TABLE program_days (
  program_id INTEGER NOT NULL REFERENCES programs, week INTEGER NOT NULL, day INTEGER NOT NULL,
  workout_id INTEGER NOT NULL REFERENCES workouts, PRIMARY KEY (program_id, week, day));
CREATE TABLE templates (
  id INTEGER PRIMARY KEY, org_id INTEGER NOT NULL REFERENCES orgs, name TEXT NOT NULL, goal TEXT NOT NULL, weeks INTEGER NOT NULL,
  days_per_week INTEGER NOT NULL, level TEXT NOT NULL, about TEXT NOT NULL);
CREATE TABLE template_days (
  template_id INTEGER NOT NULL REFERENCES templates, week INTEGER NOT NULL, day INTEGER NOT NULL,
  workout_id INTEGER NOT NULL REFERENCES workouts, PRIMARY KEY (template_id, week, day));
CREATE TABLE assignments (
  id INTEGER PRIMARY KEY, org_id INTEGER NOT NULL REFERENCES orgs, person_id INTEGER NOT NULL REFERENCES people,
  program_id INTEGER NOT NULL REFERENCES programs, assigned_by INTEGER NOT NULL REFERENCES people,
  starts_on TEXT NOT NULL, due_on TEXT NOT NULL, status TEXT NOT NULL, days_done INTEGER NOT NULL);
CREATE TABLE programming (
  id INTEGER PRIMARY KEY, org_id INTEGER NOT NULL REFERENCES orgs, day TEXT NOT NULL, class_type_id INTEGER NOT NULL REFERENCES class_types,
  workout_id INTEGER NOT NULL REFERENCES workouts, status TEXT NOT NULL, note TEXT, UNIQUE (class_type_id, day));
CREATE TABLE pipelines (id INTEGER PRIMARY KEY, org_id INTEGER NOT NULL REFERENCES orgs, name TEXT NOT NULL);
CREATE TABLE stages (
  id INTEGER PRIMARY KEY, org_id INTEGER NOT NULL REFERENCES orgs, pipeline_id INTEGER NOT NULL REFERENCES pipelines,
  name TEXT NOT NULL, position INTEGER NOT NULL, color TEXT NOT NULL);
CREATE TABLE leads (
  id INTEGER PRIMARY KEY, org_id INTEGER NOT NULL REFERENCES orgs, stage_id INTEGER NOT NULL REFERENCES stages,
  name TEXT NOT NULL, phone TEXT NOT NULL, email TEXT, source TEXT NOT NULL, interest TEXT NOT NULL, status TEXT NOT NULL,
  owner_id INTEGER REFERENCES people, created_at INTEGER NOT NULL, last_contact_at INTEGER, closed_at INTEGER, note TEXT,
  trial_session_id INTEGER REFERENCES sessions);
CREATE INDEX leads_stage ON leads (stage_id, status);
CREATE TABLE lead_events (
  id INTEGER PRIMARY KEY, lead_id INTEGER NOT NULL REFERENCES leads, at INTEGER NOT NULL, kind TEXT NOT NULL,
  text TEXT NOT NULL, person_id INTEGER REFERENCES people);
CREATE INDEX lead_events_lead ON lead_events (lead_id, at);
CREATE TABLE tasks (
  id INTEGER PRIMARY KEY, org_id INTEGER NOT NULL REFERENCES orgs, title TEXT NOT NULL, due_on TEXT, status TEXT NOT NULL,
  priority TEXT NOT NULL, assignee_id INTEGER REFERENCES people, member_id INTEGER REFERENCES people,
  lead_id INTEGER REFERENCES leads, created_at INTEGER NOT NULL, done_at INTEGER);
CREATE TABLE forms (
  id INTEGER PRIMARY KEY, org_id INTEGER NOT NULL REFERENCES orgs, name TEXT NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL,
  share_link TEXT NOT NULL);
CREATE TABLE form_fields (
  form_id INTEGER NOT NULL REFERENCES forms, position INTEGER NOT NULL, key TEXT NOT NULL, label TEXT NOT NULL, type TEXT NOT NULL,
  required INTEGER NOT NULL, PRIMARY KEY (form_id, position));
CREATE TABLE form_answers (
  id INTEGER PRIMARY KEY, org_id INTEGER NOT NULL REFERENCES orgs, form_id INTEGER NOT NULL REFERENCES forms, name TEXT NOT NULL,
  phone TEXT, lead_id INTEGER REFERENCES leads, received_at INTEGER NOT NULL, answers TEXT NOT NULL);
CREATE TABLE automations (
  id INTEGER PRIMARY KEY, org_id INTEGER NOT NULL REFERENCES orgs, name TEXT NOT NULL, trigger TEXT NOT NULL, action TEXT NOT NULL,
  steps TEXT NOT NULL, enabled INTEGER NOT NULL);
CREATE TABLE automation_runs (
  id INTEGER PRIMARY KEY, org_id INTEGER NOT NULL REFERENCES orgs, automation_id INTEGER NOT NULL REFERENCES automations,
  at INTEGER NOT NULL, outcome TEXT NOT NULL, about TEXT, detail TEXT NOT NULL);
CREATE TABLE threads (
  id INTEGER PRIMARY KEY, org_id INTEGER NOT NULL REFERENCES orgs, person_id INTEGER REFERENCES people, lead_id INTEGER REFERENCES leads,
  channel TEXT NOT NULL, subject TEXT, unread INTEGER NOT NULL, status TEXT NOT NULL, assignee_id INTEGER REFERENCES people,
  CHECK ((person_id IS NULL) <> (lead_id IS NULL)));
CREATE TABLE messages (
  id INTEGER PRIMARY KEY, org_id INTEGER NOT NULL REFERENCES orgs, thread_id INTEGER NOT NULL REFERENCES threads, at INTEGER NOT NULL,
  direction TEXT NOT NULL, author TEXT NOT NULL, body TEXT NOT NULL, status TEXT NOT NULL);
CREATE INDEX messages_thread ON messages (thread_id, at);
CREATE TABLE message_templates (
  id INTEGER PRIMARY KEY, org_id INTEGER NOT NULL REFERENCES orgs, name TEXT NOT NULL, channel TEXT NOT NULL, body TEXT NOT NULL);
CREATE TABLE announcements (
  id INTEGER PRIMARY KEY, org_id INTEGER NOT NULL REFERENCES orgs, title TEXT NOT NULL, body TEXT NOT NULL, audience TEXT NOT NULL,
  status TEXT NOT NULL, pinned INTEGER NOT NULL, author_id INTEGER NOT NULL REFERENCES people, published_at INTEGER);
CREATE TABLE articles (
  id INTEGER PRIMARY KEY, org_id INTEGER NOT NULL REFERENCES orgs, slug TEXT NOT NULL, title TEXT NOT NULL, category TEXT NOT NULL,
  body TEXT NOT NULL, updated_on TEXT NOT NULL, UNIQUE (org_id, slug));
CREATE TABLE activity (
  id INTEGER PRIMARY KEY, org_id INTEGER NOT NULL REFERENCES orgs, at INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL,
  person_id INTEGER REFERENCES people);
CREATE TABLE idempotency (
  org_id INTEGER NOT NULL, person_id INTEGER NOT NULL, key TEXT NOT NULL, request TEXT NOT NULL, status INTEGER NOT NULL,
  body TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (org_id, person_id, key));
