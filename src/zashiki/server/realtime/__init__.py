"""WebSockets: the transport, and the sockets of tables, of the lobby and of bot workers.

`transport` moves bytes and bounds them. The other modules speak the frames of `protocol`. Layer:
below `app`, beside `http`. It may import `deps`, `services` and everything below.
"""
