-- What models wrote about beginnings of conversations, ready before it is needed. Rules are those of the policy
-- for summaries: what was written under others is never used.

CREATE TABLE summaries (
    scope       BLOB NOT NULL,
    wire_format TEXT NOT NULL,
    policy      BLOB NOT NULL,
    prefix      BLOB NOT NULL,
    rules       BLOB NOT NULL,
    length      INTEGER NOT NULL,
    created_at  REAL NOT NULL,
    used_at     REAL NOT NULL,
    content     BLOB NOT NULL,
    PRIMARY KEY (scope, wire_format, policy, prefix, rules)
);
CREATE INDEX summaries_by_use ON summaries (used_at, scope);
