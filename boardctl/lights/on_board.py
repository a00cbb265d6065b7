"""Scenes and positions as they lie on an ordinary board, for games whose bars are columns of it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from boardctl.referee.effects import Mark, Scene
from boardctl.rules import Place, PlaceKind, Placement, Seat, Stack, point
from firmware_bridge.leds import ChainLayout

BarColumns = Mapping[Seat, tuple[int, ...]]
"""The points on which the checkers of each seat's bar lie; empty where they lie on the bar itself."""

TRAY_OF = {Seat.C: Seat.B, Seat.D: Seat.A}
"""Where four play, the lights of the trays say that it is the turn of C or D: the far one C's, the near one D's."""


def layout_for(seats: Sequence[Seat], layout: ChainLayout | None = None) -> ChainLayout:
    """Gets where the lights of a board lie, by default of the reference board, for as many seats as play a game."""
    layout = layout or ChainLayout()
    without = [seat for seat in seats if seat in TRAY_OF and seat.value not in layout.dice]
    taken = {seat.value: layout.trays.get(TRAY_OF[seat].value, ()) for seat in without}
    trays = {seat: leds for seat, leds in layout.trays.items() if leds not in taken.values()}
    return replace(layout, trays=trays, dice={**layout.dice, **taken})


def scene_on_board(scene: Scene, columns: BarColumns) -> Scene:
    """Gets a scene with the marks of bars on the points where their checkers lie."""
    return Scene(tuple(shown for mark in scene.marks for shown in _shown(mark, columns))) if columns else scene


def _shown(mark: Mark, columns: BarColumns) -> list[Mark]:
    place = mark.place
    if place is None or place.seat is None or place.kind is not PlaceKind.BAR or place.seat not in columns:
        return [mark]
    return [replace(mark, place=point(column)) for column in columns[place.seat]]


def placement_on_board(placement: Placement, columns: BarColumns) -> Placement:
    """Gets where the checkers lie on the board: those of a bar shared out among its columns, each filled in turn."""
    if not columns:
        return placement
    stacks: dict[Place, Stack] = {}
    for place, stack in placement.items():
        if place.kind is PlaceKind.BAR and place.seat is not None and place.seat in columns:
            of_bar = columns[place.seat]
            each = -(-len(stack) // len(of_bar))
            stacks |= {point(column): stack[n * each : (n + 1) * each] for n, column in enumerate(of_bar)}
        else:
            stacks[place] = stack
    return Placement(stacks)
