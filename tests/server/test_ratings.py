"""Which matches are rated, in which pool, and the effect on the ratings."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from tests.server.stores import store_for
from tests.server.waits import TIMEOUT
from zashiki.bots import bot_names
from zashiki.bots.ratings import bot_rating, measured_pools
from zashiki.games import catalogue, game_spec
from zashiki.server.protocol.rest import Chair, NewTable
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import (
    AddressRow,
    EarlierRatingRow,
    EntryRow,
    MatchRow,
    PlayerRow,
    RatingPool,
    RatingRow,
    TableRow,
)
from zashiki.server.store.sql import EARLIER_RATINGS
from zashiki.server.tables.model import TableDoc, new_table_doc, sat, stood
from zashiki.server.tables.ratings import (
    DAY_SECONDS,
    MAX_PAIR_MATCHES,
    MODEL,
    rated_ranks,
    seen_rating,
    settled,
    settling,
    why_unrated,
    why_unrated_between,
)

NOW = 1_000_000.0
PEOPLE = ("aki", "ben", "chie")
GAME = "kamiza-second"


@asynccontextmanager
async def store_with_players(folder: Path) -> AsyncIterator[Store]:
    store = store_for(folder)
    await store.open()
    try:
        for id in PEOPLE:
            await store.add_player(PlayerRow(id, "guest", id, None, None, NOW))
        yield store
    finally:
        await store.close()


def ended(players: list[str | None], ranks: list[int]) -> MatchRow:
    """A finished match, of people and of the server's bots."""
    options = game_spec(GAME).check_options({}, len(players))
    return MatchRow(
        "match", "table", GAME, len(players), {"options": options}, b"", b"", NOW, NOW, players,
        True, ranks, [0.0] * len(players),
    )  # fmt: skip


async def after(
    store: Store, match: MatchRow, left: dict[int, int] | None = None
) -> dict[str, RatingRow]:
    _, rows = await settled(store, match, NOW, left or {})
    return {row.player: row for row in rows}


# How ratings change ------------------------------------------------------------------------------


async def test_the_winner_rises_and_the_loser_sinks(tmp_path: Path) -> None:
    async with store_with_players(tmp_path) as store:
        by = await after(store, ended([*PEOPLE], [2, 1, 3]))
        assert by["ben"].mu > by["aki"].mu > by["chie"].mu
        assert by["ben"].mu > MODEL.mu > by["chie"].mu
        assert {row.pool for row in by.values()} == {RatingPool(GAME, "", 3, "people")}
        assert all(row.sigma < MODEL.sigma and row.matches == 1 for row in by.values())
        shown = seen_rating(by["aki"])
        assert shown.low < shown.mean < shown.high


async def test_equals_stay_equal(tmp_path: Path) -> None:
    async with store_with_players(tmp_path) as store:
        by = await after(store, ended([*PEOPLE], [1, 1, 1]))
        assert len({round(row.mu, 9) for row in by.values()}) == 1


async def test_people_are_rated_among_themselves_whatever_bots_do(tmp_path: Path) -> None:
    async with store_with_players(tmp_path) as store:
        one = await after(store, ended(["aki", "ben", "bot:master"], [2, 3, 1]))
        other = await after(store, ended(["aki", "ben", "bot:random"], [1, 2, 3]))
        assert one.keys() == {"aki", "ben"}
        assert one == other


async def test_one_person_is_rated_against_bots_which_stay_as_they_are(tmp_path: Path) -> None:
    async with store_with_players(tmp_path) as store:
        strong = await after(store, ended(["aki", "bot:master", "bot:master"], [1, 2, 3]))
        weak = await after(store, ended(["aki", "bot:random", "bot:random"], [1, 2, 3]))
        assert strong.keys() == weak.keys() == {"aki"}
        assert strong["aki"].mu > weak["aki"].mu > MODEL.mu
        assert strong["aki"].pool == RatingPool(GAME, "", 3, "bots")


async def test_a_match_that_does_not_count_changes_nothing(tmp_path: Path) -> None:
    async with store_with_players(tmp_path) as store:
        others: list[dict[str, Any]] = [
            {"rated": False},
            {"ranks": None},
            {"players": ["aki", None, "bot:greedy"]},
        ]
        for other in others:
            assert await after(store, replace(ended([*PEOPLE], [1, 2, 3]), **other)) == {}


def test_those_who_left_come_last_and_the_first_of_them_at_the_end() -> None:
    assert rated_ranks([1, 2, 3, 4], {}) == [1, 2, 3, 4]
    assert rated_ranks([1, 2, 2, 4], {0: 5}) == [4, 1, 1, 3]
    assert rated_ranks([1, 2, 3, 4], {0: 5, 3: 9}) == [4, 1, 2, 3]
    assert rated_ranks([1, 2, 3], {0: 7, 1: 7}) == [2, 2, 1]


# Earlier ratings ---------------------------------------------------------------------------------


async def test_a_rating_of_before_forms_is_where_a_player_begins(tmp_path: Path) -> None:
    """Half way to it, with a newcomer's uncertainty: nobody leads a list by farmed points."""
    async with store_with_players(tmp_path) as store:
        fresh = await after(store, ended([*PEOPLE], [1, 2, 3]))
        writes: Any = store
        values = EARLIER_RATINGS.write(EarlierRatingRow("aki", GAME, 3, 45.0, 1.0, 99, 1.0))
        await writes._transact(lambda tx: tx.execute(EARLIER_RATINGS.insert, *values))
        by = await after(store, ended([*PEOPLE], [1, 2, 3]))
        assert by["aki"].matches == 1
        assert by["aki"].mu > 35.0 > fresh["aki"].mu
        assert abs(by["aki"].sigma - fresh["aki"].sigma) < 1


# Which matches are rated -------------------------------------------------------------------------


def table(*chairs: Chair, **wanted: Any) -> TableDoc:
    given = {"game": GAME, "seats": 3, "chairs": list(chairs) or None, **wanted}
    return new_table_doc(NewTable(**given), "aki", "Aki", 1.0, "the-key")


def test_a_match_counts_among_people_and_against_bots_that_were_measured() -> None:
    assert why_unrated(table(Chair("open"), Chair("bot", "random"), Chair("bot", "strong"))) is None
    assert why_unrated(table(*[Chair("bot", "random")] * 3)) == "no-rivals"
    people = sat(sat(table(), 1, "ben", "Ben", None, "account"), 2, "chie", "Chie", None)
    assert why_unrated(people) is None
    own = sat(stood(people, 2), 2, "r2", "R2", None, "bot")
    assert why_unrated(own) == "own-bot", "somebody's own bot may be another one tomorrow"
    wanted = {"game": "goofspiel", "seats": 2, "options": {"cards": 3}}
    alone = table(Chair("open"), Chair("bot", "greedy"), **wanted)
    assert why_unrated(alone) == "bot-strength", "a game of another package is not measured"
    assert why_unrated(sat(table(**wanted), 1, "ben", "Ben", None)) is None


def test_only_listed_content_is_rated() -> None:
    spec = game_spec("kingdoms")
    listed = spec.check_options({}, 2)
    chairs = [Chair("open"), Chair("bot", "random")]
    for name in spec.options["card_set"].values:
        made = table(*chairs, game="kingdoms", seats=2, options={"card_set": name})
        assert (why_unrated(made), made.spec.form_of(made.options)) == (None, name)
    content = listed["card_set"]
    assert isinstance(content, dict)
    same = table(*chairs, game="kingdoms", seats=2, options={"card_set": content})
    assert why_unrated(same) is None, "it is the same, however it came"
    mine = {**content, "name": "mine"}
    made = table(*chairs, game="kingdoms", seats=2, options={"card_set": mine})
    assert why_unrated(made) == "content"


def test_each_game_says_which_option_is_its_form() -> None:
    assert {spec.id: spec.forms_for(spec.seats[-1]) for spec in catalogue().values()} == {
        "goofspiel": tuple(map(str, range(2, 14))),
        "kamiza-2014": ("",),
        "kamiza-second": ("",),
        "kingdoms": ("balanced", "reconstructed"),
        "red-town": ("standard", "short"),
    }
    assert game_spec("red-town").forms_for(2) == ("two",)


def test_every_bot_of_every_pool_is_measured_and_better_levels_are_stronger() -> None:
    pools = set(measured_pools())
    for spec in catalogue().values():
        if spec.id == "goofspiel":
            continue
        for seats in spec.seats:
            for form in spec.forms_for(seats):
                assert (spec.id, form, seats) in pools
                found = {bot: bot_rating(spec, form, seats, bot) for bot in bot_names(spec)}
                assert all(one is not None and one.matches >= 50 for one in found.values())
                random, regular, master = (found[bot] for bot in ("random", "regular", "master"))
                assert random is not None
                assert regular is not None
                assert master is not None
                assert random.mu < regular.mu < master.mu


async def test_two_people_at_one_address_are_not_rated(tmp_path: Path) -> None:
    async with store_with_players(tmp_path) as store:
        match = ended([*PEOPLE], [1, 2, 3])
        for player, hash in (("aki", "a"), ("ben", "b"), ("ben", "c"), ("dan", "a")):
            await store.add_addresses([AddressRow("table", player, hash)])
        assert await why_unrated_between(store, match) is None, "dan only watches"
        await store.add_addresses([AddressRow("table", "chie", "c")])
        assert await why_unrated_between(store, match) == "address"
        means = {who: row.mu for who, row in (await after(store, match)).items()}
        assert means["aki"] > MODEL.mu > means["chie"]
        won = {
            who: row.mu for who, row in (await after(store, ended([*PEOPLE], [3, 1, 2]))).items()
        }
        assert means["ben"] <= MODEL.mu == won["ben"], "who shares an address gains nothing"
        await store.add_addresses([AddressRow("table", "aki", "c")])
        stored, rows = await settled(store, match, NOW, {})
        assert (stored.rated, stored.unrated, rows) == (False, "address", [])


async def test_a_pair_has_so_many_rated_matches_a_day(tmp_path: Path) -> None:
    async with store_with_players(tmp_path) as store:
        doc: dict[str, Any] = {"chairs": []}
        await store.add_table(TableRow("table", "aki", "open", True, doc, 0, NOW))
        for n in range(MAX_PAIR_MATCHES):
            row = replace(ended([*PEOPLE], [1, 2, 3]), id=f"m{n}", ended=None, started=NOW - n)
            first = EntryRow(row.id, 0, None, None, None, None, None, [], NOW)
            changed = TableRow("table", "aki", "playing", True, doc, n + 1, NOW)
            await store.begin_match(row, first, changed)
        other = ended(["aki", "ben", "bot:random"], [1, 2, 3])
        for started, why in (
            (NOW - 1, None), (NOW, "pair"), (NOW + 60, "pair"), (NOW + DAY_SECONDS, None)
        ):  # fmt: skip
            later = replace(other, id="next", started=started)
            assert await why_unrated_between(store, later) == why
        alone = replace(other, players=["aki", "bot:random", "bot:random"], started=NOW + 60)
        assert await why_unrated_between(store, alone) is None


# One at a time -----------------------------------------------------------------------------------


async def test_only_matches_of_the_same_players_wait_for_each_other(tmp_path: Path) -> None:
    async with store_with_players(tmp_path) as store:
        done: list[str] = []

        async def settle(name: str, *players: str) -> None:
            async with settling(store, ended([*players, None], [1, 2, 3])):
                done.append(name)

        async with settling(store, ended(["aki", "ben", None], [1, 2, 3])):
            waits = asyncio.create_task(settle("also ben's", "chie", "ben"))
            await asyncio.wait_for(settle("others'", "dai", "emi"), TIMEOUT)
            await asyncio.sleep(0.05)
            assert done == ["others'"]
        await waits
        assert done == ["others'", "also ben's"]
