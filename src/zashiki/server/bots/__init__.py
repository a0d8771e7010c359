"""Bots at tables: who plays for a seat, what runs them, and how the server knows of both.

A bot gets what a person gets, through the same socket. `desk` is the server's side, `worker` a
process that plays for many seats, `client` one seat of it, `pool` the workers of the server itself.
"""
