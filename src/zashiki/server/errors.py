"""Errors that the server reports to clients: a status, a code for programs, a text for people."""

from collections.abc import Mapping
from typing import Final

NOT_FOUND: Final = "nothing is at this address: see /api/docs for the addresses of the API"


class ApiError(Exception):
    """A refused request. Nothing was changed."""

    def __init__(
        self, status: int, code: str, text: str, details: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(text)
        self.status = status
        self.code = code
        self.text = text
        self.details = dict(details or {})
