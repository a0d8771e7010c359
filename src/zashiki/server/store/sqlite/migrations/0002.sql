-- Whose a bot is; nobody's, where it was made before this was known.
ALTER TABLE players ADD COLUMN owner TEXT REFERENCES players (id);

CREATE INDEX players_by_owner ON players (owner) WHERE owner IS NOT NULL;
