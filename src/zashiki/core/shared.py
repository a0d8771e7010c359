"""Objects that are made once for equal content, and shared while somebody uses them."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

Value = TypeVar("Value")


class Shared(Generic[Value]):
    """Values by key: those that are in use, and `most` others that were in use last.

    The bound holds for the others only. Whoever uses a value keeps it alive.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._in_use: WeakValueDictionary[Hashable, Value] = WeakValueDictionary()
        self._recent: OrderedDict[Hashable, Value] = OrderedDict()
        self._lock = Lock()

    def __contains__(self, key: Hashable) -> bool:
        return key in self._in_use

    def __len__(self) -> int:
        return len(self._in_use)

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return the value of a key. It is made if there is none, outside the lock."""
        value = self._in_use.get(key)
        made = make() if value is None else value
        with self._lock:
            value = self._in_use.setdefault(key, made)  # another thread may have been first
            self._recent[key] = value
            self._recent.move_to_end(key)
            while len(self._recent) > self.most:
                self._recent.popitem(last=False)
        return value
