-- A checkpoint is found under the name of the policy that made it only. Those stored before do not tell that
-- name, and what they stand for the next compaction makes anew.

DROP TABLE checkpoints;

CREATE TABLE checkpoints (
    scope       BLOB NOT NULL,
    wire_format TEXT NOT NULL,
    policy      BLOB NOT NULL,
    prefix      BLOB NOT NULL,
    window      INTEGER NOT NULL,
    length      INTEGER NOT NULL,
    tokens      INTEGER NOT NULL,
    created_at  REAL NOT NULL,
    used_at     REAL NOT NULL,
    fingerprint BLOB NOT NULL,
    items       BLOB NOT NULL,
    PRIMARY KEY (scope, wire_format, policy, prefix, window)
);
CREATE INDEX checkpoints_by_use ON checkpoints (used_at, scope);
