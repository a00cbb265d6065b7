"""Sites are packed and unpacked without losing what is learned from."""

import pickle
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from boardctl.virtual.looks import camera_over
from boardctl.vision.dice.patch import DIE_PX, PatchFrame, Picture, cut_patch
from boardctl.vision.training.site_files import die_logit, packed, read_sites, to_learn_from
from boardctl.vision.training.sites import Label, Site, cut_site
from calibration import BoardGeometry

CAMERA = camera_over((40.0, -260.0, 900.0), (0.0, 0.0, 0.0), 1200.0)
DIE_MM = BoardGeometry().die_size_mm
MIDDLE = (70.0, 20.0, DIE_MM / 2)


def site() -> Site:
    noise = np.random.default_rng(3).integers(0, 255, (36, 64, 3)).astype(np.uint8)
    picture = np.asarray(cv2.resize(noise, (CAMERA.width_px, CAMERA.height_px), interpolation=cv2.INTER_CUBIC))
    made = cut_site(picture.astype(np.uint8), CAMERA, MIDDLE, DIE_MM, Label("die", 3, 12.0, up=(0.1, 0.2)), "leaning")
    assert made is not None
    return made


def patch(of: Site) -> Picture:
    return cut_patch(of.picture, of.camera, PatchFrame(of.center_mm, of.die_mm / DIE_PX, turn_rad=0.3))


def test_packed_sites_show_the_same_and_those_as_collected_are_read_too(tmp_path: Path) -> None:
    one = site()
    file = tmp_path / "sites.pickle"
    file.write_bytes(pickle.dumps([packed(one, (0.5, -0.25)), one]))
    small, same = read_sites(file)
    assert (small.label, small.group, small.center_mm, small.found_mm) == (
        one.label,
        one.group,
        one.center_mm,
        (0.5, -0.25),
    )
    assert small.picture.size < 0.8 * one.picture.size
    away = np.abs(patch(small).astype(int) - patch(one).astype(int))
    assert away.mean() < 1.5
    assert (same.picture == one.picture).all()
    assert same.found_mm is None


def test_of_what_is_no_die_that_is_kept_which_the_reader_takes_for_one_and_drawn_dice_are_no_true_ones() -> None:
    die, none = replace(site(), group="true"), replace(site(), group="mistaken", label=Label("none"))
    logit = die_logit(none)
    assert to_learn_from([die, none], None, None) == [die, none]
    assert to_learn_from([die, none], logit - 0.1, None) == [die, none]
    assert to_learn_from([die, none], logit + 0.1, "drawn") == [replace(die, group="drawn")]
