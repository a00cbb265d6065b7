"""What a sensor board would tell of a virtual table, without its wire: in step with the table, and with its errors."""

from collections.abc import Mapping
from random import Random

from boardctl.devices.sensor_witness import SensorWitness
from boardctl.referee.facts import Fact
from boardctl.virtual.eye_errors import EyeErrors
from firmware_bridge import CHANNEL_COUNT, BoardDown, BoardUp, ChannelClass, ChannelEvent
from firmware_bridge.protocol import Capability, Ident, ResetCause

_WHO = Ident(1, 0, (0, 0, 0), "virtual", Capability(0), CHANNEL_COUNT, 0, ResetCause.POWER_ON, 0, 0, 0, 0, 0)
_KINDS = (ChannelClass.EMPTY, ChannelClass.LIGHT, ChannelClass.DARK)
_SPELL_MS = 600_000  # A slot that misreads what lies over it does so for ten minutes.


class FeltSensors:
    """Facts of the sensors of one table. Give :meth:`changed` and :meth:`lost` to it; ask for :meth:`facts`."""

    def __init__(self, witness: SensorWitness, errors: EyeErrors, seed: int = 0) -> None:
        self._witness = witness
        self._errors = errors
        self._seed = seed
        self._over: dict[int, ChannelClass] = {}
        self._told: dict[int, ChannelClass] = {}
        self._read_as: dict[tuple[int, ChannelClass, int], ChannelClass] = {}  # in this spell
        self._working = True
        self._facts: list[Fact] = []

    def changed(self, classes: Mapping[int, ChannelClass], at_ms: int) -> None:
        """Takes what lies over the sensors since ``at_ms``: ``classes``, by channel."""
        self._over = dict(classes)
        if self._working:
            self._tell(at_ms)

    def lost(self, working: bool, at_ms: int) -> None:
        """Takes it that the board was unplugged, or is back and tells all that it sees."""
        self._working = working
        if working:
            self._told = {channel: self._misread(channel, kind, at_ms) for channel, kind in self._over.items()}
            classes = tuple(self._told.get(channel, ChannelClass.UNKNOWN) for channel in range(CHANNEL_COUNT))
            self._facts += self._witness.feed(BoardUp(_WHO, classes, restarted=True), at_ms)
        else:
            self._facts += self._witness.feed(BoardDown("unplugged", permanent=False), at_ms)

    def facts(self, at_ms: int) -> list[Fact]:
        """Gets the facts until now, oldest first."""
        found, self._facts = self._facts, []
        return [*found, *self._witness.rested(at_ms)]

    def _tell(self, at_ms: int) -> None:
        for channel, kind in self._over.items():
            told = self._misread(channel, kind, at_ms)
            if self._told.get(channel) is not told:
                self._told[channel] = told
                event = ChannelEvent(channel, told, at_ms, float(at_ms), boot_id=0, number=0)
                self._facts += self._witness.feed(event, at_ms)

    def _misread(self, channel: int, kind: ChannelClass, at_ms: int) -> ChannelClass:
        key = (channel, kind, at_ms // _SPELL_MS)
        if key not in self._read_as:
            self._read_as = {one: read for one, read in self._read_as.items() if one[-1] == key[-1]}
            self._read_as[key] = self._drawn(*key)
        return self._read_as[key]

    def _drawn(self, channel: int, kind: ChannelClass, spell: int) -> ChannelClass:
        """Gets what a slot takes something for in a spell."""
        random = Random(f"{self._seed} {channel} {kind} {spell}")  # noqa: S311  a game, not a secret
        if not self._errors.slots_misread.happens(random):
            return kind
        return random.choice([other for other in _KINDS if other is not kind])
