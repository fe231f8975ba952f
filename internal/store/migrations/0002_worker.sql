-- +goose Up
CREATE TABLE workers (
    id         TEXT   PRIMARY KEY,
    renewed_at BIGINT NOT NULL
);

-- +goose Down
DROP TABLE workers;
