"""Where players, tables and matches are kept: one protocol, and the databases that fill it.

What was acknowledged is there after any crash; what was refused left nothing behind.
"""
