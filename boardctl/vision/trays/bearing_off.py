"""What may have been borne off, told by where a seat's other checkers lie.

A seat bears off only when all its checkers are home, and has some in its tray while others lie outside only when one
was hit since. Where nobody saw how many stand in the trays, a row that can hardly be counted from above then holds the
rest; and a seat that is all home has mostly borne off some.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from boardctl.rules import Place, PlaceKind, Seat, tray
from boardctl.vision.points.columns import POINTS

Floats = NDArray[np.float64]

QUARTERS = tuple(range(first, first + POINTS // 4) for first in range(1, POINTS, POINTS // 4))
"""The numbers of the points of each quarter of the board, from A's home on to B's."""

Homes = Mapping[Seat, Sequence[range]]
"""The quarters that may be a seat's home."""

HOMES: Homes = {Seat.A: QUARTERS[:1], Seat.B: QUARTERS[-1:]}
ANY_HOMES: Homes = {Seat.A: QUARTERS, Seat.B: QUARTERS}
"""Where it is not known which way the seats move."""

NOTHING_BORNE_OFF = 0.8
"""How often nothing lies in a seat's tray (positions of games, as for :data:`LEFT`: 0.8 to 0.9)."""

LEFT: Mapping[Literal["outside", "home"], float] = {"outside": 0.96, "home": 0.1}
"""How often nothing lies there while some of the seat's checkers are outside its home, and while all are home: of the
recorded positions of ``tests/data/rules`` in 1,061 of 1,107 and 27 of 261 that strong players reached, in 1,320 of
1,325 and 11 of 149 that random ones did."""

OVER = 0.1
"""How often a seat has borne off all its checkers, against any other number: pictures are taken of games that go on."""

NEGLIGIBLE, CERTAIN = 1e-4, 0.95
"""Likelihoods of a way to have borne off below which it is not weighed, and from which it alone is."""


def ways_to_bear_off(places: Sequence[Place], counts: Floats, homes: Homes) -> list[Floats]:
    """Gets ``counts``, how likely 0, 1, ... of A's checkers and of B's lie at each place (places x counts x counts), as
    they are together with each way to have borne off: while others lie anywhere, or all others in one of ``homes``."""
    ways = [counts]
    for seat in homes:
        if tray(seat) in places:
            ways = [each for way in ways for each in _ways_of(seat, tuple(places), way, homes[seat])]
    return ways


def _ways_of(seat: Seat, places: tuple[Place, ...], counts: Floats, homes: Sequence[range]) -> Iterator[Floats]:
    own, own_tray = (np.s_[1:, :] if seat is Seat.A else np.s_[:, 1:]), places.index(tray(seat))
    borne_off = np.zeros_like(counts[own_tray])
    borne_off[own] = counts[own_tray][own]
    nothing = counts[own_tray] - borne_off
    borne_off[np.s_[-1:, :] if seat is Seat.A else np.s_[:, -1:]] *= OVER
    outside, home = _odds("outside"), _odds("home")
    none_there = counts.sum(axis=(1, 2)) - counts[:, *own].sum(axis=(1, 2))
    for quarter in homes:
        elsewhere = _outside(places, quarter)
        all_home = float(none_there[elsewhere].prod())
        if all_home > CERTAIN:
            yield _with_tray(counts, own_tray, nothing + home * borne_off)
            return
        if all_home * borne_off.sum() > NEGLIGIBLE:
            way = _with_tray(counts, own_tray, (home - outside) * borne_off)
            way[elsewhere, *own] = 0.0
            yield way
    yield _with_tray(counts, own_tray, nothing + outside * borne_off)


def _with_tray(counts: Floats, at: int, held: Floats) -> Floats:
    way = counts.copy()
    way[at] = held
    return way


def _odds(where: Literal["outside", "home"]) -> float:
    """Gets how much likelier it is that something was borne off than it is where nothing is known of the others."""
    return (1 / LEFT[where] - 1) / (1 / NOTHING_BORNE_OFF - 1)


@lru_cache(maxsize=16)
def _outside(places: tuple[Place, ...], home: range) -> NDArray[np.bool_]:
    """Gets at which places a checker keeps a seat with that home from bearing off."""
    kept = (each.kind is PlaceKind.BAR or (each.kind is PlaceKind.POINT and each.number not in home) for each in places)
    return np.array([*kept], dtype=np.bool_)
