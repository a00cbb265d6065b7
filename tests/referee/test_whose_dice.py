"""D8, second half: dice of the opponent's set, told by colour, under every preset; and when nothing may be said."""

from collections.abc import Sequence
from random import Random

import pytest
from seats_at_table import die
from test_irregularities import BOARD, FAMILIES, end_turn, table

from boardctl.records.encoding import fact_from_json, fact_to_json
from boardctl.referee.effects import Certainty, Effect, Notice, Phase, Prompt, RollRead, Ruled
from boardctl.referee.facts import Answered, Choice, DiceRested, Resigned, Role
from boardctl.referee.readings import DiceReading, Lab
from boardctl.referee.roll.whose_dice import LEARNT, REMEMBERED, of_the_other_set
from boardctl.rules import Placement, Seat

WHITE: Lab = (88.0, 1.0, 9.0)
RED: Lab = (35.0, 40.0, 24.0)
GREEN: Lab = (45.0, -35.0, 20.0)
SHADED: Lab = (66.0, 1.0, 6.0)  # white dice, away from the lamp
OWN = {Seat.A: WHITE, Seat.B: RED}


class Evening:
    """A table at which seats throw dice of given colours; every turn is played as rolled, there and back."""

    def __init__(self, family: str = "house-seed") -> None:
        self.seats = table(family)
        self.board: Placement = BOARD
        self.seat = Seat.A
        self._turns = 0

    def throw(self, *bodies: Lab | None) -> list[Effect]:
        """Lets the seat on turn throw 3-1 with dice of these colours."""
        return self.seats.roll(self.seat, 3, 1, bodies=bodies)

    def play(self) -> None:
        """Plays the roll and ends the turn."""
        seats = self.seats
        position = seats.referee.state.position
        roll = seats.referee.state.roll
        assert position is not None
        assert roll is not None
        play = seats.game.plays(position, self.seat, roll)[-1]
        seats.show(play.position, confidence=0.9999)
        end_turn(seats, self.seat)
        if seats.referee.ruleset.turn_end == "clock":
            seats.lift()
        self.seat = self.seat.other

    def learn(self, throws: int = LEARNT, own: dict[Seat, Lab] | None = None) -> None:
        """Lets both seats throw so often, each with dice of its own."""
        colours = OWN if own is None else own
        for _ in range(2 * throws):
            self.throw(colours[self.seat], colours[self.seat])
            self.play()


def told(effects: Sequence[Effect]) -> list[str]:
    return [effect.text.key for effect in effects if isinstance(effect, Notice | Prompt)]


def others_dice(family: str, *bodies: Lab) -> str:
    """What follows when A throws dice of these colours, A's being white and B's red."""
    evening = Evening(family)
    evening.learn()
    effects = evening.throw(*bodies)
    said = [effect for effect in effects if isinstance(effect, Notice | Prompt)]
    if not said:
        return "nothing"
    if any(isinstance(effect, Prompt) and effect.to != (Role.DIRECTOR,) for effect in said):
        return "asked"
    return "director told" if all(effect.to == (Role.DIRECTOR,) for effect in said) else "told"


FOLLOWS = {
    "house-seed": "asked",
    "casual": "told",
    "teaching": "asked",
    "usbgf-like": "director told",
    "wbgf-legal-like": "director told",
    "ukbgf-like": "director told",
    "wbgf-responsible-like": "director told",  # announced on query alone: the roll stands
    "us-2008-like": "director told",
}


@pytest.mark.parametrize("bodies", [(RED, RED), (WHITE, RED)])
@pytest.mark.parametrize("family", FAMILIES)
def test_d8_the_opponents_dice_or_one_of_each(family: str, bodies: tuple[Lab, Lab]) -> None:
    assert others_dice(family, *bodies) == FOLLOWS[family]


@pytest.mark.parametrize("family", FAMILIES)
def test_the_own_dice_say_nothing(family: str) -> None:
    assert others_dice(family, WHITE, WHITE) == "nothing"


def test_how_many_of_the_dice_are_the_others_is_said_and_the_roll_counts_until_somebody_says_not() -> None:
    evening = Evening()
    evening.learn()
    effects = evening.throw(RED, WHITE)
    (notice,) = [effect for effect in effects if isinstance(effect, Notice)]
    assert dict(notice.text.arguments) == {"seat": "A", "other": "B", "count": "1"}
    (read,) = [effect for effect in effects if isinstance(effect, RollRead)]
    assert read.valid
    assert evening.seats.referee.state.phase is Phase.MOVE


@pytest.mark.parametrize("by", [Role.A, Role.B, Role.DIRECTOR])
def test_a_throw_that_shall_not_count_is_made_again_with_the_own_dice(by: Role) -> None:
    evening = Evening()
    evening.learn()
    evening.throw(RED, RED)
    seats = evening.seats
    prompt = seats.referee.state.prompt
    assert prompt is not None
    effects = seats.feed(Answered(seats.now(), by, prompt.number, Choice.REQUIRE))
    (read,) = [effect for effect in effects if isinstance(effect, RollRead)]
    assert (read.valid, read.certainty) == (False, Certainty.PROBABLE)
    assert [(effect.ruling, effect.by) for effect in effects if isinstance(effect, Ruled)] == [("restored", by.value)]
    assert (seats.referee.state.phase, seats.referee.state.seat) == (Phase.ROLL, Seat.A)
    seats.lift()
    evening.throw(WHITE, WHITE)
    assert seats.referee.state.phase is Phase.MOVE
    assert seats.referee.state.expected == seats.referee.state.turn.before.placement()  # type: ignore[union-attr]


def test_who_takes_up_such_dice_without_playing_throws_again() -> None:
    evening = Evening()
    evening.learn()
    evening.throw(RED, RED)
    evening.seats.lift()
    assert evening.seats.referee.state.seat is Seat.A
    effects = evening.throw(WHITE, WHITE)
    assert told(effects) == []
    assert [(effect.ruling, effect.by) for effect in effects if isinstance(effect, Ruled)] == [("restored", "players")]
    assert evening.seats.referee.state.phase is Phase.MOVE


def test_who_plays_on_lets_the_throw_count() -> None:
    evening = Evening()
    evening.learn()
    evening.throw(RED, RED)
    evening.play()
    state = evening.seats.referee.state
    assert (state.seat, state.prompt) == (Seat.B, None)


def test_dice_that_were_exchanged_are_told_of_once() -> None:
    evening = Evening()
    evening.learn()
    said = []
    for _ in range(2 * LEARNT + 2):
        body = OWN[evening.seat.other]
        said += told(evening.throw(body, body))
        evening.play()
    assert said == ["dice.of_other", "ask.others_dice"]


@pytest.mark.parametrize(
    "own",
    [
        {Seat.A: WHITE, Seat.B: WHITE},
        {Seat.A: WHITE, Seat.B: SHADED},
        {Seat.A: RED, Seat.B: RED},
    ],
)
def test_sets_of_one_colour_or_one_set_for_both_are_never_told_apart(own: dict[Seat, Lab]) -> None:
    evening = Evening()
    evening.learn(own=own)
    assert told(evening.throw(own[Seat.B], own[Seat.B])) == []
    evening.play()
    assert told(evening.throw(own[Seat.A], own[Seat.B])) == []


def test_nothing_is_told_before_both_have_thrown_often_enough() -> None:
    evening = Evening()
    evening.learn(LEARNT - 1)
    assert told(evening.throw(RED, RED)) == []


def test_nothing_is_told_of_a_third_colour_or_of_dice_whose_colour_is_not_seen() -> None:
    for bodies in ((GREEN, GREEN), (RED, GREEN), (None, RED), (None, None)):
        evening = Evening()
        evening.learn()
        assert told(evening.throw(*bodies)) == []


def test_a_pair_of_two_colours_that_both_throw_tells_nothing() -> None:
    evening = Evening()
    for _ in range(2 * LEARNT):
        assert told(evening.throw(WHITE, RED)) == []
        evening.play()
    assert told(evening.throw(RED, RED)) == []


def test_what_was_thrown_long_ago_is_forgotten_and_nothing_else() -> None:
    evening = Evening()
    evening.learn(2 * REMEMBERED)
    seats = [one.seat for one in evening.seats.referee.state.dice_thrown]
    assert (seats.count(Seat.A), seats.count(Seat.B)) == (REMEMBERED, REMEMBERED)
    assert told(evening.throw(RED, RED)) == ["dice.of_other", "ask.others_dice"]


def test_in_the_next_game_whose_dice_they_are_is_learned_anew() -> None:
    evening = Evening()
    evening.learn()
    seats = evening.seats
    seats.feed(Resigned(seats.now(), Role.A, 1))
    prompt = seats.referee.state.prompt
    assert prompt is not None
    seats.feed(Answered(seats.now(), Role.B, prompt.number, Choice.ACCEPT))
    assert seats.referee.state.phase is Phase.GAME_OVER
    assert seats.referee.state.dice_thrown == ()


@pytest.mark.parametrize("seed", range(40))
def test_dice_of_one_colour_in_changing_light_are_never_told_to_be_of_two(seed: int) -> None:
    random = Random(seed)

    def seen(body: Lab) -> Lab:
        lightness = min(100.0, body[0] * random.uniform(0.6, 1.4))
        return (lightness, body[1] + random.gauss(0, 4), body[2] + random.gauss(0, 4))

    throws = [tuple(seen(WHITE) for _ in range(2)) for _ in range(13)]
    for half in range(LEARNT, 6):
        assert of_the_other_set(throws[:half], throws[half:12], throws[12]) == 0


def test_a_journal_without_colours_is_read_and_one_with_them_comes_back_equal() -> None:
    fact = DiceRested(5, DiceReading((die(3, body=WHITE), die(4, spot=1))))
    assert fact_from_json(fact_to_json(fact)) == fact
    older = fact_to_json(fact).replace(',"body":[88.0,1.0,9.0]', "").replace(',"body":null', "")
    assert "body" not in older
    assert fact_from_json(older) == DiceRested(5, DiceReading((die(3), die(4, spot=1))))
