"""Scenes -> frames for the chain of 60 LEDs."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from boardctl.lights.grammar import End, Grammar, standard_grammar
from boardctl.referee.effects import Mark, Scene, Sign
from boardctl.rules import Place, PlaceKind, Seat
from firmware_bridge.leds import ChainLayout, LedFrame, Light

Spot = Place | Seat
"""What carries a pair of lights: a place, or the dice zone of a seat."""

DICE_ZONES = (Seat.A, Seat.B)


def signs_shown(scene: Scene, grammar: Grammar | None = None) -> Mapping[Spot, Mapping[End, Sign]]:
    """Gets which sign each light shows.

    The sign of highest priority is shown; others join it where all the lights they need are still dark. A sign is
    shown whole or not at all, so that no mixture of two can be taken for a third.
    """
    grammar = grammar or standard_grammar()
    shown: dict[Spot, dict[End, Sign]] = {}
    for mark in sorted(scene.marks, key=lambda mark: -grammar.signs[mark.sign].priority):
        needed = grammar.signs[mark.sign].ends
        for spot in _spots(mark):
            lit = shown.setdefault(spot, {})
            if needed.isdisjoint(lit):
                lit.update(dict.fromkeys(sorted(needed), mark.sign))
    return MappingProxyType(shown)


def frame_of(scene: Scene, grammar: Grammar | None = None, layout: ChainLayout | None = None) -> LedFrame:
    """Gets the frame that shows ``scene``, dimmed by the grammar's brightness and kept within its current budget.

    A place without lights of its own, such as a waiting place, shows nothing.
    """
    grammar, layout = grammar or standard_grammar(), layout or ChainLayout()
    lights: dict[int, Light] = {}
    for spot, lit in signs_shown(scene, grammar).items():
        for end, sign in lit.items():
            light = Light(*grammar.levels(sign), pattern_bits(grammar.signs[sign].pattern(end)))
            lights.update(dict.fromkeys(leds_of(spot, end, layout), light))
    return LedFrame.of(lights).within(grammar.current_budget_ma, grammar.brightness)


def leds_of(spot: Spot, end: End, layout: ChainLayout) -> tuple[int, ...]:
    """Gets the LEDs at one end of a spot; a spot with a single LED has it at both ends."""
    if isinstance(spot, Seat):
        leds = layout.dice.get(spot.value, ())
    elif spot.kind is PlaceKind.POINT:
        leds = (layout.base(spot.number), layout.tip(spot.number)) if 1 <= spot.number <= len(layout.points) else ()
    else:
        ranges = {PlaceKind.BAR: layout.bar, PlaceKind.TRAY: layout.trays}
        leds = ranges[spot.kind].get(str(spot.seat), ()) if spot.kind in ranges else ()
    if len(leds) < 2:
        return leds
    return leds[0::2] if end is End.BASE else leds[1::2]


def pattern_bits(pattern: str) -> int:
    """Gets a pattern as the wire has it: bit n is the n-th eighth of a second."""
    return sum(1 << slot for slot, sign in enumerate(pattern) if sign == "o")


def _spots(mark: Mark) -> Iterable[Spot]:
    if mark.place is not None:
        return (mark.place,)
    return DICE_ZONES if mark.seat is None else (mark.seat,)
