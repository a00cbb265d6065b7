"""Standard notation, written and read."""

import pytest

from boardctl.rules import (
    Backgammon,
    BackgammonPosition,
    IllegalPlayError,
    NotationError,
    Roll,
    Seat,
    read_play,
    write_play,
)

GAME = Backgammon()
A, B = Seat.A, Seat.B


def rewritten(position: BackgammonPosition, seat: Seat, roll: Roll, text: str) -> str:
    return write_play(GAME, seat, read_play(GAME, position, seat, roll, text))


@pytest.mark.parametrize(
    ("roll", "text", "written"),
    [
        (Roll(3, 1), "8/5 6/5", "8/5 6/5"),
        (Roll(3, 1), "6/5 8/5", "8/5 6/5"),
        (Roll(6, 5), "24/18/13", "24/13"),
        (Roll(6, 5), "24/13", "24/13"),
        (Roll(6, 5), "24/18 18/13", "24/13"),
        (Roll(4, 2), "8/4  6/4", "8/4 6/4"),
        (Roll(6, 6), "24/18(2) 13/7(2)", "24/18(2) 13/7(2)"),
        (Roll(1, 1), "8/7 6/5 8/7 6/5", "8/7(2) 6/5(2)"),
    ],
)
@pytest.mark.parametrize("seat", [A, B])
def test_plays_of_the_start_read_and_written(seat: Seat, roll: Roll, text: str, written: str) -> None:
    assert rewritten(GAME.start(), seat, roll, text) == written


def test_hits_entries_and_bear_offs() -> None:
    with_blots = BackgammonPosition.parse(
        """
         13 14 15 16 17 18      19 20 21 22 23 24
        +------------------+---+------------------+  B off 12
        |                  | A |    B     B       |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |bar|                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                  |   |                  |
        |                B |   |                  |
        +------------------+---+------------------+  A off 14
         12 11 10  9  8  7       6  5  4  3  2  1
        """
    )
    assert rewritten(with_blots, A, Roll(5, 3), "bar/22*/17") == "bar/22*/17"
    assert rewritten(with_blots, A, Roll(5, 3), "bar/20*/17") == "bar/20*/17"
    with pytest.raises(IllegalPlayError):  # without a star no blot is hit on the way
        read_play(GAME, with_blots, A, Roll(5, 3), "bar/17")


def test_borne_off_checkers_are_counted_together() -> None:
    position = BackgammonPosition.from_points([3, 0, 0, 0, 0, 4] + [0] * 18)
    assert rewritten(position, A, Roll(6, 6), "6/off(4)") == "6/off(4)"
    assert rewritten(position, A, Roll(6, 1), "6/off 1/off") == "6/off 1/off"


def test_no_play_has_a_text_of_its_own() -> None:
    closed_out = BackgammonPosition.from_points([0] * 18 + [-2] * 6, bar_a=1)
    play = GAME.plays(closed_out, A, Roll(6, 6))[0]
    assert write_play(GAME, A, play) == "(no play)"
    assert read_play(GAME, closed_out, A, Roll(6, 6), "(no play)") == play
    with pytest.raises(IllegalPlayError):
        read_play(GAME, GAME.start(), A, Roll(6, 6), "(no play)")


@pytest.mark.parametrize("text", ["13-7", "13/7 8", "6/off(x)", "8/7(5)"])
def test_what_is_no_notation_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match=r"no journey|more than four"):
        read_play(GAME, GAME.start(), A, Roll(6, 1), text)


@pytest.mark.parametrize("text", ["13/7", "13/6*", "13/8 6/5", "24/18 8/7*"])
def test_illegal_plays_are_refused_with_the_position(text: str) -> None:
    with pytest.raises(IllegalPlayError, match="no legal play of A with 6-1") as refusal:
        read_play(GAME, GAME.start(), A, Roll(6, 1), text)
    assert text in str(refusal.value)
    assert "+------------------+" in str(refusal.value)
