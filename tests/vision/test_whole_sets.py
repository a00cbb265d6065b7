"""What is seen elsewhere tells how many checkers a tall stack has, and overrules nothing that is seen well."""

from dataclasses import replace

import pytest

from boardctl.referee.readings import BoardReading, PlaceReading, StackChance, Witness
from boardctl.rules import Backgammon, Place, Placement, Seat, bar, point, tray
from boardctl.vision.points.partly_seen import PartlySeen
from boardctl.vision.whole_sets import OPEN, weighed_by_sets

A, B = Seat.A, Seat.B
PLACES = (*(point(number) for number in range(1, 25)), bar(A), bar(B), tray(A), tray(B))
SET = 15


def seen(board: Placement, doubtful: dict[Place, dict[int, float]] | None = None, sure: float = 0.998) -> BoardReading:
    """Gets a board as it is seen well, but for places whose counts are told with likelihoods; {}: hidden."""
    places = []
    for place in PLACES:
        stack = board.at(place)
        chances = (doubtful or {}).get(place)
        if chances is None:
            places.append(PlaceReading(place, (StackChance(stack, sure),)))
            continue
        owner = stack[-1] if stack else A
        listed = tuple(StackChance((owner,) * count, chance) for count, chance in chances.items())
        places.append(PlaceReading(place, listed, hidden=not listed))
    return BoardReading(Witness.CAMERA, tuple(places))


def tall(count: int) -> Placement:
    """Gets a board with a stack of A's on point 6, the rest of hers borne off."""
    start = Backgammon().start().placement()
    theirs = {place: start.at(place) for place in PLACES if B in start.at(place)}
    empty = dict.fromkeys(PLACES, ())
    return start.replaced({**empty, **theirs, point(6): (A,) * count, tray(A): (A,) * (SET - count)})


@pytest.mark.parametrize("count", [6, 7, 8])
def test_a_tall_stack_holds_what_is_nowhere_else(count: int) -> None:
    doubt = {5: 0.5, 6: 0.2, 7: 0.2, 8: 0.1}
    reading = weighed_by_sets(seen(tall(count), {point(6): doubt}), SET).at(point(6))
    assert reading.best == (A,) * count
    assert reading.confidence > 0.9


def test_stack_and_tray_are_told_together() -> None:
    doubt = {point(6): {5: 0.55, 6: 0.45}, tray(A): {9: 0.9, 10: 0.04}}
    reading = weighed_by_sets(seen(tall(6), doubt), SET)
    assert reading.at(point(6)).best == (A,) * 6
    assert reading.at(tray(A)).best == (A,) * 9


def test_a_checker_on_the_floor_stays_missing() -> None:
    board = tall(6).replaced({point(6): (A,) * 5})
    reading = weighed_by_sets(seen(board), SET)
    assert [place.best for place in reading.places] == [board.at(place.place) for place in reading.places]
    assert min(place.confidence for place in reading.places) > 0.9


def test_two_tall_stacks_are_not_told_apart_by_their_sum() -> None:
    board = tall(6).replaced({point(4): (A,) * 6, tray(A): (A,) * 3})
    doubt = {5: 0.4, 6: 0.35, 7: 0.2}
    reading = weighed_by_sets(seen(board, {point(6): doubt, point(4): doubt}), SET)
    for number in (6, 4):
        assert reading.at(point(number)).confidence < 0.7


def test_what_is_hidden_stays_hidden_and_leaves_the_rest_as_it_was_seen() -> None:
    doubt: dict[Place, dict[int, float]] = {point(6): {5: 0.5, 6: 0.45}, tray(A): {}}
    reading = weighed_by_sets(replace(seen(tall(6), doubt), hand=True), SET)
    assert reading.at(tray(A)).hidden
    assert reading.at(tray(A)).chances == ()
    assert reading.at(point(6)).best == (A,) * 5
    assert reading.at(point(6)).confidence < 0.6


def test_an_opponents_checkers_say_nothing() -> None:
    board = tall(6)
    doubt = {point(19): {5: 0.9, 6: 0.08}, point(6): {5: 0.5, 6: 0.45}}
    read = [weighed_by_sets(seen(board, {place: doubt[place]}), SET).at(place).best for place in doubt]
    both = weighed_by_sets(seen(board, doubt), SET)
    assert [both.at(place).best for place in doubt] == read


def test_a_place_that_nothing_explains_tells_nothing_of_others() -> None:
    unread = {point(6): {5: 0.9, 6: 0.06}, tray(A): {10: 0.03}}
    told = weighed_by_sets(seen(tall(6), unread), SET).at(point(6))
    alone = weighed_by_sets(seen(tall(6), {**unread, tray(A): {}}), SET).at(point(6))
    assert told.likelihood((A,) * 5) == pytest.approx(alone.likelihood((A,) * 5), abs=0.01)
    assert told.confidence < 0.95


def test_a_stack_that_nothing_explains_holds_what_is_nowhere_else_and_is_never_sure() -> None:
    board = tall(8)
    reading = weighed_by_sets(seen(board, {point(6): {5: 0.004, 6: 0.001}}), SET)
    assert reading.at(point(6)).best == (A,) * 8
    assert 0.7 < reading.at(point(6)).confidence <= OPEN


def test_a_row_that_is_half_explained_is_not_taken_for_what_would_fit_a_tall_stack_elsewhere() -> None:
    board = Backgammon().start().placement()
    half, tall_stack = {3: 0.487, 4: 0.009}, {8: 0.5, 5: 0.35, 6: 0.05, 7: 0.05}
    reading = weighed_by_sets(seen(board, {point(17): half, point(19): tall_stack}), SET)
    assert reading.at(point(17)).best == (B,) * 3
    assert reading.at(point(19)).best == (B,) * 5


@pytest.mark.parametrize(("is_covered", "on_19"), [(False, 5), (True, 8)])
def test_a_row_that_is_seen_is_not_none_though_a_set_is_whole_without_it(is_covered: bool, on_19: int) -> None:
    row, tall_stack = {3: 0.6, 4: 0.2}, {8: 0.5, 5: 0.065, 6: 0.02, 7: 0.02}
    board = seen(Backgammon().start().placement(), {point(17): row, point(19): tall_stack})
    places = (replace(place, hidden=is_covered and place.place == point(17)) for place in board.places)
    assert weighed_by_sets(replace(board, places=tuple(places)), SET).at(point(19)).best == (B,) * on_19


def test_whose_a_stack_is_that_nothing_explains_is_told_by_what_was_seen_of_it() -> None:
    start = Backgammon().start().placement()
    doubt = {point(6): {4: 0.01}, point(12): {4: 0.85, 5: 0.1}}
    reading = weighed_by_sets(seen(start, doubt), SET)
    assert reading.at(point(12)).best == (B,) * 5
    assert reading.at(point(6)).best == (A,) * 5


def test_what_little_was_seen_tells_whose_a_stack_is_of_which_nothing_is_said() -> None:
    start = Backgammon().start().placement()
    doubt = {point(12): {4: 0.9, 5: 0.03}}
    board = seen(start, doubt)
    nothing = replace(
        board, places=tuple(PlaceReading(p.place, ()) if p.place == point(6) else p for p in board.places)
    )
    little = PlaceReading(point(6), (StackChance((A,) * 4, 0.01),))
    without, told = (weighed_by_sets(nothing, SET, unsaid) for unsaid in ((), (little,)))
    assert told.at(point(12)).best == (B,) * 5
    assert told.at(point(12)).confidence > without.at(point(12)).likelihood((B,) * 5)
    assert told.at(point(6)).best == (A,) * 5


def test_a_tray_that_could_not_be_counted_holds_what_is_nowhere_else() -> None:
    reading = weighed_by_sets(seen(tall(8), {tray(A): {}}), SET).at(tray(A))
    assert reading.best == (A,) * 7
    assert reading.confidence <= OPEN


def test_a_point_that_is_hidden_stays_so_though_no_hand_is_seen() -> None:
    assert weighed_by_sets(seen(tall(8), {point(6): {}}), SET).at(point(6)).hidden


def test_what_is_nowhere_else_most_likely_lies_on_a_point_under_a_hand_which_stays_hidden() -> None:
    start = Backgammon().start().placement()
    board = seen(start, {point(6): {2: 0.05, 3: 0.01}})
    covered = tuple(replace(place, hidden=place.place == point(6)) for place in board.places)
    whole = weighed_by_sets(replace(board, places=covered, hand=True), SET)
    told = whole.at(point(6))
    assert told.hidden
    assert (told.best, told.confidence) == (None, 0.0), "nothing to judge a play by"
    assert told.likeliest is not None
    assert told.likeliest.stack == (A,) * 5
    assert 0.5 < told.likeliest.likelihood <= OPEN


def partly(chances: dict[int, float], free: tuple[float, ...]) -> PartlySeen:
    """Gets what may lie on a point of A's over which a hand lies in part."""
    return PartlySeen(tuple(StackChance((A,) * count, chance) for count, chance in chances.items()), free)


def test_what_is_seen_of_a_covered_point_counts_where_the_rest_does_not_tell() -> None:
    start = Backgammon().start().placement()
    board = replace(seen(start, {point(number): {} for number in (6, 8, 13)}), hand=True)
    row = {point(6): partly({4: 0.3, 5: 0.6, 6: 0.1}, (0.1,) * 7)}
    without, told = (weighed_by_sets(board, SET, (), known).at(point(6)) for known in ({}, row))
    assert without.likeliest is not None
    assert without.likelihood((A,) * 5) < 0.2
    assert told.likeliest is not None
    assert told.likeliest.stack == (A,) * 5
    assert told.hidden


def test_a_row_whose_end_is_covered_is_told_where_the_rest_of_the_set_lies_elsewhere() -> None:
    board = replace(seen(Backgammon().start().placement(), {point(8): {}}), hand=True)
    end_covered = partly({3: 0.5, 4: 0.25, 5: 0.13, 6: 0.1}, (1.0, 1.0, 1.0, 0.1, 0.1, 1.0, 1.0))
    told = weighed_by_sets(board, SET, (), {point(8): end_covered}).at(point(8))
    assert not told.hidden
    assert told.best == (A,) * 3
    assert 0.8 < told.confidence <= OPEN


def test_a_row_whose_end_is_covered_stays_hidden_where_checkers_are_missing() -> None:
    start = Backgammon().start().placement()
    board = replace(seen(start, {point(8): {}}), hand=True)
    end_covered = partly({2: 0.5, 3: 0.25, 4: 0.13, 5: 0.1}, (1.0, 1.0, 0.1, 0.1, 0.1, 1.0, 1.0))
    told = weighed_by_sets(board, SET, (), {point(8): end_covered}).at(point(8))
    assert told.hidden
    assert told.likeliest is not None
    assert told.likeliest.stack == (A,) * 3


def test_a_stack_is_told_though_the_bar_and_a_point_are_covered() -> None:
    covered: dict[Place, dict[int, float]] = {bar(A): {}, bar(B): {}, point(9): {}}
    doubt = {point(6): {5: 0.3, 6: 0.3, 7: 0.3, 8: 0.1}}
    reading = weighed_by_sets(replace(seen(tall(7), {**covered, **doubt}), hand=True), SET).at(point(6))
    assert reading.best == (A,) * 7
    assert 0.5 < reading.confidence <= OPEN


def test_a_checker_taken_for_the_other_seats_makes_no_stack_sure() -> None:
    board = tall(6).replaced({point(1): (B,), tray(B): (B,)})
    as_seen = seen(board, {point(6): {5: 0.51, 6: 0.45}})
    wrong = (StackChance((A,), 0.9947), StackChance((B,), 0.0047))
    places = (replace(place, chances=wrong) if place.place == point(1) else place for place in as_seen.places)
    reading = weighed_by_sets(replace(as_seen, places=tuple(places)), SET)
    assert reading.at(point(6)).confidence < 0.9
    assert reading.at(point(1)).confidence < 0.9


def test_under_a_hand_what_is_seen_with_doubt_is_not_surer_because_nothing_is_missing() -> None:
    start = Backgammon().start().placement()
    board = seen(start, {point(7): {0: 0.9}})
    covered = tuple(replace(place, hidden=place.place == point(9)) for place in board.places)
    for hand in (False, True):
        told = weighed_by_sets(replace(board, places=covered, hand=hand), SET).at(point(7))
        assert told.best == ()
        assert told.confidence == pytest.approx(0.9, abs=0.001) if hand else told.confidence > 0.95


def test_under_a_hand_no_count_is_surer_because_the_others_would_not_fit() -> None:
    doubt = {point(6): {5: 0.84, 6: 0.15}}
    covered = {bar(A): {}, point(9): {}}
    for hand in (False, True):
        told = weighed_by_sets(replace(seen(Backgammon().start().placement(), covered | doubt), hand=hand), SET)
        assert told.at(point(6)).best == (A,) * 5
        assert (told.at(point(6)).confidence <= OPEN) == hand
