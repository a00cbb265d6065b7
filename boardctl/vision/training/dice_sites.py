"""Collects the sites from which the network that reads one die learns, true and drawn. One core, about ten minutes.

    python -m boardctl.vision.training.dice_sites RENDERS_DIR OUT.pickle [--drawn-only | --true-only] [--seed N]
        [--suspected LIKELIHOOD]

Where the scan is mistaken, the scan in ``weights`` tells. Recipe: MODEL_CARD.md beside this file.
"""

import argparse
import logging
import pickle
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.dice.networks import scan_cells
from boardctl.vision.dice.patch import die_size_px
from boardctl.vision.dice.scan import die_peaks, peak_spots_mm, scan_input, scan_picture
from boardctl.vision.measuring.truth import TruePicture, training_pictures
from boardctl.vision.training.die_rest import LEAST_DIE_PX, SIZES, drawn_beside
from boardctl.vision.training.sites import (
    Label,
    Site,
    cube_site,
    cut_site,
    drawn_die,
    empty_site,
    mistaken_sites,
    true_dice,
)

LOG = logging.getLogger(__name__)

SEED = 20261121
DRAWN, DRAWN_TILTED = 14, 0.3
STACKED, AT_CHECKERS = 8, 1.0
LEANING, BESIDE = 48, 36
"""Dice drawn in each picture: anywhere, on checkers, leaning on something, and lying flat beside something."""
A_FEW = 0.25
"""Part of those beside something in a set of drawn ones alone."""
EMPTY = 6
SUSPECTED = 0.05
"""Likelihood from which a place without a die that the scan suspects is one to learn from, where none is given: a third
of that from which places are looked at in use."""

SitesOf = Callable[[TruePicture, NDArray[np.uint8], np.random.Generator], list[Site]]
"""Gets the sites of one picture and its truth, by chance."""


def collect(pictures: list[TruePicture], of_one: SitesOf, seed: int) -> list[Site]:
    """Gets the sites of all pictures."""
    sites: list[Site] = []
    for number, picture in enumerate(pictures):
        rng, image = np.random.default_rng([seed, number]), picture.picture()
        sites += of_one(picture, image, rng)
        if number % 20 == 0:
            LOG.info("%d of %d pictures, %d sites", number, len(pictures), len(sites))
    return sites


def sites_of(
    picture: TruePicture, image: NDArray[np.uint8], rng: np.random.Generator, suspected: float = SUSPECTED
) -> list[Site]:
    """Gets the sites of one picture (``image``) and its truth, true and drawn."""
    return true_sites(picture, image, rng, suspected) + more_drawn(picture, image, rng)


def true_sites(
    picture: TruePicture, image: NDArray[np.uint8], rng: np.random.Generator, suspected: float = SUSPECTED
) -> list[Site]:
    """Gets the sites of one picture where there are dice and cubes, and where there are none."""
    sites = list(true_dice(picture, image))
    sites += [s for _ in range(EMPTY) if (s := empty_site(picture, image, rng)) is not None]
    sites += mistaken_sites(picture, image, places(picture, image, suspected))
    return sites + [s for _ in range(2) if (s := cube_site(picture, image, rng)) is not None]


def more_drawn(picture: TruePicture, image: NDArray[np.uint8], rng: np.random.Generator, part: float = 1) -> list[Site]:
    """Gets the drawn sites of one picture; ``part``: so many of those beside something."""
    sites = list(drawn_sites(picture, image, rng, DRAWN))
    sites += stacked_sites(picture, image, rng)
    for tilted, wanted in ((True, round(part * LEANING)), (False, round(part * BESIDE))):
        tries = (drawn_beside(picture, image, rng, tilted) for _ in range(6 * wanted))
        sites += list(islice((site for site in tries if site is not None), wanted))
    return sites


def places(picture: TruePicture, image: NDArray[np.uint8], suspected: float) -> list[tuple[float, float]]:
    """Gets where the scan, trained before, suspects dice with such a likelihood and more."""
    scan, frame = scan_picture(image, picture.camera, picture.geometry)
    return peak_spots_mm(die_peaks(scan_cells(scan_input(scan)), suspected, 20), frame)


def drawn_sites(picture: TruePicture, image: NDArray[np.uint8], rng: np.random.Generator, count: int) -> Iterator[Site]:
    """Gets up to ``count`` sites with a die drawn anywhere."""
    for _ in range(count):
        made = drawn_die(picture, image, rng, DRAWN_TILTED, sizes=SIZES)
        if made is not None and (site := _cut(picture, *made, "drawn")) is not None:
            yield site


def stacked_sites(picture: TruePicture, image: NDArray[np.uint8], rng: np.random.Generator) -> Iterator[Site]:
    """Gets up to ``STACKED`` sites with a flat die drawn on a checker."""
    for _ in range(STACKED):
        made = drawn_die(picture, image, rng, 0.0, AT_CHECKERS, SIZES)
        if made is None or made[2].on != "checker":
            continue
        if (site := _cut(picture, *made, "stacked")) is not None:
            yield site


def _cut(
    picture: TruePicture, painted: NDArray[np.uint8], spot: tuple[float, float, float], label: Label, group: str
) -> Site | None:
    """Cuts the piece around a drawn die, which is twice as wide as its middle is high; None when it is too small."""
    size = 2 * spot[2]
    if die_size_px(picture.camera, spot, size) < LEAST_DIE_PX:
        return None
    return cut_site(painted, picture.camera, spot, size, label, group)


def main() -> None:
    """Collects from the pictures of a folder into a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("renders", type=Path)
    parser.add_argument("out", type=Path)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--drawn-only", action="store_true")
    which.add_argument("--true-only", action="store_true")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--suspected", type=float, default=SUSPECTED, help="where there is no die, by the scan")
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    cv2.setNumThreads(1)
    began = time.monotonic()
    true = partial(true_sites if given.true_only else sites_of, suspected=given.suspected)
    of_one = partial(more_drawn, part=A_FEW) if given.drawn_only else true
    sites = collect(list(training_pictures(given.renders)), of_one, given.seed)
    with given.out.open("wb") as file:
        pickle.dump(sites, file)
    LOG.info("%s in %.0f s", dict(Counter(site.group for site in sites)), time.monotonic() - began)


if __name__ == "__main__":
    main()
