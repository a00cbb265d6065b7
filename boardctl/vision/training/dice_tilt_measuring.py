"""Measures, on dice that nothing has learned from, how often a tilt is told where something lies beside them.

    python -m boardctl.vision.training.dice_tilt_measuring SITES.pickle ...

SITES is what ``boardctl.virtual.traced.dice`` or ``boardctl.virtual.training.dice`` has drawn, with a seed of its own.
The reader finds each die from somewhat beside it, then it is looked at for a tilt, as in use.
"""

import logging
import sys
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.dice.look import Sight, look
from boardctl.vision.dice.tilt import look_for_tilt
from boardctl.vision.dice.told import FLAT, SURELY_TILTED, TILTED
from boardctl.vision.training.site_files import LOOKED_FROM, read_sites
from boardctl.vision.training.sites import TILTED_DEG, Site
from calibration import BoardGeometry

Floats = NDArray[np.float64]

LOG = logging.getLogger(__name__)

SEED = 5
FLAT_DEG = 2.0
FALSE_ALARMS = 0.01
RANGES_DEG = ((0.0, FLAT_DEG), (FLAT_DEG, TILTED_DEG), (TILTED_DEG, 12.0), (12.0, 18.0), (18.0, 28.0), (28.0, 90.0))
SUMS_DEG = ((TILTED_DEG, 18.0), (TILTED_DEG, 90.0))


def likelihoods(sites: list[Site]) -> Floats:
    """Gets the tilt in degrees, and how likely one is told, of each die that lies or leans beside something and is
    found (N x 2)."""
    rng = np.random.default_rng(SEED)
    told = []
    for site in sites:
        if site.group not in ("leaning", "beside"):
            continue
        x, y = np.array(site.center_mm[:2]) + rng.uniform(-LOOKED_FROM, LOOKED_FROM, 2) * site.die_mm
        sight = Sight(site.picture, site.camera)
        views = look(sight, BoardGeometry(die_size_mm=site.die_mm), [(x, y)])[:1]
        for view in look_for_tilt(sight, site.die_mm, views, [False] * len(views)):
            told.append((site.label.tilt_deg, view.tilted))
    return np.array(told, dtype=np.float64).reshape(-1, 2)


def lines(told: Floats) -> list[str]:
    """Gets a line for each range of tilts, of what :func:`likelihoods` gets: how many are called tilted, surely so, and
    flat; and of those that lean how many would be called tilted if one flat die in a hundred were."""
    tilt_deg, likely = told.T
    flat = likely[tilt_deg < FLAT_DEG]
    bound = float(np.quantile(flat, 1 - FALSE_ALARMS, method="higher")) if len(flat) else 1.0
    found = []
    for low, high in (*RANGES_DEG, *SUMS_DEG):
        here = likely[(tilt_deg >= low) & (tilt_deg < high)]
        if not len(here):
            continue
        shares = [
            f"{name} {(here > least).sum()} ({(here > least).mean():.1%})"
            for name, least in (("tilted", TILTED), ("surely", SURELY_TILTED))
        ]
        shares.append(f"flat {(here < FLAT).sum()} ({(here < FLAT).mean():.1%})")
        if low >= TILTED_DEG:
            shares.append(f"with 1 % false alarms {(here > bound).mean():.1%}")
        found.append(f"{low:.0f} to {high:.0f} degrees, {len(here)} dice: {', '.join(shares)}")
    return found


def main() -> None:
    """Measures the dice of each file that is given."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    cv2.setNumThreads(1)
    for name in sys.argv[1:]:
        LOG.info("%s\n%s", name, "\n".join(lines(likelihoods(read_sites(Path(name))))))


if __name__ == "__main__":
    main()
