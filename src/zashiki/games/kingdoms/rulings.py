"""The rules of Red Kingdom & Blue Kingdom by their ids, as both `rules.*.md` number them."""

from typing import Final

from zashiki.core.rulings import Ruling

# Components and set-up

RB_1_1: Final = Ruling("RB 1.1")
"""Five areas in a row; neighbours are adjacent."""
RB_1_2: Final = Ruling("RB 1.2")
"""An area has funds for Red, funds for Blue, and an offset."""
RB_1_3: Final = Ruling("RB 1.3")
"""Normal cards, aces and two monarchs. The back tells aces from the rest."""
RB_1_4: Final = Ruling("RB 1.4")
"""A card has attack, defence and perhaps a skill."""
RB_1_5: Final = Ruling("RB 1.5")
"""The seats of Red and Blue, and their start."""
RB_1_6: Final = Ruling("RB 1.6")
"""Secret, public and known information."""

# A turn: draft, then deployment

RB_2_1: Final = Ruling("RB 2.1")
"""Funds of the areas held buy cards, declared before drawing: normal 1, ace 2."""
RB_2_2: Final = Ruling("RB 2.2")
"""A hand never exceeds five cards."""
RB_2_3: Final = Ruling("RB 2.3")
"""An empty pile is made again from its discards. A draft takes no more cards than both have."""
RB_2_4: Final = Ruling("RB 2.4")
"""After the draft a player takes any number of actions, in any order."""
RB_2_4a: Final = Ruling("RB 2.4a")
"""Occupy an empty area with one card, face up."""
RB_2_4b: Final = Ruling("RB 2.4b")
"""Attack an area of the other player with one or two cards, face down."""
RB_2_4c: Final = Ruling("RB 2.4c")
"""Use a skill that is an action."""
RB_2_5: Final = Ruling("RB 2.5")
"""A player cannot place a card on an own area, except by skills and in defence."""
RB_2_6: Final = Ruling("RB 2.6")
"""Any area can be attacked, several times per turn."""

# Battle

RB_3_1: Final = Ruling("RB 3.1")
"""The defender sees number and backs, and adds one reinforcement or none."""
RB_3_2: Final = Ruling("RB 3.2")
"""Swords against shields, then offsets and skills."""
RB_3_3: Final = Ruling("RB 3.3")
"""The offset of the area counts for the defender."""
RB_3_4: Final = Ruling("RB 3.4")
"""The higher total wins and leaves one card, a monarch first; the loser discards all."""
RB_3_5: Final = Ruling("RB 3.5")
"""At equal totals all cards are discarded, and the area is empty."""

# The end

RB_4_1: Final = Ruling("RB 4.1")
"""A monarch that is discarded loses the game for its owner."""
RB_4_2: Final = Ruling("RB 4.2")
"""Both monarchs discarded in one battle: a draw."""
RB_4_3: Final = Ruling("RB 4.3")
"""Holding all five areas wins at once."""
RB_4_4: Final = Ruling("RB 4.4")
"""A monarch in the hand is an ordinary card."""
RB_4_5: Final = Ruling("RB 4.5")
"""A capital without its monarch is just an area; holding none is legal."""
RB_4_6: Final = Ruling("RB 4.6")
"""Four turns in a row without a card placed: a draw."""
RB_4_7: Final = Ruling("RB 4.7")
"""A match that is not over after turn 200 is a draw."""
RB_4_8: Final = Ruling("RB 4.8")
"""Ranks and scores."""

# Skills

RB_5_1: Final = Ruling("RB 5.1")
"""Liaison: replaces a garrison, which returns to the hand."""
RB_5_2: Final = Ruling("RB 5.2")
"""Rearguard: if it was the garrison and did not win, the reinforcement returns to the hand."""
RB_5_3: Final = Ruling("RB 5.3")
"""Capital Guard and City Guard: a bonus to defence in capitals or cities."""
RB_5_4: Final = Ruling("RB 5.4")
"""Capital Guardian and City Guardian: the same, larger."""
RB_5_5: Final = Ruling("RB 5.5")
"""Archer: as a garrison, adds to attacks on adjacent areas."""
RB_5_6: Final = Ruling("RB 5.6")
"""Bird Soldier: if it attacks, the offset of the area does not count."""
RB_5_7: Final = Ruling("RB 5.7")
"""Priest and Bishop: no attack, but a bonus with a partner."""

# The card set

RB_6_1: Final = Ruling("RB 6.1")
"""Option `card_set`: the values are data, and this set is a reconstruction."""
RB_6_2: Final = Ruling("RB 6.2")
"""The properties that the reconstruction keeps."""
RB_6_3: Final = Ruling("RB 6.3")
"""The first set, `reconstructed`, stays as it is."""
RB_6_4: Final = Ruling("RB 6.4")
"""The requirements for a balanced set."""
