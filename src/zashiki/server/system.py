"""The server's only source of time and randomness, which tests replace."""

import base64
import secrets
import time

ID_LENGTH = 10


class System:
    """The clock and the random generator of this machine."""

    def now(self) -> float:
        """Return the time in seconds since the epoch."""
        return time.time()

    def monotonic(self) -> float:
        """Return seconds that go by evenly, also when the clock of this machine is set."""
        return time.monotonic()

    def secret(self) -> bytes:
        """Return 32 random bytes."""
        return secrets.token_bytes(32)

    def token(self) -> str:
        """Return a secret as text for a URL or a header."""
        return base64.urlsafe_b64encode(self.secret()).rstrip(b"=").decode()

    def id(self) -> str:
        """Return a random id: short enough to read out, too long to guess."""
        return base64.b32encode(self.secret()).decode().lower()[:ID_LENGTH]
