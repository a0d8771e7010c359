-- Reviews of matches: see docs/decisions/0051.
CREATE TABLE reviews (
  "match" TEXT NOT NULL REFERENCES matches (id),
  reviewer INTEGER NOT NULL,
  playouts INTEGER NOT NULL,
  is_finished INTEGER NOT NULL,
  review TEXT NOT NULL,
  PRIMARY KEY ("match", reviewer)
) STRICT;
