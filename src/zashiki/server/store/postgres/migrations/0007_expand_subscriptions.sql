-- Browsers that are called when somebody is waited for: see docs/decisions/0045.
CREATE TABLE subscriptions (
  endpoint text COLLATE "C" NOT NULL,
  player text COLLATE "C" NOT NULL REFERENCES players (id),
  p256dh text NOT NULL,
  auth text NOT NULL,
  language text NOT NULL,
  created double precision NOT NULL,
  PRIMARY KEY (endpoint)
);

CREATE INDEX subscriptions_by_player ON subscriptions (player, created);
