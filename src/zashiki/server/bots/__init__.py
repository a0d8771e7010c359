"""Bots at tables: the server's side, and the processes that play.

A bot uses the socket of a table as a person does, and receives the same frames. `dispatcher`,
`leases`, `worker_link`, `watchdog` and `reviews` run in the server, and `pool` starts the server's
own workers. The rest runs in a worker: `worker` is a process that plays many seats, `seat_client`
plays one of them, `thread` is where its bot thinks, and `pauses` says when it answers.
`review_process` is a process that a worker starts to review a match.

Layer: above `tables`, beside `cluster`.
"""
