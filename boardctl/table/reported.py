"""Sources of what is reported beside the pictures: devices lost and back, levers and buttons."""

import asyncio
import queue
from collections.abc import AsyncIterator, Callable, Sequence

from boardctl.devices.faces import CameraError, Panel
from boardctl.lights import Sounds, standard_sounds, tones_of
from boardctl.referee.effects import Cue, Effect
from boardctl.referee.facts import ButtonPressed, Device, DeviceChanged, Fact
from boardctl.rules import Seat

_LOOK_S = 0.02
"""How often a panel is asked for presses: less than a person can tell from at once."""


class PanelSource:
    """The presses of a panel, as facts, for ever."""

    waits = False

    def __init__(self, panel: Panel) -> None:
        self._panel = panel

    async def facts(self) -> AsyncIterator[Fact]:
        """Gets each press soon after it was made, with the time at which it was."""
        while True:
            for press in self._panel.presses():
                yield ButtonPressed(press.at_ms, press.by)
            await asyncio.sleep(_LOOK_S)


class CameraNews:
    """What a camera that may be lost tells of itself, as facts, for ever. Give :meth:`tell` to it."""

    waits = False

    def __init__(self, clock_ms: Callable[[], int]) -> None:
        self._clock_ms = clock_ms
        self._told: queue.SimpleQueue[Fact] = queue.SimpleQueue()

    def tell(self, error: CameraError | None) -> None:
        """Takes a loss, or with None that frames come again; from any thread."""
        reason = "" if error is None else str(error)
        self._told.put(DeviceChanged(self._clock_ms(), Device.CAMERA, working=error is None, reason=reason))

    async def facts(self) -> AsyncIterator[Fact]:
        """Gets each loss and each return once."""
        while True:
            while not self._told.empty():
                yield self._told.get()
            await asyncio.sleep(_LOOK_S)


class TurnLamps:
    """An output that lights the lamp of the seat on turn, and no other. ``light`` switches the lamp of one seat.

    ``on_turn`` gets the seat that everybody may know to be on turn, None for nobody.
    """

    def __init__(
        self, light: Callable[[Seat, bool], None], seats: Sequence[Seat], on_turn: Callable[[], Seat | None]
    ) -> None:
        self._light = light
        self._seats = seats
        self._on_turn = on_turn
        self._lit: Seat | None = None

    def __call__(self, fact: Fact, effects: Sequence[Effect]) -> None:
        """Switches the lamps when somebody else is on turn."""
        lit = self._on_turn()
        if lit is not self._lit:
            self._lit = lit
            for seat in self._seats:
                self._light(seat, seat is lit)


class Buzzer:
    """An output that sounds the cues on a buzzer with one tone of its own. ``buzz`` sounds it so long and so often."""

    def __init__(self, buzz: Callable[[int, int], None], sounds: Sounds | None = None) -> None:
        self._buzz = buzz
        self._sounds = sounds or standard_sounds()

    def __call__(self, fact: Fact, effects: Sequence[Effect]) -> None:
        """Sounds every cue that is to be heard at all, by the length and number of its first tone."""
        for effect in effects:
            tones = tones_of(effect, self._sounds, None) if isinstance(effect, Cue) else ()
            if tones:
                self._buzz(tones[0].on_ms, tones[0].repeats)
