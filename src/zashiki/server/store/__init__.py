"""Persistent storage of players, tables and matches: one protocol, and two databases.

An acknowledged write survives any crash. A refused write leaves nothing behind. `protocol` is the
interface, `rows` what is stored, `coordination` what servers on one store share while they run.
Layer: above `settings`, below `protocol`. It knows nothing of the rest of the server.
"""
