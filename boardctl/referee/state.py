"""Where a refereed game stands: one frozen value. Whoever has it can show the table, and compare two runs."""

from dataclasses import dataclass, field
from enum import StrEnum

from boardctl.referee.assistance import Assist
from boardctl.referee.clock import Clock
from boardctl.referee.effects import Certainty, Phase, Prompt, Scene, TurnJudged
from boardctl.referee.facts import Advised, Device, DiceRested, PauseReason, Role
from boardctl.referee.readings import BoardReading, DieReading, Lab, Witness
from boardctl.rules import Cube, Move, Place, Placement, Play, Position, Roll, Seat
from boardctl.rules import Match as Ledger
from boardctl.rules import Turn as Stand
from boardctl.rules.cube import CENTRED


class Stage(StrEnum):
    """How far a play in progress has come."""

    UNSEEN = "unseen"  # no reading since the turn began, or what matters is hidden
    NOT_MOVED = "not_moved"
    ON_THE_WAY = "on_the_way"
    COMPLETE = "complete"
    IN_HAND = "in_hand"  # on the way, with checkers lifted off the board
    UNEXPLAINED = "unexplained"


@dataclass(frozen=True, slots=True)
class Progress:
    """A settled reading matched to the plays of the turn.

    ``position`` is the position reached, for IN_HAND the one that the missing checkers would complete. ``onward`` is
    what may still be moved from it. ``in_hand`` are the checkers that were lifted, place by place. ``strange`` are the
    places that no play explains.
    """

    stage: Stage
    position: Position | None = None
    onward: tuple[Move, ...] = ()
    play: Play | None = None
    in_hand: tuple[tuple[Place, Seat], ...] = ()
    strange: tuple[Place, ...] = ()


NOTHING_SEEN = Progress(Stage.UNSEEN)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a turn that was played, by ``seat``, with the numbers of ``roll``, and how far that is vouched for."""

    seat: Seat
    roll: Roll
    certainty: Certainty
    before: Position
    play: Play


@dataclass(frozen=True, slots=True)
class Turn:
    """A roll and the position it is played from. ``dice`` is how they came to rest. ``replayed``: the play before it
    was undone and the same roll is played again. ``found_lying``: the dice lay there when the board was declared to be
    set up, so that nobody knows whether they had been played already.

    Where a turn has several parts, ``seat``, ``roll`` and ``before`` are those of the present one, ``stand`` says whose
    turn it is and what follows, ``parts`` are those played before. ``lifted``: the dice are gone, and the turn ends as
    soon as it is complete. ``seat_confirmed``: the players have said that it is the turn of this seat.
    """

    seat: Seat
    roll: Roll
    certainty: Certainty
    before: Position
    stand: Stand
    dice: tuple[DieReading, ...] = ()
    replayed: bool = False
    found_lying: bool = False
    before_sure: bool = True  # whether the position it is played from is vouched for
    parts: tuple[Part, ...] = ()
    lifted: bool = False
    seat_confirmed: bool = False

    @property
    def roller(self) -> Seat:
        """The seat that rolled, whoever plays now."""
        return self.stand.roller


@dataclass(frozen=True, slots=True)
class Unsettled:
    """A turn whose end was not seen well enough. ``results`` are the legal positions it may have led to, the likeliest
    first; what is seen in the turn after it may tell which. ``said``: it was judged and accepted as it looked.
    """

    turn: Turn
    results: tuple[Position, ...]
    said: bool = False


PUT_RIGHT = "ask.put_right"
"""The question whether a play that was put right is to stand as it was made: who goes on has answered it."""


@dataclass(frozen=True, slots=True)
class PutRight:
    """An illegal play that its maker has put right: how it was judged, its turn, and where the game stood before."""

    judged: TurnJudged
    turn: Turn
    before: Position


@dataclass(frozen=True, slots=True)
class Pause:
    """A pause after which everybody is to be there again: since when, and who asked for it (None: a game was over)."""

    reason: PauseReason
    at_ms: int
    by: Role | None = None


@dataclass(frozen=True, slots=True)
class LoneDie:
    """A single die that came to rest while two were due, and when. ``hand``: a hand has been over the board since."""

    die: DieReading
    at_ms: int
    hand: bool = False


@dataclass(frozen=True, slots=True)
class ThrownSet:
    """The colours of the dice of a throw of a seat."""

    seat: Seat
    bodies: tuple[Lab, ...]


@dataclass(frozen=True, slots=True)
class WrongStart:
    """A game that began from a wrong starting position. ``astray``: where each misplaced checker stood, where it
    belonged, and whose it is; one that was not there is said to have stood in its seat's tray. ``rolls``: the valid
    ones since; ``starter_turns``: how many of them the starter's.
    """

    astray: tuple[tuple[Place, Place, Seat], ...]
    starter: Seat
    rolls: int = 0
    starter_turns: int = 0


@dataclass(frozen=True, slots=True)
class State:
    """Where the game stands. Fields that do not belong to the phase are None or empty.

    ``seat`` is on turn; None while nobody is, or when the dice must tell. ``position`` is where the checkers belong
    between turns and before the play of a turn. ``judged`` is a judgement that nobody has ruled on yet.
    ``previous`` is the turn before, until the next roll. ``rejected`` are dice that must be thrown again. ``idle`` are
    dice that lie about without being part of a roll. ``late_roll`` was thrown before it could be played.
    ``overplayed`` was thrown after an illegal play that only the opponent's next play lets stand.
    """

    phase: Phase = Phase.SETUP
    seat: Seat | None = None
    position: Position | None = None
    position_sure: bool = True  # whether it is vouched for, or only what fits best
    unplayed: bool = False  # it was taken from the board, though no play leads there: until somebody rolls on it
    turn: Turn | None = None
    previous: Turn | None = None
    unsettled: Unsettled | None = None
    progress: Progress = NOTHING_SEEN
    standing: tuple[tuple[Witness, BoardReading], ...] = ()  # the readings of a complete play that still stands
    judged: TurnJudged | None = None
    put_right: PutRight | None = None  # the turn before, while its maker may be held to it as it was made
    required: TurnJudged | None = None  # the play that must be made again; a director may let it stand
    prompt: Prompt | None = None
    prompts_asked: int = 0
    ledger: Ledger = field(default_factory=Ledger)  # the match or session: what was scored, and what holds in this game
    cube: Cube = CENTRED
    cube_doubted: bool = False  # whether the players may have turned it otherwise in this game
    cube_zone: str | None = None  # where the cube was seen last
    hands_at_cube: tuple[Seat | None, ...] = ()  # whose hands were over the board since an offered cube lies there
    resigning: tuple[Seat, int] | None = None  # who has offered to lose, and at which level
    cube_bound: Seat | None = None  # who has shown too early that he doubles, and is held to it
    game_number: int = 1
    turns_played: int = 0
    readings: tuple[tuple[Witness, BoardReading], ...] = ()
    ended_on: tuple[tuple[Witness, BoardReading], ...] = ()  # the readings by which the turn before ended
    began_on: tuple[tuple[Witness, BoardReading], ...] = ()  # the readings before the turn in progress
    asked: tuple[Place, ...] = ()  # what the players were asked to tidy since the turn ended
    awaited: tuple[Witness, ...] = ()  # those whose reading is older than what the sensors felt last
    lifted: tuple[Place, ...] = ()  # where the sensors felt checkers of the seat on turn go, until they are put down
    followed: Position | None = None  # how far the sensors felt the play go since the board was last at rest
    hand: bool = False
    stale: bool = False  # a hand was over the board since it was last read
    unexplained: tuple[Place, ...] = ()
    rejected: tuple[DieReading, ...] = ()
    idle: tuple[DieReading, ...] = ()
    lone_die: LoneDie | None = None
    dice_thrown: tuple[ThrownSet, ...] = ()  # the colours of the dice that were thrown in this game
    with_others_dice: tuple[Seat, ...] = ()  # whose last throw seems to have been with the other's dice
    opening: tuple[tuple[Seat, DieReading], ...] = ()  # dice that stand while others tied and are rolled again
    misplaced: int = 0  # how often in a row a seat seemed to roll that is not to roll
    wrongly_set_up: Placement | None = None  # before the game: the board as it is set up, where that is wrong for sure
    wrong_start: WrongStart | None = None  # the game began from such a board
    missing: tuple[tuple[Seat, int], ...] = ()  # how many checkers of each seat are out of the game since it began
    seen_whole: tuple[Seat, ...] = ()  # of whom all checkers were seen for sure in this game
    opening_winner: Seat | None = None  # who won the opening roll, where that was seen
    last_roll_due: bool = False  # the other seat has borne off, and this one is guaranteed the last roll
    next_threw: bool = False  # the next seat has thrown since the turn ended, if badly: it may have moved, too
    rolled_unanswered: bool = False  # who doubled has rolled, and has had no answer
    owes_press: Seat | None = None  # whose turn the throw of this one has ended, without the press that should have
    late_roll: DiceRested | None = None
    overplayed: DiceRested | None = None
    thrown_again: DiceRested | None = None  # in the place of a roll that may not have counted
    unread: tuple[DieReading, ...] = ()  # dice that the seat which is to roll has thrown, and that could not be read
    dice_in_view: DiceRested | None = None
    lost: tuple[Device, ...] = ()
    disputed: tuple[tuple[Place, int], ...] = ()  # where the witnesses disagree, and for how many turns in a row
    repaired_phase: Phase | None = None  # where to go on after a repair
    queried: bool = False  # somebody asked what was found about the turn that has ended
    scene: Scene = field(default_factory=lambda: Scene(()))
    lit: Scene = field(default_factory=lambda: Scene(()))  # what of the scene the ruleset lets the lights show
    lifted_from: tuple[Place, ...] = ()  # from where checkers were lifted in the turn in progress, one after the other
    assist: Assist | None = None  # the help that each seat wants; None: nobody has chosen
    advice: Advised | None = None  # the best play of the turn in progress, where a coach has told it
    clock: Clock | None = None  # None where the ruleset has none
    held: bool = False  # whether the clock stands because the game cannot go on
    pause: Pause | None = None
    illegal_plays: tuple[tuple[Seat, int], ...] = ()  # how many of each seat were found in this match
    let_pass: tuple[tuple[str, int], ...] = ()  # how many illegal plays of others each seat has let pass
    reached_over: tuple[tuple[Seat, int], ...] = ()  # in how many turns of the other a seat's hand was over the board
    said: tuple[str, ...] = ()  # what need not be said again in this phase

    @property
    def score(self) -> tuple[tuple[Seat, int], ...]:
        """What each seat has scored."""
        return tuple(zip(self.ledger.seats, self.ledger.score, strict=True))

    @property
    def is_asking(self) -> bool:
        """Whether a question stands that waits for an answer."""
        return self.prompt is not None and self.prompt.text.key != PUT_RIGHT

    @property
    def roll(self) -> Roll | None:
        """The roll that is being played, or was played last."""
        return self.turn.roll if self.turn is not None else None

    @property
    def expected(self) -> Placement | None:
        """Where the checkers were before the play in progress; None while nothing is known."""
        return self.position.placement() if self.position is not None else None
