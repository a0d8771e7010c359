"""The rules of both editions by their ids, as `rules.en.md` and `rules.ja.md` number them."""

from typing import Final

from zashiki.core.rulings import Ruling

# The Second Generation

K2_1_1: Final = Ruling("K2 1.1")
"""Four cards per player: Boss 5, Underboss 2, Hitman 1, Corrupt Policeman."""
K2_1_2: Final = Ruling("K2 1.2")
"""Three or four players; points and chips never run out."""
K2_1_3: Final = Ruling("K2 1.3")
"""The first starter is drawn."""
K2_2_1: Final = Ruling("K2 2.1")
"""Each player places one card face down, at the top or at the bottom."""
K2_2_2: Final = Ruling("K2 2.2")
"""A threat may go with the card and is not binding."""
K2_2_3: Final = Ruling("K2 2.3")
"""All cards are turned up and judged together."""
K2_2_4: Final = Ruling("K2 2.4")
"""Played cards are spent for the game, and public."""
K2_2_5: Final = Ruling("K2 2.5")
"""Three rounds per game, three games per match."""
K2_2_6: Final = Ruling("K2 2.6")
"""The highest total starts."""
K2_2_7: Final = Ruling("K2 2.7")
"""Option `open_start`: the starter places face up."""
K2_3_1: Final = Ruling("K2 3.1")
"""The bottom takes neither Boss nor Policeman."""
K2_3_2: Final = Ruling("K2 3.2")
"""Equals in one area cancel each other."""
K2_3_3: Final = Ruling("K2 3.3")
"""The number of seats of each area."""
K2_3_4: Final = Ruling("K2 3.4")
"""The highest number keeps the top seat."""
K2_3_5: Final = Ruling("K2 3.5")
"""A Hitman defeats a Boss and is worth 4."""
K2_3_6: Final = Ruling("K2 3.6")
"""Option `underboss_shield`: an Underboss with Boss and Hitman."""
K2_3_7: Final = Ruling("K2 3.7")
"""The bribe: each of the two gets half of the points."""
K2_3_8: Final = Ruling("K2 3.8")
"""A Policeman alone scores nothing."""
K2_3_9: Final = Ruling("K2 3.9")
"""A bribe costs a WANTED chip."""
K2_3_10: Final = Ruling("K2 3.10")
"""A card that kept its seat scores its number."""
K2_4_1: Final = Ruling("K2 4.1")
"""Three WANTED chips: out."""
K2_4_2: Final = Ruling("K2 4.2")
"""The others continue. A sole survivor wins."""
K2_4_3: Final = Ruling("K2 4.3")
"""The highest total wins; drop-outs come last."""
K2_4_4: Final = Ruling("K2 4.4")
"""Option `tie_break`: the lower card kept wins, or the rank is shared."""
K2_4_5: Final = Ruling("K2 4.5")
"""The same rules for three and for four."""

# The edition of 2014

K1_1_1: Final = Ruling("K1 1.1")
"""Four cards per player: Boss 5, Underboss 2, Hitman 1, Police Raid 0."""
K1_1_2: Final = Ruling("K1 1.2")
"""Three or four players, three games of three rounds."""
K1_1_3: Final = Ruling("K1 1.3")
"""One seat at the top, two at the bottom."""
K1_1_4: Final = Ruling("K1 1.4")
"""The first starter is drawn; no chips."""
K1_2_1: Final = Ruling("K1 2.1")
"""Placing, threats and revealing."""
K1_2_2: Final = Ruling("K1 2.2")
"""The raider starts the next round."""
K1_2_3: Final = Ruling("K1 2.3")
"""Otherwise the highest total starts."""
K1_2_4: Final = Ruling("K1 2.4")
"""Option `open_start`: the starter places face up."""
K1_3_1: Final = Ruling("K1 3.1")
"""Exactly one Raid ends the round."""
K1_3_2: Final = Ruling("K1 3.2")
"""The bottom takes no Boss."""
K1_3_3: Final = Ruling("K1 3.3")
"""Equals in one area cancel each other."""
K1_3_4: Final = Ruling("K1 3.4")
"""If there are too few seats, the lowest numbers lose."""
K1_3_5: Final = Ruling("K1 3.5")
"""A Hitman defeats a Boss and is worth 4. Option `underboss_shield`."""
K1_3_6: Final = Ruling("K1 3.6")
"""A card that kept its seat scores its number."""
K1_4_1: Final = Ruling("K1 4.1")
"""The highest total wins; if tied, the lower card kept."""
