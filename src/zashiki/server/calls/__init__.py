"""Calling people who are away: web push to their browsers, and daily digests.

Layer: above `tables`, beside `bots`.
"""
