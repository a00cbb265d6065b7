"""The rows of the adjudication table about dice taken up again, baffle boxes, disputes and results, under every preset.

What nobody but a person can see is a director's note, under every ruleset alike (:data:`BY_HAND`): the machine keeps it
with his name and his reason, and concludes nothing from it.
"""

from collections.abc import Callable

import pytest
from seats_at_table import Seats, at_turn, die, moved
from test_irregularities import BOARD, FAMILIES, LEGAL, START, end_turn, outcome, table

from boardctl.referee import Match, read_ruleset, rows
from boardctl.referee.effects import Certainty, GameEnded, Notice, Phase, RollRead, Ruled
from boardctl.referee.facts import Answered, Choice, Decision, DirectorRuled, Queried, Resigned, Role
from boardctl.referee.readings import Support
from boardctl.rules import BackgammonPosition, Roll, Seat

LAST_CHECKER = BackgammonPosition.from_points([1] + [0] * 17 + [-15, 0, 0, 0, 0, 0])
CLOCKED = ("usbgf-like", "wbgf-legal-like", "ukbgf-like", "wbgf-responsible-like")
EARLY_ROLL_STANDS = ("casual", "ukbgf-like", "wbgf-responsible-like", "us-2008-like")


def heard(seats: Seats) -> list[str]:
    return [effect.text.key for effect in seats.effects if isinstance(effect, Notice)]


def d5_baffle_box(family: str) -> str:
    ruleset = read_ruleset(family).model_copy(update={"witnesses_required": 1, "roller_half": "baffle_box"})
    seats = at_turn(START, Seat.A, ruleset)
    seats.rest(die(6, Seat.B), die(2, Seat.B, spot=1))
    return outcome(seats)


def d8_one_die_alone(family: str) -> str:
    seats = table(family)
    seats.rest(die(6))
    return "roll" if seats.referee.state.phase is Phase.MOVE else "no roll"


def d10_dice_grabbed_before_the_turn_was_ended(family: str) -> str:
    seats = table(family)
    seats.rest(die(3), die(1, spot=1))
    seats.show(LEGAL)
    seats.lift()
    return "turn over" if seats.referee.state.seat is Seat.B else "still on turn"


def d11_an_early_roll_that_was_taken_up_again(family: str) -> str:
    seats = table(family)
    first, second = die(3), die(1, spot=1)
    seats.rest(first, second)
    seats.rest(first, second, die(5, Seat.B, spot=8), die(4, Seat.B, spot=9))
    seats.take_up(first, second)
    seats.show(LEGAL)
    end_turn(seats)
    return "stands" if seats.referee.state.roll == Roll(5, 4) else "negated"


def d14_the_roll_is_disputed_after_the_dice_were_lifted(family: str) -> str:
    """The dice as they came to rest are in the record, whatever is said later."""
    seats = table(family)
    seats.rest(die(6), die(2, spot=1))
    seats.lift()
    read = [effect.roll for effect in seats.effects if isinstance(effect, RollRead) and effect.valid]
    return str(read[-1])


def s5_knocked_off_before_anybody_rolled(family: str) -> str:
    seats = table(family)
    seats.show(moved(BOARD, ("13", "nowhere")), confidence=0.9999)
    return ", ".join(heard(seats)[-2:])


def c20_asked_what_was_found(family: str) -> str:
    """A player asks; a spectator may only tell the director, who notes it."""
    seats = table(family)
    seats.roll(Seat.A, 3, 1)
    seats.show(moved(BOARD, ("8", "5"), ("6", "4")), confidence=0.9999)
    end_turn(seats)
    told = seats.feed(Queried(seats.now(), Role.B))
    return "told" if any(effect.kind == "turn_judged" for effect in told) else "nothing stands"


def r2_a_wrong_result_is_put_right(family: str) -> str:
    seats = at_turn(LAST_CHECKER, Seat.A, table(family).referee.ruleset, Match(3))
    _bear_off(seats)
    seats.feed(DirectorRuled(seats.now(), "Ada", Decision.SCORE, "the sheet says so", score=((Seat.A, 1), (Seat.B, 0))))
    return f"{dict(seats.referee.state.score)[Seat.A]} points"


def r4_how_much_a_game_counts_when_the_checkers_are_swept(family: str) -> str:
    seats = at_turn(LAST_CHECKER, Seat.A, table(family).referee.ruleset)
    _bear_off(seats)
    ended = next(effect for effect in seats.effects if isinstance(effect, GameEnded))
    return f"{ended.win_kind}, {ended.certainty}"


def _bear_off(seats: Seats) -> None:
    seats.roll(Seat.A, 6, 5)
    seats.show(moved(LAST_CHECKER.placement(), ("1", "off A")), confidence=0.9999)
    assert seats.referee.state.phase is Phase.GAME_OVER


def r5_a_resignation_by_mistake(family: str) -> str:
    seats = table(family)
    seats.feed(Resigned(seats.now(), Role.A))
    prompt = seats.referee.state.prompt
    assert prompt is not None
    seats.feed(Answered(seats.now(), Role.B, prompt.number, Choice.DENY))
    return "the game goes on" if seats.referee.state.phase is Phase.ROLL else "over"


ROWS: dict[str, tuple[Callable[[str], str], str | dict[str, str]]] = {
    # row: what happens, and what follows under every preset, or under all ("") but those named
    "D5 a baffle box: any half counts": (d5_baffle_box, "roll"),
    "D8 one die alone: no roll yet": (d8_one_die_alone, "no roll"),
    "D10 dice grabbed before the clock is hit": (
        d10_dice_grabbed_before_the_turn_was_ended,
        {"": "turn over", **dict.fromkeys(CLOCKED, "still on turn")},
    ),
    "D11 an early roll that was taken up again": (
        d11_an_early_roll_that_was_taken_up_again,
        {"": "negated", **dict.fromkeys(EARLY_ROLL_STANDS, "stands")},
    ),
    "D14 what was rolled is disputed": (d14_the_roll_is_disputed_after_the_dice_were_lifted, "6-2"),
    "S5 knocked off before anybody rolled": (
        s5_knocked_off_before_anybody_rolled,
        "roll.board_changed, repair.missing",
    ),
    "C20 a player asks what was found": (
        c20_asked_what_was_found,
        {"": "told", **dict.fromkeys(("teaching", "usbgf-like", "wbgf-legal-like", "ukbgf-like"), "nothing stands")},
    ),
    "R2 a wrong result is put right": (r2_a_wrong_result_is_put_right, "1 points"),
    "R4 gammon or not, by the last board": (
        r4_how_much_a_game_counts_when_the_checkers_are_swept,
        f"gammon, {Certainty.CERTAIN}",
    ),
    "R5 a resignation by mistake may be refused": (r5_a_resignation_by_mistake, "the game goes on"),
}

BY_HAND = (
    "D7 dice that were slid, or thrown without shaking",
    "C20 a spectator reports",
    "R6 a game was cancelled, replayed or settled",
    "R9 errors in one player's favour overlooked again and again",
    "Q4 what was said about a double",
)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("row", ROWS)
def test_row(row: str, family: str) -> None:
    happens, follows = ROWS[row]
    expected = follows if isinstance(follows, str) else follows.get(family, follows[""])
    assert happens(family) == expected


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("entered", BY_HAND)
def test_what_only_people_see_is_the_directors_note(entered: str, family: str) -> None:
    seats = table(family)
    before = seats.referee.state
    row, _, words = entered.partition(" ")
    ruling = DirectorRuled(seats.now(), "Ada", Decision.NOTE, words, entry=12, row=row, seat=Seat.B)
    (noted,) = [one for one in seats.feed(ruling) if isinstance(one, Ruled)]
    assert (noted.ruling, noted.by, noted.reason) == ("noted", "director Ada", words)
    assert (noted.row, noted.seat) == (row, Seat.B)
    assert row in rows.ROWS
    after = seats.referee.state
    assert (after.phase, after.seat, after.score, after.position) == (
        before.phase,
        before.seat,
        before.score,
        before.position,
    )


def test_d1_the_reason_names_the_die_and_what_is_wrong_with_it() -> None:
    for bad, key in (
        (die(4, flat=False, spot=1), "dice.not_flat"),
        (die(4, on=Support.CHECKER, spot=1), "dice.on_checker"),
        (die(4, on=Support.RAIL, spot=1), "dice.on_rail"),
        (die(4, on=Support.DIE, spot=1), "dice.on_die"),
        (die(4, None, on=Support.TRAY), "dice.in_tray"),
        (die(4, None, on=Support.OFF_BOARD), "dice.off_board"),
        (die(4, Seat.B, spot=1), "dice.wrong_half"),
    ):
        seats = table("house-seed")
        (read,) = [one for one in seats.rest(die(6), bad) if isinstance(one, RollRead)]
        assert [reason.key for reason in read.reasons] == [key]
        assert dict(read.reasons[0].arguments)["die"] == "4"
