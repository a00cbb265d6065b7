"""Tells systemd that the program is ready and alive, by the protocol of sd_notify; elsewhere it does nothing."""

import os
import socket
import time
from collections.abc import Callable, Mapping

_SIGN_EVERY_S = 1.0
"""A sign of life is wanted once within ``WatchdogSec``, which is many seconds; more often is only more work."""


class ServiceWatchdog:
    """The service manager's watchdog: without a sign of life for ``WatchdogSec`` it starts the program again.

    The socket to write to is what ``NOTIFY_SOCKET`` names (sd_notify(3)); without it nothing is sent.
    """

    def __init__(
        self, environment: Mapping[str, str] = os.environ, clock_s: Callable[[], float] = time.monotonic
    ) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        self._clock_s = clock_s
        self._ready = False
        self._sign_due_s = 0.0

    def alive(self) -> None:
        """Gives a sign of life; the first one also says that the program is ready. Call it where the work is done."""
        now_s = self._clock_s()
        if not self._address or (self._ready and now_s < self._sign_due_s):
            return
        self._sign_due_s = now_s + _SIGN_EVERY_S
        self._send("WATCHDOG=1" if self._ready else "READY=1\nWATCHDOG=1")
        self._ready = True

    def status(self, text: str) -> None:
        """Says in one line what the program is about, for ``systemctl status``."""
        if self._address:
            self._send("STATUS=" + text.replace("\n", " "))

    def _send(self, message: str) -> None:
        # A name that begins with @ is in the abstract namespace, which begins with a zero byte.
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
            try:
                line.sendto(message.encode(), address)
            except OSError:
                self._address = ""  # nobody listens any more: the manager is gone, or the name was inherited
