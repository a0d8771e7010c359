"""From a store into an archive, from an archive into a store, and from store to store."""

from pathlib import Path

from zashiki.server.store.archive.audit import audited
from zashiki.server.store.archive.bulk import BulkStore
from zashiki.server.store.archive.format import Archive, kept_whole, sync, write
from zashiki.server.store.archive.rows import Tally, Unsound, tally


def back_up(store: BulkStore, path: Path) -> Tally:
    """A new archive, which is there only if it was read back and holds what the store held."""
    with kept_whole(path) as (file, part):
        with store.reading() as session:
            held = write(file, session)
        sync(file)
        if check(part, path) != held:
            raise Unsound(f"{path}: what can be read there is not what was written")
    return held


def check(path: Path, name: Path | None = None) -> Tally:
    """What is in an archive; `Unsound` if anything about it is wrong."""
    archive = Archive(path, name)
    try:
        return tally(audited(archive.rows(), str(name or path)))
    except Unsound as fault:
        raise archive.damage() or fault from None


def restore(path: Path, store: BulkStore) -> Tally:
    """Into an empty store: all of it, or nothing."""
    checked = check(path)
    archive = Archive(path)
    with store.filling() as session:
        if session.fill(archive, archive.rows()) != checked:
            raise Unsound(f"{path}: it has changed meanwhile")
    return checked


def move(source: BulkStore, target: BulkStore) -> Tally:
    """From a store that nobody uses into an empty one; the source is left as it is."""
    with source.reading(alone=True) as old, target.filling() as new:
        return new.fill(old, audited(old.rows(), old.name))
