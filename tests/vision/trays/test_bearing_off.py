"""Where a seat's other checkers lie tells whether it can have borne any off."""

import gzip
import json
from collections.abc import Mapping
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from boardctl.referee.readings import BoardReading, PlaceReading, StackChance, Witness
from boardctl.rules import Place, Seat, bar, point, tray
from boardctl.vision.trays.bearing_off import ANY_HOMES, CERTAIN, HOMES, LEFT, OVER, QUARTERS, Homes, ways_to_bear_off
from boardctl.vision.whole_sets import unseen_tray, weighed_by_sets

A, B = Seat.A, Seat.B
SET = 15
POINTS = tuple(point(number) for number in range(1, 25))
RULES = Path(__file__).parents[2] / "data" / "rules"


def board(
    of_a: Mapping[Place, int], doubtful: Mapping[Place, Mapping[int, float]], off: int | None = None
) -> BoardReading:
    """Gets a board as it is seen, B's checkers as at the start; ``doubtful``: how likely A has so many at a place.
    Nobody looked into her tray, or it surely holds ``off``."""
    of_b = {point(1): 2, point(12): 5, point(17): 3, point(19): 5}
    sure = {place: (A,) * count for place, count in of_a.items()} | {place: (B,) * n for place, n in of_b.items()}
    places = []
    for place in (*POINTS, bar(A), bar(B)):
        likely = {(A,) * count: chance for count, chance in doubtful.get(place, {}).items()}
        chances = likely or {sure.get(place, ()): 0.998}
        places.append(PlaceReading(place, tuple(StackChance(stack, chance) for stack, chance in chances.items())))
    hers = unseen_tray(A, SET) if off is None else PlaceReading(tray(A), (StackChance((A,) * off, 0.998),))
    return BoardReading(Witness.CAMERA, (*places, hers, unseen_tray(B, SET)))


TALL = {5: 0.8, 6: 0.08, 7: 0.05, 8: 0.03}
"""What is told of a tall stack that can hardly be counted from above."""


def test_a_stack_holds_the_rest_while_others_lie_outside() -> None:
    others = {point(8): 3, point(13): 4}
    assert weighed_by_sets(board(others, {point(6): TALL}), SET).at(point(6)).best == (A,) * 8


def test_a_checker_on_the_bar_lies_outside() -> None:
    others = {point(5): 3, point(4): 3, bar(A): 1}
    assert weighed_by_sets(board(others, {point(6): TALL}), SET).at(point(6)).best == (A,) * 8


def test_a_seat_that_is_all_home_may_have_borne_the_rest_off() -> None:
    others = {point(5): 3, point(4): 4}
    reading = weighed_by_sets(board(others, {point(6): TALL}), SET).at(point(6))
    assert reading.best == (A,) * 5
    assert reading.confidence > 0.7


def test_what_is_seen_in_the_tray_of_a_seat_that_was_hit_is_not_overruled() -> None:
    others = {point(5): 3, point(4): 3, point(13): 1}
    reading = weighed_by_sets(board(others, {point(6): TALL}, off=3), SET)
    assert reading.at(point(6)).best == (A,) * 5
    assert reading.at(tray(A)).best == (A,) * 3
    assert reading.at(tray(A)).confidence > 0.9


def test_a_game_that_is_over_is_told_as_it_is_seen() -> None:
    reading = weighed_by_sets(board({}, {}, off=SET), SET)
    assert reading.at(tray(A)).best == (A,) * SET
    assert min(reading.at(place).confidence for place in (tray(A), *POINTS)) > 0.99


@pytest.mark.parametrize(("homes", "count"), [(HOMES, 8), (ANY_HOMES, 5)])
def test_any_quarter_may_be_home_where_nobody_says_which(homes: Homes, count: int) -> None:
    others = {point(8): 4, point(9): 3}
    reading = weighed_by_sets(board(others, {point(7): TALL}), SET, homes=homes).at(point(7))
    assert reading.best == (A,) * count


def test_a_place_that_keeps_a_seat_from_bearing_off_is_barer_where_it_has() -> None:
    # Two missing: borne off, if point 8 is bare; else nowhere.
    others = {point(6): 5, point(5): 4, point(4): 3}
    doubt = {point(8): {0: 0.5, 1: 0.48}}
    told = [weighed_by_sets(board(others, doubt, off), SET).at(point(8)).likelihood(()) for off in (None, 2, 3)]
    assert told[0] > 0.7
    assert told[1] < 0.4 < 0.8 < told[2]


def test_each_number_is_weighed_by_how_often_it_is_borne_off() -> None:
    # Two places are enough to reckon it by hand: point 8, and A's tray; none to two checkers of A's, and none of B's.
    places, bare, none = [point(8), tray(A)], 0.6, 0.8
    counts = np.zeros((2, 3, 3))
    counts[0, :, 0], counts[1, :, 0] = (bare, 0.3, 0.1), (none, 0.1, 0.1)
    together = np.zeros((3, 3))
    for way in ways_to_bear_off(places, counts, {A: QUARTERS[:1]}):
        together += np.outer(way[0, :, 0], way[1, :, 0])
    for there, off in product(range(3), range(3)):
        left = LEFT["home" if there == 0 else "outside"]
        # What is told of trays is told of trays of which nothing lies in four of five.
        odds = 1.0 if off == 0 else (1 - left) / left / (0.2 / 0.8) * (OVER if off == 2 else 1.0)
        assert together[there, off] == pytest.approx(counts[0, there, 0] * counts[1, off, 0] * odds)


def test_a_seat_that_is_plainly_home_is_weighed_once() -> None:
    places = [point(8), point(2), tray(A)]
    counts = np.zeros((3, 3, 3))
    counts[0, 0, 0], counts[1, 1, 0], counts[2, :, 0] = 1.0, 1.0, (0.8, 0.1, 0.1)
    assert len(ways_to_bear_off(places, counts, HOMES)) == 1
    counts[0, :2, 0] = CERTAIN - 0.1, 1.1 - CERTAIN
    assert len(ways_to_bear_off(places, counts, HOMES)) == 2
    counts[0, :2, 0] = 0.0, 1.0
    assert len(ways_to_bear_off(places, counts, HOMES)) == 1


def test_how_often_nothing_is_borne_off_is_as_in_the_recorded_positions() -> None:
    left: dict[tuple[str, str], list[int]] = {}
    with gzip.open(RULES / "standard.jsonl.gz", "rt", encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            if "b" not in record or record["src"] == "synthetic":
                continue
            for sign, home in ((1, range(1, 7)), (-1, range(19, 25))):
                at = {number: sign * count for number, count in enumerate(record["b"]) if sign * count > 0}
                where = "home" if all(number in home for number in at) else "outside"
                left.setdefault((record["src"], where), []).append(sum(at.values()) == SET)
    strong, random = "selfplay-gnubg0ply", "selfplay-random"
    assert {key: (sum(all_left), len(all_left)) for key, all_left in left.items()} == {
        (strong, "outside"): (1061, 1107),
        (strong, "home"): (27, 261),
        (random, "outside"): (1320, 1325),
        (random, "home"): (11, 149),
    }
    assert LEFT["outside"] == pytest.approx(1061 / 1107, abs=0.01)
    assert LEFT["home"] == pytest.approx(27 / 261, abs=0.01)
