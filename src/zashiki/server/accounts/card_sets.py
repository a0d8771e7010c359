"""Content that players wrote for their tables: card sets, and whatever else an option takes.

It is checked by the game before it is kept, and all of it is copied to the table that plays with
it: who changes their mind later changes no match. Nothing here is ever read as a path.
"""

import asyncio
from collections.abc import Mapping
from typing import Any, Final
from weakref import WeakValueDictionary

from msgspec.structs import replace

from zashiki.core.messages import Faulty
from zashiki.core.offer import Content, Option
from zashiki.core.rulings import Malformed, quoted
from zashiki.games import offer_of
from zashiki.server.errors import ApiError
from zashiki.server.ops.rate_limits import RateLimits
from zashiki.server.protocol import rest
from zashiki.server.store.errors import Missing
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import CardSetRow
from zashiki.server.system import System

MOST_OWN: Final = 50
SAVED: Final = "saved"
"""A table's option may be `{"saved": id}` in place of the content itself."""


class CardSets:
    """Keeps what was checked, and finds it for those who may see it."""

    def __init__(self, store: Store, system: System, limits: RateLimits) -> None:
        self._store = store
        self._source = system
        self._limits = limits
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def check(
        self, written: rest.CardSetContent, address: str
    ) -> tuple[Option, dict[str, Any]]:
        """As `checked`, but not too often, and beside the loop: a long text takes a while."""
        self._limits.take(contents=address)
        return await asyncio.to_thread(checked, written)

    async def save(
        self, owner: str, written: rest.CardSetContent, address: str, language: str = "en"
    ) -> CardSetRow:
        try:
            option, value = await self.check(written, address)
        except Faulty as fault:
            raise refused(fault, language) from None
        content = {"game": written.game, "option": written.option, "value": value}
        name = str(option.name_of(value))
        row = CardSetRow(self._source.id(), owner, name, content, False, self._source.now())
        async with self._locks.setdefault(owner, asyncio.Lock()):
            known = await self._store.card_sets(owner, MOST_OWN)
            if sum(one.owner == owner for one in known) >= MOST_OWN:
                text = f"at most {MOST_OWN} card sets are kept for a player: delete one first"
                raise ApiError(409, "too-many-card-sets", text)
            await self._store.add_card_set(row)
        return row

    async def find(self, player: str, id: str) -> CardSetRow:
        """One's own, or one that is shared; there is no other."""
        row = await self._store.card_set(id)
        if row is None or not (row.shared or row.owner == player):
            raise ApiError(404, "no-card-set", "there is no such card set, or it is not shared")
        return row

    async def find_own(self, player: str, id: str) -> CardSetRow:
        row = await self.find(player, id)
        if row.owner != player:
            raise ApiError(403, "not-yours", "only who saved this card set may do that")
        return row

    async def share(self, player: str, id: str, shared: bool) -> CardSetRow:
        row = replace(await self.find_own(player, id), shared=shared)
        try:
            await self._store.change_card_set(row)
        except Missing:
            raise ApiError(404, "no-card-set", "this card set has just been deleted") from None
        return row

    async def delete(self, player: str, id: str) -> None:
        await self._store.delete_card_set((await self.find_own(player, id)).id)

    async def forget(self, player: str) -> None:
        """What nobody else may see goes with its owner."""
        for row in await self._store.card_sets(player, MOST_OWN):
            if row.owner == player and not row.shared:
                await self._store.delete_card_set(row.id)

    async def settle(self, player: str, wanted: rest.NewTable, address: str) -> rest.NewTable:
        """The table that somebody wants, with all content where it is written, or was saved."""
        options: dict[str, Any] = {}
        for name, value in wanted.options.items():
            if is_text(wanted.game, name, value):
                written = rest.CardSetContent(wanted.game, name, value)
                options[name] = await self._checked(written, address)
            else:
                options[name] = await self._content(player, wanted.game, name, value)
        return replace(wanted, options=options)

    async def _checked(self, written: rest.CardSetContent, address: str) -> dict[str, Any]:
        try:
            return (await self.check(written, address))[1]
        except Faulty as fault:
            raise ApiError(422, "malformed", str(fault)) from None

    async def _content(self, player: str, game: str, option: str, value: object) -> object:
        if not isinstance(value, Mapping) or value.keys() != {SAVED}:
            return value
        id = value[SAVED]
        if not isinstance(id, str):
            raise ApiError(422, "malformed", f"option {quoted(option)}: {SAVED}: an id is expected")
        kept = (await self.find(player, id)).content
        if (kept["game"], kept["option"]) != (game, option):
            text = f"option {quoted(option)}: what was saved is for {kept['option']} of "
            raise ApiError(422, "malformed", f"{text}{kept['game']}")
        return kept["value"]


def checked(written: rest.CardSetContent) -> tuple[Option, dict[str, Any]]:
    """The option that something was written for, and its settled value; else `Faulty`, or a
    problem where there is no such option."""
    try:
        option = option_of(written.game, written.option)
        return option, content_of(option).settle(written.content)
    except Faulty:
        raise
    except Malformed as fault:
        raise ApiError(422, "malformed", str(fault)) from None


def is_text(game: str, option: str, value: object) -> bool:
    """Is this content, written out? A name of what comes with the game has one line."""
    if not isinstance(value, str) or "\n" not in value:
        return False
    try:
        return option_of(game, option).content is not None
    except Malformed:
        return False


def fault_in(fault: Faulty, language: str) -> rest.ContentFault:
    return rest.ContentFault(fault.message.words(language), fault.path, fault.line)


def refused(fault: Faulty, language: str) -> ApiError:
    told = fault_in(fault, language)
    return ApiError(422, "malformed", told.text, {"path": told.path, "line": told.line})


def remarks_on(row: CardSetRow, language: str) -> list[str]:
    option = option_of(row.content["game"], row.content["option"])
    return content_of(option).remarks(row.content["value"], language)


def option_of(game: str, name: str) -> Option:
    offer = offer_of(game)
    takers = [option.name for option in offer.options.values() if option.content is not None]
    if name not in takers:
        expected = f"one of {', '.join(takers)}" if takers else "none with content"
        raise Malformed(f"option {quoted(name)} of {game}: {expected} is expected")
    return offer.options[name]


def content_of(option: Option) -> Content:
    assert option.content is not None, "option_of has seen to it"
    return option.content
