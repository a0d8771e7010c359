"""This server among others that share its store: heartbeats, presence, catching up.

Layer: above `tables`, beside `bots`.
"""
