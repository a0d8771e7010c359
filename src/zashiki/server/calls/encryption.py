"""The content of a call, readable by one browser alone (RFC 8291, RFC 8188)."""

import os
from typing import Final

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from zashiki.server.calls.vapid import uncompressed

RECORD_BYTES: Final = 4096
LAST_RECORD: Final = b"\x02"
"""Ends the content of the last record."""


def derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)


def encrypted(content: bytes, browser: bytes, auth: bytes) -> bytes:
    """Encrypt a content for a browser by its public key. A new key is used for each."""
    return encrypted_with(content, browser, auth, ec.generate_private_key(ec.SECP256R1()),
                          os.urandom(16))  # fmt: skip


def encrypted_with(
    content: bytes, browser: bytes, auth: bytes, own: ec.EllipticCurvePrivateKey, salt: bytes
) -> bytes:
    """Encrypt with a given key and salt, as the example of the standard does."""
    public = uncompressed(own.public_key())
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), browser)
    info = b"WebPush: info\0" + browser + public
    secret = derived(own.exchange(ec.ECDH(), theirs), auth, info, 32)
    key = derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD_BYTES.to_bytes(4) + len(public).to_bytes() + public
    return head + AESGCM(key).encrypt(nonce, content + LAST_RECORD, None)
