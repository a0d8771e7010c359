"""Observers of tables: the lobby, the bots, other servers, the timer of nonces."""

from typing import Generic, TypeVar

Table_contra = TypeVar("Table_contra", contravariant=True)


class TableObserver(Generic[Table_contra]):
    """Called in the event loop, right after a table has changed. It must not wait.

    An observer defines the calls that it needs. The others do nothing.
    """

    def on_row_changed(self, table: Table_contra) -> None:
        """The stored table was written here, or read again."""

    def on_shown(self, table: Table_contra) -> None:
        """The public view of the table has changed."""

    def on_bots_changed(self, table: Table_contra) -> None:
        """Other seats than before need a bot."""

    def on_turns(self, table: Table_contra) -> None:
        """A match was dealt or an action was taken at this server, and people are away."""

    def on_presence_changed(self, table: Table_contra, player: str) -> None:
        """A player's first connection to this server has come, or the last one has gone."""
