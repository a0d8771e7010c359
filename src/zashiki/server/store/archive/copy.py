"""Copy a store into an archive, an archive into a store, and a store into another."""

from pathlib import Path

from zashiki.server.store.archive.audit import audited
from zashiki.server.store.archive.bulk import BulkStore
from zashiki.server.store.archive.format import Archive, atomic_file, sync, write
from zashiki.server.store.archive.rows import Contents, IntegrityFault, contents_of


def back_up(store: BulkStore, path: Path) -> Contents:
    """Write a new archive, which gets its name after it was read back and compared."""
    with atomic_file(path) as (file, part):
        with store.reading() as session:
            held = write(file, session)
        sync(file)
        if check(part, path) != held:
            raise IntegrityFault(f"{path}: what can be read there is not what was written")
    return held


def check(path: Path, name: Path | None = None) -> Contents:
    """Return the contents of an archive; `IntegrityFault` if anything is wrong with it."""
    archive = Archive(path, name)
    try:
        return contents_of(audited(archive.rows(), str(name or path)))
    except IntegrityFault as fault:
        raise archive.find_damage() or fault from None


def restore(path: Path, store: BulkStore) -> Contents:
    """Restore an archive into an empty store: all of it, or nothing."""
    checked = check(path)
    archive = Archive(path)
    with store.filling() as session:
        if session.fill(archive, archive.rows()) != checked:
            raise IntegrityFault(f"{path}: it has changed meanwhile")
    return checked


def move(source: BulkStore, target: BulkStore) -> Contents:
    """Copy a store that nobody uses into an empty one, and leave it unchanged."""
    with source.reading(exclusive=True) as old, target.filling() as new:
        return new.fill(old, audited(old.rows(), old.name))
