"""Who is let in: secrets tried, tries counted, sessions kept. In memory alone: after a new start nobody is in."""

import hashlib
import hmac
import secrets
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock

from boardctl.console.audience import Audience
from boardctl.console.secrets_kept import matches

SESSION_S = 12 * 3600
"""How long somebody stays inside: an evening, not a week."""

MOST_SESSIONS = 32
"""How many are inside at once; one more, and who came first must come in again."""

WINDOW_S = 300
MOST_WRONG = 5
MOST_WRONG_IN_ALL = 30
"""How many wrong tries count in five minutes: from one address, and for one role from everywhere. A PIN of six digits
then holds for some two months of trying on average."""


@dataclass(frozen=True, slots=True)
class Visit:
    """Somebody inside. ``token`` proves that a request comes from the page and not from another one."""

    audience: Audience
    token: str
    until_s: float


class TooManyTriesError(Exception):
    """Somebody has tried too often; ``wait_s``: when the next try is looked at."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(f"too many tries; wait {wait_s:.0f} s")
        self.wait_s = wait_s


class Entrance:
    """Lets people in by the hash of their role's secret. Safe to be used from several threads."""

    def __init__(self, kept: Mapping[Audience, str], clock_s: Callable[[], float] = time.monotonic) -> None:
        self._kept = dict(kept)
        self._clock_s = clock_s
        self._lock = Lock()
        self._trying = Lock()
        self._wrong: dict[str, deque[float]] = {}
        self._inside: dict[bytes, Visit] = {}

    def enter(self, audience: Audience, secret: str, address: str) -> str | None:
        """Gets the key of a new session; None for a wrong secret.

        :raises TooManyTriesError: when this address, or all together, have tried too often; then nothing is compared.
        """
        with self._trying:  # one at a time: each try costs memory
            self._refuse_too_many(audience, address)
            kept = self._kept.get(audience)
            if kept is None or not matches(secret, kept):
                self._count(f"from {address}")
                self._count(f"for {audience}")
                return None
        key = secrets.token_urlsafe(32)
        with self._lock:
            self._forget_old()
            while len(self._inside) >= MOST_SESSIONS:
                del self._inside[next(iter(self._inside))]
            visit = Visit(audience, secrets.token_urlsafe(32), self._clock_s() + SESSION_S)
            self._inside[_digest(key)] = visit
        return key

    def visit(self, key: str | None) -> Visit | None:
        """Gets who holds a session's key; None for nobody, or when its time is over."""
        if not key:
            return None
        with self._lock:
            found = self._inside.get(_digest(key))
        return found if found is not None and self._clock_s() < found.until_s else None

    def leave(self, key: str) -> None:
        """Ends a session. May be called again."""
        with self._lock:
            self._inside.pop(_digest(key), None)

    def _refuse_too_many(self, audience: Audience, address: str) -> None:
        for name, most in ((f"from {address}", MOST_WRONG), (f"for {audience}", MOST_WRONG_IN_ALL)):
            tries = self._wrong.get(name)
            if tries is None:
                continue
            while tries and tries[0] <= self._clock_s() - WINDOW_S:
                tries.popleft()
            if not tries:
                del self._wrong[name]
            elif len(tries) >= most:
                raise TooManyTriesError(tries[0] + WINDOW_S - self._clock_s())

    def _count(self, name: str) -> None:
        if len(self._wrong) > 10 * MOST_WRONG_IN_ALL:  # addresses that have tried long ago
            self._wrong = {key: tries for key, tries in self._wrong.items() if tries[-1] > self._clock_s() - WINDOW_S}
        self._wrong.setdefault(name, deque()).append(self._clock_s())

    def _forget_old(self) -> None:
        now_s = self._clock_s()
        self._inside = {key: visit for key, visit in self._inside.items() if now_s < visit.until_s}


def is_token(visit: Visit, given: str) -> bool:
    """Whether a request brings the token of its visit."""
    return hmac.compare_digest(visit.token.encode(), given.encode())


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()
