-- Accounts: recovery codes, tokens of bots. Operators: mutes and bans, what they did, reports that
-- are done. Addresses are keyed hashes, and are deleted after a time: see docs/decisions/0037.
ALTER TABLE players
  ADD COLUMN recovery text,
  ADD COLUMN scopes text,
  ADD COLUMN expires double precision,
  ADD COLUMN muted_until double precision,
  ADD COLUMN banned_until double precision,
  ADD COLUMN address text COLLATE "C",
  ADD COLUMN address_at double precision;

CREATE INDEX players_by_address ON players (address) WHERE address IS NOT NULL;
CREATE INDEX players_by_address_at ON players (address_at) WHERE address_at IS NOT NULL;

ALTER TABLE reports
  ADD COLUMN "match" text COLLATE "C" REFERENCES matches (id),
  ADD COLUMN line bigint,
  ADD COLUMN done double precision;

CREATE INDEX reports_by_about ON reports (about);

CREATE TABLE acts (
  id text COLLATE "C" PRIMARY KEY,
  at double precision NOT NULL,
  operator text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  player text COLLATE "C" REFERENCES players (id),
  "table" text COLLATE "C" REFERENCES tables (id),
  report text COLLATE "C" REFERENCES reports (id),
  until double precision,
  why text NOT NULL
);

CREATE INDEX acts_by_time ON acts (at);
CREATE INDEX acts_by_player ON acts (player);
CREATE INDEX acts_by_report ON acts (report);

CREATE TABLE address_bans (
  address text COLLATE "C" PRIMARY KEY,
  until double precision NOT NULL,
  player text COLLATE "C" NOT NULL REFERENCES players (id)
);
