-- The first schema. Rules for all that follow: a primary key begins with the scope, so that the tables
-- shard by tenant; what came from a client is a BLOB, because its text may hold NUL and lone surrogates;
-- large columns stand last, so that reading the others does not walk through them.

CREATE TABLE originals (
    scope      BLOB NOT NULL,
    id         BLOB NOT NULL,
    kind       TEXT NOT NULL,
    created_at REAL NOT NULL,
    used_at    REAL NOT NULL,
    name       BLOB NOT NULL,
    content    BLOB NOT NULL,
    PRIMARY KEY (scope, id)
);
CREATE INDEX originals_by_use ON originals (used_at, scope);

CREATE TABLE checkpoints (
    scope       BLOB NOT NULL,
    wire_format TEXT NOT NULL,
    prefix      BLOB NOT NULL,
    window      INTEGER NOT NULL,
    length      INTEGER NOT NULL,
    tokens      INTEGER NOT NULL,
    created_at  REAL NOT NULL,
    used_at     REAL NOT NULL,
    policy      BLOB NOT NULL,
    items       BLOB NOT NULL,
    PRIMARY KEY (scope, wire_format, prefix, window)
);
CREATE INDEX checkpoints_by_use ON checkpoints (used_at, scope);

-- What is learned about an upstream is everybody's: its scope is the empty one.
CREATE TABLE learned (
    scope    BLOB NOT NULL,
    upstream BLOB NOT NULL,
    model    BLOB NOT NULL,
    used_at  REAL NOT NULL,
    facts    BLOB NOT NULL,
    PRIMARY KEY (scope, upstream, model)
);
CREATE INDEX learned_by_use ON learned (used_at, scope);
