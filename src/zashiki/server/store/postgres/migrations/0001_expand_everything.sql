-- Times are seconds since the epoch; doc, header, players, ranks, scores, facts, content are JSON.
-- Ids are compared byte by byte, whatever language the database speaks.
-- No constraint is deferred: a write must fail by itself and not the group that it is written with.

CREATE TABLE players (
  id text COLLATE "C" PRIMARY KEY,
  kind text NOT NULL,
  name text NOT NULL,
  login text COLLATE "C" UNIQUE,
  password text,
  created double precision NOT NULL,
  epoch bigint NOT NULL,
  deleted boolean NOT NULL,
  owner text COLLATE "C" REFERENCES players (id)
);

CREATE INDEX players_by_owner ON players (owner) WHERE owner IS NOT NULL;

CREATE TABLE mutes (
  player text COLLATE "C" NOT NULL REFERENCES players (id),
  other text COLLATE "C" NOT NULL REFERENCES players (id),
  PRIMARY KEY (player, other)
);

CREATE TABLE tables (
  id text COLLATE "C" PRIMARY KEY,
  host text COLLATE "C" NOT NULL REFERENCES players (id),
  state text COLLATE "C" NOT NULL,
  public boolean NOT NULL,
  doc text NOT NULL,
  version bigint NOT NULL,
  updated double precision NOT NULL,
  "match" text COLLATE "C"
);

CREATE INDEX tables_by_state ON tables (state, updated);

CREATE TABLE chat (
  "table" text COLLATE "C" NOT NULL REFERENCES tables (id),
  n bigint NOT NULL,
  player text COLLATE "C" NOT NULL REFERENCES players (id),
  seat bigint,
  text text NOT NULL,
  at double precision NOT NULL,
  PRIMARY KEY ("table", n)
);

CREATE TABLE matches (
  id text COLLATE "C" PRIMARY KEY,
  "table" text COLLATE "C" NOT NULL REFERENCES tables (id),
  game text COLLATE "C" NOT NULL,
  seats bigint NOT NULL,
  header text NOT NULL,
  seed bytea NOT NULL,
  salt bytea NOT NULL,
  started double precision NOT NULL,
  ended double precision,
  players text NOT NULL,
  rated boolean NOT NULL,
  ranks text,
  scores text
);

CREATE INDEX matches_unfinished ON matches (started) WHERE ended IS NULL;

ALTER TABLE tables ADD FOREIGN KEY ("match") REFERENCES matches (id);

-- matches.players the other way round: whose matches there are.
CREATE TABLE sittings (
  player text COLLATE "C" NOT NULL REFERENCES players (id),
  started double precision NOT NULL,
  "match" text COLLATE "C" NOT NULL REFERENCES matches (id),
  PRIMARY KEY (player, started, "match")
);

CREATE TABLE entries (
  "match" text COLLATE "C" NOT NULL REFERENCES matches (id),
  n bigint NOT NULL,
  seat bigint,
  "key" text COLLATE "C",
  "by" text COLLATE "C" REFERENCES players (id),
  action text,
  says text,
  facts text NOT NULL,
  at double precision NOT NULL,
  PRIMARY KEY ("match", n)
);

CREATE UNIQUE INDEX entries_by_key ON entries ("match", coalesce(seat, -1), "key")
  WHERE "key" IS NOT NULL;

CREATE TABLE ratings (
  player text COLLATE "C" NOT NULL REFERENCES players (id),
  game text COLLATE "C" NOT NULL,
  seats bigint NOT NULL,
  mu double precision NOT NULL,
  sigma double precision NOT NULL,
  matches bigint NOT NULL,
  updated double precision NOT NULL,
  PRIMARY KEY (player, game, seats)
);

CREATE INDEX ratings_by_strength ON ratings (game, seats, (mu - 3 * sigma));

CREATE TABLE card_sets (
  id text COLLATE "C" PRIMARY KEY,
  owner text COLLATE "C" NOT NULL REFERENCES players (id),
  name text NOT NULL,
  content text NOT NULL,
  shared boolean NOT NULL,
  created double precision NOT NULL
);

CREATE INDEX card_sets_by_owner ON card_sets (owner);
CREATE INDEX card_sets_shared ON card_sets (created) WHERE shared;

CREATE TABLE reports (
  id text COLLATE "C" PRIMARY KEY,
  "by" text COLLATE "C" NOT NULL REFERENCES players (id),
  "table" text COLLATE "C" REFERENCES tables (id),
  about text,
  text text NOT NULL,
  at double precision NOT NULL
);

CREATE INDEX reports_by_time ON reports (at);

-- What servers tell each other: empty after a crash, and never waited for on a disk.

CREATE UNLOGGED TABLE servers (
  name text COLLATE "C" PRIMARY KEY,
  beat timestamptz NOT NULL
);

CREATE UNLOGGED TABLE presence (
  "table" text COLLATE "C" NOT NULL,
  player text COLLATE "C" NOT NULL,
  server text COLLATE "C" NOT NULL,
  PRIMARY KEY ("table", player, server)
);

CREATE INDEX presence_by_server ON presence (server);

CREATE UNLOGGED TABLE leases (
  "table" text COLLATE "C" NOT NULL,
  seat bigint NOT NULL,
  server text COLLATE "C" NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY ("table", seat)
);

CREATE INDEX leases_by_server ON leases (server);

CREATE UNLOGGED TABLE tickets (
  token text COLLATE "C" PRIMARY KEY,
  content bytea NOT NULL,
  expires double precision NOT NULL
);

CREATE INDEX tickets_by_time ON tickets (expires);
