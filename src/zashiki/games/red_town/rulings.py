"""The rules of Sumidagawa Red Town by their ids, as `rules.en.md` and `rules.ja.md` number them."""

from typing import Final

from zashiki.core.rulings import Ruling

# Components and set-up

RT_1_1: Final = Ruling("RT 1.1")
"""Playing cards are red or black, numbered 3 to 11."""
RT_1_2: Final = Ruling("RT 1.2")
"""Option `form`, and the cards in play."""
RT_1_3: Final = Ruling("RT 1.3")
"""Each player has four Hitmen in the supply, two bosses and a decision tile."""
RT_1_4: Final = Ruling("RT 1.4")
"""There are eight open locations and one discard pile."""
RT_1_5: Final = Ruling("RT 1.5")
"""It does not matter which set a Hitman came from."""

# Hand preparation (3-5 players)

RT_2_1: Final = Ruling("RT 2.1")
"""The numbers of cards that are dealt and set aside."""
RT_2_2: Final = Ruling("RT 2.2")
"""Confirm or add, in secret and at the same time."""
RT_2_3: Final = Ruling("RT 2.3")
"""A player who confirms keeps the hand and makes no further choice."""
RT_2_4: Final = Ruling("RT 2.4")
"""A player with an empty supply must confirm."""
RT_2_5: Final = Ruling("RT 2.5")
"""Two or more adders: one Hitman each, then hands go clockwise among them."""
RT_2_6: Final = Ruling("RT 2.6")
"""A lone adder takes one or more Hitmen and passes nothing."""
RT_2_7: Final = Ruling("RT 2.7")
"""No adder: preparation ends."""
RT_2_8: Final = Ruling("RT 2.8")
"""Option `hitmen`: whether the colours that join a hand are public."""
RT_2_9: Final = Ruling("RT 2.9")
"""The public information; the cards set aside stay unknown."""
RT_2_10: Final = Ruling("RT 2.10")
"""A hand that was held or passed on stays known."""
RT_2_11: Final = Ruling("RT 2.11")
"""A hand is seen by its owner only."""

# Turf wars

RT_3_1: Final = Ruling("RT 3.1")
"""The holder of the red 3 shows it and starts."""
RT_3_2: Final = Ruling("RT 3.2")
"""If no hand has the red 3, the player with the fewest bosses starts; a tie is drawn."""
RT_3_3: Final = Ruling("RT 3.3")
"""Clockwise, each plays at one empty location or passes."""
RT_3_4: Final = Ruling("RT 3.4")
"""The starter of a turf war may not pass at once."""
RT_3_5: Final = Ruling("RT 3.5")
"""The number declared never falls during a turf war."""
RT_3_6: Final = Ruling("RT 3.6")
"""A player who passes is out until the next turf war."""
RT_3_7: Final = Ruling("RT 3.7")
"""No other player has to play."""
RT_3_8: Final = Ruling("RT 3.8")
"""A turf war ends when all with cards but the last to play have passed."""
RT_3_9: Final = Ruling("RT 3.9")
"""The board is discarded, and the last to have played starts again."""
RT_3_10: Final = Ruling("RT 3.10")
"""A player who has played the last card is out of the round."""
RT_3_11: Final = Ruling("RT 3.11")
"""The round ends at once when only one player holds cards."""
RT_3_12: Final = Ruling("RT 3.12")
"""A player without a possible play can only pass."""

# Locations

RT_4_1: Final = Ruling("RT 4.1")
"""Each location takes one play per turf war."""
RT_4_2: Final = Ruling("RT 4.2")
"""In sequence: consecutive different numbers, without wrapping."""
RT_4_3: Final = Ruling("RT 4.3")
"""Two of one colour and one of the other are still three in sequence."""
RT_4_4: Final = Ruling("RT 4.4")
"""The tile fixes the number of cards and their colours."""
RT_4_5: Final = Ruling("RT 4.5")
"""The effect of `r4`: one card may be discarded."""
RT_4_6: Final = Ruling("RT 4.6")
"""The effect of `b4`: the turf war may be ended."""
RT_4_7: Final = Ruling("RT 4.7")
"""An effect is a separate decision, right after the play."""

# Declared number and Hitmen

RT_5_1: Final = Ruling("RT 5.1")
"""A play declares its lowest number."""
RT_5_2: Final = Ruling("RT 5.2")
"""A Hitman can be any number of its own colour."""
RT_5_3: Final = Ruling("RT 5.3")
"""With other cards a Hitman does not change the number."""
RT_5_4: Final = Ruling("RT 5.4")
"""A Hitman alone repeats the last number, or opens with 3."""
RT_5_5: Final = Ruling("RT 5.5")
"""Hitmen only, at any location that fits, declare as a single one does."""
RT_5_6: Final = Ruling("RT 5.6")
"""A Hitman's colour counts if two colours are mixed."""

# Cleanup and end

RT_6_1: Final = Ruling("RT 6.1")
"""The player left with cards returns a boss."""
RT_6_2: Final = Ruling("RT 6.2")
"""No bosses left: that player loses and all others win."""
RT_6_3: Final = Ruling("RT 6.3")
"""Hitmen used leave the game; all else is shuffled for the next round."""

# Two players

RT_7_1: Final = Ruling("RT 7.1")
"""Each player has two sets of 13 and two Hitmen; there are no decision tiles."""
RT_7_2: Final = Ruling("RT 7.2")
"""Look at one set and add a Hitman; the other Hitman joins the other set."""
RT_7_3: Final = Ruling("RT 7.3")
"""Each hands over one set, unseen."""
RT_7_4: Final = Ruling("RT 7.4")
"""Each chooses one set as the hand; the other waits."""
RT_7_5: Final = Ruling("RT 7.5")
"""The red 3 counts only in a hand in play."""
RT_7_6: Final = Ruling("RT 7.6")
"""A player who runs out takes the waiting set. Finishing both ends the round."""
RT_7_7: Final = Ruling("RT 7.7")
"""The effect of `r4` counts the hand after the waiting set was taken."""
RT_7_8: Final = Ruling("RT 7.8")
"""Hitmen come back in every round."""
RT_7_9: Final = Ruling("RT 7.9")
"""The knowledge of the colours of the Hitmen in sets."""

# Short game (3-5 players)

RT_8_1: Final = Ruling("RT 8.1")
"""No bosses and no decisions: each adds one of two Hitmen."""
RT_8_2: Final = Ruling("RT 8.2")
"""One round; the order of going out is the ranking."""
RT_8_3: Final = Ruling("RT 8.3")
"""If no hand has the red 3, the starter is drawn."""
