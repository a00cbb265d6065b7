"""What else goes wrong at a table, at instants that are known: all that a referee must notice beside plays and throws.

:data:`INCIDENTS` is the list of them: when each may happen, which texts say that it was noticed, and what is done.
Every one is a generator of acts that begins where a turn stands and puts everything back, so that the game goes on as
if it had not been; one that lasts longer (a mug on the board, a checker between two points) ends when the players tidy
up.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from boardctl.virtual.playing import board_incidents, cube_incidents, dice_incidents, hand_incidents, outages
from boardctl.virtual.playing.motions import Acts
from boardctl.virtual.playing.occasion import Occasion
from boardctl.virtual.truth import IncidentTruth


class Incident(StrEnum):
    """What happens. The rows of the adjudication table that it belongs to are beside it."""

    WRONG_SET_UP = "wrong_set_up"  # S1: a checker is put on the point beside its own before the game
    CHECKER_SHORT = "checker_short"  # S3: the game is set up with one checker too few
    CHECKER_TOO_MANY = "checker_too_many"  # S4: the game is set up with one checker too many
    BEGAN_WRONG = "began_wrong"  # S2: as a wrong set-up, and the players begin all the same
    BEGAN_SHORT = "began_short"  # S3: as one checker short, and the players begin all the same
    START_PUT_RIGHT = "start_put_right"  # S2, S3: some rolls later they see it
    SEATS_EXCHANGED = "seats_exchanged"  # S6: set up as if the seats had changed places
    THREE_DICE = "three_dice"  # D8
    OPPONENTS_DICE = "opponents_dice"  # D8: both dice of a throw, or one, are of the other seat's set
    ONE_DIE_AGAIN = "one_die_again"  # D6: of a throw that does not count one die is thrown again
    PREMATURE_ROLL = "premature_roll"  # D9: before the opponent has ended the turn
    ROLLED_AGAIN = "rolled_again"  # D12: although the throw counted
    DIE_TIPPED = "die_tipped"  # D13: after it has come to rest
    MOVED_WITHOUT_ROLLING = "moved_without_rolling"  # C16
    PLAYED_OPPONENTS_ROLL = "played_opponents_roll"  # C16
    BOARD_KNOCKED = "board_knocked"  # S5
    CHECKER_GONE = "checker_gone"  # S5: one falls off the board
    CHECKER_ADDED = "checker_added"  # S4: one that was never in the game
    CHECKER_FROM_TRAY = "checker_from_tray"  # C11
    CHECKER_ASTRAY = "checker_astray"  # C12: laid between two points
    MUG_ON_A_POINT = "mug_on_a_point"  # hides a point until the end of the turn
    CAMERA_LOST = "camera_lost"
    CAMERA_LOST_AND_KNOCKED = "camera_lost_and_knocked"  # and a checker is moved while it sees nothing
    SENSORS_LOST = "sensors_lost"
    SENSORS_LOST_AND_KNOCKED = "sensors_lost_and_knocked"
    DOUBLED_TOO_EARLY = "doubled_too_early"  # Q1: by the seat that is not on turn, while the other plays
    DOUBLED_AFTER_ROLLING = "doubled_after_rolling"  # Q1
    CUBE_NOT_THEIRS = "cube_not_theirs"  # Q1: doubled by who does not own the cube
    CRAWFORD_DOUBLED = "crawford_doubled"  # Q8
    ROLLED_BEFORE_ANSWER = "rolled_before_answer"  # Q5
    CUBE_WAVED = "cube_waved"  # Q3: laid on the board and taken back
    CUBE_PUT_ASIDE = "cube_put_aside"  # Q4: an offered cube is put down where it tells nothing, and nothing is said
    CUBE_TAKEN_UNSAID = "cube_taken_unsaid"  # Q4: it is put on the own side, and nothing is said
    CUBE_MISPLACED = "cube_misplaced"  # Q6
    TWO_HANDS = "two_hands"  # C14: of the seat on turn at once
    HAND_OUT_OF_TURN = "hand_out_of_turn"  # C15: the opponent reaches over the board
    CLOCK_FORGOTTEN = "clock_forgotten"  # T2: the next seat rolls while the clock of the one before runs


class When(StrEnum):
    """At which point of a game something may happen."""

    SETTING_UP = "setting_up"
    NOTICING = "noticing"  # what was wrong with the set-up
    BEFORE_ROLL = "before_roll"
    BEFORE_ANSWER = "before_answer"  # of the seat that is asked whether it takes a double
    TAKING = "taking"  # a double, in place of saying so
    BEFORE_PLAY = "before_play"
    AFTER_PLAY = "after_play"  # before the turn is ended
    ENDING_TURN = "ending_turn"  # in place of its proper end


@dataclass(frozen=True, slots=True)
class Happening:
    """When something may happen, the texts with which a referee says that it has, and what is done.

    ``signs`` empty: nothing need be said, but nothing false may be. ``may``: whether it can happen on an occasion.
    """

    when: When
    signs: tuple[str, ...]
    acts: Callable[[Occasion, IncidentTruth], Acts]
    may: Callable[[Occasion], bool] = lambda occasion: True


def _any_on_points(occasion: Occasion) -> bool:
    return bool(board_incidents.held_points(occasion))


_CHANGED = ("roll.board_changed", "roll.gone_or_moved", "roll.played_without_rolling", "roll.played_opponents_roll")
_REPAIR = ("repair.too_many", "repair.missing", "repair.other_seat")
_EARLY_DOUBLE = ("cube.too_early", "cube.binds", "cube.none", "cube.not_yours", "cube.crawford", "cube.not_now")

INCIDENTS: Mapping[Incident, Happening] = {
    Incident.WRONG_SET_UP: Happening(
        When.SETTING_UP, ("setup.wrong",), board_incidents.wrong_set_up, board_incidents.sets_up_points
    ),
    Incident.CHECKER_SHORT: Happening(
        When.SETTING_UP, ("setup.wrong",), board_incidents.checker_short, board_incidents.sets_up_points
    ),
    Incident.CHECKER_TOO_MANY: Happening(
        When.SETTING_UP, ("setup.wrong",), board_incidents.checker_too_many, board_incidents.may_have_too_many
    ),
    Incident.BEGAN_WRONG: Happening(
        When.SETTING_UP, ("setup.wrong",), board_incidents.began_wrong, board_incidents.may_begin_wrongly
    ),
    Incident.BEGAN_SHORT: Happening(
        When.SETTING_UP, ("setup.wrong",), board_incidents.began_short, board_incidents.may_begin_wrongly
    ),
    Incident.START_PUT_RIGHT: Happening(
        When.NOTICING,
        # Where it need not be put right any more, both are asked.
        ("setup.corrected", "ask.correct_start"),
        board_incidents.start_put_right,
        lambda occasion: occasion.wrong_start is not None,
    ),
    Incident.SEATS_EXCHANGED: Happening(
        When.SETTING_UP, ("setup.wrong",), board_incidents.seats_exchanged, board_incidents.seats_differ
    ),
    Incident.THREE_DICE: Happening(When.BEFORE_ROLL, ("dice.wrong_number",), dice_incidents.three_dice),
    Incident.OPPONENTS_DICE: Happening(
        When.BEFORE_ROLL,
        ("dice.of_other",),
        dice_incidents.opponents_dice,
        lambda occasion: occasion.dice_told_apart,
    ),
    Incident.ONE_DIE_AGAIN: Happening(When.BEFORE_ROLL, ("dice.only_one_again",), dice_incidents.one_die_again),
    Incident.PREMATURE_ROLL: Happening(
        When.BEFORE_PLAY,
        ("dice.premature", "dice.early", "ask.premature"),
        dice_incidents.premature_roll,
        # Where a roll that comes too early stands, its players do not take it back: it is no incident then.
        lambda occasion: not occasion.house.early_roll_stands,
    ),
    Incident.ROLLED_AGAIN: Happening(
        When.BEFORE_PLAY,
        ("dice.changed", "dice.thrown_again"),
        dice_incidents.rolled_again,
        # Where lifted dice end the turn, it is a turn that was not played.
        lambda occasion: occasion.house.button_ends_turn,
    ),
    Incident.DIE_TIPPED: Happening(When.BEFORE_PLAY, ("dice.changed",), dice_incidents.die_tipped),
    Incident.MOVED_WITHOUT_ROLLING: Happening(
        When.BEFORE_ROLL,
        ("roll.played_without_rolling", "roll.gone_or_moved"),
        board_incidents.moved_without_rolling,
        lambda occasion: board_incidents.plain_move(occasion) is not None,
    ),
    Incident.PLAYED_OPPONENTS_ROLL: Happening(
        When.BEFORE_ROLL,
        ("roll.played_opponents_roll", "roll.gone_or_moved"),
        board_incidents.played_opponents_roll,
        lambda occasion: board_incidents.plain_play(occasion) is not None,
    ),
    Incident.BOARD_KNOCKED: Happening(
        When.BEFORE_ROLL, ("roll.board_changed",), board_incidents.board_knocked, _any_on_points
    ),
    Incident.CHECKER_GONE: Happening(
        When.BEFORE_ROLL, ("roll.board_changed", "roll.gone_or_moved"), board_incidents.checker_gone, _any_on_points
    ),
    Incident.CHECKER_ADDED: Happening(
        When.BEFORE_ROLL, ("roll.board_changed",), board_incidents.checker_added, board_incidents.has_low_stack
    ),
    Incident.CHECKER_FROM_TRAY: Happening(
        When.BEFORE_ROLL,
        ("roll.board_changed",),
        board_incidents.checker_from_tray,
        lambda occasion: bool(board_incidents.filled_trays(occasion)),
    ),
    Incident.CHECKER_ASTRAY: Happening(
        When.AFTER_PLAY,
        ("turn.unclear", "setup.unclear"),
        board_incidents.checker_astray,
        lambda occasion: bool(board_incidents.able_to_stray(occasion)),
    ),
    Incident.MUG_ON_A_POINT: Happening(When.BEFORE_PLAY, (), board_incidents.mug_on_a_point, _any_on_points),
    Incident.CAMERA_LOST: Happening(When.BEFORE_ROLL, ("device.lost",), outages.camera_lost),
    Incident.CAMERA_LOST_AND_KNOCKED: Happening(
        When.BEFORE_ROLL, (*_REPAIR, *_CHANGED), outages.camera_lost_and_knocked, _any_on_points
    ),
    Incident.SENSORS_LOST: Happening(
        When.BEFORE_ROLL, ("device.lost",), outages.sensors_lost, lambda occasion: occasion.house.sensors
    ),
    Incident.SENSORS_LOST_AND_KNOCKED: Happening(
        When.BEFORE_ROLL,
        (*_REPAIR, *_CHANGED),
        outages.sensors_lost_and_knocked,
        lambda occasion: occasion.house.sensors and _any_on_points(occasion),
    ),
    Incident.DOUBLED_TOO_EARLY: Happening(When.BEFORE_PLAY, _EARLY_DOUBLE, cube_incidents.doubled_too_early),
    Incident.DOUBLED_AFTER_ROLLING: Happening(When.BEFORE_PLAY, _EARLY_DOUBLE, cube_incidents.doubled_after_rolling),
    Incident.CUBE_NOT_THEIRS: Happening(
        When.BEFORE_ROLL,
        ("cube.not_yours",),
        cube_incidents.doubled_in_vain,
        lambda occasion: occasion.with_cube and occasion.cube_owner is occasion.other,
    ),
    Incident.CRAWFORD_DOUBLED: Happening(
        When.BEFORE_ROLL, ("cube.crawford",), cube_incidents.doubled_in_vain, lambda occasion: occasion.is_crawford
    ),
    Incident.ROLLED_BEFORE_ANSWER: Happening(
        When.BEFORE_ANSWER,
        ("cube.rolled_before_answer", "cube.answer_first"),
        cube_incidents.rolled_before_answer,
        # Where a roll that comes too early stands, it is the roll once the double is taken.
        lambda occasion: not occasion.house.early_roll_stands,
    ),
    Incident.CUBE_WAVED: Happening(
        When.BEFORE_ROLL,
        ("cube.withdrawn",),
        cube_incidents.cube_waved,
        lambda occasion: occasion.house.cube_touch_means_nothing and occasion.may_double,
    ),
    Incident.CUBE_PUT_ASIDE: Happening(
        When.BEFORE_ANSWER, ("cube.put_in_middle", "cube.put_on_other_side"), cube_incidents.cube_put_aside
    ),
    Incident.CUBE_TAKEN_UNSAID: Happening(When.TAKING, ("cube.taken_by_place",), cube_incidents.cube_taken_unsaid),
    Incident.CUBE_MISPLACED: Happening(
        When.BEFORE_ROLL,
        ("cube.belongs_in_middle", "cube.belongs_to"),
        cube_incidents.cube_misplaced,
        lambda occasion: occasion.with_cube,
    ),
    Incident.TWO_HANDS: Happening(
        When.BEFORE_PLAY, ("hands.two",), hand_incidents.two_hands, lambda occasion: len(occasion.game.seats) == 2
    ),
    Incident.HAND_OUT_OF_TURN: Happening(
        When.BEFORE_PLAY,
        ("hands.out_of_turn",),
        hand_incidents.hand_out_of_turn,
        lambda occasion: len(occasion.game.seats) == 2,
    ),
    Incident.CLOCK_FORGOTTEN: Happening(
        When.ENDING_TURN,
        ("clock.runs_for_other", "clock.not_started"),
        dice_incidents.clock_forgotten,
        lambda occasion: occasion.house.clock,
    ),
}
"""Everything that can happen."""


_NO_NAMES = ("device.lost", "turn.unclear", "setup.unclear", "cube.taken_by_place", "dice.thrown_again")

NAMES = frozenset(sign for happening in INCIDENTS.values() for sign in happening.signs if sign not in _NO_NAMES)
"""The texts that name what can happen. A place that cannot be read may be asked about at any time; who has taken a
double may be seen to do so before it is heard; and dice that may not have counted may be thrown again."""

BEGUN_WRONGLY = (Incident.BEGAN_WRONG, Incident.BEGAN_SHORT)
"""What is wrong until the players notice it, some rolls later."""

UNTIDY = (Incident.MUG_ON_A_POINT, Incident.CHECKER_ASTRAY)
"""What lasts until the players tidy up."""


def possible(when: When, occasion: Occasion) -> tuple[Incident, ...]:
    """Gets what may happen on an occasion."""
    return tuple(
        incident
        for incident, happening in INCIDENTS.items()
        if happening.when is when and (occasion.kinds is None or incident in occasion.kinds) and happening.may(occasion)
    )


def happen(incident: Incident, occasion: Occasion) -> Acts:
    """Lets an incident happen, and puts everything back."""
    happening = INCIDENTS[incident]
    hands = occasion.hands
    others = tuple(sorted(NAMES - {*happening.signs}))
    yield from happening.acts(occasion, IncidentTruth(hands.now_ms, incident.value, happening.signs, others))
    hands.ear.clear()
