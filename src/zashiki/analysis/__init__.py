"""The review of a match: the value of every decision, given what its seat knew.

It knows no game. A decision is valued in worlds that agree with the seat's view, by the game's
playout policy, with a standard error for every figure.
"""
