-- Ratings by form and rivals: see docs/decisions/0034. The ratings of before stay: older servers
-- continue to write them, and a player begins from them.
CREATE TABLE form_ratings (
  player text COLLATE "C" NOT NULL REFERENCES players (id),
  game text COLLATE "C" NOT NULL,
  form text COLLATE "C" NOT NULL,
  seats bigint NOT NULL,
  rivals text COLLATE "C" NOT NULL,
  mu double precision NOT NULL,
  sigma double precision NOT NULL,
  matches bigint NOT NULL,
  updated double precision NOT NULL,
  PRIMARY KEY (player, game, form, seats, rivals)
);

CREATE INDEX form_ratings_by_strength
  ON form_ratings (game, form, seats, rivals, (mu - 3 * sigma));

ALTER TABLE matches ADD COLUMN unrated text, ADD COLUMN rated_ranks text;

-- Keyed hashes, until the match ends. They are lost in a crash, and come again with the players.
CREATE UNLOGGED TABLE addresses (
  "table" text COLLATE "C" NOT NULL,
  player text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL,
  PRIMARY KEY ("table", player, hash)
);
