-- Times are seconds since the epoch; doc, header, players, ranks, scores, facts, content are JSON.
-- No constraint is deferred: a write must fail by itself and not the group that it is written with.

CREATE TABLE players (
  id TEXT NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  login TEXT UNIQUE,
  password TEXT,
  created REAL NOT NULL,
  epoch INTEGER NOT NULL,
  deleted INTEGER NOT NULL
) STRICT;

CREATE TABLE mutes (
  player TEXT NOT NULL REFERENCES players (id),
  other TEXT NOT NULL REFERENCES players (id),
  PRIMARY KEY (player, other)
) STRICT, WITHOUT ROWID;

CREATE TABLE tables (
  id TEXT NOT NULL PRIMARY KEY,
  host TEXT NOT NULL REFERENCES players (id),
  state TEXT NOT NULL,
  public INTEGER NOT NULL,
  doc TEXT NOT NULL,
  version INTEGER NOT NULL,
  updated REAL NOT NULL,
  "match" TEXT REFERENCES matches (id)
) STRICT;

CREATE INDEX tables_by_state ON tables (state, updated);

CREATE TABLE chat (
  "table" TEXT NOT NULL REFERENCES tables (id),
  n INTEGER NOT NULL,
  player TEXT NOT NULL REFERENCES players (id),
  seat INTEGER,
  text TEXT NOT NULL,
  at REAL NOT NULL,
  PRIMARY KEY ("table", n)
) STRICT, WITHOUT ROWID;

CREATE TABLE matches (
  id TEXT NOT NULL PRIMARY KEY,
  "table" TEXT NOT NULL REFERENCES tables (id),
  game TEXT NOT NULL,
  seats INTEGER NOT NULL,
  header TEXT NOT NULL,
  seed BLOB NOT NULL,
  salt BLOB NOT NULL,
  started REAL NOT NULL,
  ended REAL,
  players TEXT NOT NULL,
  rated INTEGER NOT NULL,
  ranks TEXT,
  scores TEXT
) STRICT;

CREATE INDEX matches_unfinished ON matches (started) WHERE ended IS NULL;

-- matches.players the other way round: whose matches there are.
CREATE TABLE sittings (
  player TEXT NOT NULL REFERENCES players (id),
  started REAL NOT NULL,
  "match" TEXT NOT NULL REFERENCES matches (id),
  PRIMARY KEY (player, started, "match")
) STRICT, WITHOUT ROWID;

CREATE TABLE entries (
  "match" TEXT NOT NULL REFERENCES matches (id),
  n INTEGER NOT NULL,
  seat INTEGER,
  "key" TEXT,
  "by" TEXT REFERENCES players (id),
  action TEXT,
  says TEXT,
  facts TEXT NOT NULL,
  at REAL NOT NULL,
  PRIMARY KEY ("match", n)
) STRICT;

CREATE UNIQUE INDEX entries_by_key ON entries ("match", ifnull(seat, -1), "key")
  WHERE "key" IS NOT NULL;

CREATE TABLE ratings (
  player TEXT NOT NULL REFERENCES players (id),
  game TEXT NOT NULL,
  seats INTEGER NOT NULL,
  mu REAL NOT NULL,
  sigma REAL NOT NULL,
  matches INTEGER NOT NULL,
  updated REAL NOT NULL,
  PRIMARY KEY (player, game, seats)
) STRICT, WITHOUT ROWID;

CREATE INDEX ratings_by_strength ON ratings (game, seats, mu - 3 * sigma);

CREATE TABLE card_sets (
  id TEXT NOT NULL PRIMARY KEY,
  owner TEXT NOT NULL REFERENCES players (id),
  name TEXT NOT NULL,
  content TEXT NOT NULL,
  shared INTEGER NOT NULL,
  created REAL NOT NULL
) STRICT;

CREATE INDEX card_sets_by_owner ON card_sets (owner);
CREATE INDEX card_sets_shared ON card_sets (created) WHERE shared;

CREATE TABLE reports (
  id TEXT NOT NULL PRIMARY KEY,
  "by" TEXT NOT NULL REFERENCES players (id),
  "table" TEXT REFERENCES tables (id),
  about TEXT,
  text TEXT NOT NULL,
  at REAL NOT NULL
) STRICT;

CREATE INDEX reports_by_time ON reports (at);
