"""The key by which push services know this server (RFC 8292).

It is derived from the server's secret key, so that all servers of a store have the same one.
"""

import base64
import hashlib
import hmac
from typing import Final
from urllib.parse import urlsplit

import msgspec
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The number of points of the curve P-256."""
TOKEN_SECONDS: Final = 12 * 3600
"""Push services refuse tokens that are valid for more than a day."""


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def from_base64url(text: str) -> bytes:
    """Return the bytes of a text without padding; `ValueError` if it is none."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def uncompressed(key: ec.EllipticCurvePublicKey) -> bytes:
    """Return the 65 bytes of a public key."""
    return key.public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )


class VapidKey:
    """Signs requests to push services."""

    def __init__(self, secret: bytes) -> None:
        digest = hmac.digest(secret, b"zashiki push", hashlib.sha512)
        number = int.from_bytes(digest) % (ORDER - 1) + 1
        self._key = ec.derive_private_key(number, ec.SECP256R1())
        self.public = base64url(uncompressed(self._key.public_key()))
        """The public key, which a browser needs when it subscribes."""

    def authorization(self, endpoint: str, subject: str | None, now: float) -> str:
        """Return the header by which a push service accepts a request to an endpoint."""
        address = urlsplit(endpoint)
        claims: dict[str, object] = {
            "aud": f"{address.scheme}://{address.netloc}",
            "exp": int(now) + TOKEN_SECONDS,
        }
        if subject is not None:
            claims["sub"] = subject
        parts = ({"typ": "JWT", "alg": "ES256"}, claims)
        signed = ".".join(base64url(msgspec.json.encode(part)) for part in parts)
        r, s = decode_dss_signature(self._key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
        signature = base64url(r.to_bytes(32) + s.to_bytes(32))
        return f"vapid t={signed}.{signature}, k={self.public}"
