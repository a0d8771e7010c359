"""Who is told what happens at tables: the lobby, the bots, other servers, the timer of nonces."""

from typing import Any, Protocol, TypeVar

Table_contra = TypeVar("Table_contra", contravariant=True)


class TableObserver(Protocol[Table_contra]):
    """Called in the event loop, right after a table has changed. It must not wait."""

    def on_row_changed(self, table: Table_contra) -> None:
        """The stored table was written here, or read again."""

    def on_shown(self, table: Table_contra) -> None:
        """What everybody sees of the table has changed."""

    def on_bots_changed(self, table: Table_contra) -> None:
        """Other seats than before need a bot."""

    def on_presence_changed(self, table: Table_contra, player: str) -> None:
        """A player's first connection to this server has come, or the last one has gone."""


class SilentObserver:
    """Does nothing: a base class for observers that need only some of the calls."""

    def on_row_changed(self, table: Any) -> None: ...
    def on_shown(self, table: Any) -> None: ...
    def on_bots_changed(self, table: Any) -> None: ...
    def on_presence_changed(self, table: Any, player: str) -> None: ...
