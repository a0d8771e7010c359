-- Reviews of matches: see docs/decisions/0051.
CREATE TABLE reviews (
  "match" text COLLATE "C" NOT NULL REFERENCES matches (id),
  reviewer integer NOT NULL,
  playouts integer NOT NULL,
  is_finished boolean NOT NULL,
  review text NOT NULL,
  PRIMARY KEY ("match", reviewer)
);
