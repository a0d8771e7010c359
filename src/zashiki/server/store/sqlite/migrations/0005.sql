-- Accounts: recovery codes, tokens of bots. Operators: mutes and bans, what they did, reports that
-- are done. Addresses are keyed hashes, and are deleted after a time: see docs/decisions/0037.
ALTER TABLE players ADD COLUMN recovery TEXT;
ALTER TABLE players ADD COLUMN scopes TEXT;
ALTER TABLE players ADD COLUMN expires REAL;
ALTER TABLE players ADD COLUMN muted_until REAL;
ALTER TABLE players ADD COLUMN banned_until REAL;
ALTER TABLE players ADD COLUMN address TEXT;
ALTER TABLE players ADD COLUMN address_at REAL;

CREATE INDEX players_by_address ON players (address) WHERE address IS NOT NULL;
CREATE INDEX players_by_address_at ON players (address_at) WHERE address_at IS NOT NULL;

ALTER TABLE reports ADD COLUMN "match" TEXT REFERENCES matches (id);
ALTER TABLE reports ADD COLUMN line INTEGER;
ALTER TABLE reports ADD COLUMN done REAL;

CREATE INDEX reports_by_about ON reports (about);

CREATE TABLE acts (
  id TEXT NOT NULL PRIMARY KEY,
  at REAL NOT NULL,
  operator TEXT NOT NULL,
  kind TEXT NOT NULL,
  player TEXT REFERENCES players (id),
  "table" TEXT REFERENCES tables (id),
  report TEXT REFERENCES reports (id),
  until REAL,
  why TEXT NOT NULL
) STRICT;

CREATE INDEX acts_by_time ON acts (at);
CREATE INDEX acts_by_player ON acts (player);
CREATE INDEX acts_by_report ON acts (report);

CREATE TABLE address_bans (
  address TEXT NOT NULL PRIMARY KEY,
  until REAL NOT NULL,
  player TEXT NOT NULL REFERENCES players (id)
) STRICT;
