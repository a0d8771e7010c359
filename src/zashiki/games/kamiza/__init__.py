"""KAMIZA (2014) and KAMIZA Second Generation: bluff for the top seat."""

from zashiki.games.kamiza.options import FIRST, SECOND

GAMES = (FIRST, SECOND)
