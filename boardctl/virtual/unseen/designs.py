"""Colours of boards that others chose: the designs that come with gnubg (``boards.xml``), for boards that are drawn.

Their dice are left as they are drawn: some designs have pips of the very colour of their dice.
"""

import re
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from boardctl.virtual.looks import Colour
from boardctl.virtual.unseen.looks import STREAM, Installation
from boardctl.virtual.unseen.palettes import LEAST_APART
from calibration.colours import luminance

DARKEST, BRIGHTEST = 5, 252
"""Nothing real is quite black or quite white to a camera."""

TITLE = re.compile(r"<title>(.*?)</title>")
COLOUR = re.compile(r"^\s*(\w+)=#([0-9A-Fa-f]{6})", re.MULTILINE)
"""A line of a design: a part of the board, and its colour."""


@dataclass(frozen=True)
class Design:
    """One design: its title, and the colours of the field, of both points and of both seats' checkers, the lighter ones
    first."""

    title: str
    field: Colour
    points: tuple[Colour, Colour]
    checkers: tuple[Colour, Colour]

    @property
    def apart(self) -> float:
        """By how many levels the first seat's checkers are brighter than the second's."""
        first, second = luminance(np.array(self.checkers, dtype=np.float64))
        return float(first - second)


def read_designs(file: Path) -> list[Design]:
    """Gets the designs of a file of which nobody asks which seat's checkers are the lighter ones.

    :raises ValueError: when there is none, or one without a colour that a board has.
    :raises OSError: when the file cannot be read.
    """
    text = file.read_text(encoding="utf-8", errors="replace")
    designs: list[Design] = []
    for number, part in enumerate(text.split("<board-design>")[1:], 1):
        title = TITLE.search(part)
        name = title[1].strip() if title else f"design {number}"
        try:
            designs.append(_design(name, dict(COLOUR.findall(part))))
        except KeyError as error:
            raise ValueError(f"{file}: {name} tells no colour of {error.args[0]}") from error
    told_apart = [design for design in designs if design.apart >= LEAST_APART]
    if not told_apart:
        raise ValueError(f"{file}: no designs of boards, as gnubg's boards.xml has them")
    return told_apart


def _design(title: str, colours: dict[str, str]) -> Design:
    """Gets a design from the colours of its parts (rrggbb).

    :raises KeyError: with the name of a part that is missing.
    """
    parts = ("board", "points0", "points1", "chequers0", "chequers1")
    field, first, second, *checkers = (_colour(colours[part]) for part in parts)
    design = Design(title, field, (first, second), (checkers[0], checkers[1]))
    return design if design.apart >= 0 else replace(design, checkers=design.checkers[::-1])


def _colour(written: str) -> Colour:
    red, green, blue = (min(max(int(written[at : at + 2], 16), DARKEST), BRIGHTEST) for at in (0, 2, 4))
    return blue, green, red


def designed(installation: Installation, designs: list[Design]) -> Installation:
    """Gets an installation in the colours of one of some designs, chosen by its name."""
    rng = np.random.default_rng([STREAM, 15, *installation.name.encode()])
    design = designs[int(rng.integers(len(designs)))]
    lighter, darker = (
        replace(seat, colour=colour) for seat, colour in zip(installation.look.checkers, design.checkers, strict=True)
    )
    look = replace(installation.look, field=design.field, points=design.points, checkers=(lighter, darker))
    return replace(installation, look=look, described=f"{installation.described}, in the colours of {design.title}")
