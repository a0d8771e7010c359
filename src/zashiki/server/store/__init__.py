"""Persistent storage of players, tables and matches: one protocol, and two databases.

An acknowledged write survives any crash. A refused write leaves nothing behind.
"""
