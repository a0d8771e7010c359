"""The rules of Goofspiel by their ids, as `rules.en.md` and `rules.ja.md` number them."""

from typing import Final

from zashiki.core.rulings import Ruling

GS_1_1: Final = Ruling("GS 1.1")
"""Two to four players, each with the same bid cards."""
GS_1_2: Final = Ruling("GS 1.2")
"""The number of cards (option `cards`)."""
GS_1_3: Final = Ruling("GS 1.3")
"""The prizes and their worth."""

GS_2_1: Final = Ruling("GS 2.1")
"""A prize is turned up as the round begins."""
GS_2_2: Final = Ruling("GS 2.2")
"""The order of the prizes (option `order`)."""
GS_2_3: Final = Ruling("GS 2.3")
"""Everybody chooses a bid in secret, at the same time."""
GS_2_4: Final = Ruling("GS 2.4")
"""The last choice reveals all bids, which are spent."""
GS_2_5: Final = Ruling("GS 2.5")
"""The single highest bid wins the prize."""
GS_2_6: Final = Ruling("GS 2.6")
"""A tie for the highest bid: the prize is discarded."""
GS_2_7: Final = Ruling("GS 2.7")
"""Revealed bids stay known."""

GS_3_1: Final = Ruling("GS 3.1")
"""There are as many rounds as cards. The last bid is a decision too."""
GS_3_2: Final = Ruling("GS 3.2")
"""Ranks and scores."""
