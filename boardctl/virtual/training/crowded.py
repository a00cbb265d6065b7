"""Draws boards full of checkers as uncommon ones are, for training the eyes: pictures with their truth beside them.

    python -m boardctl.virtual.training.crowded OUT_DIR [--looks 24] [--pictures 6] [--seed 501] [--slanted]

What :mod:`boardctl.virtual.training.boards` draws are strips of common boards. Here boards are printed, inlaid, ornate,
polished, before wide lenses and in pictures of any size, as ``boardctl bench looks --mixed`` draws them, and what is
written are pictures in the folders of installations, so that ``boardctl.vision.training`` can see them as the program
does, with a calibration and without one.
"""

from dataclasses import replace
from pathlib import Path
from random import Random

import cv2

from boardctl.virtual.training.boards import asked_parser, filled
from boardctl.virtual.unseen.looks import Installation, drawn_installation, slanted
from boardctl.virtual.unseen.mixed import mixed
from boardctl.virtual.unseen.tables import EMPTY_AND_START, scenes_of, write_scenes
from boardctl.virtual.world import set_up

SEED = 501

BARE = 0.45
"""How often a point is bare: of a photograph bare ones tell how the board looks below the others."""


def write_crowded(installation: Installation, folder: Path, pictures: int, seed: int) -> None:
    """Draws an installation into a folder: the empty board, the starting position, and so many pictures with rows of
    all lengths, over which no hand reaches."""
    random = Random(f"{installation.name} {seed} crowded")  # noqa: S311  drawings
    scenes = []
    for index, (scene, brighter) in enumerate(scenes_of(installation, pictures, seed, set_up)):
        world = scene.world
        if index >= EMPTY_AND_START:
            full = filled(replace(world, checkers=(), dice=()), random, BARE)
            world = replace(full, hands=(), cube=None)
        scenes.append((replace(scene, world=world), brighter))
    write_scenes(installation, folder, scenes, seed)


def main() -> None:
    """Draws the boards and writes them."""
    parser = asked_parser(__doc__, 24, 6, SEED)
    parser.add_argument("--slanted", action="store_true", help="seen by cameras that somebody holds beside the board")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    for number in range(given.looks):
        installation = mixed(drawn_installation(given.seed, number))
        installation = slanted(installation) if given.slanted else installation
        write_crowded(installation, given.out / installation.name, given.pictures, number)


if __name__ == "__main__":
    main()
