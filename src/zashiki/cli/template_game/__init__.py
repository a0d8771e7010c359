"""Template Game: a game of Zashiki that lives in a package of its own."""

from .game import TEMPLATE_GAME

GAMES = (TEMPLATE_GAME,)
