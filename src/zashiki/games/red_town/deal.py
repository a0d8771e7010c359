# mypyc: compile
"""Shuffle the cards of a round and deal them into packets."""

from librt.vecs import append, vec
from mypy_extensions import i64

from zashiki.core.dice import Chance
from zashiki.games.red_town.cards import NO_CARDS, Cards, Kind, one, plus
from zashiki.games.red_town.cards import count as count_of


def in_a_row(cards: Cards) -> vec[i64]:
    """Return the single cards of a multiset, each as a multiset."""
    row = vec[i64]()
    place: i64 = 0
    while place < 20:
        kind: i64 = place
        if place == 9:
            kind = 18
        elif place > 9 and place < 19:
            kind = place - 1
        left = count_of(cards, Kind(kind))
        if left:
            card = one(Kind(kind))
            while left > 0:
                row = append(row, card)
                left -= 1
        place += 1
    return row


def draw(row: vec[i64], left: i64, count: i64, chance: Chance) -> Cards:
    """Draw cards from the first `left` of a row; the others move to its front."""
    drawn = NO_CARDS
    if count == left:
        while count > 0:
            count -= 1
            drawn = plus(drawn, Cards(row[count]))
        return drawn
    while count > 0:
        place = chance.below(left, "deal")
        left -= 1
        card = row[place]
        row[place] = row[left]
        row[left] = card
        drawn = plus(drawn, Cards(card))
        count -= 1
    return drawn
