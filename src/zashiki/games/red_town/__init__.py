"""Sumidagawa Red Town: get rid of your hand before the others; a Hitman can be any number."""

from zashiki.games.red_town.options import RED_TOWN

GAMES = (RED_TOWN,)
