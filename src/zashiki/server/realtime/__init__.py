"""WebSockets: the transport, and the sockets of tables, of the lobby and of bot workers.

`transport` moves bytes and bounds them, the other modules speak the frames of `protocol`. Layer:
below `app`, beside `http`. It may import `services` and everything below.
"""
