"""Tables and the matches that are played at them.

`live` is the one place that says what can happen to a table. Commands and timers come to a
`LiveTable`, which validates, commits, projects for each reader and sends, in this order.

Layer: above `accounts`, below `bots` and `cluster`. It knows neither sockets nor HTTP: a
`Connection` takes its frames.
"""
