-- Addresses for daily digests: see docs/decisions/0047.
CREATE TABLE digests (
  player TEXT NOT NULL REFERENCES players (id),
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  address TEXT NOT NULL,
  language TEXT NOT NULL,
  hour INTEGER NOT NULL,
  zone TEXT NOT NULL,
  confirmed INTEGER NOT NULL,
  created REAL NOT NULL,
  due REAL NOT NULL,
  sent REAL,
  failures INTEGER NOT NULL,
  PRIMARY KEY (player)
) STRICT, WITHOUT ROWID;

CREATE INDEX digests_by_due ON digests (due);
