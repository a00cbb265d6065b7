"""How right readings are: records of frames held against exact truth.

Truth is a JSON object a picture, as physically based renders come with: points, bar, trays, dice with corners.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import product
from math import hypot
from typing import Any

from boardctl.referee.readings import Hand
from boardctl.vision.report import VOUCHED

SURE = 0.95
"""A reading with more confidence than this that is wrong is confidently wrong."""

LARGE_DIE_PX = 20.0
SMALL_DIE_PX = 14.0
"""Dice of 20 pixels and more, and of 14 to 20, have a bar each; smaller ones may be refused."""

TILTED_DEG = 8.0
"""A die tilted by this much must be rolled again."""

SAME_DIE_SIZES = 1.5
"""A die found within so many die sizes of a true one is taken for it."""


@dataclass
class Share:
    """So many right of so many."""

    right: int = 0
    of: int = 0

    def add(self, right: bool) -> None:
        """Counts one more."""
        self.right += int(right)
        self.of += 1

    def __str__(self) -> str:
        return "-" if self.of == 0 else f"{self.right}/{self.of} {100 * self.right / self.of:.2f} %"


@dataclass
class Times:
    """How long each of some frames took, in milliseconds: by the clock, and of the processor, which other work on the
    same machine changes less."""

    clock_ms: list[float] = field(default_factory=list)
    processor_ms: list[float] = field(default_factory=list)

    def add(self, clock_ms: float, processor_ms: float) -> None:
        """Adds one frame."""
        self.clock_ms.append(clock_ms)
        self.processor_ms.append(processor_ms)

    def join(self, other: "Times") -> None:
        """Adds the frames of another."""
        self.clock_ms.extend(other.clock_ms)
        self.processor_ms.extend(other.processor_ms)

    def told(self) -> dict[str, float]:
        """Gets the median and the 99th percentile of both, by their names; nothing where there are no frames."""
        kinds = (("", self.clock_ms), ("processor_", self.processor_ms))
        shares = (("median", 0.5), ("p99", 0.99))
        return {
            f"{kind}{name}_ms": round(sorted(times)[min(len(times) - 1, int(share * len(times)))], 1)
            for kind, times in kinds
            for name, share in shares
            if times
        }


@dataclass
class Measures:
    """What was counted over some frames."""

    points: Share = field(default_factory=Share)
    frames: Share = field(default_factory=Share)
    likeliest_points: Share = field(default_factory=Share)
    likeliest_frames: Share = field(default_factory=Share)
    points_confidently_wrong: Share = field(default_factory=Share)
    hidden_said: Share = field(default_factory=Share)
    visible_said_hidden: Share = field(default_factory=Share)
    hands_told: Share = field(default_factory=Share)
    hands_wrong: Share = field(default_factory=Share)
    bars: Share = field(default_factory=Share)
    trays: Share = field(default_factory=Share)
    beside_confidently_wrong: Share = field(default_factory=Share)
    cubes: Share = field(default_factory=Share)
    cube_values: Share = field(default_factory=Share)
    cube_values_wrong: Share = field(default_factory=Share)
    large_dice: Share = field(default_factory=Share)
    likeliest_large_dice: Share = field(default_factory=Share)
    large_dice_confidently_wrong: Share = field(default_factory=Share)
    small_dice: Share = field(default_factory=Share)
    likeliest_small_dice: Share = field(default_factory=Share)
    small_dice_confidently_wrong: Share = field(default_factory=Share)
    reroll_seen: Share = field(default_factory=Share)
    reroll_false_alarm: Share = field(default_factory=Share)
    reroll_seen_from_14_px: Share = field(default_factory=Share)
    reroll_false_alarm_from_14_px: Share = field(default_factory=Share)
    dice_in_cups: Share = field(default_factory=Share)
    invented_dice: int = 0
    calibrated: Share = field(default_factory=Share)
    calibrated_wrongly: Share = field(default_factory=Share)
    trays_told: Share = field(default_factory=Share)
    times: Times = field(default_factory=Times)
    rest_times: Times = field(default_factory=Times)

    def join(self, other: "Measures") -> None:
        """Adds what another counted."""
        for name, mine in vars(self).items():
            theirs = getattr(other, name)
            if isinstance(mine, Share):
                mine.right += theirs.right
                mine.of += theirs.of
            elif isinstance(mine, Times):
                mine.join(theirs)
            else:
                setattr(self, name, mine + theirs)


@dataclass(frozen=True)
class Fault:
    """One thing that was read wrongly, with where it is in the picture."""

    frame: str
    what: str
    center_px: tuple[float, float] | None


def measure(measures: Measures, truth: dict[str, Any], record: dict[str, Any]) -> list[Fault]:
    """Counts one frame's record against its truth; gets what is wrong."""
    return [
        *_points(measures, truth, record),
        *_beside(measures, truth, record),
        *_cube(measures, truth, record),
        *_dice(measures, truth, record),
    ]


def _points(measures: Measures, truth: dict[str, Any], record: dict[str, Any]) -> list[Fault]:
    """A point is right that is said to be seen, and whose true stack is told as likelier than all else together; apart
    from that is counted whether the true stack is the likeliest, be the point said to be hidden or not."""
    faults = []
    all_right = all_likeliest = True
    for index in range(24):
        number = index + 1
        true = truth["points"][str(number)]
        wanted = [true["color"], true["count"]] if true["count"] else [None, 0]
        read, says_hidden = record["points"][index], number in record["hidden"]
        confidence = 0.0 if says_hidden else record["confidence"][index]
        sure, likeliest = confidence > SURE, read == wanted
        right = likeliest and confidence >= VOUCHED
        if true["occluded"]:
            measures.hidden_said.add(says_hidden)
        else:
            measures.points.add(right)
            measures.likeliest_points.add(likeliest)
            measures.visible_said_hidden.add(says_hidden)
            all_right &= right
            all_likeliest &= likeliest
        measures.points_confidently_wrong.add(sure and not likeliest)
        if (true["occluded"] and not says_hidden) or (sure and not likeliest) or not (true["occluded"] or right):
            seen = f"{read} ({record['confidence'][index]:.3f})" + (", hidden" if says_hidden else "")
            hidden = " covered" if true["occluded"] else ""
            base, tip = true["base_px"], true["tip_px"]
            middle = ((base[0] + tip[0]) / 2, (base[1] + tip[1]) / 2)
            faults.append(Fault(record["frame"], f"point {number} {wanted}{hidden}, read {seen}", middle))
    measures.frames.add(all_right)
    measures.likeliest_frames.add(all_likeliest)
    return faults


def measure_hands(measures: Measures, truth: dict[str, Any], hands: Iterable[Hand]) -> None:
    """Counts the hands that were told in a frame: rendered ones come from their player's side, one at most."""
    true = [truth["hand"]["player_side"]] if truth.get("hand") else []
    told = [hand.entry for hand in hands if hand.places]
    if true:
        measures.hands_told.add(told == true)
    measures.hands_wrong.add(len(told) > len(true) or any(side is not None and side not in true for side in told))


def _beside(measures: Measures, truth: dict[str, Any], record: dict[str, Any]) -> list[Fault]:
    """Bar and trays: each right for both seats; for each seat whether it is surely told wrongly."""
    faults = []
    for name, share, covered in (
        ("bar", measures.bars, truth["bar_occluded"]),
        ("off", measures.trays, any(truth["tray_occluded"].values())),
    ):
        if covered:
            continue
        share.add(record[name] == truth[name])
        for seat, count in truth[name].items():
            told = None if record[name] is None else record[name][seat]
            sure = told is not None and record[f"{name}_confidence"][seat] > SURE
            measures.beside_confidently_wrong.add(sure and told != count)
        if record[name] is not None and record[name] != truth[name]:
            faults.append(Fault(record["frame"], f"{name} {truth[name]}, read {record[name]}", None))
    return faults


def _cube(measures: Measures, truth: dict[str, Any], record: dict[str, Any]) -> list[Fault]:
    """The doubling cube: whether it was seen where it is, and its value."""
    true, read = truth.get("cube"), record["cube"]
    if not true or not true.get("center_px"):
        return []
    at = "bar" if true["owner"] == "center" else true["owner"]
    measures.cubes.add(read is not None and read["at"] == at)
    value = None if read is None else read["value"]
    measures.cube_values.add(value == true["value"])
    measures.cube_values_wrong.add(value not in (None, true["value"]))
    if read is not None and (read["at"] != at or value not in (None, true["value"])):
        center = (true["center_px"][0], true["center_px"][1])
        return [Fault(record["frame"], f"cube {true['value']} at {at}, read {value} at {read['at']}", center)]
    return []


def die_size_px(die: dict[str, Any]) -> float:
    """Gets how large a true die is in the picture: the longest of the mean lengths of its parallel edges."""
    corners = die["corners_px"]
    sizes = []
    for bit in (1, 2, 4):
        ends = [(corners[low], corners[low | bit]) for low in range(8) if not low & bit]
        sizes.append(sum(hypot(a[0] - b[0], a[1] - b[1]) for a, b in ends) / len(ends))
    return max(sizes)


def _dice(measures: Measures, truth: dict[str, Any], record: dict[str, Any]) -> list[Fault]:
    faults = []
    judged = [die for die in truth["dice"] if die["in_image"] and die["in_play"] and die["visible_frac"] >= 0.5]
    others = [die for die in truth["dice"] if die["in_image"] and die not in judged]
    pairs = matched_dice([*judged, *others], record["dice"])
    for read in (die for index, die in enumerate(record["dice"]) if index not in pairs.values()):
        measures.invented_dice += 1
        seen = f"{read['value']} ({read['confidence']:.2f}), on {read['on']}"
        center = (read["center_px"][0], read["center_px"][1])
        faults.append(Fault(record["frame"], f"no die, read {seen}", center))
    for index, true in enumerate(others, start=len(judged)):
        if true["on"] == "thing" and index in pairs:
            faults += _in_cup(measures, true, record, record["dice"][pairs[index]])
    for index, true in enumerate(judged):
        read = record["dice"][pairs[index]] if index in pairs else None
        value = None if read is None else read["value"]
        center = (true["center_px"][0], true["center_px"][1])
        size = die_size_px(true)
        if true["flat"] and true["on"] == "surface" and size >= SMALL_DIE_PX:
            large = size >= LARGE_DIE_PX
            confidence = 0.0 if read is None else read["confidence"]
            right = value == true["value"]
            told = right and confidence >= VOUCHED
            (measures.large_dice if large else measures.small_dice).add(told)
            (measures.likeliest_large_dice if large else measures.likeliest_small_dice).add(right)
            wrong = measures.large_dice_confidently_wrong if large else measures.small_dice_confidently_wrong
            wrong.add(confidence > SURE and value is not None and not right)
            if not told:
                seen = f"{value} ({confidence:.2f})"
                faults.append(Fault(record["frame"], f"die {true['value']} ({size:.0f} px), read {seen}", center))
        if read is None:
            if not true["legal"]:
                _add_reroll(measures, true, size, False)
                faults.append(Fault(record["frame"], f"{true['kind']} ({size:.0f} px): die not found", center))
            continue
        refused = must_roll_again(read, truth.get("roller") or truth["game"]["player"])
        if true["legal"] or true["tilt_deg"] >= TILTED_DEG or true["on"] != "surface" or true["where"] != "right":
            _add_reroll(measures, true, size, refused)
        if refused == bool(true["legal"]):
            seen = f"on {read['on']}, flat {read['flat']}, half {read['half']}"
            faults.append(Fault(record["frame"], f"{true['kind']} ({size:.0f} px), read {seen}", center))
    return faults


def _in_cup(measures: Measures, true: dict[str, Any], record: dict[str, Any], read: dict[str, Any]) -> list[Fault]:
    """A die that lies in a cup and was seen: whether it was told to lie on the board."""
    told = read["on"] not in ("surface", "checker", "die")
    measures.dice_in_cups.add(told)
    seen = f"read {read['value']} ({read['confidence']:.2f}), on {read['on']}"
    return [] if told else [Fault(record["frame"], f"die in a cup, {seen}", tuple(true["center_px"]))]


def _add_reroll(measures: Measures, true: dict[str, Any], size_px: float, refused: bool) -> None:
    """Counts whether a die was said to be rolled again, among all and among those of 14 px and more."""
    (measures.reroll_false_alarm if true["legal"] else measures.reroll_seen).add(refused)
    if size_px >= SMALL_DIE_PX:
        large = measures.reroll_false_alarm_from_14_px if true["legal"] else measures.reroll_seen_from_14_px
        large.add(refused)


def must_roll_again(die: dict[str, Any], roller: str) -> bool:
    """Whether a die's record says that the roll does not stand."""
    return die["flat"] is False or die["on"] != "surface" or die["half"] != roller


def matched_dice(true: list[dict[str, Any]], read: list[dict[str, Any]]) -> dict[int, int]:
    """Gets which read die (by index) is which true die: as many pairs as can be, then the nearest."""
    near: dict[tuple[int, int], float] = {}
    for index, die in enumerate(true):
        for other, found in enumerate(read):
            away = hypot(*(a - b for a, b in zip(die["center_px"], found["center_px"], strict=True)))
            if away <= SAME_DIE_SIZES * die_size_px(die):
                near[index, other] = away
    return _best_pairs(near)


def _best_pairs(near: dict[tuple[int, int], float]) -> dict[int, int]:
    lefts = sorted({left for left, _ in near})
    choices = [(-1, *(right for other, right in near if other == left)) for left in lefts]
    best: dict[int, int] = {}
    best_rank = (0, 0.0)
    for rights in product(*choices):
        pairs = {left: right for left, right in zip(lefts, rights, strict=True) if right >= 0}
        rank = (-len(pairs), sum(near[pair] for pair in pairs.items()))
        if rank < best_rank and len(set(pairs.values())) == len(pairs):
            best, best_rank = pairs, rank
    return best
