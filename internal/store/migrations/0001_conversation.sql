-- +goose Up
-- A conversation is named by (org, member, id); its id is the client's, so every other table goes by ref, which is ours.
CREATE TABLE conversations (
    ref        TEXT   PRIMARY KEY,
    org        TEXT   NOT NULL,
    member     TEXT   NOT NULL,
    id         TEXT   NOT NULL,
    surface    TEXT   NOT NULL,
    persona    TEXT   NOT NULL,
    title      TEXT   NOT NULL,
    mark       TEXT   NOT NULL,            -- fences others' text; random
    state      TEXT   NOT NULL,            -- resting | running | waiting
    waits_for  TEXT   NOT NULL,            -- '' | credential
    turn_id    TEXT   NOT NULL,            -- of the newest turn
    head       BIGINT NOT NULL,            -- sequence of the newest entry
    fence      BIGINT NOT NULL,            -- grows with every lease
    worker     TEXT   NOT NULL,            -- who holds the lease; '': nobody
    cancel     BIGINT NOT NULL,            -- 1: its running turn is to stop
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (org, member, id)
);
CREATE INDEX conversations_list ON conversations (org, member, updated_at, ref);
CREATE INDEX conversations_running ON conversations (worker) WHERE state = 'running';

-- The log: append-only, the only record of what was said and done.
CREATE TABLE entries (
    ref        TEXT   NOT NULL REFERENCES conversations (ref) ON DELETE CASCADE,
    seq        BIGINT NOT NULL,
    kind       TEXT   NOT NULL,            -- message | context | reply | result | hint | end
    turn_id    TEXT   NOT NULL,
    message_id TEXT   NOT NULL,            -- of a message or reply; '' on others
    body       TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (ref, seq)
);
CREATE UNIQUE INDEX entries_message ON entries (ref, message_id) WHERE kind = 'message';

-- What of a reply has streamed so far, written twice a second, so that a crash loses little of it.
CREATE TABLE drafts (
    ref        TEXT   PRIMARY KEY REFERENCES conversations (ref) ON DELETE CASCADE,
    message_id TEXT   NOT NULL,
    fence      BIGINT NOT NULL,
    body       TEXT   NOT NULL,
    updated_at BIGINT NOT NULL
);

-- +goose Down
DROP TABLE drafts;
DROP TABLE entries;
DROP TABLE conversations;
