"""Tables and the matches that are played at them.

`handler` is the one place that says what can happen to a table. Commands and timers come there, and
are validated, committed, projected for each reader and sent, in this order. `live` alone changes
what is known of a table.

Layer: above `accounts`, below `bots` and `cluster`. It knows neither sockets nor HTTP: a
`Connection` takes its frames.
"""
