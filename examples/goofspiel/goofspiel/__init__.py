"""Goofspiel, the game of pure strategy: a game of Zashiki that lives in a package of its own."""

from goofspiel.options import GOOFSPIEL

GAMES = (GOOFSPIEL,)
