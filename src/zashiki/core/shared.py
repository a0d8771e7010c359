"""Objects that are made once for equal content, and shared while they are in use."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

Value = TypeVar("Value")


class Shared(Generic[Value]):
    """Values by key: those in use, and those most recently used.

    The most recently used values weigh at most `most` together. A value in use stays beyond that.
    """

    def __init__(self, most: int, weigh: Callable[[Value], int]) -> None:
        self.most = most
        self._weigh = weigh
        self._weight = 0
        self._in_use: WeakValueDictionary[Hashable, Value] = WeakValueDictionary()
        self._recent: OrderedDict[Hashable, Value] = OrderedDict()
        self._lock = Lock()

    def __contains__(self, key: Hashable) -> bool:
        return key in self._in_use

    def __len__(self) -> int:
        return len(self._in_use)

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return the value of a key. If there is none, make it, outside the lock."""
        value = self._in_use.get(key)
        made = make() if value is None else value
        with self._lock:
            value = self._in_use.setdefault(key, made)  # another thread may have been first
            if key not in self._recent:
                self._recent[key] = value
                self._weight += self._weigh(value)
            self._recent.move_to_end(key)
            while self._weight > self.most:
                self._weight -= self._weigh(self._recent.popitem(last=False)[1])
        return value
