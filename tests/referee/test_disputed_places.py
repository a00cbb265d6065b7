"""A sensor that sticks, or eyes that misread one place: what both witnesses say there is compared turn by turn."""

from seats_at_table import Seats, at_turn

from boardctl.referee import read_ruleset
from boardctl.referee.effects import Notice
from boardctl.referee.readings import BoardReading, PlaceReading, StackChance, Witness, sure_reading
from boardctl.rules import BackgammonPosition, Place, Placement, Position, Roll, Seat, point

STUCK = point(14)
RULES = read_ruleset("casual").model_copy(update={"witnesses_required": 1})


def sensed(seats: Seats, board: Placement, stuck: Place | None) -> BoardReading:
    """What the sensors say; one of them may hold a bare place to be occupied, as one that sticks does."""
    reading = sure_reading(board, seats.game.places, Witness.SENSORS)
    if stuck is None:
        return reading
    holds = PlaceReading(stuck, (StackChance((Seat.A,), 0.999), StackChance((), 0.001)))
    places = (holds if place.place == stuck else place for place in reading.places)
    return BoardReading(Witness.SENSORS, tuple(places))


def told(stuck: list[Place | None]) -> list[tuple[int, str]]:
    """Plays a turn for each entry, and gets in which turns which places were said to be disputed."""
    seats = at_turn(BackgammonPosition.start(), Seat.A, RULES)
    position: Position = BackgammonPosition.start()
    said = []
    for number, held in enumerate(stuck):
        seat = (Seat.A, Seat.B)[number % 2]
        seats.roll(seat, 2, 1)
        plays = seats.game.plays(position, seat, Roll(2, 1))
        position = next(play.position for play in plays if not play.position.placement().at(STUCK))
        seats.see(sensed(seats, position.placement(), held))
        seats.show(position)
        effects = seats.lift()
        said += [
            (number, dict(effect.text.arguments)["points"])
            for effect in effects
            if isinstance(effect, Notice) and effect.text.key == "witnesses.disagree"
        ]
    return said


def test_a_place_that_is_disputed_turn_after_turn_is_named_once() -> None:
    assert told([STUCK] * 5) == [(2, "point 14")]


def test_a_place_that_was_agreed_upon_in_between_is_not() -> None:
    assert told([STUCK, STUCK, None, STUCK, STUCK]) == []
