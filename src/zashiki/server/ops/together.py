"""Do together what many ask for at once: one statement for all costs hardly more than for one."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class Together(Generic[Item, Result]):
    """Calls a function with all items that were given while it was running before.

    An item that comes while nothing runs waits for nobody.
    """

    def __init__(self, do: Callable[[list[Item]], Awaitable[Result]]) -> None:
        self._do = do
        self._items: list[Item] = []
        self._next: asyncio.Task[Result] | None = None
        self._running = asyncio.Lock()

    async def __call__(self, item: Item) -> Result:
        """Return the result of a call that begins after this one, and has the item."""
        self._items.append(item)
        if self._next is None:
            self._next = asyncio.create_task(self._run())
        return await asyncio.shield(self._next)  # others wait for it too

    async def _run(self) -> Result:
        async with self._running:
            items, self._items, self._next = self._items, [], None
            return await self._do(items)
