"""Traces whole boards of looks that nobody has seen, their games played, as pictures with truth.

    python -m boardctl.virtual.traced.boards OUT_DIR [--looks 8] [--seed 1] [--pictures 6] [--slanted] [--trayless]
        [--ornate] [--railed] [--inlaid] [--uncommon-dice] [--cluttered] [--resized] [--wide] [--printed] [--polished]
        [--mixed] [--clear-dice] [--things-on-board] [--dice-in-cups]

Boards, colours, cameras and games are those that ``boardctl bench looks`` draws with the same numbers, but light goes
its true ways, bodies are round, checkers lie as people lay them, and hands are hands: ``boardctl bench vision OUT_DIR``
tells how the eyes read what none of their networks has learned from. Installations are written as rendered ones are.

Needs Mitsuba and Open Image Denoise, as ``boardctl.virtual.traced.dice`` does. What is there already is not traced
again, so that it can be broken off.
"""

import argparse
import json
import logging
import time
from pathlib import Path
from random import Random

import cv2
import drjit
import mitsuba
import numpy as np

from boardctl.rules import Placement
from boardctl.virtual.drawing.picture_truth import covered_by_things, record_of
from boardctl.virtual.drawing.stage import Stage
from boardctl.virtual.traced.arms import arm_of, covered_by
from boardctl.virtual.traced.board_scene import SOFT_PX, TracedBoard
from boardctl.virtual.traced.laying import habits, laid
from boardctl.virtual.traced.taking import Taking, taking_of
from boardctl.virtual.unseen.looks import (
    Installation,
    clear_dice,
    cluttered,
    dice_in_cups,
    drawn_installation,
    inlaid,
    ornate,
    polished,
    printed,
    railed,
    resized,
    slanted,
    things_on_board,
    trayless,
    uncommon_dice,
    wide,
)
from boardctl.virtual.unseen.mixed import mixed
from boardctl.virtual.unseen.tables import scenes_of
from boardctl.virtual.world import World

LOG = logging.getLogger(__name__)

WAYS = (
    *(resized, wide, slanted, printed, trayless, ornate, railed, inlaid, polished, uncommon_dice, cluttered),
    *(mixed, clear_dice, things_on_board, dice_in_cups),
)
"""In which a board may be changed, in this order."""

STREAM = 78
"""Beside seed and number: what is drawn here beside the look and the games."""


def trace_installation(installation: Installation, folder: Path, pictures: int, seed: int, number: int) -> None:
    """Traces an installation into a folder: the empty board, the starting position, and so many pictures of a game."""
    rng, random = np.random.default_rng([STREAM, seed, number]), Random(f"{STREAM} {seed} {number}")  # noqa: S311
    board, habit = TracedBoard(installation, rng), habits(random)
    stage = Stage(installation.look, installation.geometry)
    taking: Taking | None = None

    def lay(world: World, placement: Placement, chances: Random) -> World:
        return laid(world, placement, chances, habit)

    folder.mkdir(parents=True, exist_ok=True)
    for index, (scene, brighter) in enumerate(scenes_of(installation, pictures, number, lay)):
        name = folder / f"f{index:02}"
        each = np.random.default_rng([STREAM, seed, number, index])
        if taking is not None and name.with_suffix(".json").exists():
            continue
        world = board.let_down(scene.world)
        arms = [arm_of(hand, each) for hand in world.hands]
        light, colour = board.light(world, arms)
        if taking is None:
            quality = installation.jpeg_quality
            taking = taking_of(installation.look, quality, light, colour, board.on_field(), SOFT_PX, rng)
        name.with_suffix(".jpg").write_bytes(taking.coded(taking.picture(light, brighter, each)))
        covered = covered_by(arms, stage.camera) | covered_by_things(stage, world)
        truth = record_of(stage, world, scene.roller, scene.cube_at, covered)
        name.with_suffix(".json").write_text(json.dumps(truth | {"installation": number}), encoding="utf-8")


def main() -> None:
    """Traces the boards."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--looks", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pictures", type=int, default=6)
    parser.add_argument("--mixed", action="store_true", help="change each board in some of the other ways but slanted")
    parser.add_argument("--wide", action="store_true", help="take the pictures through wide lenses")
    parser.add_argument("--printed", action="store_true", help="print the boards on something flat, most without a bar")
    parser.add_argument("--polished", action="store_true", help="polish the checkers of one seat or both")
    parser.add_argument("--resized", action="store_true", help="take pictures of other sizes and shapes")
    parser.add_argument("--slanted", action="store_true", help="photograph the boards at a slant, from beside them")
    parser.add_argument("--ornate", action="store_true", help="give points other shapes, and the boards ornaments")
    parser.add_argument("--railed", action="store_true", help="inlay the rails and the bar")
    parser.add_argument("--inlaid", action="store_true", help="inlay the checkers, or marble them")
    parser.add_argument("--trayless", action="store_true", help="give the boards no trays")
    parser.add_argument("--uncommon-dice", action="store_true", help="give dice swirls, rings for pips, worn ones")
    parser.add_argument("--clear-dice", action="store_true", help="give dice that light goes through")
    parser.add_argument("--cluttered", action="store_true", help="cover the tables with patterns, papers and things")
    parser.add_argument("--things-on-board", action="store_true", help="put dice cups and other things on the boards")
    parser.add_argument("--dice-in-cups", action="store_true", help="put down dice cups with dice in them")
    given = parser.parse_args()
    asked = [change for change in WAYS if getattr(given, change.__name__)]
    if mixed in asked and set(asked) - {mixed, clear_dice, things_on_board, dice_in_cups}:
        parser.error("--mixed chooses the ways itself, by the seed: leave them out, or --mixed")
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    cv2.setNumThreads(1)
    mitsuba.set_variant("llvm_ad_rgb")
    drjit.set_thread_count(1)
    for number in range(given.looks):
        began = time.monotonic()
        installation = drawn_installation(given.seed, number)
        for change in asked:
            installation = change(installation)
        trace_installation(installation, given.out / installation.name, given.pictures, given.seed, number)
        took_s = (time.monotonic() - began) / (given.pictures + 2)
        LOG.info("%s  %s: %.1f s a picture", installation.name, installation.described, took_s)


if __name__ == "__main__":
    main()
