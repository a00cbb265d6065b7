"""What a bench shows the eyes of an installation: its pictures as they are, or with what has become of the table."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from boardctl.cli.reporting import UsageError
from boardctl.devices.faces import Picture
from boardctl.devices.pictures import read_picture
from boardctl.lights import frame_of
from boardctl.referee.effects import Mark, Scene, Sign
from boardctl.rules import Seat, bar, point
from boardctl.virtual.drawing.burning_lights import LightLook, lights_of, with_lights
from boardctl.vision.measuring.boards_beside import Board, with_boards_beside
from boardctl.vision.measuring.later_changes import (
    Change,
    Lamp,
    Moment,
    Nudge,
    exposed_otherwise,
    in_shadow,
    noisy,
    noisy_together,
    with_common_noise,
)
from boardctl.vision.measuring.other_camera import OtherCamera
from boardctl.vision.measuring.poor_cameras import PoorCamera, taken_by
from boardctl.vision.measuring.truth import camera_of, geometry_of
from calibration import BoardGeometry, CameraModel
from calibration.follow import outline_mm
from firmware_bridge.leds import ChainLayout

EMPTY, START = "f00", "f01"
"""Pictures of an installation by which it is calibrated: the empty board, and the starting position."""

A_ON_TURN, ON_BAR = 0.5, 0.3
"""How often A is on turn, and how often a checker may come in from the bar."""
SOURCES, TARGETS = 4, 6
"""From so many points checkers may move at most, and to so many."""

Drawn = tuple[Change, int]
"""What has become of a table, and the number by which it is drawn."""

Shown = Callable[[Path, int], Picture]
"""Gets a picture of the table that a file shows: 0 for the first while it lies still, then the next ones."""


def shown_by(
    place: Path,
    camera_number: int | None,
    lamp_number: int | None,
    lights_number: int | None,
    later: Sequence[Drawn],
    between: Mapping[str, Sequence[Drawn]],
    beside_number: int | None = None,
    noise_number: int | None = None,
    poor: PoorCamera | None = None,
) -> Shown:
    """Gets what reads an installation's pictures: as they are, or as the other camera took them that a number draws,
    below a lamp that flickers where a number draws that, with lights of the board burning in all but those that it is
    calibrated by where one draws these, and with what has become of the table: ``later``, since the camera was
    calibrated, and ``between`` the two pictures by which it is, of these that which is named. Where there is a
    ``beside_number`` other boards lie beside, as that draws them; where there is a ``noise_number`` all others are
    taken in little light. ``poor``: the camera is so in all of them."""
    seed = [camera_number or 0, *place.name.encode()]
    camera, rng = OtherCamera.drawn(np.random.default_rng(seed)), np.random.default_rng([*seed, 1])
    moments: list[tuple[Moment, int]] = [(with_common_noise, 0) if noise_number is None else (noisy, noise_number)]
    lamp: list[tuple[Moment, int]] = []
    if lamp_number is not None:
        drawn = Lamp.drawn(np.random.default_rng([lamp_number, *place.name.encode()]))
        lamp.append((drawn.picture, lamp_number))

    def shown(path: Path, frame: int = 0) -> Picture:
        def drawn_by(number: int) -> np.random.Generator:
            return np.random.default_rng([number, *place.name.encode(), *path.stem.encode()])

        picture = read_picture(path) if beside_number is None else _among_boards(path, beside_number)
        calibrates = path.stem in (EMPTY, START)
        if lights_number is not None and not calibrates:
            picture = _lit(picture, path, lights_number)
        for change, number in between.get(path.stem, ()) if calibrates else later:
            picture = change(picture, drawn_by(number))
        if poor is not None:
            picture = taken_by(poor, picture, place.name, f"{path.stem} {frame}")
        for moment, number in lamp if calibrates else [*moments, *lamp]:
            picture = moment(picture, drawn_by(number), frame)
        return picture if camera_number is None else camera.take(picture, rng)

    return shown


def _among_boards(path: Path, number: int) -> Picture:
    """Gets an installation's picture with boards of others at its sides: the same boards in each of its pictures, and
    on them another position in each."""
    seed = [number, *path.parent.name.encode()]
    beside, position = np.random.default_rng(seed), np.random.default_rng([*seed, *path.stem.encode()])
    games = _games_beside(path.parent)
    left, right = (_board(Path(position.choice(games[which]))) for which in beside.integers(len(games), size=2))
    return with_boards_beside(_board(path), left, right, beside)


@lru_cache(maxsize=1)
def _games_beside(place: Path) -> list[list[str]]:
    """Gets the files of games at boards whose installations lie beside one, with pictures as large as its.

    :raises UsageError: when there are none.
    """
    size = _size_of(place)
    others = (each for each in sorted(place.parent.iterdir()) if each != place and _size_of(each) == size)
    games = [sorted(str(path) for path in each.glob("f*.jpg") if path.stem not in (EMPTY, START)) for each in others]
    if size is None or not any(games):
        raise UsageError(f"{place.parent}: has no board to lay beside {place.name}, seen as large; leave out --beside")
    return [game for game in games if game]


def _size_of(place: Path) -> tuple[int, int] | None:
    """Gets how large an installation's pictures are; None where it is none whose camera is known."""
    truth = place / f"{EMPTY}.json"
    camera = json.loads(truth.read_text(encoding="utf-8")).get("camera") if truth.is_file() else None
    return camera and (camera["width"], camera["height"])


def _board(path: Path) -> Board:
    """Gets a picture of a board, and where its outline is seen."""
    camera, geometry = _seen_by(path, "--beside")
    return Board(read_picture(path), camera.project(outline_mm(geometry)))


def _seen_by(path: Path, option: str) -> tuple[CameraModel, BoardGeometry]:
    """Gets the camera that took a picture with truth, and the board in it.

    :raises UsageError: when its truth does not tell them, which ``option`` needs.
    """
    file = path.with_suffix(".json")
    truth = json.loads(file.read_text(encoding="utf-8"))
    try:
        return camera_of(truth), geometry_of(truth)
    except KeyError as error:
        raise UsageError(f"{file}: has no {error}, which {option} needs; leave out {option}") from error


def _lit(picture: Picture, path: Path, number: int) -> Picture:
    """Gets an installation's picture with lights burning as they do while a game is taught or put right."""
    seed = [number, *path.parent.name.encode()]
    look, rng = LightLook.drawn(np.random.default_rng(seed)), np.random.default_rng([*seed, *path.stem.encode()])
    camera, geometry = _seen_by(path, "--lights")
    lights = lights_of(geometry, ChainLayout(), frame_of(_drawn_scene(rng)).lit_at(0))
    return with_lights(picture, read_picture(path.with_name(f"{EMPTY}{path.suffix}")), camera, lights, look)


def _drawn_scene(rng: np.random.Generator) -> Scene:
    """Draws what lights say: whose turn it is, and where its checkers may go, what is wrong with a point, or what is to
    be put right."""
    seat = Seat.A if rng.random() < A_ON_TURN else Seat.B
    points = [point(number) for number in (rng.permutation(24) + 1).tolist()]
    sources, targets = (int(rng.integers(1, most + 1)) for most in (SOURCES, TARGETS))
    said = (
        [Mark(Sign.SOURCE, points.pop()) for _ in range(sources)]
        + [Mark(Sign.TARGET, points.pop()) for _ in range(targets)],
        [Mark(Sign.PROBLEM, points.pop())],
        [Mark(Sign.EXTRA, points.pop()), Mark(Sign.MISSING, points.pop())],
    )
    marks = [Mark(Sign.TURN, seat=seat), *said[int(rng.integers(len(said)))]]
    if rng.random() < ON_BAR:
        marks.append(Mark(Sign.SOURCE, bar(seat)))
    return Scene(tuple(marks))


def changes_between(place: Path, exposure: int | None, shadow: int | None, noise: int | None) -> dict[str, list[Drawn]]:
    """Gets what becomes of an installation's two first pictures: another exposure of the empty board's, a shadow over
    one of the two, and the noise of little light, each where a number draws it."""
    changes: dict[str, list[Drawn]] = {EMPTY: [], START: []}
    if exposure is not None:
        changes[EMPTY].append((exposed_otherwise, exposure))
    if shadow is not None:
        in_which = np.random.default_rng([shadow, *place.name.encode()]).integers(2)
        changes[(EMPTY, START)[in_which]].append((in_shadow, shadow))
    if noise is not None:
        for drawn in changes.values():
            drawn.append((noisy_together, noise))
    return changes


def nudge_of(number: int | None, place: Path, picture: Picture) -> Nudge | None:
    """Gets what takes an installation's camera back to where it stood before it was nudged."""
    if number is None:
        return None
    height, width = picture.shape[:2]
    return Nudge.drawn(width, height, np.random.default_rng([number, *place.name.encode()]))
