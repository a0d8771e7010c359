"""Goofspiel, the game of pure strategy: a game for Zashiki in a separate package."""

from goofspiel.options import GOOFSPIEL

GAMES = (GOOFSPIEL,)
