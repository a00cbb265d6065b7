"""Scenes on the chain of 60 LEDs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardctl.lights import frame_of, signs_shown, standard_grammar
from boardctl.lights.grammar import End
from boardctl.referee.effects import Mark, Scene, Sign
from boardctl.rules import Place, Seat, bar, point, tray, waiting
from firmware_bridge.leds import ALWAYS, DARK, ChainLayout, LedFrame, Light

PLACES = [*map(point, range(1, 25)), *map(bar, (Seat.A, Seat.B)), *map(tray, (Seat.A, Seat.B))]
MARKS = st.builds(
    Mark, st.sampled_from(Sign), st.one_of(st.none(), st.sampled_from(PLACES)), st.sampled_from([None, Seat.A, Seat.B])
)


def lit(frame: LedFrame) -> dict[int, Light]:
    return {led: light for led, light in enumerate(frame) if light.pattern}


def scene(*marks: Mark) -> Scene:
    return Scene(marks)


def test_an_empty_scene_is_dark() -> None:
    assert all(light == DARK for light in frame_of(scene()))


def test_a_source_is_steady_blue_at_the_base_of_its_point() -> None:
    assert lit(frame_of(scene(Mark(Sign.SOURCE, point(8))))) == {14: Light(0, 40, 255, ALWAYS)}


def test_a_target_blinks_slowly_in_yellow_at_the_tip_of_its_point() -> None:
    assert lit(frame_of(scene(Mark(Sign.TARGET, point(24))))) == {47: Light(255, 140, 0, 0b00001111)}


def test_a_problem_double_blinks_white_at_both_ends() -> None:
    shown = lit(frame_of(scene(Mark(Sign.PROBLEM, point(1)))))
    assert list(shown) == [0, 1]
    assert {light.pattern for light in shown.values()} == {0b00000101}


@pytest.mark.parametrize(
    ("place", "leds"),
    [
        (point(1), [0, 1]),
        (point(24), [46, 47]),
        (bar(Seat.A), [48, 49]),
        (bar(Seat.B), [50, 51]),
        (tray(Seat.A), [52, 53]),
        (tray(Seat.B), [54, 55]),
    ],
)
def test_every_place_has_its_two_leds(place: Place, leds: list[int]) -> None:
    assert list(lit(frame_of(scene(Mark(Sign.PROBLEM, place))))) == leds


def test_the_dice_zone_of_the_seat_on_turn_is_lit() -> None:
    assert list(lit(frame_of(scene(Mark(Sign.TURN, None, Seat.A))))) == [56, 57]
    assert list(lit(frame_of(scene(Mark(Sign.TURN, None, Seat.B))))) == [58, 59]
    assert list(lit(frame_of(scene(Mark(Sign.REROLL))))) == [56, 57, 58, 59]


def test_a_place_without_lights_shows_nothing() -> None:
    assert not lit(frame_of(scene(Mark(Sign.MISSING, waiting(Seat.A)), Mark(Sign.TURN, None, Seat.C))))


def test_source_and_target_share_a_point() -> None:
    shown = signs_shown(scene(Mark(Sign.TARGET, point(6)), Mark(Sign.SOURCE, point(6))))
    assert shown[point(6)] == {End.BASE: Sign.SOURCE, End.TIP: Sign.TARGET}


def test_a_problem_hides_every_hint_at_its_place() -> None:
    marks = (Mark(Sign.TARGET, point(6)), Mark(Sign.SOURCE, point(6)), Mark(Sign.PROBLEM, point(6)))
    assert set(signs_shown(scene(*marks))[point(6)].values()) == {Sign.PROBLEM}


@given(st.lists(MARKS, max_size=40))
def test_signs_are_shown_whole_or_not_at_all_and_the_most_important_always(marks: list[Mark]) -> None:
    grammar = standard_grammar()
    for spot, ends in signs_shown(Scene(tuple(marks))).items():
        for sign in set(ends.values()):
            assert {end for end in ends if ends[end] is sign} == grammar.signs[sign].ends
        zone = isinstance(spot, Seat)
        there = [m.sign for m in marks if spot == m.place or (zone and m.place is None and m.seat in (None, spot))]
        assert max(there, key=lambda sign: grammar.signs[sign].priority) in ends.values()


@given(st.lists(MARKS, max_size=80))
def test_the_order_of_marks_does_not_matter(marks: list[Mark]) -> None:
    assert frame_of(Scene(tuple(marks))) == frame_of(Scene(tuple(reversed(marks))))


@given(st.lists(MARKS, max_size=80), st.integers(100, 3600), st.integers(0, 255))
def test_the_current_budget_holds_at_every_instant(marks: list[Mark], budget_ma: int, brightness: int) -> None:
    grammar = standard_grammar().model_copy(update={"current_budget_ma": budget_ma, "brightness": brightness})
    frame = frame_of(Scene(tuple(marks)), grammar)
    for slot in range(8):
        levels = sum(sum(colour) for colour in frame.lit_at(125 * slot))
        assert levels * 20 / 255 <= budget_ma  # 20 mA a colour channel at full level


def test_the_whole_board_in_white_is_dimmed_to_the_budget() -> None:
    everywhere = [Mark(Sign.PROBLEM, place) for place in PLACES] + [Mark(Sign.PROBLEM)]
    frame = frame_of(Scene(tuple(everywhere)))
    assert len(lit(frame)) == 60
    assert 1900 < frame.current_ma() <= 2000


def test_a_place_with_a_single_led_shows_the_signs_of_either_end() -> None:
    layout = ChainLayout(bar={"A": (48,), "B": (50, 51)})
    assert list(lit(frame_of(scene(Mark(Sign.TARGET, bar(Seat.A))), layout=layout))) == [48]
