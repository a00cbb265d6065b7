"""What Mitsuba's scenes are made of: bodies with their materials, and what these reflect."""

from typing import Any

import mitsuba
import numpy as np
from numpy.typing import NDArray

from boardctl.virtual.traced.meshes import Mesh, reflected

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
    return {"type": "rgb", "value": reflected([channel / 255 for channel in colour]).tolist()}


def bitmap(texture: Floats) -> dict[str, Any]:
    """Gets a picture (height x width x 3) of what is reflected, whose first row is where the second coordinate is 0."""
    return {"type": "bitmap", "bitmap": mitsuba.Bitmap(np.ascontiguousarray(texture, dtype=np.float32)), "raw": True}
