"""What the chain of 60 LEDs shows, which LED lies where, and what it draws from the supply."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple, Self

from firmware_bridge.errors import SlotMapError
from firmware_bridge.protocol import LED_COUNT, LedRun, Leds

ALWAYS = 0b11111111
"""The pattern of a light that does not blink."""

PATTERN_SLOT_MS = 125
"""One bit of a pattern lasts an eighth of a second; the pattern starts again every second."""

COLOUR_CURRENT_MA = 20
"""One of the three colours of a WS2812B at full brightness (WorldSemi data sheet: 20 mA a colour)."""


class Light(NamedTuple):
    """One LED: colour 0..255 each, and the eighths of a second in which it is lit, bit 0 first."""

    red: int
    green: int
    blue: int
    pattern: int = ALWAYS


DARK = Light(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class LedFrame:
    """All 60 LEDs. Absolute: showing it again changes nothing."""

    lights: tuple[Light, ...] = (DARK,) * LED_COUNT

    def __post_init__(self) -> None:
        if len(self.lights) != LED_COUNT:
            raise ValueError(f"a frame has {LED_COUNT} lights, not {len(self.lights)}")
        for index, light in enumerate(self.lights):
            if not all(0 <= value <= 255 for value in light):
                raise ValueError(f"LED {index}: {light} has a value outside 0..255")

    @classmethod
    def of(cls, lights: Mapping[int, Light]) -> Self:
        """Gets the frame in which the given LEDs are lit and all others dark.

        :raises ValueError: for an LED outside 0..59 or a value outside 0..255.
        """
        outside = [index for index in lights if not 0 <= index < LED_COUNT]
        if outside:
            raise ValueError(f"LED {outside[0]} is not on the chain of {LED_COUNT} (0..{LED_COUNT - 1})")
        return cls(tuple(lights.get(index, DARK) for index in range(LED_COUNT)))

    def __iter__(self) -> Iterator[Light]:
        return iter(self.lights)

    def __getitem__(self, index: int) -> Light:
        return self.lights[index]

    def parts(self) -> tuple[Leds, ...]:
        """Gets the messages that carry this frame; the last one lights it."""
        runs = [LedRun(len(list(equal)), *light) for light, equal in groupby(self.lights)]
        parts: list[Leds] = []
        first = 0
        for start in range(0, len(runs), Leds.MAX_RUNS):
            chunk = tuple(runs[start : start + Leds.MAX_RUNS])
            parts.append(Leds(first, start + Leds.MAX_RUNS >= len(runs), chunk))
            first += sum(run.led_count for run in chunk)
        return tuple(parts)

    def with_part(self, part: Leds) -> "LedFrame":
        """Gets this frame with the LEDs that ``part`` carries exchanged."""
        new = [Light(*run[1:]) for run in part.runs for _ in range(run.led_count)]
        return LedFrame(self.lights[: part.first] + tuple(new) + self.lights[part.first + len(new) :])

    def lit_at(self, device_ms: int) -> tuple[tuple[int, int, int], ...]:
        """Gets the colours that are lit at this instant of the board's clock."""
        slot = device_ms // PATTERN_SLOT_MS % 8
        return tuple(light[:3] if light.pattern >> slot & 1 else (0, 0, 0) for light in self.lights)

    def current_ma(self) -> int:
        """Gets what the frame draws when everything that blinks is lit at once, in mA, controllers not counted."""
        return self._colour_sum() * COLOUR_CURRENT_MA // 255

    def within(self, budget_ma: int, brightness: int = 255) -> "LedFrame":
        """Gets the frame as the board lights it: dimmed by ``brightness`` 0..255, then scaled to the current budget.

        The same whole-number arithmetic as in the firmware, so both sides agree to the last bit.
        """
        dimmed = self if brightness == 255 else self._scaled(brightness + 1)
        drawn = dimmed._colour_sum() * COLOUR_CURRENT_MA
        allowed = budget_ma * 255
        return dimmed if drawn <= allowed else dimmed._scaled(allowed * 256 // drawn)

    def _colour_sum(self) -> int:
        return sum(light.red + light.green + light.blue for light in self.lights if light.pattern)

    def _scaled(self, factor_256: int) -> "LedFrame":
        def scaled(light: Light) -> Light:
            red, green, blue = (value * factor_256 >> 8 for value in light[:3])
            return Light(red, green, blue, light.pattern)

        return LedFrame(tuple(scaled(light) for light in self.lights))


NO_HOST_FRAME = LedFrame.of(dict.fromkeys(range(48, 52), Light(0, 0, 40, 0b00001111)))
"""What the board shows by itself while no host talks to it: the bar breathes dim blue, once a second."""


@dataclass(frozen=True, slots=True)
class ChainLayout:
    """Which LED of the chain lies where. Points are counted from seat A's side.

    ``points[p - 1]`` is (base, tip): base at the edge where the checkers start to stack, tip at the point's sharp end.
    """

    points: tuple[tuple[int, int], ...] = tuple((2 * index, 2 * index + 1) for index in range(24))
    bar: Mapping[str, tuple[int, ...]] = field(default_factory=lambda: {"A": (48, 49), "B": (50, 51)})
    trays: Mapping[str, tuple[int, ...]] = field(default_factory=lambda: {"A": (52, 53), "B": (54, 55)})
    dice: Mapping[str, tuple[int, ...]] = field(default_factory=lambda: {"A": (56, 57), "B": (58, 59)})

    def __post_init__(self) -> None:
        if len(self.points) != 24:
            raise SlotMapError(f"the LED layout names {len(self.points)} points, a board has 24")
        seen: set[int] = set()
        for name, led in self._places():
            if not 0 <= led < LED_COUNT:
                raise SlotMapError(f"the LED layout puts {name} at LED {led}; the chain has 0..{LED_COUNT - 1}")
            if led in seen:
                raise SlotMapError(f"the LED layout uses LED {led} twice, the second time for {name}")
            seen.add(led)

    def base(self, point: int) -> int:
        """Gets the LED at the base of ``point`` 1..24."""
        return self.points[point - 1][0]

    def tip(self, point: int) -> int:
        """Gets the LED at the tip of ``point`` 1..24."""
        return self.points[point - 1][1]

    @classmethod
    def from_mapping(cls, values: Mapping[str, object]) -> Self:
        """Reads ``{points: [[base, tip] x 24], bar: {A: [..], B: [..]}, trays: ..., dice: ...}``.

        What is left out keeps its default.

        :raises SlotMapError: for an unknown key, a wrong shape, or an LED used twice.
        """
        unknown = sorted(set(values) - {"points", "bar", "trays", "dice"})
        if unknown:
            raise SlotMapError(f"the LED layout has no key {unknown[0]!r}; known: points, bar, trays, dice")
        default = cls()
        seats = {key: _seats(key, value) for key, value in values.items() if key != "points"}
        return cls(
            tuple(_pair(entry) for entry in _sequence("points", values.get("points", default.points))),
            seats.get("bar", default.bar),
            seats.get("trays", default.trays),
            seats.get("dice", default.dice),
        )

    def _places(self) -> Iterable[tuple[str, int]]:
        for index, pair in enumerate(self.points):
            for led in pair:
                yield f"point {index + 1}", led
        for name, seats in (("bar", self.bar), ("tray", self.trays), ("dice zone", self.dice)):
            for seat, leds in seats.items():
                for led in leds:
                    yield f"{name} {seat}", led


def _sequence(key: str, value: object) -> Sequence[object]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise SlotMapError(f"{key} of the LED layout must be a list, not {value!r}")
    return value


def _leds(key: str, value: object) -> tuple[int, ...]:
    leds = [led for led in _sequence(key, value) if isinstance(led, int)]
    if len(leds) != len(_sequence(key, value)):
        raise SlotMapError(f"{key} of the LED layout must hold whole numbers, not {value!r}")
    return tuple(leds)


def _pair(value: object) -> tuple[int, int]:
    leds = _leds("points", value)
    if len(leds) != 2:
        raise SlotMapError(f"each of points in the LED layout is [base, tip], not {value!r}")
    return leds[0], leds[1]


def _seats(key: str, value: object) -> dict[str, tuple[int, ...]]:
    if not isinstance(value, Mapping):
        raise SlotMapError(f"{key} of the LED layout must map seats to LEDs, as {{A: [48, 49]}}, not {value!r}")
    return {str(seat): _leds(key, leds) for seat, leds in value.items()}
