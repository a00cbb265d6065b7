"""``boardctl bench dice-colours``: whether dice of two sets are told apart by their colours, and one set never is."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from math import dist, inf
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Annotated

import cv2
import typer

from boardctl.cli.bench.places import wanted_installations
from boardctl.cli.reporting import UsageError
from boardctl.devices.pictures import read_picture
from boardctl.referee.readings import DieReading, Lab
from boardctl.referee.roll.whose_dice import LEARNT, REMEMBERED, of_the_other_set
from boardctl.rules import Seat
from boardctl.vision.frame import FrameReader
from calibration import calibrate

NEAR_PX = 9.0
"""A die that is found within this of a true one is that die."""

LEAST_DICE = 2
"""Dice of one side of which something can be said."""

FIRST_GAME_FRAME = 2  # the empty board and the starting position come before


@dataclass(frozen=True)
class Side:
    """The dice that were read in a seat's section of one installation: their set's name, and the colours read."""

    name: str
    bodies: tuple[Lab, ...]

    @property
    def middle(self) -> Lab:
        """The colour in the middle of all."""
        lightness, green_red, blue_yellow = (median(values) for values in zip(*self.bodies, strict=True))
        return (lightness, green_red, blue_yellow)

    @property
    def nine_in_ten(self) -> float:
        """How far nine in ten are from it at most."""
        return quantiles([dist(body, self.middle) for body in self.bodies], n=10, method="inclusive")[-1]


def dice_colours(
    folder: Annotated[Path, typer.Argument(help="Folder of installations with truth: f00 empty, f01 start.")],
    draws: Annotated[
        int, typer.Option(min=1, help="So many throws are drawn of the dice of each installation.")
    ] = 4000,
    seed: Annotated[int, typer.Option(help="Where the draws start.", min=0)] = 1,
) -> None:
    """Measure how alike the dice of a set look and how unlike those of two, and what is told of throws drawn from them.

    Each installation is calibrated by itself. A throw of seat A is drawn from the dice read in A's section, and from
    those in B's: these are the opponent's where the sets differ, and nothing may be said of them where they do not.

    Example: boardctl bench dice-colours renders
    """
    cv2.setNumThreads(1)
    places = wanted_installations(folder, None)
    wrong = told = other = drawn = 0
    spread: list[float] = []
    for place in places:
        sides = _sides(place)
        if len(sides) < len(_SEATS) or any(len(side.bodies) < LEAST_DICE for side in sides.values()):
            typer.echo(f"{place.name}: too few dice were read on one side")
            continue
        mine, its = (sides[seat] for seat in _SEATS)
        spread += [mine.nine_in_ten, its.nine_in_ten]
        differ = mine.name != its.name
        random = Random(seed)  # noqa: S311  draws, no secret
        counts = [_told(random, mine.bodies, its.bodies) for _ in range(draws)]
        own, others = sum(one for one, _ in counts), sum(one for _, one in counts)
        wrong += own + (0 if differ else others)
        told, other = told + others * differ, other + draws * differ
        drawn += draws
        typer.echo(
            f"{place.name}: A {mine.name} ({len(mine.bodies)} dice, nine in ten within {mine.nine_in_ten:.1f}), "
            f"B {its.name} ({len(its.bodies)}, {its.nine_in_ten:.1f}), {dist(mine.middle, its.middle):.1f} apart; "
            f"of {draws} throws each, told to be the opponent's: own {own}, from the other side {others}"
        )
    if not spread:
        raise UsageError(f"{folder}: too few dice were read; name a folder with more pictures of each installation")
    typer.echo(
        f"in all: {wrong} of {2 * drawn - other} throws with the own dice, or with the only set there is, told to be "
        f"the opponent's; {told} of {other} with the opponent's told; nine in ten dice within {median(spread):.1f} of "
        "their middle (median of the boards' sides)"
    )


_SEATS = (Seat.A, Seat.B)


def _told(random: Random, mine: Sequence[Lab], its: Sequence[Lab]) -> tuple[bool, bool]:
    """Whether a throw of A with the own dice is told to be with B's, and whether one with B's is; after some of each
    seat's."""
    own, others = ([_throw(random, dice) for _ in range(random.randint(LEARNT, REMEMBERED))] for dice in (mine, its))
    told = [of_the_other_set(own, others, _throw(random, dice)) > 0 for dice in (mine, its)]
    return told[0], told[1]


def _throw(random: Random, dice: Sequence[Lab]) -> tuple[Lab, Lab]:
    return random.choice(dice), random.choice(dice)


def _sides(place: Path) -> dict[Seat, Side]:
    """Gets the dice that are read in both seats' sections of an installation."""
    pictures = sorted(place.glob("f*.jpg"))
    reader = FrameReader(calibrate(read_picture(pictures[0]), read_picture(pictures[1])))
    bodies: dict[Seat, list[Lab]] = {}
    names: dict[Seat, str] = {}
    for path in pictures[FIRST_GAME_FRAME:]:
        truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        for die in reader.read(read_picture(path)).dice.dice:
            owner = _owner(die, truth["dice"])
            if die.body is not None and die.section is not None and owner is not None:
                bodies.setdefault(die.section, []).append(die.body)
                names[die.section] = truth["dice_colors"][owner]
    return {seat: Side(names[seat], tuple(found)) for seat, found in bodies.items()}


def _owner(die: DieReading, true: Sequence[dict[str, object]]) -> str | None:
    """Gets of whose set a die that was found is; None where there is none."""
    away, owner = min(
        ((dist(die.center_px, one["center_px"]), str(one["owner"])) for one in true),  # type: ignore[arg-type]
        default=(inf, ""),
    )
    return owner if away < NEAR_PX else None
