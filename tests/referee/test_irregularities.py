"""What goes wrong at real boards, row by row: the facts that show it, and what follows under each family of rules.

The rows follow the adjudication table that the rulesets are made after: D dice, S set-up and material, C checker play,
T turn, R result and conduct. More of them: the cube's rows Q in ``test_doubling.py``, the clock's T in
``test_clock_rows.py``, the opponent's dice of D8 in ``test_whose_dice.py``, S2 in ``test_wrong_start.py``, S3 in
``test_missing_checkers.py``, C19 and R7 in ``test_penalties.py``, dice taken up, disputes and results in
``test_dice_and_result_rows.py``; how certain a finding is in ``test_certainty_of_findings.py``.
"""

from collections.abc import Callable

import pytest
from seats_at_table import Seats, at_turn, die, moved

from boardctl.referee import read_ruleset
from boardctl.referee.effects import Effect, Notice, Phase, RollRead, Ruled, TurnJudged
from boardctl.referee.facts import (
    Answered,
    ButtonPressed,
    Choice,
    Decision,
    DirectorRuled,
    Fact,
    HandSeen,
    Resigned,
    Role,
)
from boardctl.referee.readings import Hand, Support
from boardctl.rules import BackgammonPosition, Placement, Roll, Seat, point

START = BackgammonPosition.start()
BOARD = START.placement()
LEGAL = moved(BOARD, ("8", "5"), ("6", "5"))
FAMILIES = (
    "house-seed",
    "casual",
    "teaching",
    "usbgf-like",
    "wbgf-legal-like",
    "ukbgf-like",
    "wbgf-responsible-like",
    "us-2008-like",
)


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


def d6_second_die_late(family: str) -> str:
    seats = table(family)
    seats.rest(die(6))
    seats.feed(HandSeen(seats.now(), True))
    seats.feed(HandSeen(seats.now(), False))
    seats.at_ms += 5_000
    seats.rest(die(6), die(2, spot=1))
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
    told = [effect.text.key for effect in seats.effects if isinstance(effect, Notice)]
    return f"{told[-1]}, {seats.referee.state.roll}"


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


def c14_two_hands(family: str) -> str:
    return noted(family, Hand(Seat.A, (point(8),)), Hand(Seat.A, (point(13),)))


def c15_hand_in_the_others_turn(family: str) -> str:
    return noted(family, Hand(Seat.B, (point(8),)))


def noted(family: str, *hands: Hand) -> str:
    """What the director alone is told, once, of hands that are seen again and again in a turn of A."""
    seats = table(family)
    seats.roll(Seat.A, 3, 1)
    notices = []
    for _ in range(2):
        seats.feed(HandSeen(seats.now(), False))
        notices += [effect for effect in seats.feed(HandSeen(seats.now(), True, hands)) if isinstance(effect, Notice)]
    return ", ".join(notice.text.key for notice in notices if notice.to == (Role.DIRECTOR,))


def c16_played_the_opponents_roll(family: str) -> str:
    seats = table(family)
    seats.roll(Seat.A, 3, 1)
    seats.show(LEGAL)
    end_turn(seats)
    seats.lift()
    return _named_before_leading_back(seats.show(moved(LEGAL, ("17", "20"), ("19", "20"))))


def c16_moved_without_rolling(family: str) -> str:
    seats = table(family)
    seats.roll(Seat.A, 3, 1)
    seats.show(LEGAL)
    end_turn(seats)
    seats.lift()
    return _named_before_leading_back(seats.show(moved(LEGAL, ("12", "18"), ("17", "18"))))


def _named_before_leading_back(effects: list[Effect]) -> str:
    """Gets what is said of a board that changed before a roll; the first step back to what it was is said after it."""
    name, step = (effect.text.key for effect in effects if isinstance(effect, Notice))
    assert step == "repair.missing"
    return name


def c17_own_error_put_right(family: str) -> str:
    seats = table(family)
    seats.roll(Seat.A, 3, 1)
    seats.show(moved(BOARD, ("8", "5"), ("6", "4")), confidence=0.9999)
    end_turn(seats)
    seats.show(LEGAL, confidence=0.9999)
    if seats.referee.state.phase is Phase.MOVE:
        end_turn(seats)  # it had to be made again
    prompt = seats.referee.state.prompt
    return outcome(seats) if prompt is None else f"{outcome(seats)}, {prompt.text.key} {', '.join(prompt.to)}"


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


def d3_leaning_on_a_checker(family: str) -> str:
    return throw(family, die(4, on=Support.CHECKER, flat=False, spot=1))


def d12_rolled_again_without_cause(family: str) -> str:
    seats = table(family)
    seats.rest(die(6), die(2, spot=1))
    seats.rest(die(3, spot=4), die(1, spot=5))
    return str(seats.referee.state.roll)


def d15_opening_die_cocked(family: str) -> str:
    seats = Seats(read_ruleset(family).model_copy(update={"witnesses_required": 1}))
    seats.start()
    seats.rest(die(6, Seat.A), die(2, Seat.B, flat=False))
    return outcome(seats)


def d15_opening_tie(family: str) -> str:
    seats = Seats(read_ruleset(family).model_copy(update={"witnesses_required": 1}))
    seats.start()
    seats.rest(die(6, Seat.A), die(6, Seat.B))
    return outcome(seats)


def s3_a_checker_missing_from_the_start(family: str) -> str:
    seats = Seats(read_ruleset(family))
    seats.show(moved(BOARD, ("6", "nowhere")))
    return str(seats.referee.state.phase)


def s6_seats_exchanged_at_the_start(family: str) -> str:
    seats = Seats(read_ruleset(family))
    exchanged = Placement({place: tuple(seat.other for seat in BOARD.at(place)) for place in BOARD})
    seats.show(exchanged)
    return str(seats.referee.state.phase)


ON_BAR = BackgammonPosition.from_points(
    [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 1], bar_a=1
)
BEARING_OFF = BackgammonPosition.from_points([2, 2, 2, 2, 2, 2] + [0] * 12 + [-2, -2, -2, -2, -2, -2])
ONE_OUTSIDE = BackgammonPosition.from_points([2, 2, 2, 2, 2, 2, 0, 1] + [0] * 10 + [-2, -2, -2, -2, -2, -2])
BLOT_ON_5 = BackgammonPosition.from_points(
    [0, 0, 0, 0, -1, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, -1, 2]
)


def played_from(
    position: BackgammonPosition, first: int, second: int, *moves: tuple[str, str] | tuple[str, str, Seat]
) -> Callable[[str], str]:
    """A turn of A from a position, with checkers moved whatever the rules say: from, to, and whose."""

    def played(family: str) -> str:
        seats = table(family, position)
        seats.roll(Seat.A, first, second)
        after = position.placement()
        for source, target, *whose in moves:
            after = moved(after, (source, target), seat=whose[0] if whose else None)
        seats.show(after, confidence=0.9999)
        end_turn(seats)
        return outcome(seats)

    return played


def c13_position_lost_after_shuffling(family: str) -> str:
    seats = table(family)
    seats.roll(Seat.A, 3, 1)
    seats.show(moved(BOARD, ("8", "4"), ("6", "2"), ("13", "9"), ("24", "20")))
    seats.feed(DirectorRuled(seats.now(), "Ada", Decision.REQUIRE, "nobody knows how they stood"))
    return "restored" if seats.referee.state.expected == BOARD else "lost"


def c18_seen_after_the_next_roll(family: str) -> str:
    seats = table(family)
    seats.roll(Seat.A, 3, 1)
    seats.show(moved(BOARD, ("8", "5"), ("6", "4")))
    end_turn(seats)
    seats.roll(Seat.B, 6, 4)
    state = seats.referee.state
    return "stands" if (state.phase, state.seat) == (Phase.MOVE, Seat.B) else "window open"


def r6_set_up_anew_in_the_middle_of_a_game(family: str) -> str:
    seats = table(family, ON_BAR)
    seats.roll(Seat.A, 4, 3)
    told = [effect.text.key for effect in (*seats.show(BOARD), *seats.show(BOARD)) if isinstance(effect, Notice)]
    seats.feed(Resigned(seats.now(), Role.A, 2))
    prompt = seats.referee.state.prompt
    assert prompt is not None
    seats.feed(Answered(seats.now(), Role.B, prompt.number, Choice.ACCEPT))
    seats.show(BOARD)
    return ", ".join((*told, str(seats.referee.state.phase)))


def r_after_a_ruling(decision: Decision) -> Callable[[str], str]:
    """A director's decision while an illegal play stands."""

    def decided(family: str) -> str:
        seats = table(family)
        seats.roll(Seat.A, 3, 1)
        seats.show(moved(BOARD, ("8", "5"), ("6", "4")), confidence=0.9999)
        end_turn(seats)
        score = ((Seat.A, 1), (Seat.B, 0))
        seats.feed(DirectorRuled(seats.now(), "Ada", decision, "sheets compared", score=score, length=7))
        return [effect.ruling for effect in seats.effects if isinstance(effect, Ruled)][-1]

    return decided


HAPPENS: dict[str, Callable[[str], str]] = {
    "D1 leaning": lambda family: throw(family, die(4, flat=False, spot=1)),
    "D2 flat on a checker": lambda family: throw(family, die(4, on=Support.CHECKER, spot=1)),
    "D3 leaning on a checker": d3_leaning_on_a_checker,
    "D4 wrong half": lambda family: throw(family, die(4, Seat.B, spot=1)),
    "D4 off the board": lambda family: throw(family, die(4, None, on=Support.OFF_BOARD)),
    "D6 one die thrown again": d6_one_die_thrown_again,
    "D6 second die late": d6_second_die_late,
    "D8 three dice": d8_three_dice,
    "D9 rolled before the turn ended": d9_rolled_before_the_turn_ended,
    "D12 rolled again without cause": d12_rolled_again_without_cause,
    "D13 die tipped after rest": d13_die_tipped_after_rest,
    "D15 opening die cocked": d15_opening_die_cocked,
    "D15 opening tie": d15_opening_tie,
    "S1 wrong starting position": s1_wrong_starting_position,
    "S3 a checker missing from the start": s3_a_checker_missing_from_the_start,
    "S4 an extra checker": played_from(START, 3, 1, ("8", "5"), ("6", "5"), ("nowhere", "13", Seat.A)),
    "S5 a checker gone": misplay(("8", "5"), ("6", "5"), ("13", "nowhere")),
    "S6 seats exchanged at the start": s6_seats_exchanged_at_the_start,
    "C1 wrong pips": misplay(("8", "5"), ("6", "4")),
    "C1 then the next roll": c1_rolled_after_a_misplay,
    "C2 number not played": misplay(("8", "5")),
    "C3 nothing played, though something could be": played_from(START, 3, 1),
    "C4 bar ignored": played_from(ON_BAR, 4, 3, ("13", "9"), ("8", "5")),
    "C5 hit checker left on its point": played_from(BLOT_ON_5, 3, 1, ("8", "5"), ("6", "5")),
    "C6 hit checker in the tray": played_from(BLOT_ON_5, 3, 1, ("5", "off B"), ("8", "5"), ("6", "5")),
    "C7 own checker on the bar": misplay(("8", "5"), ("6", "bar A")),
    "C8 backwards": misplay(("8", "5"), ("13", "15")),
    "C9 opponent's checker": misplay(("8", "5"), ("6", "5"), ("12", "11")),
    "C10 borne off too early": played_from(ONE_OUTSIDE, 6, 1, ("6", "off A"), ("6", "5")),
    "C10 one too many borne off": played_from(BEARING_OFF, 6, 1, ("6", "off A"), ("1", "off A"), ("1", "off A")),
    "C11 a borne-off checker comes back": played_from(BEARING_OFF, 6, 1, ("6", "off A"), ("off A", "3")),
    "C12 unclear": c12_ambiguous,
    "C13 position lost": c13_position_lost_after_shuffling,
    "C14 two hands": c14_two_hands,
    "C15 a hand in the other's turn": c15_hand_in_the_others_turn,
    "C15 a hand beside the board": lambda family: noted(family, Hand(Seat.B)),
    "C16 played the opponent's roll": c16_played_the_opponents_roll,
    "C16 moved without rolling": c16_moved_without_rolling,
    "C17 own error put right": c17_own_error_put_right,
    "C18 seen after the next roll": c18_seen_after_the_next_roll,
    "T1 one die lifted": t1_one_die_lifted,
    "T1 the hand is still there": t1_hand_still_over_the_board,
    "R1 score put right": r_after_a_ruling(Decision.SCORE),
    "R3 match length put right": r_after_a_ruling(Decision.LENGTH),
    "R6 set up anew in the middle of a game": r6_set_up_anew_in_the_middle_of_a_game,
    "R8 a director accepts": r_after_a_ruling(Decision.ACCEPT),
    "R8 a director requires": r_after_a_ruling(Decision.REQUIRE),
    "R8 a director restores": r_after_a_ruling(Decision.RESTORE),
    "R20 a director's note": r_after_a_ruling(Decision.NOTE),
}
MUST_CORRECT = ("teaching", "usbgf-like", "wbgf-legal-like", "ukbgf-like")
"""Where an illegal play must be corrected; elsewhere the opponent is asked, and is told what is wrong."""


def corrected(fault: str) -> dict[str, str]:
    """An illegal play that is seen for certain."""
    return {"": fault, **dict.fromkeys(MUST_CORRECT, "must_replay")}


FOLLOWS: dict[str, str | dict[str, str]] = {
    # what follows under every preset, or under all ("") but those named
    "D1 leaning": "reroll",
    "D2 flat on a checker": {"": "reroll", "usbgf-like": "roll"},
    "D3 leaning on a checker": "reroll",
    "D4 wrong half": {"": "reroll", "casual": "roll"},
    "D4 off the board": "reroll",
    "D6 one die thrown again": "reroll",
    "D6 second die late": "reroll",
    "D8 three dice": "reroll",
    "D9 rolled before the turn ended": {
        "": "stands",
        **dict.fromkeys(("house-seed", "teaching", "wbgf-legal-like"), "void"),
    },
    "D12 rolled again without cause": "6-2",
    "D13 die tipped after rest": "dice.turned, 6-2",
    "D15 opening die cocked": "reroll",
    "D15 opening tie": "reroll",
    "S1 wrong starting position": "setup",
    "S3 a checker missing from the start": "setup",
    "S4 an extra checker": "checker_extra",
    "S5 a checker gone": "checker_vanished",
    "S6 seats exchanged at the start": "setup",
    "C1 wrong pips": corrected("wrong_pips"),
    "C1 then the next roll": {"": "condoned", "teaching": "must_replay"},
    "C2 number not played": corrected("number_not_used"),
    "C3 nothing played, though something could be": corrected("number_not_used"),
    "C4 bar ignored": corrected("bar_ignored"),
    "C5 hit checker left on its point": corrected("hit_checker_left"),
    "C6 hit checker in the tray": corrected("hit_checker_in_tray"),
    "C7 own checker on the bar": corrected("own_checker_on_bar"),
    "C8 backwards": corrected("moved_backwards"),
    "C9 opponent's checker": corrected("opponent_checker_moved"),
    "C10 borne off too early": corrected("early_bear_off"),
    "C10 one too many borne off": corrected("excess_bear_off"),
    "C11 a borne-off checker comes back": corrected("wrong_pips"),
    "C12 unclear": "asked to tidy",
    "C13 position lost": "restored",
    "C14 two hands": "hands.two",
    "C15 a hand in the other's turn": "hands.out_of_turn",
    "C15 a hand beside the board": "",
    "C16 played the opponent's roll": "roll.played_opponents_roll",
    "C16 moved without rolling": "roll.played_without_rolling",
    "C17 own error put right": {"": "legal, ask.put_right B", **dict.fromkeys(MUST_CORRECT, "legal")},
    "C18 seen after the next roll": {"": "stands", "teaching": "window open"},
    "T1 one die lifted": {"": "move", **dict.fromkeys(("casual", "teaching", "us-2008-like"), "roll")},
    "T1 the hand is still there": "roll",
    "R1 score put right": "score_set",
    "R3 match length put right": "length_set",
    "R6 set up anew in the middle of a game": "game.set_up_anew, opening",
    "R8 a director accepts": "accepted",
    "R8 a director requires": "must_replay",
    "R8 a director restores": "restored",
    "R20 a director's note": "noted",
}


CALLS = {
    "C9 opponent's checker": "call.opponent_checker",
    "S4 an extra checker": "call.checker_extra",
    "S5 a checker gone": "call.checker_gone",
    "C1 wrong pips": None,
}


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("row", CALLS)
def test_what_is_more_than_a_misplay_is_told_to_the_director_alone(
    row: str, family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[Effect] = []
    feed = Seats.feed

    def listening(seats: Seats, fact: Fact) -> list[Effect]:
        effects = feed(seats, fact)
        heard.extend(effects)
        return effects

    monkeypatch.setattr(Seats, "feed", listening)
    HAPPENS[row](family)
    calls = [effect for effect in heard if isinstance(effect, Notice) and effect.text.key.startswith("call.")]
    assert [(call.text.key, call.to) for call in calls] == ([(CALLS[row], (Role.DIRECTOR,))] if CALLS[row] else [])


def test_every_row_is_told() -> None:
    assert list(HAPPENS) == list(FOLLOWS)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("row", HAPPENS)
def test_row(row: str, family: str) -> None:
    follows = FOLLOWS[row]
    expected = follows if isinstance(follows, str) else follows.get(family, follows[""])
    assert HAPPENS[row](family) == expected
