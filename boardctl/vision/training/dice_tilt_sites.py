"""Draws the dice from which the network that tells tilts learns most: in a room that is mirrored in them, at any tilt.

    python -m boardctl.vision.training.dice_tilt_sites RENDERS_DIR OUT.pickle

One core, about five minutes. Recipe: MODEL_CARD.md beside this file.
"""

import logging
import pickle
import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.measuring.truth import TruePicture, training_pictures
from boardctl.vision.training.die_render import DieLook, light_in_room, random_look
from boardctl.vision.training.die_rest import Rest, drawn_at_rest
from boardctl.vision.training.sites import TILTED_DEG, Site

LOG = logging.getLogger(__name__)

SEED = 11
DRAWN = 26
"""Dice in each picture."""
MOST_TRIES = 8 * DRAWN
FLAT, NEARLY_FLAT, DOUBTFUL = 0.36, 0.44, 0.48
"""So many lie flat; up to the second part they are tilted by less than 4 degrees, up to the third by 4 to 8: these do
not tell what to call tilted, but which way a side faces."""
SMALL_TILT_DEG, MOST_TILT_DEG, SMALL_SHARE = 20.0, 42.0, 0.65
TOUCHING = 0.6
"""So many of the flat ones touch what they lie beside."""
LEANING, LYING = "leaning in a room", "lying in a room"
"""Groups of sites: tilted so that it must be rolled again, or not."""
EDGE_RADIUS = (0.05, 0.27)
"""In die widths. Rounder edges make a flat die look as if it leaned: only its sides and pips tell then."""
CODED = 0.85
"""So many pictures are made JPEG once more, as they would have been with the die in them."""


def random_tilt_deg(rng: np.random.Generator) -> float:
    """Draws a tilt."""
    kind = rng.random()
    if kind < FLAT:
        return 0.0
    if kind < NEARLY_FLAT:
        return float(rng.uniform(0.5, 4))
    if kind < DOUBTFUL:
        return float(rng.uniform(4, TILTED_DEG))
    return float(rng.uniform(TILTED_DEG, SMALL_TILT_DEG if rng.random() < SMALL_SHARE else MOST_TILT_DEG))


def look_in_room(rng: np.random.Generator) -> DieLook:
    """Draws a look: rounder and less grainy than for plain light."""
    look = random_look(rng)
    return replace(
        look,
        edge_radius=float(rng.uniform(*EDGE_RADIUS)),
        speckle=float(look.speckle * rng.uniform(0, 0.5)) if rng.random() < 0.6 else 0.0,
    )


def drawn_in_room(picture: TruePicture, image: NDArray[np.uint8], rng: np.random.Generator) -> Site | None:
    """Gets a site with a die drawn beside something; None when the place was not free."""
    tilt = random_tilt_deg(rng)
    gap = 0.0 if tilt > 0 or rng.random() < TOUCHING else float(rng.uniform(0, 0.8))
    group = LEANING if tilt >= TILTED_DEG else LYING
    site = drawn_at_rest(picture, image, rng, Rest(look_in_room(rng), light_in_room(rng), tilt, gap, group))
    return None if site is None else replace(site, picture=as_taken(site.picture, rng))


def as_taken(picture: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Gets a picture with a camera's noise, mostly as JPEG brings it."""
    noise: NDArray[np.floating[Any]] = rng.normal(0, rng.uniform(0, 3.5), picture.shape)
    if rng.random() < 0.4:
        noise = cv2.GaussianBlur(noise, (0, 0), 0.6) * 1.6
    noisy = np.clip(picture + noise, 0, 255).astype(np.uint8)
    if rng.random() >= CODED:
        return noisy
    coded = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(72, 97))])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), dtype=np.uint8)


def main() -> None:
    """Draws in the pictures of the folder given first into the file given second."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    cv2.setNumThreads(1)
    sites: list[Site] = []
    for number, picture in enumerate(training_pictures(Path(sys.argv[1]))):
        rng, image = np.random.default_rng([SEED, number]), picture.picture()
        tries = (drawn_in_room(picture, image, rng) for _ in range(MOST_TRIES))
        sites += islice((site for site in tries if site is not None), DRAWN)
        if number % 40 == 0:
            LOG.info("%d pictures, %d sites", number, len(sites))
    with Path(sys.argv[2]).open("wb") as file:
        pickle.dump(sites, file)
    LOG.info("%d sites", len(sites))


if __name__ == "__main__":
    main()
