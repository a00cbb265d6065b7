"""The boot loader of a Nano behind a pty, as far as avrdude talks to it: Optiboot's part of STK500 version 1."""

import os
import select
import threading
import tty
from types import TracebackType
from typing import Self

IN_SYNC, OK, END = b"\x14", b"\x10", 0x20
SIGNATURE = b"\x1e\x95\x0f"
"""ATmega328P (data sheet, chapter 28.3)."""

_ARGUMENTS = {0x30: 0, 0x41: 1, 0x42: 20, 0x45: 5, 0x50: 0, 0x51: 0, 0x55: 2, 0x56: 4, 0x74: 3, 0x75: 0}


class BootLoader:
    """A flash memory of 32 kB that is written and read through ``path``."""

    def __init__(self, bent_byte: int | None = None) -> None:
        self.flash = bytearray(b"\xff" * 32768)
        self._bent_byte = bent_byte
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.path = os.ttyname(self._slave)
        self._over = False
        self._address = 0
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over = True
        self._thread.join()
        os.close(self._master)
        os.close(self._slave)

    def _run(self) -> None:
        while not self._over:
            command = self._bytes(1)
            if command:
                self._serve(command[0])

    def _bytes(self, count: int) -> bytes:
        found = b""
        while len(found) < count and not self._over:
            if select.select([self._master], [], [], 0.05)[0]:
                found += os.read(self._master, count - len(found))
        return found

    def _serve(self, command: int) -> None:
        if command == 0x64:
            head = self._bytes(3)
            data = self._bytes(head[0] << 8 | head[1]) if len(head) == 3 else b""
            self.flash[self._address : self._address + len(data)] = data
            if self._bent_byte is not None and self._address <= self._bent_byte < self._address + len(data):
                self.flash[self._bent_byte] ^= 1
            self._answer(b"")
            return
        if command not in _ARGUMENTS:
            return
        arguments = self._bytes(_ARGUMENTS[command])
        if command == 0x55:
            self._address = 2 * (arguments[0] | arguments[1] << 8)
        if command == 0x74:
            count = arguments[0] << 8 | arguments[1]
            self._answer(bytes(self.flash[self._address : self._address + count]))
        elif command == 0x75:
            self._answer(SIGNATURE)
        else:
            self._answer({0x41: b"\x03", 0x56: b"\0"}.get(command, b""))

    def _answer(self, data: bytes) -> None:
        if self._bytes(1) == bytes((END,)):
            os.write(self._master, IN_SYNC + data + OK)
