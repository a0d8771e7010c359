"""WebSockets: of tables, of the lobby and of bot workers, on the listener that serves HTTP.

`http_connection` hands a connection over, `handshake` opens it, `routes` says who may have it,
`transport` reads and writes it within limits, `framing` is the format, and `keepalive` pings. The
other modules speak the frames of `protocol`. Layer: below `app`, beside `http`. It may import
`deps`, `services` and everything below.
"""
