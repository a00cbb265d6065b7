"""What Mitsuba's scenes are made of: bodies with their materials, and what these reflect."""

from typing import Any

import mitsuba
import numpy as np
from numpy.typing import NDArray

from boardctl.virtual.traced.meshes import Mesh, colour_reflected

Floats = NDArray[np.float64]


def place() -> Any:
    """Gets a place to begin with: the board's, nothing moved, turned or sized."""
    return mitsuba.ScalarTransform4f()


def shape(name: str, mesh: Mesh, material: dict[str, Any]) -> Any:
    """Gets a body with its material."""
    given = mitsuba.Properties()
    given["bsdf"] = mitsuba.load_dict(material)
    body = mitsuba.Mesh(
        name,
        len(mesh.corners),
        len(mesh.triangles),
        has_vertex_normals=mesh.normals is not None,
        has_vertex_texcoords=mesh.places is not None,
        props=given,
    )
    if mesh.colours is not None:
        body.add_attribute("vertex_color", 3, mesh.colours.astype(np.float32).ravel())
    if mesh.clear is not None:
        body.add_attribute("vertex_clear", 1, mesh.clear.astype(np.float32))
    told = mitsuba.traverse(body)
    told["vertex_positions"] = mitsuba.Float(mesh.corners.astype(np.float32).ravel())
    told["faces"] = mitsuba.UInt32(mesh.triangles.astype(np.uint32).ravel())
    if mesh.normals is not None:
        told["vertex_normals"] = mitsuba.Float(mesh.normals.astype(np.float32).ravel())
    if mesh.places is not None:
        told["vertex_texcoords"] = mitsuba.Float(mesh.places.astype(np.float32).ravel())
    told.update()
    return body


def plastic(colour: dict[str, Any], rough: tuple[float, float], rng: np.random.Generator) -> dict[str, Any]:
    """Gets a material that mirrors a little, as plastic, leather and varnish do."""
    return {"type": "principled", "base_color": colour, "roughness": float(rng.uniform(*rough)), "specular": 0.5}


def rgb(colour: tuple[int, int, int]) -> dict[str, Any]:
    """Gets one colour (blue, green, red, 0 to 255)."""
    return {"type": "rgb", "value": colour_reflected(colour).tolist()}


def bitmap(texture: Floats) -> dict[str, Any]:
    """Gets a picture (height x width x 3) of what is reflected, whose first row is where the second coordinate is 0."""
    return {"type": "bitmap", "bitmap": mitsuba.Bitmap(np.ascontiguousarray(texture, dtype=np.float32)), "raw": True}


def lamp_at(spot_mm: Floats, wide_mm: float, radiance: Floats) -> dict[str, Any]:
    """Gets a square lamp that looks at the middle of the board; ``radiance``: what it gives off, red, green, blue."""
    facing = place().look_at(origin=spot_mm.tolist(), target=[0, 0, 0], up=[0.01, 1, 0.02])
    return {
        "type": "rectangle",
        "to_world": facing.scale([wide_mm / 2, wide_mm / 2, 1]),
        "emitter": {"type": "area", "radiance": {"type": "rgb", "value": radiance.tolist()}},
    }


def drawn_around(rng: np.random.Generator, most_bright: int, bright: tuple[float, float], tint_spread: float) -> Floats:
    """Draws all that is around (16 x 32 x 3, from above to below), brighter above, with fewer than so many bright
    things, such as windows, doors and walls, so much brighter than the rest."""
    above = np.maximum(np.linspace(1, -1, 16), 0)[:, None, None]
    around = np.full((16, 32, 3), 0.25) + above * rng.uniform(0.2, 1.2)
    for _ in range(rng.integers(0, most_bright)):
        top, left, high, wide = (int(rng.integers(*ends)) for ends in ((1, 8), (0, 32), (1, 4), (1, 6)))
        around[top : top + high, (left + np.arange(wide)) % 32] += rng.uniform(*bright)
    around = around * np.exp(rng.normal(0, 0.3, (16, 32, 1))) * np.exp(rng.normal(0, tint_spread, 3))
    return np.asarray(around, dtype=np.float64)


def light_around(around: Floats, scale: float) -> dict[str, Any]:
    """Gets the light of all that is around, so many times as bright."""
    return {
        "type": "envmap",
        "bitmap": mitsuba.Bitmap(around.astype(np.float32)),
        "scale": scale,
        "to_world": place().rotate([1, 0, 0], 90),
    }
