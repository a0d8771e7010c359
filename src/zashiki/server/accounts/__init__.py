"""Players and their belongings: accounts, session tokens, tickets, the secret key, card sets.

Layer: below `tables`, above `ops`.
"""
