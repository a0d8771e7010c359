-- The journal is appended to. Its primary key is its only index. The server knows the keys of
-- commands, and which matches and players an entry names: see docs/decisions/0028.
CREATE TABLE appended (
  "match" TEXT NOT NULL,
  n INTEGER NOT NULL,
  seat INTEGER,
  "key" TEXT,
  "by" TEXT,
  action TEXT,
  says TEXT,
  facts TEXT NOT NULL,
  at REAL NOT NULL,
  PRIMARY KEY ("match", n)
) STRICT;

INSERT INTO appended ("match", n, seat, "key", "by", action, says, facts, at)
  SELECT "match", n, seat, "key", "by", action, says, facts, at FROM entries ORDER BY rowid;

DROP TABLE entries;

ALTER TABLE appended RENAME TO entries;
