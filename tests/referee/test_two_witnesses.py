"""Camera and sensors together: what is felt is never a move, what one witness alone saw is not out of date."""

from collections.abc import Sequence

import pytest
from seats_at_table import Seats, at_turn, moved

from boardctl.referee import Ruleset, read_ruleset
from boardctl.referee.effects import Certainty, Effect, Notice, Phase, Sign
from boardctl.referee.facts import CheckerSensed, Device, DeviceChanged
from boardctl.referee.readings import BoardReading, PlaceReading, StackChance, Witness, sure_reading
from boardctl.referee.seen.agreement import Agreement, compare
from boardctl.referee.seen.weighing import combined
from boardctl.rules import BackgammonPosition, Place, PlaceKind, Placement, Seat, bar, point, tray

START = BackgammonPosition.start()
BOARD = START.placement()
LEGAL = moved(BOARD, ("8", "5"), ("6", "5"))
WRONG = moved(BOARD, ("8", "4"), ("6", "5"))
BOTH = (Witness.CAMERA, Witness.SENSORS)


TWO_REQUIRED = read_ruleset("house-seed").model_copy(update={"witnesses_required": 2})


def table(ruleset: str | Ruleset = TWO_REQUIRED) -> Seats:
    seats = at_turn(START, Seat.A, ruleset)
    seats.witnesses = BOTH
    seats.show(BOARD)
    seats.roll(Seat.A, 3, 1)
    return seats


def feel(seats: Seats, place: Place, lifted: bool, seat: Seat = Seat.A) -> list[Effect]:
    return seats.feed(CheckerSensed(seats.now(), place, seat, lifted, device_ms=seats.at_ms))


def see(seats: Seats, witness: Witness, board: Placement) -> list[Effect]:
    return seats.see(sure_reading(board, seats.game.places, witness))


def lit(seats: Seats, sign: Sign) -> set[Place | None]:
    return {mark.place for mark in seats.referee.state.scene.marks if mark.sign is sign}


def test_a_lifted_checker_lights_its_legal_targets_at_once_and_a_put_one_puts_them_out() -> None:
    seats = table("teaching")
    feel(seats, point(8), lifted=True)
    assert lit(seats, Sign.TARGET) == {point(5), point(7)}
    feel(seats, point(5), lifted=False)
    assert lit(seats, Sign.TARGET) == set()
    feel(seats, point(6), lifted=True)
    assert lit(seats, Sign.TARGET) == {point(5)}  # the 3 has been played
    feel(seats, point(6), lifted=False)
    assert lit(seats, Sign.TARGET) == set()


def test_one_checker_that_goes_by_both_numbers_has_used_both() -> None:
    seats = table("teaching")
    feel(seats, point(24), lifted=True)
    feel(seats, point(20), lifted=False)
    feel(seats, point(6), lifted=True)
    assert lit(seats, Sign.TARGET) == set()


def test_a_checker_of_the_opponent_lights_nothing_and_no_checker_does_with_the_aids_off() -> None:
    seats = table("teaching")
    before = seats.referee.state.scene
    feel(seats, point(1), lifted=True, seat=Seat.B)
    assert seats.referee.state.scene == before
    silent = table("house-seed")
    assert feel(silent, point(8), lifted=True) == []


def test_what_is_felt_is_never_a_play() -> None:
    seats = table()
    for place, lifted in ((point(8), True), (point(5), False), (point(6), True), (point(5), False)):
        assert feel(seats, place, lifted) == []
    assert seats.referee.state.progress.position == START
    seats.lift()
    assert seats.referee.state.judged is None  # the board has not come to rest yet
    see(seats, Witness.SENSORS, LEGAL)
    assert seats.referee.state.phase is Phase.CONFIRM
    see(seats, Witness.CAMERA, LEGAL)
    assert (seats.judged.legal, seats.judged.certainty) == (True, Certainty.CERTAIN)
    assert seats.judged.after == LEGAL


def test_a_reading_from_before_the_change_says_nothing_against_what_is_there_now() -> None:
    seats = table("house-seed")
    feel(seats, point(8), lifted=True)
    feel(seats, point(5), lifted=False)
    see(seats, Witness.SENSORS, moved(BOARD, ("8", "5")))
    assert seats.referee.state.unexplained == ()
    assert seats.referee.state.progress.position is not None
    assert seats.referee.state.progress.position.placement() == moved(BOARD, ("8", "5"))


def test_witnesses_that_contradict_each_other_make_nobody_play_again() -> None:
    seats = table()
    see(seats, Witness.CAMERA, WRONG)
    see(seats, Witness.SENSORS, LEGAL)
    seats.lift()
    assert seats.referee.state.judged is None
    assert seats.referee.state.phase is Phase.CONFIRM
    assert lit(seats, Sign.UNCLEAR)
    see(seats, Witness.CAMERA, LEGAL)
    assert seats.judged.certainty is Certainty.CERTAIN


def test_who_has_tidied_what_was_asked_for_is_judged_though_a_witness_still_contradicts() -> None:
    seats = table("house-seed")
    see(seats, Witness.CAMERA, LEGAL)
    see(seats, Witness.SENSORS, WRONG)
    seats.lift()
    assert seats.referee.state.judged is None
    see(seats, Witness.SENSORS, WRONG)
    assert seats.referee.state.phase is Phase.CONFIRM
    see(seats, Witness.CAMERA, LEGAL)
    assert (seats.judged.legal, seats.judged.certainty) == (True, Certainty.PROBABLE)


@pytest.mark.parametrize(("play", "legal"), [(LEGAL, True), (WRONG, False)])
def test_a_witness_that_erred_before_the_turn_where_nothing_was_played_keeps_nobody_from_being_judged(
    play: Placement, legal: bool
) -> None:
    def stuck(board: Placement) -> Placement:
        return board.replaced({point(12): board.at(point(12))[:-1]})

    seats = at_turn(START, Seat.A, "house-seed")
    see(seats, Witness.CAMERA, BOARD)
    see(seats, Witness.SENSORS, stuck(BOARD))
    seats.roll(Seat.A, 3, 1)
    see(seats, Witness.CAMERA, play)
    see(seats, Witness.SENSORS, stuck(play))
    seats.lift()
    assert (seats.judged.legal, seats.judged.certainty) == (legal, Certainty.PROBABLE)


def lose(seats: Seats, device: Device, working: bool = False) -> list[str]:
    effects = seats.feed(DeviceChanged(seats.now(), device, working, "" if working else "unplugged"))
    return [effect.text.key for effect in effects if isinstance(effect, Notice)]


def test_without_the_camera_the_sensors_go_on_and_it_is_said_once() -> None:
    seats = table("house-seed")
    assert lose(seats, Device.CAMERA) == ["device.lost", "device.left_sensors"]
    assert lose(seats, Device.CAMERA) == []
    assert lit(seats, Sign.LOST) == {bar(Seat.A), bar(Seat.B)}
    see(seats, Witness.SENSORS, LEGAL)
    assert seats.referee.state.progress.play is not None
    assert lit(seats, Sign.LOST) == {bar(Seat.A), bar(Seat.B)}
    assert lose(seats, Device.CAMERA, working=True) == ["device.back", "repair.look"]
    assert lit(seats, Sign.LOST) == set()
    seats.show(LEGAL)
    seats.lift()
    assert seats.judged.legal


def test_without_the_sensors_the_camera_goes_on_less_sure_where_two_are_required() -> None:
    seats = table()
    feel(seats, point(8), lifted=True)
    assert lose(seats, Device.SENSORS) == ["device.lost", "device.left_camera"]
    see(seats, Witness.CAMERA, LEGAL)
    seats.lift()
    assert (seats.judged.legal, seats.judged.certainty) == (True, Certainty.PROBABLE)


def reading(witness: Witness, **stacks: Sequence[tuple[str, float]]) -> BoardReading:
    """Gets a reading of points by ``p6=[("AA", 0.9)]``."""
    return BoardReading(
        witness,
        tuple(
            PlaceReading(
                Place(PlaceKind.POINT, int(name[1:])),
                tuple(StackChance(tuple(Seat(letter) for letter in text), likely) for text, likely in chances),
            )
            for name, chances in stacks.items()
        ),
    )


def test_agreement_is_told_place_by_place() -> None:
    camera = reading(
        Witness.CAMERA, p6=[("A" * 6, 0.95), ("A" * 5, 0.05)], p5=[("A", 0.99)], p4=[("B", 0.99)], p3=[("A", 0.9)]
    )
    sensors = reading(
        Witness.SENSORS, p6=[("A" * count, 0.1) for count in range(5, 15)], p5=[("A", 0.9)], p4=[("A", 0.98)], p2=[]
    )
    said = {one.place.number: one.agreement for one in compare(camera, sensors)}
    assert said == {
        6: Agreement.AGREE,  # a row that is full counts no further
        5: Agreement.AGREE,
        4: Agreement.DISAGREE,
        3: Agreement.ONE_SEES,
        2: Agreement.NONE_SEES,
    }


def test_a_witness_that_cannot_tell_between_counts_does_not_make_the_position_unsure() -> None:
    seats = table()
    off = moved(BOARD, ("6", "off A"), ("6", "off A"), ("6", "off A"))
    places = seats.game.places
    camera = sure_reading(off, places, hidden=[tray(Seat.A)])
    sensed = sure_reading(off, places, Witness.SENSORS)
    some = PlaceReading(tray(Seat.A), tuple(StackChance((Seat.A,) * count, 0.11) for count in range(2, 11)))
    sensors = BoardReading(Witness.SENSORS, (*(one for one in sensed.places if one.place != tray(Seat.A)), some))
    evidence = combined({Witness.CAMERA: camera, Witness.SENSORS: sensors}, places)
    assert evidence.shows(off)
    assert not evidence.shows(moved(off, ("6", "5")))
    assert not evidence.shows(BOARD)
