"""Find the migration files of each kind of store."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Literal

from zashiki.server.store.errors import Unusable

Kind = Literal["sqlite", "postgres"]


def migrations_of(kind: Kind) -> Traversable:
    """Return the folder with the migrations of a kind of store."""
    return files(f"zashiki.server.store.{kind}") / "migrations"


def steps_in(folder: Traversable) -> dict[int, Traversable]:
    """Return the SQL files of a folder by the numbers that their names begin with."""
    return {
        int(file.name.removesuffix(".sql").partition("_")[0]): file
        for file in folder.iterdir()
        if file.name.endswith(".sql")
    }


def too_new(where: object, version: int, newest: int) -> Unusable:
    """Return the fault of a database with a migration that this code does not know."""
    return Unusable(
        f"{where}: the database has version {version}, written by a newer Zashiki; this one knows "
        f"versions up to {newest}"
    )


def newest_version(kind: Kind) -> int:
    """Return the number of the last migration that this code knows."""
    return max(steps_in(migrations_of(kind)))
