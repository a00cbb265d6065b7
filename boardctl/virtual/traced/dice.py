"""Draws path-traced dice, leaning and flat, on boards of many drawn looks, for training the network that tells tilts.

    python -m boardctl.virtual.traced.dice OUT.pickle [--pictures 400] [--seed 31]

Needs Mitsuba 3.6.4 and Open Image Denoise (``pip install '.[train]'``), and LLVM: ``apt install libllvm16``,
``DRJIT_LIBLLVM_PATH=/usr/lib/x86_64-linux-gnu/libLLVM-16.so.1``. One core and a little more, six seconds a picture of
26 dice. What is written is read by ``boardctl.vision.training.dice_tilt_training`` and ``dice_reader_training``; every
20 pictures it is written anew, so that it can be broken off. Recipe: MODEL_CARD.md there.
"""

import argparse
import logging
import pickle
from pathlib import Path

import cv2
import drjit
import mitsuba
import numpy as np

from boardctl.virtual.traced.resting import die_kinds, resting_dice
from boardctl.virtual.traced.scene import traced
from boardctl.virtual.traced.setting import setting_of
from boardctl.virtual.traced.sight import developed, near_dice
from boardctl.virtual.training.dice import truth_of
from boardctl.vision.measuring.truth import TruePicture
from boardctl.vision.training.sites import Site, cut_site

LOG = logging.getLogger(__name__)

SEED = 31
WRITTEN_EVERY = 20


def sites_of(seed: int, number: int) -> list[Site]:
    """Gets the sites of one traced picture."""
    rng = np.random.default_rng([seed, number])
    setting = setting_of(seed, number, rng)
    truth = truth_of(setting.world, setting.camera)
    picture = TruePicture(Path(), f"traced{number}", setting.camera, setting.geometry, truth)
    kinds = die_kinds(rng)
    dice = resting_dice(picture, kinds, rng)
    light = traced(setting, kinds, dice, rng)
    shown = developed(light, near_dice(setting.camera, dice), rng)
    cut = (cut_site(shown, setting.camera, die.spot_mm, die.size_mm, die.label, die.group) for die in dice)
    return [site for site in cut if site is not None]


def main() -> None:
    """Draws the dice and writes their sites."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--pictures", type=int, default=400)
    parser.add_argument("--seed", type=int, default=SEED)
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    cv2.setNumThreads(1)
    mitsuba.set_variant("llvm_ad_rgb")
    drjit.set_thread_count(1)
    sites: list[Site] = []
    for number in range(given.pictures):
        sites += sites_of(given.seed, number)
        if number % WRITTEN_EVERY == WRITTEN_EVERY - 1 or number == given.pictures - 1:
            given.out.write_bytes(pickle.dumps(sites))
            LOG.info("%d pictures, %d sites", number + 1, len(sites))


if __name__ == "__main__":
    main()
