CREATE TABLE jobs (
    number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL, request TEXT NOT NULL, canonical TEXT, idempotency TEXT UNIQUE,
    created DOUBLE PRECISION NOT NULL, started DOUBLE PRECISION, finished DOUBLE PRECISION,
    attempts INTEGER NOT NULL DEFAULT 0, result TEXT, cached BOOLEAN NOT NULL DEFAULT FALSE,
    owner TEXT, leased_until DOUBLE PRECISION, progress TEXT,
    cancel_requested BOOLEAN NOT NULL DEFAULT FALSE);
CREATE INDEX jobs_by_state ON jobs (state, number);
CREATE TABLE answers (canonical TEXT PRIMARY KEY, answer TEXT NOT NULL);
CREATE TABLE certificates (
    job TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE, piece INTEGER NOT NULL,
    content BYTEA NOT NULL, PRIMARY KEY (job, piece));
INSERT INTO jobs (id, state, request, idempotency, created)
    VALUES ('kept', 'queued', '{"options": {}, "question": "x"}', 'k', 1);
