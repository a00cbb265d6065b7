"""The answer to one fact while it is being worked out: the state that follows and the effects so far."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from boardctl.referee.assistance import Assist
from boardctl.referee.effects import (
    Cue,
    Effect,
    Mark,
    Notice,
    Phase,
    PhaseChanged,
    Prompt,
    Scene,
    Sign,
    Text,
)
from boardctl.referee.facts import BoardSeen, Choice, Role
from boardctl.referee.readings import BoardReading, Witness
from boardctl.referee.ruleset import Ruleset
from boardctl.referee.seen.weighing import Evidence, combined
from boardctl.referee.state import State
from boardctl.rules import Game, MatchRules, Move, MoveGraph, Place, PlaceKind, Placement, Play, Position, Seat
from boardctl.rules.traits import following
from boardctl.rules.turn import moves_in, plays_in


@dataclass(frozen=True, slots=True)
class Match:
    """What is played for. ``length`` None: single games, without end; otherwise the first to so many points wins.

    ``recorded``: the game is followed from pictures taken now and then. The first that they show of it may be both
    dice in one section, where the starter has laid them to play; at a table that is watched, that is no opening.

    ``assist``: the help that each seat wants at first, within the ruleset's aids; None: nobody has chosen.
    """

    length: int | None = None
    cube: bool = False
    recorded: bool = False
    assist: Assist | None = None
    rules: MatchRules | None = None  # the cube's customs; by default those of plain matches and sessions

    def __post_init__(self) -> None:
        if self.length is not None and self.length < 1:
            raise ValueError(f"match length {self.length}: a match is to 1 point or more")
        if self.rules is not None and (self.rules.length, self.rules.cube) != (self.length, self.cube):
            raise ValueError(f"a match to {self.length}, cube {self.cube}, cannot have the rules {self.rules}")

    @property
    def terms(self) -> MatchRules:
        """The rules of match and cube in force."""
        return self.rules or MatchRules(length=self.length, cube=self.cube)


@dataclass(slots=True)
class Response:
    """Collects what one fact changes and causes. Only the referee makes one, for each fact a new one."""

    game: Game
    ruleset: Ruleset
    match: Match
    state: State
    effects: list[Effect] = field(default_factory=list)

    def change(self, **fields: Any) -> None:
        """Exchanges fields of the state."""
        self.state = replace(self.state, **fields)

    def say(self, effect: Effect) -> None:
        """Adds an effect."""
        self.effects.append(effect)

    def enter(self, phase: Phase, seat: Seat | None, **fields: Any) -> None:
        """Goes to a phase; what was said in the one before may be said again."""
        self.change(phase=phase, seat=seat, said=(), unexplained=(), **fields)
        self.say(PhaseChanged(phase, seat))

    def notice(self, text: Text) -> None:
        """Says something, unless it was said already in this phase."""
        signature = repr(text)
        if signature not in self.state.said:
            self.change(said=(*self.state.said, signature))
            self.say(Notice(text))

    def tell_director(self, text: Text) -> None:
        """Says something to the director alone, and to the record."""
        self.say(Notice(text, to=(Role.DIRECTOR,)))

    def cue(self, sound: Literal["ok", "problem", "reroll", "ask", "over"]) -> None:
        """Sounds a short sound."""
        self.say(Cue(sound))

    def show(self, marks: Iterable[Mark]) -> None:
        """Changes what the lights say, if it is not what they say already."""
        gone = [Mark(Sign.LOST, place) for place in self.game.places if place.kind is PlaceKind.BAR]
        scene = Scene(tuple(dict.fromkeys([*marks, *(gone if self.state.lost else ())])))
        if scene != self.state.scene:
            self.change(scene=scene)
            self.say(scene)

    def show_lost(self) -> None:
        """Says in light whether a device is gone, beside what the lights say already."""
        self.show(mark for mark in self.state.scene.marks if mark.sign is not Sign.LOST)

    def show_turn(self, extra: Iterable[Mark] = ()) -> None:
        """Shows whose turn it is, and more besides."""
        self.show([Mark(Sign.TURN, None, self.state.seat), *extra])

    def ask(self, to: Iterable[Role], text: Text, choices: tuple[Choice, ...]) -> None:
        """Asks some people; the question stands until it is answered or the game goes on without an answer."""
        prompt = Prompt(self.state.prompts_asked + 1, tuple(to), text, choices)
        self.change(prompt=prompt, prompts_asked=prompt.number)
        self.say(prompt)

    def take_reading(self, fact: BoardSeen) -> None:
        """Keeps a reading in place of the last one of the same witness."""
        readings = dict(self.state.readings)
        readings[fact.reading.witness] = fact.reading
        self.change(
            readings=tuple((w, readings[w]) for w in Witness if w in readings),
            awaited=tuple(w for w in self.state.awaited if w is not fact.reading.witness),
        )
        if fact.reading.witness is Witness.CAMERA or len(readings) == 1:
            self.change(stale=False)

    @property
    def readings(self) -> dict[Witness, BoardReading]:
        """The last reading of each witness, without those that the sensors have felt to be out of date."""
        readings = dict(self.state.readings)
        return {w: reading for w, reading in readings.items() if w not in self.state.awaited} or readings

    @property
    def evidence(self) -> Evidence:
        """What all witnesses together saw last."""
        return combined(self.readings, self.game.places)

    @property
    def graph(self) -> MoveGraph:
        """Every position of the turn in progress."""
        turn = self.state.turn
        assert turn is not None
        return moves_in(self.game, turn.before, turn.stand)

    @property
    def onward(self) -> tuple[Move, ...]:
        """What may be moved next in the turn in progress, by what was read and by what the sensors felt since."""
        followed = self.state.followed
        if followed is None:
            return self.state.progress.onward
        return tuple(move for move, _ in self.graph.steps[followed].onward)

    @property
    def plays(self) -> dict[Position, Play]:
        """The legal plays of the turn in progress by the position they lead to."""
        turn = self.state.turn
        assert turn is not None
        return {play.position: play for play in plays_in(self.game, turn.before, turn.stand)}

    def position_of(self, board: Placement) -> Position:
        """Gets the position that a board without faults is, as it follows from where the game stands."""
        position = self.game.position_of(board)
        return position if self.state.position is None else following(position, self.state.position)

    def next_roller(self, position: Position, seat: Seat) -> Seat:
        """Gets who rolls after the turn of ``seat`` led to a position: seats that the rules make wait are passed over.

        In a game followed from pictures taken now and then they may roll all the same.
        """
        first = following_seat = self.game.next_seat(position, seat)
        while not self.match.recorded and not self.game.may_roll(position, following_seat):
            following_seat = self.game.next_seat(position, following_seat)
            if following_seat is first:
                break
        return following_seat

    def point_name(self, place: Place) -> str:
        """Gets how a place is called towards both seats: points as seat A counts them."""
        return str(place)


def difference_marks(expected: Placement, seen: Placement, places: Iterable[Place]) -> list[Mark]:
    """Gets marks that lead from what is seen to what is expected: where checkers lack and where there are too many."""
    marks = []
    for place in places:
        here, wanted = seen.at(place), expected.at(place)
        if any(here.count(seat) > wanted.count(seat) for seat in here):
            marks.append(Mark(Sign.EXTRA, place))
        elif here != wanted:
            marks.append(Mark(Sign.MISSING, place))
    return marks
