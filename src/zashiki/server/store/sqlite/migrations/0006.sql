-- Ratings by form and rivals: see docs/decisions/0034. The ratings of before stay: a player begins
-- from them.
CREATE TABLE form_ratings (
  player TEXT NOT NULL REFERENCES players (id),
  game TEXT NOT NULL,
  form TEXT NOT NULL,
  seats INTEGER NOT NULL,
  rivals TEXT NOT NULL,
  mu REAL NOT NULL,
  sigma REAL NOT NULL,
  matches INTEGER NOT NULL,
  updated REAL NOT NULL,
  PRIMARY KEY (player, game, form, seats, rivals)
) STRICT, WITHOUT ROWID;

CREATE INDEX form_ratings_by_strength
  ON form_ratings (game, form, seats, rivals, mu - 3 * sigma);

DROP INDEX ratings_by_strength;

ALTER TABLE matches ADD COLUMN unrated TEXT;
ALTER TABLE matches ADD COLUMN rated_ranks TEXT;

-- Keyed hashes, until the match ends.
CREATE TABLE addresses (
  "table" TEXT NOT NULL,
  player TEXT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY ("table", player, hash)
) STRICT, WITHOUT ROWID;
