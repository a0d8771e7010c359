"""Where time and randomness of the server come from: one place, which a test can replace."""

import base64
import secrets
import time

LENGTH_OF_ID = 10


class System:
    """The clock and the entropy of this machine."""

    def now(self) -> float:
        """Seconds since the epoch."""
        return time.time()

    def secret(self) -> bytes:
        """32 bytes that nobody can guess."""
        return secrets.token_bytes(32)

    def token(self) -> str:
        """A secret as text for a URL or a header."""
        return base64.urlsafe_b64encode(self.secret()).rstrip(b"=").decode()

    def id(self) -> str:
        """A name for a table or a player: short enough to read out, too long to guess at random."""
        return base64.b32encode(self.secret()).decode().lower()[:LENGTH_OF_ID]
