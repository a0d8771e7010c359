"""Card sets and other content that players write for an option of a game.

The game checks content before it is stored. A table gets a copy, so that later changes of a card
set affect no match. Nothing here is ever read as a path.
"""

import asyncio
from collections.abc import Mapping
from typing import Any, Final
from weakref import WeakValueDictionary

from msgspec.structs import replace

from zashiki.core.messages import Faulty
from zashiki.core.rulings import Malformed, quoted
from zashiki.core.spec import Content, Option
from zashiki.games import game_spec
from zashiki.server.errors import ApiError
from zashiki.server.ops.rate_limits import RateLimits
from zashiki.server.protocol import rest
from zashiki.server.store.errors import Missing
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import CardSetRow
from zashiki.server.system import System

MAX_OWN: Final = 50
SAVED: Final = "saved"
"""An option of a table may be `{"saved": id}` in place of the content itself."""


class CardSets:
    """Stores checked content, and finds it for players who may see it."""

    def __init__(self, store: Store, system: System, limits: RateLimits) -> None:
        self._store = store
        self._system = system
        self._limits = limits
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def check(
        self, written: rest.CardSetContent, address: str
    ) -> tuple[Option, dict[str, Any]]:
        """Call `check_content` in a thread, since long texts are slow, within a rate limit."""
        self._limits.take(contents=address)
        return await asyncio.to_thread(check_content, written)

    async def save(
        self, owner: str, written: rest.CardSetContent, address: str, language: str = "en"
    ) -> CardSetRow:
        """Check content and store it for its owner. Refuse content that has a fault."""
        try:
            option, value = await self.check(written, address)
        except Faulty as fault:
            raise refusal_of(fault, language) from None
        content = {"game": written.game, "option": written.option, "value": value}
        name = str(option.name_of(value))
        row = CardSetRow(self._system.id(), owner, name, content, False, self._system.now())
        async with self._locks.setdefault(owner, asyncio.Lock()):
            visible = await self._store.card_sets(owner, MAX_OWN)
            if sum(one.owner == owner for one in visible) >= MAX_OWN:
                text = f"you have {MAX_OWN} card sets, the most that are stored: delete one first"
                raise ApiError(409, "too-many-card-sets", text)
            await self._store.add_card_set(row)
        return row

    async def find(self, player: str, id: str) -> CardSetRow:
        """Return a card set that the player owns or that is shared."""
        row = await self._store.card_set(id)
        if row is None or not (row.shared or row.owner == player):
            raise ApiError(404, "no-card-set", "there is no such card set, or it is not shared")
        return row

    async def find_own(self, player: str, id: str) -> CardSetRow:
        row = await self.find(player, id)
        if row.owner != player:
            raise ApiError(403, "not-yours", "only the owner of this card set may do that")
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

    async def delete_unshared(self, player: str) -> None:
        """Delete the card sets of a deleted player that nobody else may see."""
        for row in await self._store.card_sets(player, MAX_OWN):
            if row.owner == player and not row.shared:
                await self._store.delete_card_set(row.id)

    async def expand(self, player: str, wanted: rest.NewTable, address: str) -> rest.NewTable:
        """Return a requested table with its texts and saved ids replaced by their content.

        All content counts, saved content too: a match with it needs rules that take long to build.
        """
        options: dict[str, Any] = {}
        for name, value in wanted.options.items():
            content = await self._load_saved(player, wanted.game, name, value)
            if is_content(wanted.game, name, content):
                written = rest.CardSetContent(wanted.game, name, content)
                content = await self._check_content(written, address)
            options[name] = content
        return replace(wanted, options=options)

    async def _check_content(self, written: rest.CardSetContent, address: str) -> dict[str, Any]:
        try:
            return (await self.check(written, address))[1]
        except Faulty as fault:
            raise ApiError(422, "malformed", str(fault)) from None

    async def _load_saved(self, player: str, game: str, option: str, value: object) -> Any:
        """Return the content that `{"saved": id}` names. Return any other value unchanged."""
        if not isinstance(value, Mapping) or value.keys() != {SAVED}:
            return value
        id = value[SAVED]
        if not isinstance(id, str):
            raise ApiError(422, "malformed", f"option {quoted(option)}: {SAVED}: expected an id")
        saved = (await self.find(player, id)).content
        if (saved["game"], saved["option"]) != (game, option):
            found = f"found one for {saved['option']} of {saved['game']}"
            text = f"option {quoted(option)}: expected a card set for {option} of {game}, {found}"
            raise ApiError(422, "malformed", text)
        return saved["value"]


def check_content(written: rest.CardSetContent) -> tuple[Option, dict[str, Any]]:
    """Return the option and the normalized value of content. Raise `Faulty` if the game does not
    accept the content, and `ApiError` if there is no such option."""
    try:
        option = option_of(written.game, written.option)
        return option, content_of(option).settle(written.content)
    except Faulty:
        raise
    except Malformed as fault:
        raise ApiError(422, "malformed", str(fault)) from None


def is_content(game: str, option: str, value: object) -> bool:
    """Return True if a value is content. A name of built-in content has one line."""
    if not isinstance(value, dict) and not (isinstance(value, str) and "\n" in value):
        return False
    try:
        return option_of(game, option).content is not None
    except Malformed:
        return False


def fault_in(fault: Faulty, language: str) -> rest.ContentFault:
    return rest.ContentFault(fault.message.words(language), fault.path, fault.line)


def refusal_of(fault: Faulty, language: str) -> ApiError:
    body = fault_in(fault, language)
    return ApiError(422, "malformed", body.text, {"path": body.path, "line": body.line})


def remarks_on(row: CardSetRow, language: str) -> list[str]:
    option = option_of(row.content["game"], row.content["option"])
    return content_of(option).remarks(row.content["value"], language)


def option_of(game: str, name: str) -> Option:
    spec = game_spec(game)
    known = [option.name for option in spec.options.values() if option.content is not None]
    if name not in known:
        expected = f"expected one of {', '.join(known)}" if known else "no option takes content"
        raise Malformed(f"option {quoted(name)} of {game}: {expected}")
    return spec.options[name]


def content_of(option: Option) -> Content:
    assert option.content is not None, "checked by option_of"
    return option.content
