"""How the server says no: a status, a word for programs, a sentence for people."""

from collections.abc import Mapping


class ApiError(Exception):
    """A request that is refused. Nothing was changed."""

    def __init__(
        self, status: int, code: str, text: str, details: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(text)
        self.status = status
        self.code = code
        self.text = text
        self.details = dict(details or {})
