"""Strict reading of a written position: every error names the path of the key at fault."""

from collections.abc import Mapping, Sequence

from zashiki.core.rulings import Malformed, as_int, quoted


class PositionReader:
    """Reads a full state as `Match.truth` returns it. Each game's `Position` extends this."""

    def __init__(self, truth: Mapping[str, object], seats: int, keys: Sequence[str]) -> None:
        self.truth = truth
        self.seats = seats
        for key in truth:
            if key not in keys:
                expected = ", ".join(keys)
                raise Malformed(f"truth: expected the keys {expected}, found {quoted(key)}")
        for key in keys:
            if key not in truth:
                raise Malformed(f"truth: expected the key {quoted(key)}, found none")

    def number(self, path: str, value: object, least: int, most: int) -> int:
        number = as_int(value)
        if number is None or not least <= number <= most:
            expected = f"a number from {least} to {most}"
            raise Malformed(f"truth: {path}: expected {expected}, found {quoted(value)}")
        return number

    def one_of(self, path: str, value: object, names: Sequence[str]) -> int:
        """Return the index of a name among `names`."""
        if not isinstance(value, str) or value not in names:
            expected = ", ".join(names)
            raise Malformed(f"truth: {path}: expected one of {expected}, found {quoted(value)}")
        return names.index(value)

    def items(self, path: str, value: object) -> list[object]:
        if not isinstance(value, list):
            raise Malformed(f"truth: {path}: expected a list, found {quoted(value)}")
        return value

    def by_seat(self, key: str) -> list[object]:
        """Return the list under a key, which must have one entry per seat."""
        values = self.items(key, self.truth[key])
        if len(values) != self.seats:
            expected = f"{self.seats} entries, one per seat"
            raise Malformed(f"truth: {key}: expected {expected}, found {len(values)}")
        return values
