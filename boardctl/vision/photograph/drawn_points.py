"""How points look along their length, block by block, told by those that are bare there.

In any position many points are bare, and the bare ones of a colour look alike. Where more of them hold checkers of one
seat than are bare, those look alike, too; so it also counts how a point looks further in, which is drawn out to the
edge of the board, and that what is bare is bare from there to the middle of the board. A smaller triangle in a point
or a disc at its base does not look as drawn out; but it looks so on points of its colour, and on no others, where a
checker would.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.photograph.point_light import OUTER

Floats = NDArray[np.float64]

BLOCK = 13
"""Rows of a block: half a checker."""

MIDDLE_FROM = 0.93
"""Share of a strip's length from which on it shows the board between the tips of the points."""

TIPS_FROM = 0.78
"""The same where points begin to end."""

DRAWN_FROM = (0.4, 0.56)
"""The same of the part that is drawn out to the edge of the board."""

USUAL_TIP = 0.83
"""The same where points end when it cannot be seen, because they hardly differ from the field."""

SEEN_FROM, NARROWING = 0.1, 0.5
"""Difference (logarithm) of a point's colour from the field's, and how fast points get narrower (in strips a length),
from which on that is seen."""

NEAR_MIDDLE = slice(-6, -2)
"""Blocks of which most are bare."""

LEAST_APART, ALIKE, LEAST_ALIKE = 30, 2.0, 0.025
"""Two blocks look alike up to so many times the difference (logarithm) that such blocks have, so many in a hundred of
them, which is at least so much."""

FITTING = 1.5
"""A block fits what is drawn out when it is no further off, beyond the best one, than so many times what is usual."""

BARE = 0.3
"""Fit from which on a block may be bare."""

OTHER_LOOK, MOST_OFF = 2.0, 3.0
"""Weight of a block's being off what is drawn out, in points that look alike, each time the usual, up to so many."""

ELSEWHERE, BY_CHANCE = 0.5, 0.5
"""Weight of each point of the other colour that looks so, in points that look alike: where the colours differ, bare
points do, and checkers lie on both; and how many such are chance."""

ORNATE = (1.3, 2.2)
"""Where no block of points looks as drawn out, but each is so far off, in times the usual, points have ornaments there:
of six boards without the block that is least off was off by 0.4 to 1.4, of three with smaller triangles in their points
by 2 to 4. What is seen on points of one colour alone then need not look as drawn out. That holds where rows begin, in
the part that is drawn out: further in an emblem may lie."""

NOT_BARE, LEAST_BARE = OTHER_LOOK * MOST_OFF + 1, 0.1
"""Weight of a strip's not being bare further in, where no row of checkers begins: more than all that it may look
otherwise than drawn out; and least that such a one still counts."""

NEVER_NOTHING = 1e-6
"""Weight that each block has, so that no look is made of none."""

DEEPEST_SHADE, BRIGHTEST_SHADE = 1.2, 0.1
"""Bare blocks may be so much darker (logarithm), in the shadow of a rail, or brighter."""


def usual_blocks(
    seen: Floats, groups: list[NDArray[np.intp]], hidden: NDArray[np.bool_]
) -> tuple[Floats, NDArray[np.bool_]]:
    """Gets how the strips (24 x length x width x 3) of each group look, block by block, and which rows (24 x length)
    look so and are bare. What is ``hidden`` (24 x length x width) is taken to look as the others do."""
    count, length, width, _ = seen.shape
    whole = length // BLOCK
    shape = (whole, BLOCK, width)
    known = [_with_hidden(seen[group], hidden[group]) for group in groups]
    own = [each[:, : whole * BLOCK].reshape(len(each), *shape, 3) for each in known]
    drawn = [_drawn_out(each)[: whole * BLOCK].reshape(*shape, 3) for each in known]
    apart = np.abs(drawn[0] - drawn[1]).mean(axis=(1, 2, 3))
    usual, bare = np.empty_like(seen), np.zeros((count, length), dtype=np.bool_)
    for group, blocks, others, look_drawn in zip(groups, own, reversed(own), drawn, strict=True):
        seen_share = 1 - hidden[group, : whole * BLOCK].reshape(len(group), *shape).mean(axis=(2, 3))
        look, near = _usual_look(blocks, others, look_drawn, apart, seen_share)
        rows = look.reshape(-1, width, 3)
        usual[group] = np.concatenate([rows, np.tile(rows[-1:], (length - len(rows), 1, 1))])
        bare[group] = np.repeat(near, BLOCK, axis=1)[:, np.minimum(np.arange(length), whole * BLOCK - 1)]
    return usual, bare


def _with_hidden(seen: Floats, hidden: NDArray[np.bool_]) -> Floats:
    """Gets strips of one colour (N x length x width x 3) with what is hidden as it mostly looks where it is not."""
    if not hidden.any():
        return seen
    shown = np.where(hidden[..., None], np.nan, seen)
    nowhere = hidden.all(axis=0)
    shown[:, nowhere] = seen[:, nowhere]
    return np.where(hidden[..., None], np.nanmedian(shown, axis=0), seen)


def _usual_look(
    own: Floats, others: Floats, drawn: Floats, drawn_apart: Floats, seen_share: Floats
) -> tuple[Floats, NDArray[np.bool_]]:
    """Gets how strips of one colour (N x B x rows x width x 3) look where they are bare (B x rows x width x 3), given
    how they should, and which blocks (N x B) are. ``others``: the strips of the other colour, which are ``drawn_apart``
    (B) from these where they are bare, too. ``seen_share`` (N x B): how much of each is seen.

    From the middle of the board to its edge those are taken that are alike, as they should look, and bare further in.
    """
    count, blocks = own.shape[:2]
    apart = np.abs(own[:, None] - own[None]).mean(axis=(3, 4, 5))
    pairs = ~np.eye(count, dtype=np.bool_)
    alike = max(float(np.percentile(apart[:, :, NEAR_MIDDLE][pairs], LEAST_APART)), LEAST_ALIKE) * ALIKE
    nearness = np.exp(-((apart / alike) ** 2))
    elsewhere = np.exp(-((np.abs(own[:, None] - others[None]).mean(axis=(3, 4, 5)) / alike) ** 2)).sum(axis=1)
    # A block that shows half a checker shows its own point, too: the next one towards the edge tells as well.
    elsewhere[:, 1:] = np.maximum(elsewhere[:, 1:], elsewhere[:, :-1])
    elsewhere_tells = ELSEWHERE * (1 - np.exp(-((drawn_apart / alike) ** 2)))
    off = _off_but_for_shade(own, drawn)
    usually = max(float(np.median(off[:, int(blocks * OUTER) :])), LEAST_ALIKE)
    further_off = (off - off.min(axis=0)) / usually
    ornate = np.clip((off.min(axis=0) / usually - ORNATE[0]) / (ORNATE[1] - ORNATE[0]), 0, 1)
    ornate[0] = ornate[1]  # at the very edge a rail's shadow lies
    look, fits = np.empty_like(drawn), np.empty_like(off)
    bare_further_in = np.ones(count)
    for block in reversed(range(blocks)):
        seen_bare = bare_further_in * seen_share[:, block]
        votes = nearness[:, :, block] @ seen_bare
        anywhere = np.ones(count)
        if block < blocks * DRAWN_FROM[1]:
            here_alone = 1 - np.clip((elsewhere[:, block] + BY_CHANCE) / np.maximum(votes, 1), 0, 1)
            anywhere -= ornate[block] * here_alone
            votes -= elsewhere_tells[block] * elsewhere[:, block]
        votes -= OTHER_LOOK * np.minimum(further_off[:, block], MOST_OFF) * anywhere
        best = int((votes - NOT_BARE * (1 - seen_bare)).argmax())
        may_be_off = further_off[best, block] * (1 - anywhere[best] ** 2)
        fits[:, block] = np.exp(-((np.maximum(further_off[:, block] - may_be_off, 0) / FITTING) ** 2))
        like_it = nearness[best, :, block] * seen_bare * fits[:, block] + NEVER_NOTHING
        look[block] = np.average(own[:, block], axis=0, weights=like_it)
        away = np.abs(own[:, block] - look[block]).mean(axis=(1, 2, 3))
        bare_further_in = LEAST_BARE + (1 - LEAST_BARE) * np.exp(-((away / alike) ** 2)) * fits[:, block]
    return look, (np.abs(own - look).mean(axis=(2, 3, 4)) < alike) & (fits > BARE)


def _drawn_out(seen: Floats) -> Floats:
    """Gets how points of one colour (N x length x width x 3) would look (length x width x 3) if they went on to the
    edge of the board as they begin at their tips, only wider."""
    length, width = seen.shape[1:3]
    look = np.median(seen, axis=0)
    known = np.arange(int(length * DRAWN_FROM[0]), int(length * DRAWN_FROM[1]))
    middle = slice(width // 2 - 2, width // 2 + 2)
    field = np.median(look[int(length * MIDDLE_FROM) :].reshape(-1, 3), axis=0)
    towards = np.median(look[known, middle].reshape(-1, 3), axis=0) - field
    rows = np.arange(int(length * DRAWN_FROM[0]), int(length * TIPS_FROM))
    share = np.clip((look[rows] - field) @ towards / max(float(towards @ towards), 1e-6), 0, 1)
    slope, widest = np.polyfit(rows, share.sum(axis=1), 1)
    if np.linalg.norm(towards) < SEEN_FROM or slope > -NARROWING * width / length:
        slope, widest = -width / (USUAL_TIP * length), float(width)
    wide = np.maximum(widest + slope * np.arange(length), 0.5)
    across = np.arange(width) - (width - 1) / 2
    drawn = look.copy()
    for row in range(known[-1]):
        sources = known[known > row]
        columns = (across * wide[sources, None] / wide[row] + (width - 1) / 2).astype(np.float32)
        maps = columns, np.repeat(sources[:, None], width, axis=1).astype(np.float32)
        drawn[row] = cv2.remap(look, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).mean(axis=0)
    return drawn


def _off_but_for_shade(blocks: Floats, drawn: Floats) -> Floats:
    """Gets how far blocks (N x B x rows x width x 3) are from how they should look (B x rows x width x 3), apart from
    an even shade on each."""
    off = blocks - drawn
    shade = np.clip(np.median(off.mean(axis=-1), axis=(2, 3)), -DEEPEST_SHADE, BRIGHTEST_SHADE)
    return np.asarray(np.abs(off - shade[:, :, None, None, None]).mean(axis=(2, 3, 4)))
