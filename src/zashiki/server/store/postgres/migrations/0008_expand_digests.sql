-- Addresses for daily digests: see docs/decisions/0047.
CREATE TABLE digests (
  player text COLLATE "C" NOT NULL REFERENCES players (id),
  id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  address text NOT NULL,
  language text NOT NULL,
  hour integer NOT NULL,
  zone text NOT NULL,
  confirmed boolean NOT NULL,
  created double precision NOT NULL,
  due double precision NOT NULL,
  sent double precision,
  failures integer NOT NULL,
  PRIMARY KEY (player)
);

CREATE INDEX digests_by_due ON digests (due);
