"""Files of sites: as they were collected, or packed, to be taken where they are learned from faster.

    python -m boardctl.vision.training.site_files SITES.pickle ... --out PACKED.pickle [--most N]
        [--doubtful-from LOGIT] [--true-as GROUP]

Packed ones hold pictures as JPEG that reach less far around the die, at most N sites of each group, and where the
reader finds each die (for which :mod:`~boardctl.vision.training.dice_tilt_training` would ask otherwise). Of what is no
die, where a LOGIT is given, only that is packed which the reader in ``weights`` takes for one with as much. True dice
of drawn and traced boards do not show what real ones look like: they may be packed as of another GROUP.
"""

import argparse
import logging
import pickle
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from boardctl.vision.dice.look import Sight, look, outputs
from boardctl.vision.dice.patch import die_size_px
from boardctl.vision.training.sites import Site
from calibration import BoardGeometry

LOG = logging.getLogger(__name__)

PACKED_REACH_DICE, PACKED_QUALITY = 2.5, 90
LOOKED_FROM = 0.22
"""The reader looks from so many die widths beside the middle, at most, in x and y."""
SEED = 5
TRUE_GROUPS = ("true", "odd")
"""Groups of the dice that lie in a picture from the beginning."""

Packed = tuple[Site, bytes]
"""A site without its picture, and that picture as JPEG."""


def packed(site: Site, found_mm: tuple[float, float]) -> Packed:
    """Gets a site packed."""
    x, y = site.camera.project([site.center_mm])[0]
    reach = int(np.ceil(die_size_px(site.camera, site.center_mm, site.die_mm) * PACKED_REACH_DICE))
    left, top = max(int(x) - reach, 0), max(int(y) - reach, 0)
    piece = site.picture[top : int(y) + reach, left : int(x) + reach]
    camera = replace(site.camera, center_x_px=site.camera.center_x_px - left, center_y_px=site.camera.center_y_px - top)
    whole_colours = [cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444]
    coded = cv2.imencode(".jpg", piece, [cv2.IMWRITE_JPEG_QUALITY, PACKED_QUALITY, *whole_colours])[1]
    return replace(site, picture=piece[:0], camera=camera, found_mm=found_mm), coded.tobytes()


def unpacked(one: Packed) -> Site:
    """Gets the site again, nearly as it was."""
    site, coded = one
    picture = cv2.imdecode(np.frombuffer(coded, dtype=np.uint8), cv2.IMREAD_COLOR)
    return replace(site, picture=np.asarray(picture, dtype=np.uint8))


def read_sites(path: Path) -> list[Site]:
    """Gets the sites of a file, packed or not."""
    read = pickle.loads(path.read_bytes())  # noqa: S301 - of the scripts here
    return [one if isinstance(one, Site) else unpacked(one) for one in read]


def die_logit(site: Site) -> float:
    """Gets how likely the reader says that a die is in the middle of a site (logit)."""
    sight, geometry = Sight(site.picture, site.camera), BoardGeometry(die_size_mm=site.die_mm)
    return float(outputs(sight, geometry, [site.center_mm[:2]], mirrored=False)[0, 0])


def found_mm(site: Site, rng: np.random.Generator) -> tuple[float, float]:
    """Gets how far (x, y) from the middle of a site the reader finds its die, looked for from beside it."""
    x, y = site.center_mm[:2]
    away = rng.uniform(-LOOKED_FROM, LOOKED_FROM, 2) * site.die_mm
    spot = (x + float(away[0]), y + float(away[1]))
    views = look(Sight(site.picture, site.camera), BoardGeometry(die_size_mm=site.die_mm), [spot])
    return (views[0].spot_mm[0] - x, views[0].spot_mm[1] - y) if views else (0.0, 0.0)


def to_learn_from(sites: Iterable[Site], doubtful_from: float | None, true_as: str | None) -> list[Site]:
    """Gets the sites without what is no die and looks less like one to the reader than a logit, where that is given,
    and with true dice in another group, where one is given."""
    kept = (
        site for site in sites if doubtful_from is None or site.label.kind == "die" or die_logit(site) >= doubtful_from
    )
    return [site if true_as is None or site.group not in TRUE_GROUPS else replace(site, group=true_as) for site in kept]


def main() -> None:
    """Packs the sites of the files given."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--most", type=int, help="sites of each group")
    parser.add_argument("--doubtful-from", type=float, help="logit, of what is no die")
    parser.add_argument("--true-as", help="group of true dice")
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    cv2.setNumThreads(1)
    rng, taken, chosen = np.random.default_rng(SEED), Counter[str](), []
    read = (site for path in given.files for site in read_sites(path))
    sites = to_learn_from(read, given.doubtful_from, given.true_as)
    for place in rng.permutation(len(sites)):
        site = sites[place]
        if given.most is None or taken[site.group] < given.most:
            taken[site.group] += 1
            chosen.append(packed(site, found_mm(site, rng)))
    given.out.write_bytes(pickle.dumps(chosen))
    LOG.info("%s, %.1f MB", dict(taken), given.out.stat().st_size / 1e6)


if __name__ == "__main__":
    main()
