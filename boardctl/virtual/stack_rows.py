"""Draws rows of checkers, many of them tall, as cameras and boards of all kinds would show them, for training the eyes.

    python -m boardctl.virtual.stack_rows OUT.npz [--looks 67]

Each look has its own camera, light, colours and checkers; none is one of :data:`~boardctl.virtual.looks.LOOKS`, by
which the eyes are measured. What is written is what ``boardctl.vision.training.stack_rows.rows_drawn`` reads.
"""

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.rules import Placement, Seat, point
from boardctl.virtual.looks import LOOKS, CheckerLook, Lens, Light, Look, camera_over
from boardctl.virtual.render import Renderer
from boardctl.virtual.world import Checker, empty_world, set_up
from boardctl.vision.columns import SLOTS, leaning_px, top_height_mm
from boardctl.vision.stack_strips import LENGTH, PATCH_PX, stack_places_mm
from calibration import BoardGeometry, CameraModel

SEED = 99
POSITIONS_A_LOOK = 3
TALL, SHORT = (5, 6, 6, 7, 7, 8, 9, 10), (3, 4, 5)
LEAST_LENGTH = 3
ASSUMED = BoardGeometry()
"""The board as a calibration would take it to be: of the checkers' true height it knows nothing."""

Drawn = tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.float32]]


def drawn_rows(seed: int, looks: int) -> Iterator[Drawn]:
    """Gets rows (312 x 72 x 3), the layers above the first in their seven slots (-1 where none lies), and how a layer
    leans in pixels of the usual strips."""
    rng, random = np.random.default_rng(seed), Random(seed)  # noqa: S311  drawings, not secrets
    for number in range(looks):
        look, geometry = _look(rng), BoardGeometry(checker_height_mm=rng.uniform(9.0, 11.2))
        renderer = Renderer(look, geometry, number)
        for _ in range(POSITIONS_A_LOOK):
            world = set_up(empty_world(geometry, random), _placement(random), random)
            picture = renderer.frame(world)
            for place in world.placement():
                layers = _layers(world.at(place), place.number, geometry)
                length = int((layers >= 0).sum())
                if length >= LEAST_LENGTH and (layers[:length] >= 0).all():
                    yield _cut(picture, look.camera, place.number), layers, _leaning(look.camera, place.number)


def _look(rng: np.random.Generator) -> Look:
    """Draws a camera, a light and colours."""
    base = list(LOOKS.values())[int(rng.integers(len(LOOKS)))]
    height_mm = rng.uniform(800, 1150)
    large = rng.random() < 0.3
    camera = camera_over(
        (rng.uniform(-260, 260), rng.uniform(-420, 120), height_mm),
        (rng.uniform(-15, 15), rng.uniform(-15, 15), 0.0),
        rng.uniform(1.1, 1.3) * height_mm * (1.5 if large else 1.0),
        roll_deg=rng.uniform(-3, 3),
        size_px=(1920, 1080) if large else (1280, 720),
        distortion=(rng.uniform(-0.1, 0.05), 0.0, 0.0, 0.0, 0.0),
    )
    light = Light(
        (rng.uniform(-500, 500), rng.uniform(-500, 500), rng.uniform(900, 1500)),
        ambient=rng.uniform(0.3, 0.65),
        softness_mm=rng.uniform(60, 250),
        exposure=rng.uniform(0.8, 1.1),
    )
    pale, dark = (
        CheckerLook(_colour(rng, *levels), rng.uniform(0, 0.9), rng.uniform(0, 0.6))
        for levels in ((130, 245), (15, 110))
    )
    return replace(
        base,
        camera=camera,
        field=_colour(rng, 15, 240),
        points=(_colour(rng, 15, 240), _colour(rng, 15, 240)),
        wood=_colour(rng, 20, 140),
        checkers=(pale, dark),
        light=light,
        lens=Lens(rng.uniform(0.5, 1.1), rng.uniform(1.0, 3.5)),
    )


def _colour(rng: np.random.Generator, low: float, high: float) -> tuple[int, int, int]:
    blue, green, red = (int(level) for level in np.clip(rng.uniform(low, high) * rng.uniform(0.5, 1.5, 3), 5, 250))
    return blue, green, red


def _placement(random: Random) -> Placement:
    """Draws where the checkers lie: a few tall stacks of either seat, in order."""
    left, stacks = {Seat.A: 15, Seat.B: 15}, {}
    numbers = list(range(1, 25))
    random.shuffle(numbers)
    for index, number in enumerate(numbers):
        seat = Seat.A if index % 2 else Seat.B
        count = min(random.choice(TALL if left[seat] >= 9 else SHORT), left[seat])
        if count >= LEAST_LENGTH:
            stacks[point(number)] = (seat,) * count
            left[seat] -= count
    return Placement(stacks)


def _layers(checkers: list[Checker], number: int, geometry: BoardGeometry) -> NDArray[np.int64]:
    layers = np.full(SLOTS, -1, dtype=np.int64)
    for checker in checkers:
        y = checker.y_mm if geometry.is_near_row(number) else -checker.y_mm
        slot = int(np.clip((geometry.field_height_mm / 2 + y) // geometry.checker_diameter_mm, 0, SLOTS - 1))
        layer = round(checker.z_mm / geometry.checker_height_mm - 0.5)
        layers[slot] = max(layers[slot], min(layer, 2))
    return layers


def _cut(picture: NDArray[np.uint8], camera: CameraModel, number: int) -> NDArray[np.uint8]:
    flat = stack_places_mm(ASSUMED, number - 1).reshape(-1, 2)
    height_mm = top_height_mm(ASSUMED, number - 1)
    pixels = camera.project(np.column_stack([flat, np.full(len(flat), height_mm)])).astype(np.float32)
    maps = pixels.reshape(LENGTH, PATCH_PX, 2)
    seen = cv2.remap(picture, maps, np.empty(0, np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, dtype=np.uint8)


def _leaning(camera: CameraModel, number: int) -> NDArray[np.float32]:
    return np.array(leaning_px(camera, ASSUMED, number - 1), dtype=np.float32)


def main() -> None:
    """Draws the rows and writes them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--looks", type=int, default=67)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    shown, layers, leaning = zip(*drawn_rows(SEED, given.looks), strict=True)
    np.savez_compressed(given.out, shown=np.stack(shown), layers=np.stack(layers), leaning=np.stack(leaning))


if __name__ == "__main__":
    main()
