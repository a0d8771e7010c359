-- The journal is appended to. Its primary key is its only index. The server knows the keys of
-- commands, and which matches and players an entry names: see docs/decisions/0028.
-- Older servers continue: they use the primary key where they looked for keys by the index.
ALTER TABLE entries DROP CONSTRAINT "entries_match_fkey", DROP CONSTRAINT "entries_by_fkey";

DROP INDEX entries_by_key;
