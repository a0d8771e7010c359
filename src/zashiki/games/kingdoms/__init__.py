"""Red Kingdom & Blue Kingdom: a strong Prince against a rich Princess, for five areas in a row."""

from zashiki.games.kingdoms.options import KINGDOMS

GAMES = (KINGDOMS,)
