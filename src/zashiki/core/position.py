"""Strict reading of a position that somebody wrote down: every fault is named by its key path."""

from collections.abc import Mapping, Sequence

from zashiki.core.rulings import Malformed, quoted


class PositionReader:
    """Reads a full state, as `Match.truth` gives it; each game's `Position` extends this."""

    def __init__(self, truth: Mapping[str, object], seats: int, keys: Sequence[str]) -> None:
        self.truth = truth
        self.seats = seats
        for key in truth:
            if key not in keys:
                raise Malformed(f"truth: unknown key {quoted(key)}: {', '.join(keys)} are expected")
        for key in keys:
            if key not in truth:
                raise Malformed(f"truth: key {quoted(key)} is missing")

    def number(self, path: str, value: object, least: int, most: int) -> int:
        if type(value) is not int or not least <= value <= most:
            expected = f"a number from {least} to {most} is expected"
            raise Malformed(f"truth: {path} = {quoted(value)}: {expected}")
        return value

    def one_of(self, path: str, value: object, names: Sequence[str]) -> int:
        """The index of a name among those expected."""
        if not isinstance(value, str) or value not in names:
            raise Malformed(
                f"truth: {path} = {quoted(value)}: one of {', '.join(names)} is expected"
            )
        return names.index(value)

    def items(self, path: str, value: object) -> list[object]:
        if not isinstance(value, list):
            raise Malformed(f"truth: {path} = {quoted(value)}: a list is expected")
        return value

    def by_seat(self, key: str) -> list[object]:
        """The list under a key, which must have an entry for each seat."""
        values = self.items(key, self.truth[key])
        if len(values) != self.seats:
            expected = f"{self.seats} entries, one a seat, are expected, not {len(values)}"
            raise Malformed(f"truth: {key}: {expected}")
        return values
