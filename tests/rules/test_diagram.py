"""Drawn boards: what they show and which drawings are refused."""

import pytest

from boardctl.rules import Placement, Seat, bar, point, tray, waiting
from boardctl.rules.diagram import draw, read

A, B = Seat.A, Seat.B


def test_high_stacks_mixed_stacks_bars_and_trays_read_back() -> None:
    placement = Placement(
        {
            point(1): (A,) * 12,
            point(24): (B,) * 6,
            point(13): (B, A, A, B, A, B, A),
            bar(A): (A,),
            bar(B): (B,) * 5,
            tray(B): (B,) * 2,
            waiting(A): (A,) * 3,
        }
    )
    assert read(draw(placement)) == placement


def test_a_placement_no_game_has_is_drawn_all_the_same() -> None:
    placement = Placement({tray(A): (A, B), point(25): (A,), bar(A): (B,), bar(Seat.C): (Seat.C,)})
    text = draw(placement)
    assert "A off 2 (among them 1 of B)" in text
    assert "point 25: A" in text
    assert "bar C: C" in text


def test_indented_drawings_are_read() -> None:
    text = draw(Placement({point(6): (A, A)}))
    assert read("\n".join(f"      {line}" for line in text.splitlines())) == Placement({point(6): (A, A)})


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("A off 0", "A of 0", "'A of 0' beside the board"),
        ("bar", "   ", "rows above the row named bar"),
        ("|                  |bar|                  |\n", "", "rows above the row named bar"),
        (" A              B ", " A              X ", "'XX' at point 1 is not a stack|'BX' at point 1"),
    ],
)
def test_damaged_drawings_are_refused_and_quoted(old: str, new: str, complaint: str) -> None:
    text = draw(Placement({point(6): (A, A), point(1): (B, B)}))
    assert old in text
    with pytest.raises(ValueError, match=complaint) as refusal:
        read(text.replace(old, new, 1))
    assert "12 11 10" in str(refusal.value)


def test_a_stack_with_a_gap_is_refused() -> None:
    lines = draw(Placement({point(6): (A, A)})).splitlines()
    lines[10], lines[11] = lines[11], lines[10]
    with pytest.raises(ValueError, match="a gap in the stack at point 6"):
        read("\n".join(lines))


def test_text_without_edges_is_refused() -> None:
    with pytest.raises(ValueError, match="two edges"):
        read("nothing here")
