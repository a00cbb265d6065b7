"""Light along the rays of a camera, traced by Mitsuba, and without its noise, by Intel's Open Image Denoise."""

from typing import Any

import drjit
import mitsuba
import numpy as np
import pyoidn
from numpy.typing import NDArray

from boardctl.virtual.traced.sight import Light, view_rays
from calibration import CameraModel

Floats = NDArray[np.float64]

BRIGHTEST = 12.0
"""A single ray counts up to this: few rays that find a lamp by chance would make specks."""


def seen(
    scene: Any,
    camera: CameraModel,
    pixels: Floats,
    rays: int,
    soft_px: float,
    seed: int,
    below_mm: float = float("inf"),
) -> Floats:
    """Gets what pixels (N x 2) see with so many rays each (N x 9): light, the colour of what is there, its normal.

    ``below_mm``: nothing higher is in the picture, as lamps are that hang between the camera and the board.
    """
    count = len(pixels) * rays
    sampler = mitsuba.load_dict({"type": "independent"})
    sampler.seed(seed, count)
    middle, right, down = (
        mitsuba.Vector3f(np.ascontiguousarray(each.T.astype(np.float32))) for each in view_rays(camera, pixels)
    )
    # Numbers that differ from picture to picture are told as data, and rays (with the seed) are reckoned by themselves:
    # as a part of the program they would make it anew for each picture, which takes longer than the light does.
    each_ray = drjit.arange(mitsuba.UInt32, count) // drjit.opaque(mitsuba.UInt32, rays)
    origin = mitsuba.Point3f(*(drjit.opaque(mitsuba.Float, float(v)) for v in camera.position_mm))
    drawn = sampler.next_2d()
    away = drjit.opaque(mitsuba.Float, soft_px) * drjit.sqrt(-2 * drjit.log(drjit.maximum(1 - drawn.x, 1e-7)))
    angle = 2 * drjit.pi * drawn.y

    def of_ray(values: Any) -> Any:
        return drjit.gather(mitsuba.Vector3f, values, each_ray)

    toward = of_ray(middle) + of_ray(right) * (away * drjit.cos(angle)) + of_ray(down) * (away * drjit.sin(angle))
    high = max(float(camera.position_mm[2]) - below_mm, 0.0)
    start = origin + toward * (drjit.opaque(mitsuba.Float, high) / -toward.z)
    ray = mitsuba.RayDifferential3f(mitsuba.Ray3f(start, drjit.normalize(toward)))
    drjit.eval(ray)
    light, _, _ = scene.integrator().sample(scene, sampler, ray)
    met = scene.ray_intersect(ray)
    colour = drjit.select(met.is_valid(), met.bsdf().eval_diffuse_reflectance(met), 0)
    normal = drjit.select(met.is_valid(), met.sh_frame.n, 0)
    shares = [drjit.minimum(one, BRIGHTEST) / rays for each in (light, colour, normal) for one in each]
    drjit.eval(shares)  # all at once, not one after the other
    return np.stack([np.array(drjit.block_sum(each, rays), dtype=np.float64) for each in shares], axis=1)


def cleaned(found: Light) -> Light:
    """Gets the light (height x width x 3) of what was seen (height x width x 9) without the noise of too few rays."""
    light, colour, normal = (np.ascontiguousarray(each) for each in np.split(found, 3, axis=2))
    clean: Light = pyoidn.denoise(light, albedo=np.clip(colour, 0, 1), normal=normal, hdr=True)
    return clean
