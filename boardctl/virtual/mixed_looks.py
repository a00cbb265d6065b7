"""Installations that are uncommon in several ways at once, as real ones are: what is read well by itself may not be
beside something else."""

import numpy as np

from boardctl.virtual.unseen_looks import (
    STREAM,
    Installation,
    cluttered,
    inlaid,
    ornate,
    polished,
    printed,
    railed,
    resized,
    trayless,
    uncommon_dice,
    wide,
)

OFTEN = 0.3
"""How often an installation is changed in each of the ways."""

WAYS = (resized, wide, printed, trayless, ornate, railed, inlaid, polished, uncommon_dice, cluttered)


def mixed(installation: Installation) -> Installation:
    """Gets an installation that is changed in some of the :data:`WAYS`, three of the ten on average."""
    rng = np.random.default_rng([STREAM, 10, *installation.name.encode()])
    for change, chance in zip(WAYS, rng.random(len(WAYS)).tolist(), strict=True):
        if chance < OFTEN:
            installation = change(installation)
    return installation
