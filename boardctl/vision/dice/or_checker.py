"""What seems to be a die on a checker, or the cube, and may be the checker itself: a lamp in it, rings, an inlay."""

import numpy as np

from boardctl.referee.readings import BoardReading
from boardctl.vision.dice.checker_faces import CheckerFaces
from boardctl.vision.dice.look import DieView, Sight
from boardctl.vision.dice.memory import FACE_KEY, Output
from boardctl.vision.dice.patch import Patch
from boardctl.vision.dice.place import expects_checker_below
from calibration import BoardGeometry

XY = tuple[float, float]

LEAST_NUMBER = 0.5
"""Likelihood of its likeliest number from which what seems to lie on a checker is held to be a die. Of the true dice on
checkers that are found, learned from or not, every one shows as much."""
SURELY_A_DIE = 0.98
"""How likely it must be a die. Of 26 that were found on checkers of 76 boards (drawn 9981, 10501, 10503 and 10505,
traced 10601, renders learned from) one had 0.99 and the others more than 0.999; of six that were seen in glints of a
lamp on one board's dark checkers (10601-08) three had less than 0.98, the others 0.987, 0.999 and 1.0."""
A_FACE, A_FACE_ANYWHERE = 0.88, 0.95
"""How much it must look like the faces of two of this board's checkers to be one, where checkers lie and where none is
known to. Of 65 places on inlaid checkers that
were taken for dice (drawn 10901, traced 10903) each does with 0.94 and more, of eight true dice on checkers of these
boards the most with 0.78, of 216 that lie elsewhere with 0.92."""
PLAINLY_A_DIE, LESS_ALIKE = 0.99, 0.03
"""What is as likely a die that shows some number is no face where it looks so much less like the two likeliest than
others of them do. On 30 boards whose checkers may be taken for dice, drawn and traced (10901, 10903, 10905, 10933,
21001, 21003), of 259 views of faces all but seven lack 0.022 at most, and of these none is as likely; of dice with a
likeness of 0.84 and more all lack 0.039 and more: white ones on black checkers with white stars look like these stars
from afar (21001-05)."""


def is_checker(
    view: DieView,
    sight: Sight,
    board: BoardReading | None,
    geometry: BoardGeometry,
    faces: CheckerFaces | None,
    surely: float = SURELY_A_DIE,
) -> bool:
    """Whether what is taken for a die on a checker shows no number, is less likely a die than ``surely``, or looks like
    a checker's face."""
    is_plain = max(view.values) >= LEAST_NUMBER and view.is_die >= surely
    if is_plain and faces is None:
        return False
    is_above = view.on_checker > 0.5 or lies_below(board, view.spot_mm, sight, geometry)
    if is_above and not is_plain:
        return True
    plainly = max(view.values) * view.is_die >= PLAINLY_A_DIE
    return faces is not None and is_face(view.spot_mm, sight, geometry, faces, is_above, plainly)


def is_face(
    spot_mm: XY, sight: Sight, geometry: BoardGeometry, faces: CheckerFaces, is_above: bool, plainly_else: bool = False
) -> bool:
    """Whether what is seen at a place looks like a checker's face; ``is_above``: it is seen where one lies;
    ``plainly_else``: it looks plainly like something else, so that faces must be more like it than others like them."""
    # Checkers lie on the bar, too, and in a photograph the board is read before its dice.
    lies = is_above or abs(spot_mm[0]) < (geometry.bar_width_mm + geometry.checker_diameter_mm) / 2
    lies = lies or lies_below(faces.lying, spot_mm, sight, geometry)
    alike, more = _likeness(spot_mm, sight, faces)
    return alike >= (A_FACE if lies else A_FACE_ANYWHERE) and not (plainly_else and more < -LESS_ALIKE)


def checkers_last(
    spots: list[XY], sight: Sight, board: BoardReading | None, geometry: BoardGeometry, faces: CheckerFaces | None
) -> list[XY]:
    """Gets places in their order, but those where checkers lie whose faces may be taken for dice after all others."""
    known = None if faces is None else board or faces.lying
    return spots if known is None else sorted(spots, key=lambda spot: lies_below(known, spot, sight, geometry))


def lies_below(board: BoardReading | None, spot_mm: XY, sight: Sight, geometry: BoardGeometry) -> bool:
    """Whether a checker is known to lie below."""
    return board is not None and expects_checker_below(board, spot_mm, sight.camera, geometry)


def _likeness(spot_mm: XY, sight: Sight, faces: CheckerFaces) -> tuple[float, float]:
    """Gets how much a place looks like faces, and how much more than others do, as the frames before have told where it
    has not changed since."""

    def cut() -> Patch:
        return faces.around(spot_mm, sight.picture)

    def ask(patch: Patch) -> Output:
        return np.array(faces.likeness(spot_mm, patch), dtype=np.float32)

    alike, more = sight.looks.see((*spot_mm, FACE_KEY, False), cut, ask)
    return float(alike), float(more)
