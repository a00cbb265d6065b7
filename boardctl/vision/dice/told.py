"""What is told of a die, of what the closer look and its place on the board say of it."""

import numpy as np

from boardctl.referee.readings import BoardReading, DieReading, Support
from boardctl.vision.dice.look import DieView
from boardctl.vision.dice.place import support_in_field, support_of
from calibration import BoardGeometry, CameraModel

VALUE_VOUCHED = 0.9
"""Likelihood from which a value is told, with its likelihood: of less likely ones more than one in ten may be wrong.
Most that is said of one by a camera out of focus: of 26 dice three fives were told to be fours so, with 0.95 to 0.97
(inst12, blurred by 2.1 pixels)."""
TILTED, FLAT = 0.55, 0.3
"""Likelihoods of a tilt from which a die is said to be tilted, and below which to be flat; between, neither is said.
Of 3,351 dice drawn flat beside something on looks that training never saw the first takes 73 for tilted, of 4,859 that
lean it sees 4,732; of those that lean the second takes one in sixty for flat, so that flat is never sure there."""
SURELY_TILTED = 0.99
"""Likelihood of a tilt from which a die leans for sure: seven of these 3,351 flat dice look so; of those that lean six
in seven do. A throw that is refused for less is refused as probably tilted. A camera out of focus tells a die to lean
from here on alone: of 618 legal dice, blurred, four look so, of 30 that lean 18."""
SEEMS_FLAT = 0.95
"""Most confidence in a die beside something to lean on that looks flat, in one that looks tilted and has nothing to
lean on, and in one that does not surely lean. Of dice that do lean the picture alone shows nine in ten, and about one
die in ten beside something does lean."""


def told_of(
    view: DieView,
    camera: CameraModel,
    geometry: BoardGeometry,
    board: BoardReading | None,
    free: bool,
    in_cup: bool,
    tilted_from: float,
) -> DieReading:
    """Gets the reading of a die. ``free``: nothing is near that it could lean on; ``in_cup``: it lies in a cup, or on
    what else was put down on the board. From the likelihood ``tilted_from`` on it is said to be tilted."""
    best = int(np.argmax(view.values))
    confidence = view.values[best] * view.is_die
    vouched = confidence >= VALUE_VOUCHED
    looks_flat = False if view.tilted >= tilted_from else True if view.tilted < FLAT else None
    if board is not None and (looks_flat is not True if free else looks_flat is not False):
        # What the picture says and what stands around the die do not settle it together.
        confidence = min(confidence, SEEMS_FLAT)
    if looks_flat is False and view.tilted < SURELY_TILTED:
        confidence = min(confidence, SEEMS_FLAT)
    x, y = view.spot_mm
    support = support_of(view.spot_mm, camera, geometry)
    if in_cup and support is not Support.OFF_BOARD:
        support, confidence = Support.THING, min(confidence, SEEMS_FLAT)
    elif support is Support.SURFACE:
        support, is_seen = support_in_field(view, board, camera, geometry)
        confidence = confidence if is_seen else min(confidence, SEEMS_FLAT)
    on_field = support in (Support.SURFACE, Support.CHECKER, Support.DIE)
    pixel = camera.project([(x, y, geometry.die_size_mm / 2)])[0]
    return DieReading(
        value=best + 1 if vouched else None,
        confidence=round(confidence, 4),
        flat=True if free else looks_flat,
        on=support,
        section=geometry.section_of(x, y) if on_field else None,
        tilt_deg=view.tilt_deg if view.tilted >= FLAT and not free else 0.0,
        center_px=(float(pixel[0]), float(pixel[1])),
        center_mm=(x, y),
        likeliest=best + 1,
    )
