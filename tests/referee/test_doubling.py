"""The doubling cube at the table: offers, answers, what comes too early, Crawford, and what the camera sees of it.

Rows Q of the adjudication table, each with the facts that show it.
"""

from dataclasses import replace

import pytest
from seats_at_table import Seats, at_turn, die, moved

from boardctl.referee import Match, read_ruleset
from boardctl.referee.effects import Certainty, CubeTurned, Effect, GameEnded, Notice, Phase, Prompt, Ruled
from boardctl.referee.facts import (
    Answered,
    BoardSeen,
    ButtonPressed,
    Choice,
    Decision,
    DirectorRuled,
    Doubled,
    HandSeen,
    Resigned,
    Role,
)
from boardctl.referee.readings import CubeReading, Hand, sure_reading
from boardctl.rules import BackgammonPosition, MatchRules, Seat, point

START = BackgammonPosition.start()
BOARD = START.placement()
A, B = Role.A, Role.B
FAMILIES = ("house-seed", "usbgf-like", "us-2008-like")
ALL_FAMILIES = (
    *("house-seed", "casual", "teaching", "usbgf-like", "wbgf-legal-like", "ukbgf-like"),
    *("wbgf-responsible-like", "us-2008-like"),
)


def table(family: str = "house-seed", rules: MatchRules | None = None, seat: Seat = Seat.A) -> Seats:
    """Gets a table with a cube where a seat is to roll."""
    terms = rules or MatchRules(length=5)
    ruleset = read_ruleset(family).model_copy(update={"witnesses_required": 1, "announce": "monitor"})
    return at_turn(START, seat, ruleset, Match(terms.length, cube=True, rules=terms))


def answer(seats: Seats, choice: Choice) -> list[Effect]:
    prompt = seats.referee.state.prompt
    assert prompt is not None
    return seats.feed(Answered(seats.now(), prompt.to[0], prompt.number, choice))


def double(seats: Seats, by: Role = A) -> list[Effect]:
    return seats.feed(Doubled(seats.now(), by))


def cube_at(seats: Seats, where: str, value: int | None = None, confidence: float = 0.99) -> list[Effect]:
    reading = replace(sure_reading(BOARD, seats.game.places), cube=CubeReading(value, where, confidence))
    return seats.feed(BoardSeen(seats.now(), reading))


def keys(effects: list[Effect]) -> list[str]:
    return [effect.text.key for effect in effects if isinstance(effect, Notice | Prompt)]


def turned(effects: list[Effect]) -> list[str]:
    return [effect.step for effect in effects if isinstance(effect, CubeTurned)]


def test_a_double_is_taken_and_the_cube_goes_over() -> None:
    seats = table()
    offered = double(seats)
    assert turned(offered) == ["double"]
    assert [effect.to for effect in offered if isinstance(effect, Prompt)] == [(B,)]
    answer(seats, Choice.TAKE)
    assert (seats.referee.state.cube.value, seats.referee.state.cube.owner) == (2, Seat.B)
    assert seats.referee.state.phase is Phase.ROLL
    seats.roll(Seat.A, 3, 1)
    assert seats.referee.state.phase is Phase.MOVE


def test_a_dropped_double_ends_the_game_for_what_the_cube_stood_at() -> None:
    seats = table()
    double(seats)
    ended = [effect for effect in answer(seats, Choice.DROP) if isinstance(effect, GameEnded)]
    assert [(effect.winner, dict(effect.points), effect.ended_by) for effect in ended] == [
        (Seat.A, {Seat.A: 1, Seat.B: 0}, "dropped")
    ]
    assert dict(seats.referee.state.score) == {Seat.A: 1, Seat.B: 0}
    assert seats.referee.state.phase is Phase.GAME_OVER


def test_only_the_owner_redoubles() -> None:
    seats = table()
    double(seats)
    answer(seats, Choice.TAKE)
    seats.roll(Seat.A, 3, 1)
    seats.show(moved(BOARD, ("8", "5"), ("6", "5")))
    seats.lift()
    double(seats, B)
    answer(seats, Choice.TAKE)
    assert (seats.referee.state.cube.value, seats.referee.state.cube.owner) == (4, Seat.A)


def test_the_cube_of_the_other_seat_cannot_be_turned() -> None:
    seats = table()
    seats.feed(DirectorRuled(seats.now(), "Ada", Decision.CUBE, "as at the break", cube_value=2, cube_owner=Seat.B))
    assert keys(double(seats)) == ["cube.not_yours"]
    assert seats.referee.state.cube.offer is None


def test_a_beaver_keeps_the_cube_in_a_session_and_is_no_choice_in_a_match() -> None:
    session = table(rules=MatchRules(beavers=True, raccoons=True))
    double(session)
    answer(session, Choice.BEAVER)
    answer(session, Choice.RACCOON)
    answer(session, Choice.TAKE)
    assert (session.referee.state.cube.value, session.referee.state.cube.owner) == (8, Seat.B)
    match = table()
    double(match)
    assert match.referee.state.prompt is not None
    assert match.referee.state.prompt.choices == (Choice.TAKE, Choice.DROP)


@pytest.mark.parametrize(
    ("family", "said"),
    [("house-seed", "cube.too_early"), ("usbgf-like", "cube.binds"), ("us-2008-like", "cube.binds")],
)
def test_q1_doubling_before_the_turn(family: str, said: str) -> None:
    seats = table(family, seat=Seat.B)
    seats.roll(Seat.B, 3, 1)
    assert keys(double(seats, A)) == [said]
    assert seats.referee.state.cube.offer is None


def test_q1_who_is_held_to_a_double_offers_it_when_the_turn_comes() -> None:
    seats = table("usbgf-like", seat=Seat.A)
    seats.feed(Doubled(seats.now(), B))
    assert seats.referee.state.cube_bound is Seat.B
    seats.roll(Seat.A, 3, 1)
    after = moved(BOARD, ("8", "5"), ("6", "5"))
    seats.show(after)
    seats.feed(ButtonPressed(seats.now(), A))
    seats.show(after)
    offer = seats.referee.state.cube.offer
    assert offer is not None
    assert offer.by is Seat.B


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("own_roll", [False, True])
def test_q1_nobody_is_held_to_a_double_with_the_others_cube(family: str, own_roll: bool) -> None:
    seats = table(family)
    double(seats)
    answer(seats, Choice.TAKE)
    seats.roll(Seat.A, 3, 1)
    if not own_roll:
        after = moved(BOARD, ("8", "5"), ("6", "5"))
        seats.show(after)
        seats.feed(ButtonPressed(seats.now(), A))
        seats.lift()
        seats.show(after)
        seats.roll(Seat.B, 4, 2)
    assert keys(double(seats, A))[-1:] == ["cube.not_yours"]
    assert seats.referee.state.cube_bound is None


def test_q1_a_double_that_somebody_is_only_held_to_is_not_vouched_for() -> None:
    seats = table("usbgf-like", seat=Seat.A)
    seats.feed(Doubled(seats.now(), B))
    seats.roll(Seat.A, 3, 1)
    after = moved(BOARD, ("8", "5"), ("6", "5"))
    seats.show(after)
    seats.feed(ButtonPressed(seats.now(), A))
    seats.show(after)
    (said,) = [effect for effect in seats.effects if isinstance(effect, CubeTurned)]
    assert (said.step, said.by, said.certainty) == ("double", Seat.B, Certainty.PROBABLE)


@pytest.mark.parametrize("family", FAMILIES)
def test_q1_doubling_after_the_own_roll_never_counts_for_that_turn(family: str) -> None:
    seats = table(family)
    seats.roll(Seat.A, 3, 1)
    double(seats, A)
    assert seats.referee.state.cube.offer is None
    assert seats.referee.state.phase is Phase.MOVE


def test_q3_a_double_that_was_shown_and_withdrawn() -> None:
    def withdrawn(family: str) -> tuple[list[str], bool]:
        seats = table(family)
        cube_at(seats, "bar")
        cube_at(seats, "field")
        effects = cube_at(seats, "bar")
        return [*turned(effects), *keys(effects)], seats.referee.state.cube.offer is not None

    assert withdrawn("house-seed") == (["withdrawn"], False)
    assert withdrawn("usbgf-like") == (["cube.touched"], True)
    assert withdrawn("us-2008-like") == (["cube.touched"], True)


@pytest.mark.parametrize("family", ALL_FAMILIES)
def test_q4_a_cube_put_on_the_own_side_is_a_take(family: str) -> None:
    seats = table(family)
    cube_at(seats, "bar")
    assert turned(cube_at(seats, "field")) == ["double"]
    effects = cube_at(seats, "B")
    assert turned(effects) == ["take"]
    assert "cube.taken_by_place" in keys(effects)
    assert [effect.certainty for effect in effects if isinstance(effect, CubeTurned)] == [Certainty.PROBABLE]
    assert seats.referee.state.cube.owner is Seat.B


READ_AS = {
    # how it is read that the offered cube is put down off the playing surface, but not on the own side
    **dict.fromkeys(("house-seed", "casual", "teaching"), "cube.put_down_no_rule"),
    **dict.fromkeys(("usbgf-like", "wbgf-legal-like", "ukbgf-like"), "cube.put_down_answers"),
    **dict.fromkeys(("wbgf-responsible-like", "us-2008-like"), "cube.only_own_side_takes"),
}


def offered(family: str, *hands: Seat | None) -> Seats:
    """Gets a table where A has laid the cube on the board, and then hands came from some sides."""
    seats = table(family)
    cube_at(seats, "bar")
    assert turned(cube_at(seats, "field")) == ["double"]
    for seat in hands:
        seen = (Hand(seat, (point(7),)),) if seat is not None else ()
        seats.feed(HandSeen(seats.now(), True, seen))
        seats.feed(HandSeen(seats.now(), False))
    return seats


@pytest.mark.parametrize(("zone", "fact"), [("bar", "cube.put_in_middle"), ("A", "cube.put_on_other_side")])
@pytest.mark.parametrize("family", ALL_FAMILIES)
def test_q4_a_cube_put_down_elsewhere_by_who_must_answer_is_told_with_the_rulesets_reading(
    family: str, zone: str, fact: str
) -> None:
    seats = offered(family, Seat.B)
    effects = cube_at(seats, zone)
    assert keys(effects) == [fact, READ_AS[family], "ask.double"]
    assert turned(effects) == []
    answer(seats, Choice.DROP)
    assert seats.referee.state.phase is Phase.GAME_OVER


def test_q4_a_cube_that_was_never_seen_on_the_board_is_put_aside_as_well() -> None:
    seats = table("usbgf-like")
    cube_at(seats, "bar")
    double(seats)
    seats.feed(HandSeen(seats.now(), True, (Hand(Seat.B, (point(7),)),)))
    seats.feed(HandSeen(seats.now(), False))
    assert keys(cube_at(seats, "A"))[0] == "cube.put_on_other_side"


@pytest.mark.parametrize("hands", [(Seat.A,), (Seat.A, Seat.B), (None,), (Seat.B, None), ()])
def test_q4_where_another_hand_may_have_moved_the_cube_it_is_not_held_to_be_put_down(
    hands: tuple[Seat | None, ...],
) -> None:
    assert turned(cube_at(offered("house-seed", *hands), "bar")) == ["withdrawn"]
    assert keys(cube_at(offered("usbgf-like", *hands), "bar")) == ["cube.touched"]


@pytest.mark.parametrize(
    ("family", "said", "counts"),
    [
        ("house-seed", "cube.rolled_before_answer", False),
        ("usbgf-like", "cube.rolled_before_answer", False),
        ("us-2008-like", "cube.answer_first", True),
    ],
)
def test_q5_rolled_before_the_double_was_answered(family: str, said: str, counts: bool) -> None:
    seats = table(family)
    double(seats)
    assert keys(seats.roll(Seat.A, 3, 1)) == [said]
    answer(seats, Choice.TAKE)
    assert (seats.referee.state.phase is Phase.MOVE) is counts


def test_q6_a_cube_in_the_wrong_place_or_at_the_wrong_level_is_said_and_changes_nothing() -> None:
    seats = table()
    assert keys(cube_at(seats, "B")) == ["cube.belongs_in_middle"]
    assert keys(cube_at(seats, "bar", value=4)) == ["cube.wrong_value"]
    assert seats.referee.state.cube.value == 1


@pytest.mark.parametrize(("value", "face"), [(1, 64), (2, 2), (32, 32), (64, 64), (128, 2)])
def test_a_cube_that_shows_what_it_stands_at_is_right(value: int, face: int) -> None:
    seats = table()
    fix = DirectorRuled(seats.now(), "Ada", Decision.CUBE, "as it stood", cube_value=value)
    seats.feed(fix)
    assert keys(cube_at(seats, "bar", value=face)) == []
    cube_at(seats, "A", value=face)
    assert "cube.wrong_value" in keys(cube_at(seats, "bar", value=16))


def test_a_cube_that_may_be_a_die_says_nothing() -> None:
    seats = table()
    cube_at(seats, "bar")
    assert cube_at(seats, "field", confidence=0.7) == []


def test_a_cube_that_was_taken_away_unseen_is_laid_anew() -> None:
    """It was taken, and lies where the camera does not see it; the next time that it is on the board is a double."""
    seats = table()
    cube_at(seats, "field")
    answer(seats, Choice.TAKE)
    seats.roll(Seat.A, 3, 1)
    seats.show(moved(BOARD, ("8", "5"), ("6", "5")))
    seats.lift()
    assert seats.referee.state.seat is Seat.B
    assert turned(cube_at(seats, "field")) == ["double"]


def test_a_cube_that_comes_back_to_a_wrong_place_unseen_is_said_to_be_there() -> None:
    seats = table()
    cube_at(seats, "field")
    answer(seats, Choice.TAKE)
    assert keys(cube_at(seats, "bar")) == ["cube.belongs_to"]
    seats.show(BOARD)
    seats.roll(Seat.A, 3, 1)
    assert keys(cube_at(seats, "bar")) == ["cube.belongs_to"]
    assert keys(cube_at(seats, "bar")) == []


def test_a_cube_that_is_offered_and_not_seen_for_a_moment_can_be_withdrawn() -> None:
    seats = table()
    cube_at(seats, "bar")
    cube_at(seats, "field")
    seats.show(BOARD)
    assert turned(cube_at(seats, "bar")) == ["withdrawn"]


def crawford() -> Seats:
    seats = table(rules=MatchRules(length=3))
    score = ((Seat.A, 2), (Seat.B, 0))
    seats.feed(DirectorRuled(seats.now(), "Ada", Decision.SCORE, "sheet", score=score))
    return seats


@pytest.mark.parametrize("by_sight", [False, True])
def test_q8_a_double_in_the_crawford_game_does_not_count(by_sight: bool) -> None:
    seats = crawford()
    cube_at(seats, "bar")
    effects = cube_at(seats, "field") if by_sight else double(seats)
    assert keys(effects) == ["cube.crawford"]
    assert seats.referee.state.cube.offer is None


def test_q8_a_cube_is_put_right_before_the_game_is_over_and_never_after() -> None:
    seats = crawford()
    fix = DirectorRuled(seats.now(), "Ada", Decision.CUBE, "Crawford", cube_value=1)
    assert [effect.ruling for effect in seats.feed(fix) if isinstance(effect, Ruled)] == ["cube_set"]
    seats.feed(Resigned(seats.now(), B, 1))
    answer(seats, Choice.ACCEPT)
    assert seats.referee.state.phase is Phase.MATCH_OVER
    after = seats.feed(replace(fix, cube_value=2))
    assert keys(after) == ["director.no_cube"]
    assert not [effect for effect in after if isinstance(effect, Ruled)]


def test_q9_the_crawford_game_is_announced() -> None:
    seats = crawford()
    seats.feed(Resigned(seats.now(), A, 1))
    answer(seats, Choice.ACCEPT)
    assert dict(seats.referee.state.score) == {Seat.A: 2, Seat.B: 1}
    ledger = seats.referee.state.ledger
    assert ledger is not None
    assert not ledger.is_crawford  # it was the one just played
    fresh = table(rules=MatchRules(length=2))
    fresh.feed(Resigned(fresh.now(), B, 1))
    answer(fresh, Choice.ACCEPT)
    said: list[str] = []
    for _ in range(3):
        said += keys(fresh.show(BOARD))
        said += keys(fresh.show(moved(BOARD, ("6", "7"))))
    assert "cube.crawford_game" in said


def test_a_gammon_counts_by_the_cube_and_jacoby_needs_one() -> None:
    def resigned(rules: MatchRules, doubles: bool) -> int:
        seats = table(rules=rules)
        if doubles:
            double(seats)
            answer(seats, Choice.TAKE)
        seats.feed(Resigned(seats.now(), B, 2))
        answer(seats, Choice.ACCEPT)
        return dict(seats.referee.state.score)[Seat.A]

    assert resigned(MatchRules(), doubles=True) == 4
    assert resigned(MatchRules(jacoby=True), doubles=False) == 1
    assert resigned(MatchRules(), doubles=False) == 2


def test_who_goes_on_without_an_answer_has_refused_the_resignation() -> None:
    seats = table()
    seats.feed(Resigned(seats.now(), B, 1))
    assert seats.referee.state.resigning is not None
    said = keys(seats.roll(Seat.A, 3, 1))
    said += keys(seats.show(moved(BOARD, ("8", "5"), ("6", "5"))))
    said += keys(seats.lift())
    assert said.count("resign.refused") == 1
    assert seats.referee.state.resigning is None
    assert dict(seats.referee.state.score) == {Seat.A: 0, Seat.B: 0}


def test_a_resignation_may_be_refused() -> None:
    seats = table()
    seats.feed(Resigned(seats.now(), B, 1))
    assert keys(answer(seats, Choice.DENY)) == ["resign.refused"]
    assert seats.referee.state.phase is Phase.CUBE
    assert keys(seats.feed(Resigned(seats.now(), B, 4))) == ["resign.no_level"]


def test_doubling_accepts_an_illegal_play_only_where_the_window_says_so() -> None:
    def doubled_after_misplay(family: str) -> list[str]:
        ruleset = read_ruleset(family).model_copy(
            update={"witnesses_required": 1, "announce": "monitor", "turn_end": "dice_lift_any"}
        )
        seats = at_turn(START, Seat.A, ruleset, Match(5, cube=True))
        seats.roll(Seat.A, 3, 1)
        seats.show(moved(BOARD, ("8", "5"), ("6", "4")))
        seats.lift()
        effects = double(seats, B)
        return [effect.ruling for effect in effects if isinstance(effect, Ruled)] + turned(effects)

    assert doubled_after_misplay("house-seed") == ["condoned", "double"]
    assert doubled_after_misplay("us-2008-like") == ["condoned", "double"]
    assert doubled_after_misplay("usbgf-like") == []


def test_without_a_cube_nobody_doubles_and_a_game_may_be_resigned() -> None:
    seats = at_turn(START, Seat.A, "house-seed")
    assert keys(seats.feed(Doubled(seats.now(), A))) == ["cube.none"]
    seats.feed(Resigned(seats.now(), A, 2))
    answer(seats, Choice.ACCEPT)
    assert dict(seats.referee.state.score) == {Seat.A: 0, Seat.B: 2}


@pytest.mark.parametrize("family", ALL_FAMILIES)
def test_q2_after_the_own_cocked_roll_nobody_doubles(family: str) -> None:
    seats = table(family)
    seats.rest(die(6), die(4, flat=False, spot=1))
    assert turned(double(seats)) == []


@pytest.mark.parametrize("family", ALL_FAMILIES)
def test_q7_a_cube_that_shows_another_value_is_said_and_counts_as_the_record_has_it(family: str) -> None:
    seats = table(family)
    double(seats)
    answer(seats, Choice.TAKE)
    assert "cube.wrong_value" in keys(cube_at(seats, "B", 4))
    assert seats.referee.state.cube.value == 2


def dead_cube(family: str) -> Effect | None:
    """A needs one point more, the cube stands at 1 with everybody, and A turns it: what is said of that."""
    seats = table(family, MatchRules(length=3, crawford=False))
    seats.feed(DirectorRuled(seats.now(), "Ada", Decision.SCORE, "sheet", score=((Seat.A, 2), (Seat.B, 0))))
    effects = double(seats)
    assert turned(effects) == ["double"]
    return next((effect for effect in effects if isinstance(effect, Notice) and effect.text.key == "cube.dead"), None)


@pytest.mark.parametrize("family", ALL_FAMILIES)
def test_q10_a_dead_cube_may_be_turned_and_who_is_told_is_the_rulesets(family: str) -> None:
    told = dead_cube(family)
    to = {"teaching": (), "us-2008-like": (Role.DIRECTOR,)}
    assert (told.to if isinstance(told, Notice) else None) == to.get(family)


def test_q10_nothing_is_said_of_a_cube_that_helps() -> None:
    assert "cube.dead" not in keys(double(table("teaching", MatchRules(length=3))))


@pytest.mark.parametrize("custom", [{"jacoby": True}, {"beavers": True}, {"automatic_doubles": 1}])
def test_q11_customs_of_money_play_are_refused_in_a_match(custom: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="match"):
        MatchRules(length=5, **custom)  # type: ignore[arg-type]


@pytest.mark.parametrize(("refused", "certainty"), [(False, Certainty.CERTAIN), (True, Certainty.PROBABLE)])
def test_what_a_game_came_to_is_not_vouched_for_where_a_double_was_refused(refused: bool, certainty: Certainty) -> None:
    seats = table()
    if refused:
        assert keys(double(seats, Role.B)) == ["cube.too_early"]
    double(seats)
    (ended,) = [effect for effect in answer(seats, Choice.DROP) if isinstance(effect, GameEnded)]
    assert ended.certainty is certainty


def test_who_throws_again_while_the_other_has_to_wait_has_not_ended_the_turn() -> None:
    closed_out = BackgammonPosition.from_points([2] * 7 + [1] + [0] * 15 + [-14], bar_b=1)
    seats = at_turn(closed_out, Seat.A, "usbgf-like")
    seats.show(closed_out)
    seats.roll(Seat.A, 2, 1, confidence=0.95)
    seats.show(closed_out)
    effects = seats.roll(Seat.A, 6, 3)
    assert keys(effects) == ["dice.thrown_again"]
    assert seats.referee.state.phase is Phase.MOVE
