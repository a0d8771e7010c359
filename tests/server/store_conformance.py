"""Tests that every store must pass, whatever its database is."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path

import pytest
from msgspec import Raw
from msgspec.structs import replace

from zashiki.server.store import queries
from zashiki.server.store.errors import Closed, Conflict, Missing, Overtaken, Taken
from zashiki.server.store.group_commit import future_outcome
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import (
    ActRow,
    AddressBanRow,
    AddressRow,
    CardSetRow,
    ChatRow,
    DigestRow,
    EntryRow,
    MatchRow,
    PlayerKind,
    PlayerRow,
    RatingPool,
    RatingRow,
    ReportRow,
    ReviewRow,
    SubscriptionRow,
    TableRow,
)

SEED = bytes(range(32))
SALT = bytes(range(32, 64))
HEADER = {"zashiki": 1, "game": "kamiza-second", "options": {"lady": None}, "names": ["蘭", "B"]}
FACTS = [
    Raw('["all","placed",{"seat":1,"card":"3♠"}]'.encode()),
    Raw(b'[0,"drew",{"card":"x"}]'),
    Raw(b'["none","z",{}]'),
]


def player(id: str, login: str | None = None) -> PlayerRow:
    kind: PlayerKind = "guest" if login is None else "account"
    return PlayerRow(id, kind, f"Name of {id}", login, login and "$argon2id$…", 12.5)


def table(id: str, version: int = 0, updated: float = 100.0) -> TableRow:
    doc = {"game": "kamiza-second", "seats": [None, {"player": "ann"}], "clock": 1.5}
    return TableRow(id, "ann", "open", True, doc, version, updated)


def match(id: str, table: str = "t", started: float = 200.0) -> MatchRow:
    players = ["ann", None, "ann"]
    return MatchRow(id, table, "kamiza-second", 3, HEADER, SEED, SALT, started, None, players, True)


def entry(match: str, n: int, key: str | None = None, seat: int | None = 0) -> EntryRow:
    return EntryRow(match, n, seat, key, "ann", f"place {n}", None, FACTS, 300.0 + n)


def set_up(match: str) -> EntryRow:
    return EntryRow(match, 0, None, None, None, None, None, FACTS, 300.0)


POOL = RatingPool("kamiza-second", "", 3, "people")


def rating(player: str, mu: float, sigma: float = 1.0, pool: RatingPool = POOL) -> RatingRow:
    return RatingRow(player, *pool, mu, sigma, 1, 5.0)


async def began(store: Store, *matches: str) -> None:
    """Add player ann, and matches at a table each; the first is at table t."""
    await store.add_player(player("ann"))
    for place, id in enumerate(matches):
        at = f"t{place or ''}"
        await store.add_table(table(at))
        playing = replace(table(at, 1), state="playing", match=id)
        await store.begin_match(match(id, at), set_up(id), playing)


async def appended(store: Store, row: EntryRow) -> None:
    """Add an entry, and wait until it is durable."""
    future, done = future_outcome()
    store.append(row, done)
    await future


async def both(*writes: Awaitable[object]) -> list[object]:
    """Return the outcomes of concurrent writes: results and errors."""
    return await asyncio.gather(*writes, return_exceptions=True)


class Conformance:
    """Tests that the test class of each store inherits."""

    def store(self, folder: Path) -> Store:
        """Return a store whose data are in this folder; the same data for the same folder."""
        raise NotImplementedError

    @asynccontextmanager
    async def opened(self, folder: Path) -> AsyncIterator[Store]:
        """Open a store on this folder until the end of the block."""
        store = self.store(folder)
        await store.open()
        try:
            yield store
        finally:
            await store.close()

    # Players -----------------------------------------------------------------------------------

    async def test_a_player_comes_back_as_it_was_added(self, tmp_path: Path) -> None:
        rows = [player("ann"), player("bob", "bob"), replace(player("cid"), kind="bot")]
        async with self.opened(tmp_path) as store:
            for row in rows:
                await store.add_player(row)
            assert await store.player("nobody") is None
        async with self.opened(tmp_path) as store:
            assert [await store.player(row.id) for row in rows] == rows
            assert await store.player_by_login("bob") == rows[1]
            assert await store.player_by_login("ann") is None

    async def test_a_write_that_changes_nothing_is_committed(self, tmp_path: Path) -> None:
        async with self.opened(tmp_path) as store:
            before = store.commits
            await store.check_writable()
            assert store.commits == before + 1

    async def test_players_have_names(self, tmp_path: Path) -> None:
        async with self.opened(tmp_path) as store:
            rows = [replace(player(id), name=f"{id} 蘭") for id in ("ann", "bob", "cid")]
            for row in rows:
                await store.add_player(row)
            assert await store.names({"cid", "nobody", "ann"}) == {"ann": "ann 蘭", "cid": "cid 蘭"}
            assert await store.names(set()) == {}
            found = await store.players({"cid", "nobody", "ann"})
            assert found == {"ann": rows[0], "cid": rows[2]}
            assert await store.players(set()) == {}

    async def test_a_login_belongs_to_one_player(self, tmp_path: Path) -> None:
        async with self.opened(tmp_path) as store:
            await store.add_player(player("ann", "ann"))
            with pytest.raises(Taken):
                await store.add_player(player("bob", "ann"))
            assert await store.player("bob") is None
            await store.add_player(player("bob"))
            with pytest.raises(Taken):
                await store.change_player(player("bob", "ann"))
            assert await store.player("bob") == player("bob")
            await store.change_player(replace(player("ann"), deleted=True, epoch=1))
            await store.change_player(player("bob", "ann"))
            assert await store.player_by_login("ann") == player("bob", "ann")

    async def test_a_player_is_not_changed_by_who_knew_another_one(self, tmp_path: Path) -> None:
        """Otherwise a rename could restore a session that was ended meanwhile."""
        async with self.opened(tmp_path) as store:
            ann = player("ann")
            await store.add_player(ann)
            await store.change_player(replace(ann, epoch=1), ann)
            with pytest.raises(Conflict):
                await store.change_player(replace(ann, name="Anne"), ann)
            assert await store.player("ann") == replace(ann, epoch=1)

    async def test_bots_belong_to_somebody(self, tmp_path: Path) -> None:
        def bot(id: str, owner: str, created: float) -> PlayerRow:
            return replace(player(id), kind="bot", owner=owner, created=created)

        async with self.opened(tmp_path) as store:
            for name in ("ann", "bob"):
                await store.add_player(player(name))
            for row in (bot("new", "ann", 2.0), bot("old", "ann", 1.0), bot("his", "bob", 3.0)):
                await store.add_player(row)
            with pytest.raises(Missing):
                await store.add_player(bot("stray", "nobody", 4.0))
        async with self.opened(tmp_path) as store:
            assert [row.id for row in await store.bots_of("ann")] == ["old", "new"]
            assert await store.bots_of("bob") == [bot("his", "bob", 3.0)]
            assert await store.bots_of("his") == []
            await store.change_player(replace(bot("old", "ann", 1.0), deleted=True))
            assert [row.id for row in await store.bots_of("ann")] == ["new"]

    async def test_of_many_who_want_a_login_at_once_one_gets_it(self, tmp_path: Path) -> None:
        async with self.opened(tmp_path) as store:
            names = [f"p{n}" for n in range(50)]
            found = await both(*(store.add_player(player(name, "ann")) for name in names))
            assert sum(one is None for one in found) == 1
            assert sum(isinstance(one, Taken) for one in found) == 49

    async def test_an_id_is_given_once(self, tmp_path: Path) -> None:
        async with self.opened(tmp_path) as store:
            await began(store, "m")
            with pytest.raises(Conflict):
                await store.add_player(replace(player("ann"), name="Another"))
            with pytest.raises(Conflict):
                await store.add_table(table("t"))
            assert await store.player("ann") == player("ann")
            with pytest.raises(Missing):
                await store.change_player(player("bob"))

    async def test_who_is_muted_is_known_to_the_one_who_did_it(self, tmp_path: Path) -> None:
        async with self.opened(tmp_path) as store:
            for name in ("ann", "bob", "cid"):
                await store.add_player(player(name))
            for other in ("bob", "cid", "bob"):
                await store.set_muted("ann", other, True)
            assert await store.muted("ann") == {"bob", "cid"}
            assert await store.muted("bob") == set()
            for _ in range(2):
                await store.set_muted("ann", "bob", False)
            assert await store.muted("ann") == {"cid"}
            with pytest.raises(Missing):
                await store.set_muted("ann", "nobody", True)

    async def test_browsers_to_call_are_bounded_and_have_one_player(self, tmp_path: Path) -> None:
        def browser(name: str, player: str, created: float) -> SubscriptionRow:
            return SubscriptionRow(f"https://push.example/{name}", player, "k", "a", "ja", created)

        async with self.opened(tmp_path) as store:
            for name in ("ann", "bob"):
                await store.add_player(player(name))
            for number, name in enumerate("abc"):
                await store.put_subscription(browser(name, "ann", number), 2)
            assert await store.subscriptions("ann") == [
                browser("b", "ann", 1),
                browser("c", "ann", 2),
            ]
            await store.put_subscription(browser("b", "bob", 5), 2)
            assert await store.subscriptions("ann") == [browser("c", "ann", 2)]
            await store.delete_subscriptions("ann", browser("b", "bob", 5).endpoint)
            assert await store.subscriptions("bob") == [browser("b", "bob", 5)]
            await store.delete_subscriptions("bob")
            await store.delete_subscriptions("ann", browser("c", "ann", 2).endpoint)
            assert await store.subscriptions("ann") + await store.subscriptions("bob") == []
            with pytest.raises(Missing):
                await store.put_subscription(browser("d", "nobody", 1), 2)

    async def test_of_the_reviews_of_a_match_the_one_with_most_playouts_stays(
        self, tmp_path: Path
    ) -> None:
        async with self.opened(tmp_path) as store:
            await began(store, "m", "t")
            assert await store.review("m", 1) is None
            rows = [ReviewRow("m", 1, playouts, playouts > 9, "{}") for playouts in (9, 8, 10)]
            for row in rows:
                await store.put_review(row)
            assert await store.review("m", 1) == rows[2]
            other = ReviewRow("m", 2, 1, False, "{}")
            await store.put_review(other)
            assert await store.review("m", 2) == other
            assert await store.review("m", 1) == rows[2]
            with pytest.raises(Missing):
                await store.put_review(ReviewRow("nothing", 1, 1, False, "{}"))

    async def test_of_many_who_send_a_digest_at_once_one_does(self, tmp_path: Path) -> None:
        def digest(player: str, due: float, confirmed: bool = True) -> DigestRow:
            address, zone = f"{player}@mail.example", "Asia/Tokyo"
            return DigestRow(player, "i", "mail", address, "ja", 8, zone, confirmed, 1.0, due)

        async with self.opened(tmp_path) as store:
            for name in ("ann", "bob", "cid"):
                await store.add_player(player(name))
            for row in (digest("ann", 20), digest("bob", 10), digest("cid", 5, confirmed=False)):
                await store.put_digest(row)
            assert await store.due_digests(9) == []
            assert await store.due_digests(20) == [digest("bob", 10), digest("ann", 20)]
            assert await store.due_digests(20, 1) == [digest("bob", 10)]
            later = [replace(digest("bob", 30 + n), sent=15.0) for n in range(20)]
            found = await both(*(store.change_digest(digest("bob", 10), row) for row in later))
            assert (found.count(True), found.count(False)) == (1, 19)
            assert await store.digest("bob") == later[found.index(True)]
            other = replace(digest("ann", 20), id="j")
            assert not await store.change_digest(other, other), "another address meanwhile"
            assert not await store.change_digest(replace(other, player="nobody"), other)
            await store.delete_digest("ann", "j")
            assert await store.digest("ann") == digest("ann", 20)
            await store.delete_digest("ann", "i")
            assert await store.delete_unconfirmed_digests(1.0) == 0
            assert await store.delete_unconfirmed_digests(2.0) == 1
            await store.delete_digest("bob")
            for name in ("ann", "bob", "cid"):
                assert await store.digest(name) is None
            with pytest.raises(Missing):
                await store.put_digest(digest("nobody", 1))

    # Tables ------------------------------------------------------------------------------------

    async def test_a_table_changes_version_by_version(self, tmp_path: Path) -> None:
        async with self.opened(tmp_path) as store:
            await store.add_player(player("ann"))
            await store.add_table(table("t"))
            assert await store.table("t") == table("t")
            assert await store.table("nowhere") is None
            changed = replace(table("t", 1, 101.0), doc={"title": "“quoted”\n"}, public=False)
            await store.change_table(changed)
            for version in (0, 1, 3):
                with pytest.raises(Conflict):
                    await store.change_table(table("t", version))
            with pytest.raises(Conflict):
                await store.change_table(table("nowhere", 1))
            assert await store.table("t") == changed

    async def test_of_many_who_change_a_table_at_once_one_does(self, tmp_path: Path) -> None:
        async with self.opened(tmp_path) as store:
            await store.add_player(player("ann"))
            await store.add_table(table("t"))
            rows = [replace(table("t", 1), doc={"by": n}) for n in range(50)]
            found = await both(*map(store.change_table, rows))
            assert sum(isinstance(one, Conflict) for one in found) == 49
            assert await store.table("t") == rows[found.index(None)]

    async def test_a_row_is_kept_as_it_was_when_the_call_was_made(self, tmp_path: Path) -> None:
        async with self.opened(tmp_path) as store:
            await store.add_player(player("ann"))
            row = table("t")
            adding = asyncio.create_task(store.add_table(row))
            await asyncio.sleep(0)
            row.doc["late"] = True
            await adding
            assert await store.table("t") == table("t")

    async def test_tables_are_found_by_state_the_newest_first(self, tmp_path: Path) -> None:
        async def ids(store: Store, state: set[str], public: bool | None, limit: int) -> list[str]:
            return [row.id for row in await store.tables(state, public, limit)]

        async with self.opened(tmp_path) as store:
            await store.add_player(player("ann"))
            await store.add_table(table("a", updated=1))
            await store.add_table(table("b", updated=3))
            await store.add_table(replace(table("c", updated=2), public=False))
            await store.add_table(replace(table("d", updated=4), state="over"))
            assert await ids(store, {"open", "over"}, None, 9) == ["d", "b", "c", "a"]
            assert await ids(store, {"open", "over"}, None, 2) == ["d", "b"]
            assert await ids(store, {"open"}, True, 9) == ["b", "a"]
            assert await ids(store, {"open"}, False, 9) == ["c"]
            assert await ids(store, {"playing"}, None, 9) == []
            assert await ids(store, set(), None, 9) == []

    async def test_tables_where_nothing_happens_are_closed(self, tmp_path: Path) -> None:
        async with self.opened(tmp_path) as store:
            await store.add_player(player("ann"))
            await store.add_table(table("old", 4, updated=1))
            await store.add_table(table("new", updated=3))
            await store.add_table(replace(table("over", updated=1), state="over"))
            assert await store.close_idle(2) == 1
            assert await store.close_idle(2) == 0
            assert await store.table("old") == replace(table("old", 5, 1), state="closed")
            assert [row.id for row in await store.tables({"open", "over"})] == ["new", "over"]

    async def test_chat_is_in_order_and_no_number_is_used_twice(self, tmp_path: Path) -> None:
        rows = [ChatRow("t", n, "ann", n or None, "text 🂡", 5.0) for n in range(3)]
        async with self.opened(tmp_path) as store:
            await began(store, "m", "other")
            for row in (rows[1], rows[0], rows[2]):
                await store.add_chat(row)
            with pytest.raises(Conflict):
                await store.add_chat(replace(rows[1], text="late"))
            await store.add_chat(replace(rows[1], table="t1"))
            assert await store.chat("t") == rows
            assert await store.chat("t", 0) == rows[1:]
            assert await store.chat("t", limit=2) == rows[1:]
            assert await store.chat("t", 1, 2) == rows[2:]
            assert await store.chat_message("t", 1) == rows[1]
            assert await store.chat_message("t", 3) is None
            with pytest.raises(Missing):
                await store.add_chat(replace(rows[1], table="nowhere"))

    # Matches -----------------------------------------------------------------------------------

    async def test_a_match_begins_with_its_first_entry_and_its_table(self, tmp_path: Path) -> None:
        async with self.opened(tmp_path) as store:
            await began(store, "m")
        async with self.opened(tmp_path) as store:
            assert await store.match("m") == match("m")
            assert await store.match("n") is None
            assert await store.entries("m") == [set_up("m")]
            at = await store.table("t")
            assert at is not None
            assert (at.state, at.version, at.match) == ("playing", 1, "m")
            assert await store.unfinished() == [match("m")]

    async def test_a_match_that_cannot_begin_leaves_nothing(self, tmp_path: Path) -> None:
        async with self.opened(tmp_path) as store:
            await began(store, "m")
            late = replace(table("t", 1), match="n")
            with pytest.raises(Conflict):
                await store.begin_match(match("n"), set_up("n"), late)
            with pytest.raises(Conflict):
                await store.begin_match(match("m"), set_up("m"), table("t", 2))
            with pytest.raises(ValueError, match="begins with entry 0"):
                await store.begin_match(match("n"), entry("n", 1), table("t", 2))
            stranger = replace(match("n"), players=["nobody"])
            with pytest.raises(Missing):
                await store.begin_match(stranger, set_up("n"), table("t", 2))
            with pytest.raises(ValueError, match="entry and table of this match"):
                await store.begin_match(match("n"), set_up("m"), table("t", 2))
            assert await store.match("n") is None
            assert await store.entries("n") == []
            assert await store.matches_of("ann") == [match("m")]
            at = await store.table("t")
            assert at is not None
            assert at.version == 1

    async def test_entries_come_back_in_order(self, tmp_path: Path) -> None:
        said = replace(entry("m", 2, "k2", seat=1), says="Hm… 😶")
        rows = [set_up("m"), entry("m", 1, "k1"), said, entry("m", 3, None, None)]
        async with self.opened(tmp_path) as store:
            await began(store, "m", "other")
            for row in rows[1:]:
                await appended(store, row)
        async with self.opened(tmp_path) as store:
            assert await store.entries("m") == rows
            assert await store.entries("m", 1) == rows[2:]
            assert await store.entries("m", 3) == []
            assert await store.entries("other") == [set_up("other")]

    async def test_a_place_in_a_journal_is_taken_once(self, tmp_path: Path) -> None:
        async with self.opened(tmp_path) as store:
            await began(store, "m", "other")
            first = entry("m", 1, "k")
            await appended(store, first)
            for n, key in ((0, "k"), (1, "k"), (1, "another")):
                with pytest.raises(Conflict):
                    await appended(store, replace(entry("m", n, key), action="another", at=999.0))
            await appended(store, entry("other", 1, "k"))
            assert await store.entries("m") == [set_up("m"), first]
            assert await store.entries("other", 0) == [entry("other", 1, "k")]

    async def test_of_200_appends_in_one_place_exactly_one_wins(self, tmp_path: Path) -> None:
        async with self.opened(tmp_path) as store:
            await began(store, "m")
            rows = [replace(entry("m", 1, f"k{n}"), at=float(n)) for n in range(200)]
            found = await both(*(appended(store, row) for row in rows))
            assert found.count(None) == 1
            assert sum(isinstance(one, Conflict) for one in found) == 199
            assert await store.entries("m") == [set_up("m"), rows[found.index(None)]]

    async def test_of_an_append_and_a_finish_in_one_place_one_wins(self, tmp_path: Path) -> None:
        names = [f"m{n}" for n in range(8)]
        async with self.opened(tmp_path) as store:
            await began(store, *names)
            for place, id in enumerate(names):
                at = f"t{place or ''}"
                over, last = replace(match(id, at), ended=400.0), entry(id, 1, "last")
                row = replace(table(at, 2), state="over", match=id)
                writes = [appended(store, entry(id, 1, "k")), store.finish(last, over, [], row)]
                if place % 2:
                    writes.reverse()
                found = await both(*writes)
                assert sorted(type(one).__name__ for one in found) == ["Conflict", "NoneType"]
                (_, kept) = await store.entries(id)
                stored = await store.match(id)
                assert stored is not None
                assert (kept.key == "last") is (stored.ended is not None)

    async def test_players_who_try_until_they_get_through_all_do(self, tmp_path: Path) -> None:
        async def play(store: Store, seat: int) -> None:
            """Send each action twice, as after a lost answer. Look for its key first."""
            for number in [*range(5), *range(5)]:
                while True:
                    rows = await store.entries("m")
                    if any((row.seat, row.key) == (seat, f"k{number}") for row in rows):
                        break
                    with suppress(Conflict):
                        await appended(store, entry("m", len(rows), f"k{number}", seat))

        async with self.opened(tmp_path) as store:
            await began(store, "m")
            await asyncio.gather(*(play(store, seat) for seat in range(6)))
            rows = await store.entries("m")
            assert [row.n for row in rows] == list(range(31))
            assert len({(row.seat, row.key) for row in rows[1:]}) == 30

    async def test_a_match_finishes_with_ratings_and_table(self, tmp_path: Path) -> None:
        over = replace(match("m"), ended=400.0, ranks=[1, 2, 1], scores=[3.0, 0.5, -1.0])
        row = replace(table("t", 2), state="over")
        last = entry("m", 1, "k")
        async with self.opened(tmp_path) as store:
            await began(store, "m")
            await store.finish(last, over, [rating("ann", 26.0)], row)
            with pytest.raises(Conflict):
                await store.finish(entry("m", 1, "k"), over, [rating("ann", 99.0)], row)
        async with self.opened(tmp_path) as store:
            assert await store.match("m") == over
            assert await store.entries("m", 0) == [last]
            assert await store.table("t") == row
            assert await store.rating("ann", POOL) == rating("ann", 26.0)
            assert await store.unfinished() == []
            with pytest.raises(Conflict):
                await appended(store, entry("m", 1))
            with pytest.raises(Conflict):
                await store.finish(entry("m", 2), over, [], table("t", 3))
            assert await store.entries("m", 0) == [last]

    async def test_a_match_that_cannot_finish_goes_on(self, tmp_path: Path) -> None:
        async with self.opened(tmp_path) as store:
            await began(store, "m")
            over = replace(match("m"), ended=400.0)
            good = [rating("ann", 26.0)]
            with pytest.raises(Conflict):
                await store.finish(entry("m", 1), over, good, table("t", 1))
            with pytest.raises(Conflict):
                await store.finish(entry("m", 0), over, good, table("t", 2))
            bad = [*good, rating("nobody", 1.0)]
            with pytest.raises(Missing):
                await store.finish(entry("m", 1), over, bad, table("t", 2))
            with pytest.raises(ValueError, match="has an end"):
                await store.finish(entry("m", 1), match("m"), good, table("t", 2))
            assert await store.unfinished() == [match("m")]
            assert await store.entries("m") == [set_up("m")]
            assert await store.ratings("ann") == []

    async def test_ratings_follow_from_those_that_are_there(self, tmp_path: Path) -> None:
        async with self.opened(tmp_path) as store:
            await began(store, "m", "n", "o")
            await store.add_player(player("bob"))
            over = replace(match("m"), ended=400.0)
            once, twice = rating("ann", 26.0), replace(rating("ann", 27.0), matches=2)
            with pytest.raises(Overtaken):  # there is no first one
                await store.finish(entry("m", 1), over, [rating("bob", 1.0), twice], table("t", 2))
            assert await store.unfinished() == [match("m"), match("n", "t1"), match("o", "t2")]
            assert await store.ratings("bob") == []
            assert len(await store.entries("m")) == 1
            await store.finish(entry("m", 1), over, [once], table("t", 2))
            later = replace(match("n", "t1"), ended=500.0)
            for late in (once, replace(once, matches=3)):
                with pytest.raises(Overtaken):
                    await store.finish(entry("n", 1), later, [late], table("t1", 2))
            assert await store.rating("ann", POOL) == once
            await store.finish(entry("n", 1), later, [twice], table("t1", 2))
            assert await store.rating("ann", POOL) == twice

    async def test_of_many_matches_that_end_at_once_each_rating_counts(
        self, tmp_path: Path
    ) -> None:
        names = [f"m{n}" for n in range(10)]

        async def finish(store: Store, place: int, id: str) -> None:
            at = f"t{place or ''}"
            over = replace(match(id, at), ended=400.0)
            while True:
                row = await store.rating("ann", POOL) or rating("ann", 0.0)
                known = 0 if row.mu == 0.0 else row.matches
                new = replace(row, mu=row.mu + 1, matches=known + 1)
                try:
                    await store.finish(entry(id, 1), over, [new], table(at, 2))
                except Overtaken:
                    continue
                return

        async with self.opened(tmp_path) as store:
            await began(store, *names)
            await asyncio.gather(*(finish(store, n, id) for n, id in enumerate(names)))
            last = await store.rating("ann", POOL)
            assert last is not None
            assert (last.mu, last.matches) == (10.0, 10)

    async def test_a_player_finds_the_matches_the_newest_first(self, tmp_path: Path) -> None:
        async def ids(store: Store, *asked: object) -> list[str]:
            return [row.id for row in await store.matches_of(*asked)]  # type: ignore[arg-type]

        async with self.opened(tmp_path) as store:
            await store.add_player(player("ann"))
            await store.add_player(player("bob"))
            await store.add_table(table("t"))
            version = count(1)
            for id, started in (("b", 2.0), ("c", 3.0), ("a", 1.0)):
                row = match(id, started=started)
                await store.begin_match(row, set_up(id), table("t", next(version)))
            row = replace(match("d", started=4.0), players=[None, "bob", None])
            await store.begin_match(row, set_up("d"), table("t", next(version)))
            assert await ids(store, "ann") == ["c", "b", "a"]
            assert await ids(store, "ann", 2) == ["c", "b"]
            assert await ids(store, "ann", 9, 3.0) == ["b", "a"]
            assert await ids(store, "bob") == ["d"]
            assert await ids(store, "nobody") == []
            assert [one.id for one in await store.unfinished()] == ["a", "b", "c", "d"]

    async def test_a_players_matches_are_found_by_kind_among_the_newest(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async with self.opened(tmp_path) as store:
            bots = ("bot:strong", "bot:str%ng", "bot:master")
            for name in ("ann", "bob", *bots):
                await store.add_player(player(name))
            await store.add_table(table("t"))
            kinds: list[dict[str, object]] = [
                {"players": ["ann", "bot:strong", "bot:strong"]},
                {"players": ["bob", "ann", None]},
                {"game": "red-town", "players": ["ann", "bot:str%ng", "bot:master"]},
                {"seats": 2, "players": ["ann", "bot:strong"]},
            ]
            for n, kind in enumerate(kinds, 1):
                row = replace(match(f"m{n}", started=float(n)), **kind)
                await store.begin_match(row, set_up(row.id), table("t", n))

            async def found(**asked: object) -> str:
                rows = await store.matches_of("ann", 9, **asked)  # type: ignore[arg-type]
                return " ".join(row.id for row in rows)

            assert await found(game="red-town") == "m3"
            assert await found(game="kamiza-second") == "m4 m2 m1"
            assert await found(game="kamiza-second", seats=3) == "m2 m1"
            assert await found(rival="bot:strong") == "m4 m1"
            assert await found(rival="bot:strong", before=4.0) == "m1"
            assert await found(rival="bob") == "m2"
            assert await found(rival="bot:str%ng") == "m3", "it is not a pattern"
            assert await found(rival="bot:str_ng") == ""
            assert await found(rival="nobody") == ""
            assert await found(rivals="people") == "m2"
            assert await found(rivals="bots") == "m4 m3 m1"
            assert await found(rivals="bots", rival="bot:strong", seats=2) == "m4"
            monkeypatch.setattr(queries, "MAX_SEARCHED_MATCHES", 2)
            assert await found(rival="bot:strong") == "m4", "older ones are not looked at"
            assert await found() == "m4 m3 m2 m1"

    async def test_how_ratings_changed_comes_back(self, tmp_path: Path) -> None:
        async with self.opened(tmp_path) as store:
            await began(store, "m")
            changes: list[list[float] | None] = [[25.0, 8.3, 27.5, 7.9], None, None]
            row = replace(
                match("m"), ended=9.0, ranks=[1, 2, 3], scores=[3.0, 2.0, 1.0],
                rating_changes=changes,
            )  # fmt: skip
            await store.finish(entry("m", 1), row, [], table("t", 2))
            assert await store.match("m") == row

    # Ratings, card sets, reports ---------------------------------------------------------------

    async def test_the_leaderboard_ranks_by_what_is_certain(self, tmp_path: Path) -> None:
        async with self.opened(tmp_path) as store:
            await began(store, "m")
            listed = replace(player("ann"), kind="account", created=100.0)
            await store.change_player(listed)
            for name in ("bob", "cid", "dan"):
                await store.add_player(replace(listed, id=name))
            young, guest = replace(listed, id="eve", created=101.0), replace(listed, kind="guest")
            await store.add_player(young)
            await store.add_player(replace(guest, id="fay"))
            rows = [rating("ann", 30, 5), rating("bob", 20, 1), rating("cid", 20, 0.5)]
            others = [rating("dan", 50), rating("eve", 50), rating("fay", 50)]
            pools = [
                POOL._replace(**one) for one in ({"seats": 4}, {"form": "x"}, {"rivals": "bots"})
            ]
            others += [rating("ann", 99, pool=pool) for pool in pools]
            over = replace(match("m"), ended=400.0)
            await store.finish(entry("m", 1), over, [*rows, *others], table("t", 2))
            await store.change_player(replace(listed, id="dan", deleted=True))
            assert await store.leaderboard(POOL, 100.0, 1) == rows[::-1]
            assert await store.leaderboard(POOL, 100.0, 1, 1) == rows[2:]
            assert await store.leaderboard(POOL, 99.0, 1) == []
            assert await store.leaderboard(POOL, 100.0, 2) == []
            for pool in pools:
                (found,) = await store.leaderboard(pool, 100.0, 1)
                assert found.pool == pool
            everywhere = await store.listed_ratings(100.0, 1)
            assert sorted(row.player for row in everywhere) == ["ann"] * 4 + ["bob", "cid"]
            assert len(await store.listed_ratings(100.0, 1, 2)) == 2
            assert await store.listed_ratings(99.0, 1) == await store.listed_ratings(100.0, 2) == []
            assert len(await store.ratings("ann")) == 4
            assert await store.rating("ann", POOL._replace(seats=5)) is None
            assert await store.earlier_rating("ann", "kamiza-second", 3) is None

    async def test_a_pair_finds_its_rated_matches_the_oldest_first(self, tmp_path: Path) -> None:
        async with self.opened(tmp_path) as store:
            for name in ("ann", "bob", "cid"):
                await store.add_player(player(name))
            await store.add_table(table("t"))
            version = count(1)

            async def begin(id: str, started: float, *players: str, rated: bool = True) -> None:
                row = replace(match(id, started=started), players=[*players], rated=rated)
                await store.begin_match(row, set_up(id), table("t", next(version)))

            await begin("c", 3.0, "bob", "cid", "ann")
            await begin("b", 2.0, "ann", "bob", "ann")
            await begin("d", 4.0, "ann", "bob", "ann", rated=False)
            await begin("e", 5.0, "ann", "cid", "ann")
            await begin("a", 1.0, "ann", "bob", "ann")

            async def ids(after: float, limit: int = 9) -> list[str]:
                found = await store.rated_matches_of_pair("bob", "ann", after, limit)
                return [row.id for row in found]

            assert await ids(0.0) == ["a", "b", "c"]
            assert await ids(1.0) == ["b", "c"]
            assert await ids(0.0, 2) == ["a", "b"]

    async def test_addresses_are_kept_until_the_table_has_ended(self, tmp_path: Path) -> None:
        async with self.opened(tmp_path) as store:
            await began(store, "m", "n")
            rows = [AddressRow("t", "ann", "one"), AddressRow("t", "ann", "two")]
            await store.add_addresses([*rows, rows[0]])
            await store.add_addresses([rows[0], AddressRow("t1", "ann", "one")])
            await store.close_idle(0.0)
            assert await store.addresses("t") == rows
            over = replace(match("m"), ended=400.0)
            await store.finish(entry("m", 1), over, [], replace(table("t", 2), state="over"))
            await store.close_idle(0.0)
            assert await store.addresses("t") == []
            assert len(await store.addresses("t1")) == 1, "that match continues"

    async def test_card_sets_are_seen_by_their_owner_and_if_shared_by_all(
        self, tmp_path: Path
    ) -> None:
        async def ids(store: Store, owner: str, limit: int = 9) -> list[str]:
            return [row.id for row in await store.card_sets(owner, limit)]

        async with self.opened(tmp_path) as store:
            await store.add_player(player("ann"))
            await store.add_player(player("bob"))
            one = CardSetRow("1", "ann", "One", {"cards": [{"name": "鬼"}]}, False, 1.0)
            two = replace(one, id="2", created=2.0)
            three = replace(one, id="3", owner="bob", shared=True, created=3.0)
            for row in (one, two, three):
                await store.add_card_set(row)
            assert await store.card_set("1") == one
            assert await ids(store, "ann") == ["2", "1", "3"]
            assert await ids(store, "ann", 2) == ["2", "1"]
            assert await ids(store, "bob") == ["3"]
            await store.change_card_set(replace(one, shared=True))
            assert await ids(store, "bob") == ["3", "1"]
            await store.delete_card_set("1")
            await store.delete_card_set("1")
            assert await store.card_set("1") is None
            with pytest.raises(Missing):
                await store.change_card_set(one)
            with pytest.raises(Conflict):
                await store.add_card_set(two)
            with pytest.raises(Missing):
                await store.add_card_set(replace(one, owner="nobody"))

    async def test_reports_are_read_the_newest_first(self, tmp_path: Path) -> None:
        async with self.opened(tmp_path) as store:
            await began(store, "m")
            rows = [
                ReportRow("1", "ann", "t", "ann", "rude", 1.0),
                ReportRow("2", "ann", None, None, "broken", 2.0),
            ]
            for row in rows:
                await store.add_report(row)
            assert await store.reports() == rows[::-1]
            assert await store.reports(1) == rows[1:]
            assert await store.reports(before=2.0) == rows[:1]
            assert await store.report("1") == rows[0]
            assert await store.report("3") is None
            assert await store.reports_about("ann") == rows[:1]
            done = replace(rows[0], done=3.0)
            await store.change_report(done)
            assert await store.reports(done=True) == [done]
            assert await store.reports(done=False) == rows[1:]
            with pytest.raises(Missing):
                await store.change_report(replace(done, id="3"))

    async def test_acts_of_operators_are_kept(self, tmp_path: Path) -> None:
        async with self.opened(tmp_path) as store:
            await began(store, "m")
            await store.add_report(ReportRow("1", "ann", "t", "ann", "rude", 1.0))
            rows = [
                ActRow("a", 1.0, "key", "mute", "ann", None, "1", 9.0, "rude"),
                ActRow("b", 2.0, "ann", "close", None, "t", None, None, "spam"),
            ]
            for row in rows:
                await store.add_act(row)
            assert await store.acts() == rows[::-1]
            assert await store.acts("ann") == rows[:1]
            assert await store.acts_on("1") == rows[:1]
            with pytest.raises(Conflict):
                await store.add_act(rows[0])
            with pytest.raises(Missing):
                await store.add_act(replace(rows[0], id="c", player="nobody"))

    async def test_addresses_are_found_and_forgotten(self, tmp_path: Path) -> None:
        async with self.opened(tmp_path) as store:
            for name, address, at in (("a", "x", 1.0), ("b", "x", 5.0), ("c", "y", 5.0)):
                row = replace(player(name), address=address, address_at=at)
                await store.add_player(row)
            assert [row.id for row in await store.players_at("x")] == ["a", "b"]
            assert await store.forget_addresses(5.0) == 1
            assert [row.id for row in await store.players_at("x")] == ["b"]
            assert (await store.player("a")).address_at is None  # type: ignore[union-attr]
            await store.set_address_ban(AddressBanRow("x", 10.0, "b"))
            await store.set_address_ban(AddressBanRow("y", 30.0, "c"))
            longer = AddressBanRow("x", 20.0, "b")
            await store.set_address_ban(longer)
            assert (await store.address_bans())[0] == longer
            await store.delete_address_bans(25.0, "c")
            assert len(await store.address_bans()) == 2
            await store.delete_address_bans(25.0)
            await store.delete_address_bans(99.0, "c")
            assert await store.address_bans() == []

    async def test_lines_around_one_are_read(self, tmp_path: Path) -> None:
        async with self.opened(tmp_path) as store:
            await began(store, "m")
            rows = [ChatRow("t", n, "ann", None, "…", 1.0) for n in range(6)]
            for row in rows:
                await store.add_chat(row)
            assert await store.chat_between("t", 2, 4) == rows[2:5]
            assert await store.chat_between("u", 0, 9) == []

    # Altogether --------------------------------------------------------------------------------

    async def test_a_write_that_fails_does_not_harm_those_beside_it(self, tmp_path: Path) -> None:
        async with self.opened(tmp_path) as store:
            await began(store, "m", "n")
            over = replace(match("m"), ended=400.0)
            found = await both(
                appended(store, entry("n", 1)),
                store.finish(entry("m", 1), over, [rating("ann", 1.0)], table("t", 9)),
                store.add_player(player("bob")),
                store.add_player(player("ann")),
                appended(store, entry("m", 1, "k")),
            )
            assert [isinstance(one, Exception) for one in found] == [0, 1, 0, 1, 0]
            assert [row.key for row in await store.entries("m")] == [None, "k"]
            assert len(await store.entries("n")) == 2
            assert await store.ratings("ann") == []
            assert await store.player("bob") == player("bob")

    async def test_a_read_sees_every_write_that_was_acknowledged(self, tmp_path: Path) -> None:
        async def play(store: Store, id: str) -> None:
            for n in range(1, 40):
                await appended(store, entry(id, n))
                assert (await store.entries(id))[-1].n == n

        async with self.opened(tmp_path) as store:
            await began(store, "a", "b", "c", "d")
            await asyncio.gather(*(play(store, id) for id in "abcd"))

    async def test_what_was_begun_is_done_though_its_caller_is_cancelled(
        self, tmp_path: Path
    ) -> None:
        async with self.opened(tmp_path) as store:
            adding = asyncio.create_task(store.add_player(player("ann")))
            await asyncio.sleep(0)
            adding.cancel()
            with pytest.raises(asyncio.CancelledError):
                await adding
            await store.add_player(player("bob"))
            assert await store.player("ann") == player("ann")

    async def test_closing_finishes_what_waits(self, tmp_path: Path) -> None:
        async with self.opened(tmp_path) as store:
            await began(store, "m")
            waiting = [asyncio.create_task(appended(store, entry("m", n))) for n in range(1, 100)]
            looking = asyncio.create_task(store.entries("m"))
            await asyncio.sleep(0)
            await asyncio.gather(store.close(), store.close())
            assert all(task.done() and task.exception() is None for task in waiting)
            assert looking.done()
            await store.close()
            with pytest.raises(Closed):
                await appended(store, entry("m", 100))
            with pytest.raises(Closed):
                await store.entries("m")
        async with self.opened(tmp_path) as store:
            assert len(await store.entries("m")) == 100
