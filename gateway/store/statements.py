"""The SQL of the store in one SQLite file."""

from __future__ import annotations

TOUCH_AFTER_S = 3600.0
"""A read renews the time of last use only if it is older, so that reading rarely writes."""

PUT_ORIGINAL = f"""
INSERT INTO originals (scope, id, kind, created_at, used_at, name, content) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT DO UPDATE SET used_at = excluded.used_at WHERE used_at < excluded.used_at - {TOUCH_AFTER_S}
"""
GET_ORIGINAL = "SELECT kind, created_at, used_at, name, content FROM originals WHERE scope = ? AND id = ?"
TOUCH_ORIGINAL = f"""
UPDATE originals SET used_at = ?1 WHERE scope = ?2 AND id = ?3 AND used_at < ?1 - {TOUCH_AFTER_S}
"""
DELETE_ORIGINAL = "DELETE FROM originals WHERE scope = ? AND id = ?"

PUT_CHECKPOINT = """
INSERT OR REPLACE INTO checkpoints
(scope, wire_format, policy, prefix, window, length, tokens, created_at, used_at, fingerprint, items)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
# The inner query sorts rows without their items, which may be large.
GET_CHECKPOINTS = """
SELECT rowid, prefix, window, length, tokens, created_at, used_at, fingerprint, items FROM checkpoints
WHERE rowid IN (
    SELECT rowid FROM checkpoints WHERE scope = ? AND wire_format = ? AND policy = ? AND prefix IN ({marks})
    ORDER BY length DESC, used_at DESC LIMIT ?
) ORDER BY length DESC, used_at DESC
"""
TOUCH_CHECKPOINT = "UPDATE checkpoints SET used_at = ? WHERE rowid = ? AND prefix = ?"
DELETE_CHECKPOINT = """
DELETE FROM checkpoints WHERE scope = ? AND wire_format = ? AND policy = ? AND prefix = ?
"""

PUT_LEARNED = """
INSERT OR REPLACE INTO learned (scope, upstream, model, used_at, facts) VALUES (x'', ?, ?, ?, ?)
"""
GET_LEARNED = "SELECT upstream, model, facts FROM learned WHERE scope = x''"

FREE_PAGES = "SELECT freelist_count FROM pragma_freelist_count"
SIZE_IN_MEMORY = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
PUT_SUMMARY = """
INSERT OR REPLACE INTO summaries
(scope, wire_format, policy, prefix, rules, length, created_at, used_at, content)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
GET_SUMMARIES = """
SELECT rowid, prefix, rules, length, created_at, used_at, content FROM summaries
WHERE rowid IN (
    SELECT rowid FROM summaries
    WHERE scope = ? AND wire_format = ? AND policy = ? AND rules = ? AND prefix IN ({marks})
    ORDER BY length DESC LIMIT ?
) ORDER BY length DESC
"""
TOUCH_SUMMARY = "UPDATE summaries SET used_at = ? WHERE rowid = ? AND prefix = ?"

EXPIRING = ("originals", "checkpoints", "summaries", "learned")
EXPIRE = """
DELETE FROM {table} WHERE rowid IN (
    SELECT rowid FROM {table} WHERE used_at < ? AND (? IS NULL OR scope = ?) ORDER BY used_at LIMIT ?
)
"""
