"""LED frames: on the wire, in time, within the supply; and where the LEDs lie."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.errors import SlotMapError
from firmware_bridge.leds import DARK, ChainLayout, LedFrame, Light
from firmware_bridge.protocol import LED_COUNT, encode

LIGHTS = st.builds(Light, *(st.integers(0, 255) for _ in range(4)))
FRAMES = st.builds(
    lambda few, picks: LedFrame(tuple(few[pick % len(few)] for pick in picks)),
    st.lists(LIGHTS, min_size=1, max_size=60),
    st.lists(st.integers(0, 59), min_size=LED_COUNT, max_size=LED_COUNT),
)


@given(FRAMES, FRAMES)
def test_parts_make_the_frame_over_any_other(frame: LedFrame, before: LedFrame) -> None:
    for part in frame.parts():
        encode(part)
        before = before.with_part(part)
    assert before == frame
    assert [part.show for part in frame.parts()] == [False] * (len(frame.parts()) - 1) + [True]


def test_frame_of_few_lights_is_one_short_message() -> None:
    parts = LedFrame.of({10: Light(0, 80, 0), 23: Light(0, 80, 0)}).parts()
    assert len(parts) == 1
    assert len(encode(parts[0])) < 40


def test_pattern_lights_its_eighths_of_a_second() -> None:
    frame = LedFrame.of({0: Light(9, 0, 0, 0b00000101)})
    lit = [frame.lit_at(ms)[0][0] for ms in range(0, 1000, 125)]
    assert lit == [9, 0, 9, 0, 0, 0, 0, 0]
    assert frame.lit_at(124)[0] == (9, 0, 0)
    assert frame.lit_at(1000)[0] == (9, 0, 0)


def test_all_white_draws_what_the_data_sheet_says() -> None:
    assert LedFrame((Light(255, 255, 255),) * 60).current_ma() == 3600


@given(FRAMES, st.integers(100, 4000), st.integers(0, 255))
def test_current_budget_is_kept_and_colours_only_get_darker(frame: LedFrame, budget_ma: int, brightness: int) -> None:
    lit = frame.within(budget_ma, brightness)
    assert lit.current_ma() <= budget_ma
    assert all(now <= was for new, old in zip(lit, frame, strict=True) for now, was in zip(new, old, strict=True))


def test_frame_within_its_budget_is_lit_as_sent() -> None:
    frame = LedFrame.of({5: Light(255, 255, 255)})
    assert frame.within(100) == frame


@pytest.mark.parametrize("lights", [{60: DARK}, {-1: DARK}, {0: Light(256, 0, 0)}, {0: Light(0, 0, 0, -1)}])
def test_impossible_light_is_refused(lights: dict[int, Light]) -> None:
    with pytest.raises(ValueError, match=r"LED"):
        LedFrame.of(lights)


def test_reference_chain_uses_every_led_once() -> None:
    layout = ChainLayout()
    assert (layout.base(1), layout.tip(1), layout.base(24), layout.tip(24)) == (0, 1, 46, 47)
    assert sorted(led for _, led in layout._places()) == list(range(60))


def test_layout_of_another_board_is_read_from_plain_values() -> None:
    layout = ChainLayout.from_mapping({"bar": {"A": [50, 51], "B": [48, 49]}})
    assert layout.bar["A"] == (50, 51)
    assert layout.trays["A"] == (52, 53)


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({"tray": {}}, "no key 'tray'"),
        ({"bar": {"A": [0]}}, "LED 0 twice"),
        ({"bar": {"A": [60]}}, "LED 60"),
        ({"points": [[0, 1]]}, "names 1 points"),
        ({"points": [[0]] * 24}, r"\[base, tip\]"),
        ({"dice": [1]}, "must map seats"),
        ({"dice": {"A": "x"}}, "must be a list"),
    ],
)
def test_contradictions_in_the_layout_are_refused(values: dict[str, object], complaint: str) -> None:
    with pytest.raises(SlotMapError, match=complaint):
        ChainLayout.from_mapping(values)
