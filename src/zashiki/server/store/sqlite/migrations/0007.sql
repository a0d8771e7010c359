-- How the ratings of a match's players changed, by seat: see docs/decisions/0042.
ALTER TABLE matches ADD COLUMN rating_changes TEXT;
