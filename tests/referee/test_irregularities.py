"""What goes wrong at real boards, row by row: the facts that show it, and what follows under each family of rules.

The rows follow the adjudication table that the rulesets are made after: D dice, S set-up and material, C checker play,
T turn. Families: ``house-seed`` (our texts), ``usbgf-like`` (must be corrected), ``us-2008-like`` (the opponent may
accept; silent unless asked).
"""

from collections.abc import Callable

import pytest
from seats_at_table import Seats, at_turn, die, moved

from boardctl.referee import read_ruleset
from boardctl.referee.effects import Notice, Phase, RollRead, Ruled, TurnJudged
from boardctl.referee.facts import ButtonPressed, HandSeen, Role
from boardctl.referee.readings import Support
from boardctl.rules import BackgammonPosition, Roll, Seat

START = BackgammonPosition.start()
BOARD = START.placement()
LEGAL = moved(BOARD, ("8", "5"), ("6", "5"))
FAMILIES = ("house-seed", "usbgf-like", "us-2008-like")


def table(family: str, position: BackgammonPosition = START, seat: Seat = Seat.A) -> Seats:
    """Gets a table with a camera only where a seat is to roll."""
    return at_turn(position, seat, read_ruleset(family).model_copy(update={"witnesses_required": 1}))


def end_turn(seats: Seats, by: Seat = Seat.A) -> None:
    """Ends a turn as the ruleset has it."""
    if seats.referee.ruleset.turn_end in ("clock", "button"):
        seats.feed(ButtonPressed(seats.now(), Role(by.value)))
    else:
        seats.lift()


def outcome(seats: Seats) -> str:
    """Gets what came of it in one word."""
    last = next((e for e in reversed(seats.effects) if isinstance(e, Ruled | TurnJudged | RollRead)), None)
    match last:
        case Ruled():
            return last.ruling
        case TurnJudged(finding=finding) if finding is not None:
            return str(finding.faults[0])
        case TurnJudged(legal=True):
            return "legal"
        case RollRead(valid=True):
            return "roll"
        case RollRead():
            return "reroll"
    return "nothing"


def throw(family: str, second: object) -> str:
    seats = table(family)
    seats.rest(die(6), second)  # type: ignore[arg-type]
    return outcome(seats)


def d6_one_die_thrown_again(family: str) -> str:
    seats = table(family)
    seats.rest(die(6), die(2, flat=False, spot=1))
    seats.rest(die(6), die(4, spot=5))
    return outcome(seats)


def d8_three_dice(family: str) -> str:
    seats = table(family)
    seats.rest(die(6), die(2, spot=1), die(3, spot=2))
    return outcome(seats)


def d9_rolled_before_the_turn_ended(family: str) -> str:
    seats = table(family)
    seats.rest(die(3), die(1, spot=1))
    seats.rest(die(3), die(1, spot=1), die(5, Seat.B, spot=8), die(4, Seat.B, spot=9))
    seats.show(LEGAL)
    end_turn(seats)
    return "stands" if seats.referee.state.roll == Roll(5, 4) else "void"


def d13_die_tipped_after_rest(family: str) -> str:
    seats = table(family)
    seats.rest(die(6), die(2, spot=1))
    seats.rest(die(6), die(5, spot=1))
    return str(seats.referee.state.roll)


def s1_wrong_starting_position(family: str) -> str:
    seats = Seats(read_ruleset(family))
    seats.show(moved(BOARD, ("6", "7")))
    return str(seats.referee.state.phase)


def misplay(*moves: tuple[str, str]) -> Callable[[str], str]:
    def played(family: str) -> str:
        seats = table(family)
        seats.roll(Seat.A, 3, 1)
        seats.show(moved(BOARD, *moves), confidence=0.9999)
        end_turn(seats)
        return outcome(seats)

    return played


def c1_rolled_after_a_misplay(family: str) -> str:
    seats = table(family)
    seats.roll(Seat.A, 3, 1)
    seats.show(moved(BOARD, ("8", "5"), ("6", "4")))
    end_turn(seats)
    seats.roll(Seat.B, 6, 4)
    return [effect.ruling for effect in seats.effects if isinstance(effect, Ruled)][-1]


def c12_ambiguous(family: str) -> str:
    seats = table(family)
    seats.roll(Seat.A, 3, 1)
    seats.show(LEGAL, confidence=0.34)
    end_turn(seats)
    return outcome(seats) if seats.referee.state.phase is not Phase.CONFIRM else "asked to tidy"


def c16_played_the_opponents_roll(family: str) -> str:
    seats = table(family)
    seats.roll(Seat.A, 3, 1)
    seats.show(LEGAL)
    end_turn(seats)
    seats.lift()
    seats.show(moved(LEGAL, ("17", "20"), ("19", "20")))
    return next(e.text.key for e in reversed(seats.effects) if isinstance(e, Notice))


def c16_moved_without_rolling(family: str) -> str:
    seats = table(family)
    seats.roll(Seat.A, 3, 1)
    seats.show(LEGAL)
    end_turn(seats)
    seats.lift()
    seats.show(moved(LEGAL, ("12", "18"), ("17", "18")))
    return next(e.text.key for e in reversed(seats.effects) if isinstance(e, Notice))


def c17_own_error_put_right(family: str) -> str:
    seats = table(family)
    seats.roll(Seat.A, 3, 1)
    seats.show(moved(BOARD, ("8", "5"), ("6", "4")))
    end_turn(seats)
    seats.show(LEGAL)
    return outcome(seats)


def t1_one_die_lifted(family: str) -> str:
    seats = table(family)
    seats.roll(Seat.A, 3, 1)
    seats.show(LEGAL)
    seats.lift(left=1)
    return str(seats.referee.state.phase)


def t1_hand_still_over_the_board(family: str) -> str:
    seats = table(family)
    seats.roll(Seat.A, 3, 1)
    seats.show(moved(BOARD, ("8", "5")))
    seats.feed(HandSeen(seats.now(), True))
    end_turn(seats)
    return outcome(seats)


ROWS: dict[str, tuple[Callable[[str], str], str, str, str]] = {
    # row: what happens                                             house-seed      usbgf-like      us-2008-like
    "D1 leaning": (lambda f: throw(f, die(4, flat=False, spot=1)), "reroll", "reroll", "reroll"),
    "D2 flat on a checker": (lambda f: throw(f, die(4, on=Support.CHECKER, spot=1)), "reroll", "roll", "reroll"),
    "D4 wrong half": (lambda f: throw(f, die(4, Seat.B, spot=1)), "reroll", "reroll", "reroll"),
    "D4 off the board": (lambda f: throw(f, die(4, None, on=Support.OFF_BOARD)), "reroll", "reroll", "reroll"),
    "D6 one die thrown again": (d6_one_die_thrown_again, "reroll", "reroll", "reroll"),
    "D8 three dice": (d8_three_dice, "reroll", "reroll", "reroll"),
    "D9 premature": (d9_rolled_before_the_turn_ended, "void", "stands", "stands"),
    "D13 tipped after rest": (d13_die_tipped_after_rest, "6-2", "6-2", "6-2"),
    "S1 wrong starting position": (s1_wrong_starting_position, "setup", "setup", "setup"),
    "S5 a checker gone": (misplay(("8", "5"), ("6", "5"), ("13", "nowhere")), *["checker_vanished"] * 3),
    "C1 wrong pips": (misplay(("8", "5"), ("6", "4")), "wrong_pips", "must_replay", "wrong_pips"),
    "C1 then the next roll": (c1_rolled_after_a_misplay, "condoned", "condoned", "condoned"),
    "C2 number not played": (misplay(("8", "5")), "number_not_used", "must_replay", "number_not_used"),
    "C7 own checker on the bar": (
        misplay(("8", "5"), ("6", "bar A")),
        "own_checker_on_bar",
        "must_replay",
        "own_checker_on_bar",
    ),
    "C8 backwards": (misplay(("8", "5"), ("13", "15")), "moved_backwards", "must_replay", "moved_backwards"),
    "C9 opponent's checker": (
        misplay(("8", "5"), ("6", "5"), ("12", "11")),
        "opponent_checker_moved",
        "must_replay",
        "opponent_checker_moved",
    ),
    "C12 unclear": (c12_ambiguous, "asked to tidy", "asked to tidy", "asked to tidy"),
    "C16 played the opponent's roll": (c16_played_the_opponents_roll, *["roll.played_opponents_roll"] * 3),
    "C16 moved without rolling": (c16_moved_without_rolling, *["roll.played_without_rolling"] * 3),
    "C17 own error put right": (c17_own_error_put_right, "legal", "legal", "legal"),
    "T1 one die lifted": (t1_one_die_lifted, "move", "move", "roll"),
    "T1 the hand is still there": (t1_hand_still_over_the_board, "roll", "roll", "roll"),
}


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("row", ROWS)
def test_row(row: str, family: str) -> None:
    happens, *expected = ROWS[row]
    assert happens(family) == expected[FAMILIES.index(family)]
