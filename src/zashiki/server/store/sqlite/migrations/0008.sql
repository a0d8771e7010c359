-- Browsers that are called when somebody is waited for: see docs/decisions/0045.
CREATE TABLE subscriptions (
  endpoint TEXT NOT NULL,
  player TEXT NOT NULL REFERENCES players (id),
  p256dh TEXT NOT NULL,
  auth TEXT NOT NULL,
  language TEXT NOT NULL,
  created REAL NOT NULL,
  PRIMARY KEY (endpoint)
) STRICT, WITHOUT ROWID;

CREATE INDEX subscriptions_by_player ON subscriptions (player, created);
