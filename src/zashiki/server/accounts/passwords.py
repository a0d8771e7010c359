"""Passwords and recovery codes: which are allowed, and how they are compared."""

import base64
import hashlib
import hmac
import re
import unicodedata
from functools import cache
from typing import Final

from zashiki.server.errors import ApiError
from zashiki.server.system import System

MIN_PASSWORD_LENGTH: Final = 8
MAX_PASSWORD_LENGTH: Final = 200
CODES: Final = 8
"""Recovery codes that are made at once."""
CODE_LENGTH: Final = 20
"""Letters and digits of a code: 100 random bits. Nobody guesses them, so a fast hash will do."""
LOOKALIKES: Final = str.maketrans("@4301!$57", "aaeoiisst")
"""Characters that people write for letters in a common password."""
ENDS: Final = re.compile(r"^[\W\d_]+|[\W\d_]+$")
"""Digits and signs before and after a word."""


def check_password(password: str, *known: str) -> str:
    """Return the normal form of a new password. Refuse a short, a long or a common one.

    `known` are words that belong to the player, such as the login.
    """
    normal = normalize_password(password)
    if not normal or len(password) < MIN_PASSWORD_LENGTH:
        text = f"password: expected {MIN_PASSWORD_LENGTH} to {MAX_PASSWORD_LENGTH} characters"
        raise ApiError(400, "bad-password", text)
    if is_common(normal, *known):
        text = "password: this one is easy to guess: expected one that is not in lists of passwords"
        raise ApiError(400, "common-password", text)
    return normal


def normalize_password(password: str) -> str:
    """Return the NFC form, which is the same on all keyboards; empty for an impossible password."""
    if len(password) > MAX_PASSWORD_LENGTH or _has_surrogates(password):
        return ""
    return unicodedata.normalize("NFC", password)


def is_common(password: str, *known: str) -> bool:
    """Return whether a password is in a list of common ones, or nearly.

    Capitals, digits or signs around a common word, and signs in place of letters, do not help.
    """
    folded = password.casefold()
    cores = {folded} | {ENDS.sub("", one) for one in (folded, folded.translate(LOOKALIKES))}
    words = {word.casefold() for word in known}
    return any(core in words or core in common_passwords() for core in cores if core)


@cache
def common_passwords() -> frozenset[str]:
    """Return the common passwords of zxcvbn. Loaded at the first use: it takes 0.1 s and 14 MB."""
    from zxcvbn.frequency_lists import FREQUENCY_LISTS

    return frozenset(FREQUENCY_LISTS["passwords"])


def _has_surrogates(text: str) -> bool:
    """Return True for lone surrogates, which JSON may carry and UTF-8 cannot encode."""
    return any("\ud800" <= character <= "\udfff" for character in text)


# Recovery codes ---------------------------------------------------------------------------------


def new_codes(system: System) -> list[str]:
    """Return new recovery codes, in groups of five that can be read out."""
    codes = [base64.b32encode(system.secret()).decode()[:CODE_LENGTH] for _ in range(CODES)]
    return ["-".join(code[at : at + 5] for at in range(0, CODE_LENGTH, 5)) for code in codes]


def hash_code(player: str, code: str) -> str:
    """Return the hash that is kept of a code. Case, blanks and hyphens do not count."""
    plain = re.sub(r"[\W_]", "", unicodedata.normalize("NFKC", code)).upper()
    return hashlib.sha256(f"zashiki recovery {player} {plain}".encode()).hexdigest()


def without_code(hashes: list[str], player: str, code: str) -> list[str] | None:
    """Return the hashes without that of a code; None if it is not among them."""
    given = hash_code(player, code)
    others = [one for one in hashes if not hmac.compare_digest(one, given)]
    return None if len(others) == len(hashes) else others
