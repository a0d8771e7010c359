"""Tables and the matches that are played at them.

`handler` is the one place that says what can happen to a table. Commands and timers come there, and
are validated, committed, projected for each reader and sent, in this order. `live` alone changes
what is known of a table.

- One table: `commands` (what can happen), `handler`, `model` (the stored document), `state` and
  `live` (the table in memory), `match`, `presence`, `views` (what readers see), `connection` and
  `observer` (who is told).
- What follows from a command: `setup` (seats), `dealing`, `gameplay` (moves), `handover` (seats for
  bots and back), `chat`, `audience`, `invitations`, `recovery` (reading the store again).
- All tables: `registry` (find and keep), `opening` (new tables and rematches), `lobby`, `listing`,
  `quotas`, `memory`, `sweep` (work of every minute).
- After a match: `ratings`, `replay`. `moderation` is for the operator.

Layer: above `accounts`, below `bots` and `cluster`. It knows neither sockets nor HTTP: a
`Connection` takes its frames.
"""
