"""Objects that are made once for equal content, and shared while somebody uses them."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

Value = TypeVar("Value")


class Shared(Generic[Value]):
    """Values by key: those that are in use, and others that were in use last.

    The last ones weigh `most` together. Whoever uses a value keeps it alive beyond that.
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
        """Return the value of a key. It is made if there is none, outside the lock."""
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
