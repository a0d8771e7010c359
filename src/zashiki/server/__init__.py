"""The server: tables, seats, live play over HTTP and WebSocket; nothing lost and nothing leaked.

`serve` is the process, `app` the ASGI application, `services` the parts that live as long as the
server, `settings` every option. A request comes by `http` or `realtime`. All that happens to a
table is in `tables`, whose `handler` is the place to begin. The whole way of a move, and the layers
of the packages, are described in docs/contribute/server.md.
"""
