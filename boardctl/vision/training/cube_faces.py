"""Doubling cubes of our own drawing, as a window around one shows them: any shade, font, turn, light and camera.

All in greys, for the network sees no more.
"""

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from boardctl.vision.dice.cube_value import VALUES, WINDOW_PX

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]

FACE_PX, FINER = 72, 2
"""Faces are drawn so large, on scenes so many times finer than the window, and come out 20 to 55 pixels wide."""
FACES, ASIDE_OF_MIDDLE = (0.42, 1.15), 0.16
"""Width of the top face in windows of 33 and 36 mm (cubes of 15 to 38 mm), and how far beside the middle of the window
its own is at most, in windows."""
NUMBERS, WIDEST = (0.32, 0.75), (0.42, 0.84)
"""Height of numbers in faces, and what they have room for in width: two digits may be lower for it."""
NOTHING = 0.15
"""Share of windows without a number: bare faces, dice, checkers' rims, stripes."""
COVERED, LEGIBLE = 0.4, 0.06
"""Share of windows in which a finger, a sleeve or a checker lies over part of the cube; and how much of a number may be
under it so that it can still be read: of a covered 64 the 6 alone would be read as something else."""
THROUGH, ASIDE, ANYWHERE = 0.5, 0.12, (-0.2, 0.45)
"""Share of what covers whose edge goes through the number, so far from its middle in windows; and where the others'
edges are."""
BOLDER = 0.3
"""Share of numbers that are painted or engraved with broader lines than the font's."""
DARK, LIGHT = (8, 90), (130, 250)
SHARPENED_OFTEN, SHARPENED, COARSEST = 0.3, (0.3, 1.5), 0.4
"""So often a camera sharpens, and by how much; and to what part windows are made coarser at most."""
STROKE = "stroke"
STROKES = tuple(f"{STROKE} {face} {width}" for face in range(8) for width in (2, 3, 5, 7))
"""Numbers drawn with one stroke, as they are engraved: OpenCV's eight Hershey fonts, of which the line is so many of
sixty pixels wide."""


def windows(rng: np.random.Generator, fonts: list[str]) -> list[tuple[Picture, int]]:
    """Gets four windows (48 x 48 greys) of one cube, each turned by a quarter further, as they are looked through, and
    seen by another camera; and the index of what the cube shows.

    ``len(VALUES)``: nothing that can be read.
    """
    shown = len(VALUES) if rng.random() < NOTHING else int(rng.integers(len(VALUES)))
    scene = _background(rng, FINER * WINDOW_PX)
    if shown < len(VALUES) or rng.random() < 0.6:
        ink = _put_cube(scene, shown, rng, fonts)
        if rng.random() < COVERED:
            hidden = _cover(scene, rng)
            if float((ink * hidden).sum()) > LEGIBLE * float(ink.sum()):
                shown = len(VALUES)
    picture = _floats(cv2.resize(scene, (WINDOW_PX, WINDOW_PX), interpolation=cv2.INTER_AREA))
    return [(_seen(np.ascontiguousarray(np.rot90(picture, turn)), rng), shown) for turn in range(4)]


def _background(rng: np.random.Generator, size: int) -> Floats:
    """Gets a bar, a rail, cloth or table: two shades with an edge, grain, and now and then something round."""
    scene = np.full((size, size), rng.uniform(10, 230), np.float32)
    if rng.random() < 0.7:
        corners = rng.uniform(-size, 2 * size, (4, 2)).astype(np.int32)
        cv2.fillConvexPoly(scene, cv2.convexHull(corners), rng.uniform(10, 240))
    if rng.random() < 0.5:
        grain = cv2.blur(rng.normal(0, 25, (size, size)).astype(np.float32), (15, 1))
        scene += grain if rng.random() < 0.5 else grain.T
    for _ in range(int(rng.integers(0, 3))):
        middle = rng.uniform(-0.2 * size, 1.2 * size, 2).astype(int).tolist()
        cv2.circle(scene, middle, int(rng.uniform(0.2, 0.4) * size), rng.uniform(10, 240), -1)
    return scene


def _cover(scene: Floats, rng: np.random.Generator) -> Floats:
    """Lays something with a straight or a round edge over part of a scene; gets how much of each pixel is under it."""
    size = scene.shape[0]
    hidden = np.zeros(scene.shape, np.float32)
    edges = (-ASIDE, ASIDE) if rng.random() < THROUGH else ANYWHERE
    angle, away = rng.uniform(0, 2 * np.pi), rng.uniform(*edges) * size
    outward, along = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    if rng.random() < 0.5:
        reach, slope = rng.uniform(0.15, 1.0) * size, rng.uniform(-0.4, 0.4) * size
        near, far = size / 2 + away * outward, size / 2 + (away + 2 * size) * outward
        corners = [near - along * reach, near + along * reach, far + along * (reach + slope), far - along * reach]
        cv2.fillConvexPoly(hidden, cv2.convexHull(np.array(corners).astype(np.int32)), 1.0)
    else:
        radius = rng.uniform(0.12, 0.8) * size
        middle = size / 2 + (away + radius) * outward
        cv2.circle(hidden, middle.astype(int).tolist(), int(radius), 1.0, -1)
    hidden = _floats(cv2.GaussianBlur(hidden, (0, 0), rng.uniform(0.5, 2.0)))
    shade = rng.uniform(15, 235) + cv2.blur(_floats(rng.normal(0, 20, scene.shape)), (5, 5))
    scene += (shade - scene) * hidden
    return hidden


def _put_cube(scene: Floats, shown: int, rng: np.random.Generator, fonts: list[str]) -> Floats:
    """Draws a cube; gets where the number on its top is inked."""
    size = scene.shape[0]
    width = rng.uniform(*FACES) * size
    middle = size / 2 + rng.uniform(-ASIDE_OF_MIDDLE, ASIDE_OF_MIDDLE, 2) * size
    turn = rng.uniform(0, 2 * np.pi)
    squash = rng.uniform(0.75, 1.0)  # seen from aside, along the window's downward direction
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * width / 2
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    top = (square @ rotation.T) * [1, squash] + middle
    down = np.array([rng.uniform(-0.15, 0.15), rng.uniform(0.0, 0.75)]) * width
    plain, ink = _shades(rng)
    shade = rng.uniform(0.35, 0.95)
    _shadow(scene, top + down * 1.1 + rng.uniform(-0.2, 0.2, 2) * width, rng)
    for first in range(4):
        right, left = top[first], top[(first + 1) % 4]  # as seen from outside
        side = np.array([left, right, right + down, left + down])
        if _turns(side) < 0:
            continue  # a side that faces away
        other = int(rng.integers(len(VALUES)))
        _paste(scene, _face(other, plain * shade, ink * shade, rng, fonts), side)
    return _paste(scene, _face(shown, plain, ink, rng, fonts), top)


def _turns(corners: NDArray[np.float64]) -> float:
    """Gets twice the signed area of four corners."""
    x, y = corners[:, 0], corners[:, 1]
    return float(np.sum(y * np.roll(x, -1) - x * np.roll(y, -1)))


def _shades(rng: np.random.Generator) -> tuple[float, float]:
    """Gets the greys of a cube and of its numbers: dark on light or light on dark, often weak."""
    dark, light = rng.uniform(*DARK), rng.uniform(*LIGHT)
    if rng.random() < 0.25:  # worn print, poor light
        dark += 0.55 * (light - dark)
    return (dark, light) if rng.random() < 0.5 else (light, dark)


def _shadow(scene: Floats, corners: NDArray[np.float64], rng: np.random.Generator) -> None:
    mask = np.zeros(scene.shape[:2], np.float32)
    cv2.fillConvexPoly(mask, cv2.convexHull(corners.astype(np.int32)), 1.0)
    mask = _floats(cv2.blur(mask, (9, 9)))
    scene *= 1 - rng.uniform(0.1, 0.6) * mask


def _face(shown: int, plain: float, ink: float, rng: np.random.Generator, fonts: list[str]) -> Floats:
    """Gets a face (72 x 72 x 3: its greys, its opacity, where it is inked) with a number, if it shows one."""
    mask = np.zeros((FACE_PX, FACE_PX), np.float32)
    greys = np.full((FACE_PX, FACE_PX), plain, np.float32)
    greys += np.linspace(-1, 1, FACE_PX, dtype=np.float32)[:, None] * rng.uniform(-25, 25)
    opacity = np.zeros((FACE_PX, FACE_PX), np.uint8)
    radius = int(rng.uniform(0.0, 0.22) * FACE_PX)
    cv2.rectangle(opacity, (radius, radius), (FACE_PX - 1 - radius, FACE_PX - 1 - radius), 255, -1)
    if radius:
        corner = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))
        opacity = np.asarray(cv2.dilate(opacity, corner), dtype=np.uint8)
    if rng.random() < 0.2:
        cv2.circle(greys, (FACE_PX // 2, FACE_PX // 2), int(0.47 * FACE_PX), ink, 2, cv2.LINE_AA)
    if shown < len(VALUES):
        size = rng.uniform(*NUMBERS), rng.uniform(*WIDEST)
        mask = _number(VALUES[shown], size, fonts[rng.integers(len(fonts))])
        if rng.random() < BOLDER:
            width = int(rng.integers(2, 5))
            mask = _floats(cv2.dilate(mask, np.ones((width, width), np.uint8)))
        greys = greys * (1 - mask) + ink * mask
    elif rng.random() < 0.4:  # a die has pips
        for _ in range(int(rng.integers(1, 7))):
            at = rng.uniform(0.2, 0.8, 2) * FACE_PX
            cv2.circle(greys, at.astype(int).tolist(), int(0.1 * FACE_PX), ink, -1, cv2.LINE_AA)
    return _floats(np.dstack([greys, opacity.astype(np.float32) / 255, mask]))


@lru_cache(maxsize=4096)
def _drawn(value: int, font: str) -> Floats:
    """Gets a number, cut close, sixty pixels high."""
    if font.startswith(STROKE):
        return _stroked(str(value), *(int(part) for part in font.split()[1:]))
    face = ImageFont.truetype(font, 60)
    left, top, right, bottom = face.getbbox(str(value))
    image = Image.new("L", (int(right - left), int(bottom - top)))
    ImageDraw.Draw(image).text((-left, -top), str(value), 255, face)
    return _floats(np.asarray(image)) / np.float32(255)


def _stroked(text: str, face: int, width: int) -> Floats:
    """Gets a number, cut close, some sixty pixels high, drawn with lines of a width."""
    scale = cv2.getFontScaleFromHeight(face, 60, width)
    (length, height), below = cv2.getTextSize(text, face, scale, width)
    image = np.zeros((height + below + 8 * width, length + 8 * width), np.uint8)
    cv2.putText(image, text, (4 * width, height + 4 * width), face, scale, 255, width, cv2.LINE_AA)
    rows, columns = np.nonzero(image)
    return _floats(image[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]) / np.float32(255)


def _number(value: int, size: tuple[float, float], font: str) -> Floats:
    """Gets where a face is inked (72 x 72): a number in its middle."""
    drawn = _drawn(value, font)
    scale = min(part * FACE_PX / length for part, length in zip(size, drawn.shape, strict=True))
    small = cv2.resize(drawn, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    mask = np.zeros((FACE_PX, FACE_PX), np.float32)
    row, column = ((FACE_PX - length) // 2 for length in small.shape)
    mask[row : row + small.shape[0], column : column + small.shape[1]] = small
    return mask


def _paste(scene: Floats, face: Floats, corners: NDArray[np.float64]) -> Floats:
    """Lays a face onto a scene; gets where it brings ink."""
    last = FACE_PX - 1
    source = np.array([[0, 0], [last, 0], [last, last], [0, last]], np.float32)
    transform = cv2.getPerspectiveTransform(source, corners.astype(np.float32))
    seen = cv2.warpPerspective(face, transform, scene.shape[1::-1], flags=cv2.INTER_AREA)
    scene *= 1 - seen[..., 1]
    scene += seen[..., 0] * seen[..., 1]
    return _floats(seen[..., 2])


def _seen(picture: Floats, rng: np.random.Generator) -> Picture:
    """Gets what a camera makes of a window: coarser, blurred, noisy, compressed, brighter or darker."""
    size = picture.shape[1::-1]
    if rng.random() < 0.5:
        part = rng.uniform(COARSEST, 1.0)
        small = cv2.resize(picture, None, fx=part, fy=part, interpolation=cv2.INTER_AREA)
        picture = _floats(cv2.resize(small, size, interpolation=cv2.INTER_LINEAR))
    picture = _floats(cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.2, 1.1)))
    lit = 255 * np.clip(picture / 255, 0, 1) ** rng.uniform(0.6, 1.6) * rng.uniform(0.25, 1.5)
    if rng.random() < SHARPENED_OFTEN:
        lit = lit + rng.uniform(*SHARPENED) * (lit - _floats(cv2.GaussianBlur(lit, (0, 0), 1.2)))
    noisy = lit + rng.normal(0, rng.uniform(0.5, 9), lit.shape)
    levels = np.clip(noisy, 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(45, 95))]
        jpeg = cv2.imencode(".jpg", levels, quality)[1]
        levels = np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_GRAYSCALE), dtype=np.uint8)
    return levels


def _floats(values: object) -> Floats:
    return np.asarray(values, dtype=np.float32)
