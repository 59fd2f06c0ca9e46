CREATE TABLE jobs (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL, request TEXT NOT NULL, canonical TEXT, idempotency TEXT UNIQUE,
    created REAL NOT NULL, started REAL, finished REAL, attempts INTEGER NOT NULL DEFAULT 0,
    result TEXT, cached INTEGER NOT NULL DEFAULT 0);
CREATE TABLE answers (canonical TEXT PRIMARY KEY, answer TEXT NOT NULL);
INSERT INTO jobs (id, state, request, idempotency, created)
    VALUES ('00000000000000000000000000000001', 'running',
     '{"instance": {"cards": [["red", 5], ["red", 7]], "question": "uno-1"},
     "options": {"backend": null, "connectivity": null, "encoding": "position",
     "presolve": false, "seed": 0, "time_limit_s": 60.0}}', 'k', 1);
INSERT INTO jobs (id, state, request, created, finished, result) VALUES
    ('00000000000000000000000000000002', 'done',
     '{"instance": {"cards": ["R5"], "question": "uno-1"}, "options": {"encoding": null}}', 1, 2,
     '{"status": "SATISFIABLE", "encoding": "position"}');
INSERT INTO answers VALUES ('h', '{"encoding": "hub-trail"}');
