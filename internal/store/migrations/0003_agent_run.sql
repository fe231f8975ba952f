-- +goose Up
-- When what a waiting conversation waits for is given up, by the database's clock in microseconds; 0: never.
ALTER TABLE conversations ADD COLUMN deadline BIGINT NOT NULL DEFAULT 0;
CREATE INDEX conversations_deadline ON conversations (deadline) WHERE deadline > 0;

-- Where in the log a run of a front end begins, by the front end's own id of it.
CREATE TABLE runs (
    ref     TEXT   NOT NULL REFERENCES conversations (ref) ON DELETE CASCADE,
    run_id  TEXT   NOT NULL,
    turn_id TEXT   NOT NULL,
    seq     BIGINT NOT NULL,               -- the log's head when it began
    PRIMARY KEY (ref, run_id)
);

-- +goose Down
DROP TABLE runs;
DROP INDEX conversations_deadline;
ALTER TABLE conversations DROP COLUMN deadline;
