"""Passwords and PINs: made, hashed, compared. A hash can be checked and not be read.

Source: RFC 7914 (scrypt); its parameters cost 16 MiB and some tenths of a second on a Raspberry Pi.
"""

import hashlib
import hmac
import secrets

COST, BLOCK, PARALLEL = 2**14, 8, 1
_SALT_BYTES = 16
_HASH_BYTES = 32
_MOST_COST = 2**16
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that is taken for another
_GROUPS, _GROUP = 3, 4  # 12 of 31 letters: 59 bits
_PIN_DIGITS = 6

LEAST_PASSWORD = 10
LEAST_PIN = _PIN_DIGITS
"""How many signs a chosen one has at least; the entrance counts tries, so that a PIN of digits is enough."""


def hashed(secret: str) -> str:
    """Gets the hash of a secret, with a salt of its own, as ``config/table.yaml`` holds it."""
    salt = secrets.token_bytes(_SALT_BYTES)
    return f"scrypt:{COST}:{BLOCK}:{PARALLEL}:{salt.hex()}:{_scrypt(secret, salt, COST, BLOCK, PARALLEL).hex()}"


def matches(secret: str, kept: str) -> bool:
    """Whether a secret is the one that was hashed. Takes as long when it is not.

    :raises ValueError: for a hash that is none of :func:`hashed`.
    """
    _, cost, block, parallel, salt, digest = kept.split(":")
    if not 2 <= int(cost) <= _MOST_COST:
        raise ValueError(f"a hash with a cost of {cost} is none that boardctl page password wrote; write a new one")
    found = _scrypt(secret, bytes.fromhex(salt), int(cost), int(block), int(parallel))
    return hmac.compare_digest(found, bytes.fromhex(digest))


def new_password() -> str:
    """Gets a password that nobody can guess and that can be typed from a slip of paper."""
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(_GROUP)) for _ in range(_GROUPS))


def new_pin() -> str:
    """Gets a PIN of six digits."""
    return "".join(secrets.choice("0123456789") for _ in range(_PIN_DIGITS))


def _scrypt(secret: str, salt: bytes, cost: int, block: int, parallel: int) -> bytes:
    memory = 128 * cost * block * parallel + 2**20
    return hashlib.scrypt(secret.encode(), salt=salt, n=cost, r=block, p=parallel, maxmem=2 * memory, dklen=_HASH_BYTES)
