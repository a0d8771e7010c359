"""The rules of Template Game by their ids, as `rules.en.md` and `rules.ja.md` number them."""

from typing import Final

from zashiki.core.rulings import Ruling

TG_1_1: Final = Ruling("TG 1.1")
TG_1_2: Final = Ruling("TG 1.2")
TG_1_3: Final = Ruling("TG 1.3")

TG_2_1: Final = Ruling("TG 2.1")
TG_2_2: Final = Ruling("TG 2.2")
TG_2_3: Final = Ruling("TG 2.3")
TG_2_4: Final = Ruling("TG 2.4")

TG_3_1: Final = Ruling("TG 3.1")
