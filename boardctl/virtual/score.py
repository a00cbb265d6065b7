"""Takes what happened at a virtual table and what the referee said of it, and holds the one against the other."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from boardctl.referee.effects import (
    Certainty,
    CubeTurned,
    Effect,
    GameEnded,
    Notice,
    Prompt,
    RollRead,
    Ruled,
    TurnJudged,
)
from boardctl.referee.readings import BoardReading, Hand, Witness
from boardctl.rules import Seat
from boardctl.virtual.report import Item, Outcome, Report
from boardctl.virtual.truth import CubeTruth, GameTruth, IncidentTruth, RollTruth, TruthItem, TurnTruth

UNCLEAR_DICE = ("dice.unclear", "setup.first")
UNCLEAR_TURN = ("turn.unclear", "turn.blind", "light.too_bright", "light.too_dark", "turn.overtaken")
"""The texts with which the referee says that it cannot read a throw, and that it cannot judge a turn."""

_UPON_PLAYS = ("accepted", "must_replay", "condoned")
_WORST_FIRST = tuple(Outcome)
_MOST_PARTS = 12  # of one turn, by one seat: six doubles, each of which may have come back once
_OPEN_FOR = 3  # so many throws and turns after an incident it may still be told


@dataclass
class Score:
    """Takes the truth as it happens and the effects as they are heard, and keeps how the referee did.

    ``must_correct``: the ruleset lets no illegal play stand that is seen for sure. ``names``: the texts that say that
    something irregular has happened beside throws and plays; said where nothing has, they are false alarms.
    """

    items: list[Item] = field(default_factory=list)
    games: int = 0
    must_correct: bool = False
    names: frozenset[str] = frozenset()
    alarms: list[str] = field(default_factory=list)
    _offered: CubeTurned | None = None
    _early: TurnJudged | None = None
    _early_ruled: Ruled | None = None  # upon that turn
    _ended: GameEnded | None = None
    _told: dict[Witness, BoardReading] = field(default_factory=dict)  # by each witness, before what happened last
    _unshown: frozenset[str] = frozenset()  # what no witness has shown yet of what happened last

    def happened(self, truth: TruthItem) -> None:
        """Takes the truth of a throw or of a turn that has just ended, before the referee speaks about it."""
        self._leave_unseen()
        self._unshown = truth.needs if isinstance(truth, IncidentTruth) else frozenset()
        # Of some incidents nothing need be said; then nothing is missed.
        quiet = isinstance(truth, IncidentTruth) and not truth.signs
        offered = self._offered
        if offered is not None and not (isinstance(truth, CubeTruth) and truth.step == "double"):
            self._hear_cube(offered)  # nobody was about to double
            offered = None
        self._offered = None
        self.items.append(Item(truth, Outcome.RIGHT if quiet else Outcome.MISSED))
        if offered is not None:
            self._hear_cube(offered)
        if self._early is not None and _is_turn_of(truth, self._early):
            early, self._early = self._early, None
            ruled, self._early_ruled = self._early_ruled, None
            self._hear_turn(early)
            if ruled is not None:
                self._hear_ruling(ruled)

    def witnessed(self, reading: BoardReading) -> None:
        """Takes what a witness told of the board: whether what happened last can be seen at all hangs on that alone."""
        truth = self.items[-1].truth if self.items else None
        if self._unshown and isinstance(truth, IncidentTruth):
            self._unshown -= truth.shown_by(reading, self._told.get(reading.witness))
        if not self._unshown:
            self._told[reading.witness] = reading

    def saw_hands(self, hands: Sequence[Hand]) -> None:
        """Takes what hands a witness told of, each with whose it is."""
        truth = self.items[-1].truth if self.items else None
        if self._unshown and isinstance(truth, IncidentTruth):
            self._unshown -= truth.shown_by_hands(hands)

    def _leave_unseen(self) -> None:
        """Counts an incident apart that is over and that no witness has shown, whatever was said of it."""
        last = self.items[-1] if self.items else None
        if not self._unshown or not self._told or last is None or not isinstance(last.truth, IncidentTruth):
            return  # where no witness is heard at all, nobody can say what was shown
        false = last.outcome in (Outcome.WRONG_CERTAIN, Outcome.WRONG_UNSURE) or last.misnamed
        outcome = last.outcome if last.outcome is Outcome.WRONG_CERTAIN else Outcome.WRONG_UNSURE
        self.items[-1] = replace(
            last, truth=last.truth.out_of_sight(), outcome=outcome if false else Outcome.RIGHT, said=last.said
        )
        self._unshown = frozenset()

    def hear(self, effects: Iterable[Effect]) -> None:
        """Takes what the referee said next."""
        for effect in effects:
            of_incident = self._hear_incidents(effect)
            if of_incident and isinstance(effect, RollRead | Notice | CubeTurned) and not self._answers_double(effect):
                continue
            if isinstance(effect, RollRead):
                self._hear_roll(effect)
            elif isinstance(effect, TurnJudged):
                self._hear_turn(effect)
            elif isinstance(effect, CubeTurned):
                self._hear_cube(effect)
            elif isinstance(effect, GameEnded):
                self._ended = effect
            elif isinstance(effect, Ruled):
                self._hear_ruling(effect)
            elif isinstance(effect, Notice):
                self._hear_notice(effect.text.key)

    def game_ended(self, truth: GameTruth) -> None:
        """Counts a game that was played to its end, and holds against it what the referee said it came to."""
        self.games += 1
        said, self._ended = self._ended, None
        if said is None:
            self.items.append(Item(truth, Outcome.MISSED))
        elif (said.winner, dict(said.points)) == (truth.winner, dict(truth.points)):
            self.items.append(Item(truth, Outcome.RIGHT))
        else:
            words = f"{truth.at_ms} ms: game {truth.name}, {_points(truth.points)}; said {_points(said.points)}"
            self.items.append(Item(truth, _wrong(said.certainty), said=words))

    def report(self) -> Report:
        """Gets the report so far."""
        self._leave_unseen()
        return Report(tuple(self.items), self.games, tuple(self.alarms))

    def _hear_roll(self, effect: RollRead) -> None:
        number = next((n for n in reversed(range(len(self.items))) if isinstance(self.items[n].truth, RollTruth)), None)
        if number is None:
            return
        truth = self.items[number].truth
        assert isinstance(truth, RollTruth)
        reasons = ", ".join(reason.key for reason in effect.reasons)
        read = f"read as {effect.roll}" if effect.valid else f"refused: {reasons}"
        self._settle(number, judge_roll(truth, effect), False, f"{_roll_words(truth)}; {read}")

    def _hear_incidents(self, effect: Effect) -> bool:
        """Takes what was said of the last incidents; whether one is going on."""
        said = _said(effect)
        for number in range(max(0, len(self.items) - _OPEN_FOR), len(self.items)):
            truth = self.items[number].truth
            if isinstance(truth, IncidentTruth) and any(key in truth.signs for key in said):
                self._settle(number, Outcome.RIGHT, False, "")
        if not any(isinstance(item.truth, IncidentTruth) for item in self.items[-_OPEN_FOR:]):
            after = f"after {self.items[-1].truth.at_ms} ms, {self.items[-1].truth.name}" if self.items else "at first"
            self.alarms += [f"{after}: {key}" for key in said if key in self.names]
        if not self.items or not isinstance(self.items[-1].truth, IncidentTruth):
            return False
        truth = self.items[-1].truth
        words = f"{truth.at_ms} ms: {truth.name}; said {', '.join(said)}"
        if any(key in truth.others for key in said) and not any(key in truth.signs for key in said):
            self.items[-1] = replace(self.items[-1], misnamed=True, said=words)
            if not truth.signs:
                self._settle(len(self.items) - 1, Outcome.WRONG_UNSURE, False, words)
        elif any(key in (*UNCLEAR_DICE, *UNCLEAR_TURN) for key in said) and truth.signs:
            self._settle(len(self.items) - 1, Outcome.NOT_TOLD, False, words)
        elif isinstance(effect, RollRead) and effect.valid and self._reads_late(effect):
            return False
        elif isinstance(effect, RollRead) and effect.valid:
            words = f"{truth.at_ms} ms: {truth.name}; read as {effect.roll}"
            self._settle(len(self.items) - 1, _wrong(effect.certainty), False, words)
        return True

    def _answers_double(self, effect: Effect) -> bool:
        """Whether it is said how a double was answered by what is going on at the cube."""
        truth = self.items[-1].truth
        return isinstance(effect, CubeTurned) and isinstance(truth, IncidentTruth) and truth.answers_double

    def _reads_late(self, effect: RollRead) -> bool:
        """Whether a throw is read that was made before the incident, and had not been read."""
        for item in reversed(self.items):
            if isinstance(item.truth, RollTruth):
                unread = item.outcome in (Outcome.NOT_TOLD, Outcome.MISSED)
                return unread and judge_roll(item.truth, effect) is Outcome.RIGHT
        return False

    def _hear_ruling(self, effect: Ruled) -> None:
        """Takes a ruling upon the last turn of a seat: whether the ruleset gives it."""
        if self._early is not None and self._early.seat is effect.seat:
            self._early_ruled = effect
            return
        number = next((n for n in reversed(range(len(self.items))) if _is_turn_of(self.items[n].truth, effect)), None)
        if number is None or effect.ruling not in _UPON_PLAYS:
            return
        truth = self.items[number].truth
        assert isinstance(truth, TurnTruth)
        if truth.legal:
            # Players who deny that a legal play was illegal let it stand.
            wrong = effect.ruling != "accepted"
        elif self.must_correct:
            wrong = effect.ruling != "must_replay"
        else:
            wrong = effect.by == "ruleset"
        if wrong:
            said = f"{_turn_words(truth)}; {effect.ruling} by {effect.by}"
            self.items[number] = replace(self.items[number], misruled=True, said=said)

    def _hear_cube(self, effect: CubeTurned) -> None:
        number = next((n for n in reversed(range(len(self.items))) if isinstance(self.items[n].truth, CubeTruth)), None)
        if number is None or effect.step == "automatic":
            return
        truth = self.items[number].truth
        assert isinstance(truth, CubeTruth)
        if effect.step == "double" and truth.step != "double" and self._offered is None:
            self._offered = effect  # who is held to a double may offer it before the cube is moved
            return
        right = (truth.step, truth.seat) == (effect.step, effect.by)
        words = f"{truth.at_ms} ms: seat {truth.seat.value} {truth.step}; said {effect.by} {effect.step}"
        self._settle(number, Outcome.RIGHT if right else _wrong(effect.certainty), False, words)

    def _hear_notice(self, key: str) -> None:
        """Takes it that the referee cannot tell, about the last throw or turn."""
        if not self.items:
            return
        about = UNCLEAR_DICE if isinstance(self.items[-1].truth, RollTruth) else UNCLEAR_TURN
        if key in about:
            self._settle(len(self.items) - 1, Outcome.NOT_TOLD, False, "")

    def _hear_turn(self, effect: TurnJudged) -> None:
        turns = (n for n in reversed(range(len(self.items))) if _is_turn_of(self.items[n].truth, effect))
        of_seat = list(islice(turns, _MOST_PARTS))
        # Of the parts of one turn, all judged at its end, it is the one that began from there.
        began_there = [n for n in of_seat if _began(self.items[n].truth, effect)]
        if not began_there and self._is_going_on(effect):
            self._early = effect  # a play that stands complete is judged when somebody answers, with a hand over it
            return
        for number in (began_there or of_seat)[:1]:
            truth = self.items[number].truth
            if isinstance(truth, TurnTruth):
                named = effect.finding is not None and truth.fault in effect.finding.faults
                verdict = "legal" if effect.legal else "illegal"
                words = f"{effect.play or 'play'} judged {verdict} with {effect.roll}"
                self._settle(number, judge_turn(truth, effect), named, f"{_turn_words(truth)}; {words}")
                return

    def _is_going_on(self, effect: TurnJudged) -> bool:
        """Whether a turn is judged with the roll that its seat threw since the last turn of it that has ended."""
        for item in reversed(self.items):
            if _is_turn_of(item.truth, effect):
                return False
            if isinstance(item.truth, RollTruth) and item.truth.seat is effect.seat:
                return sorted(item.truth.roll) == sorted(effect.roll)
        return False

    def _settle(self, number: int, outcome: Outcome, named: bool, said: str) -> None:
        """Keeps an outcome unless a worse one, or one that says more, was heard before."""
        before = self.items[number]
        if _WORST_FIRST.index(outcome) < _WORST_FIRST.index(before.outcome):
            wrong = outcome in (Outcome.WRONG_CERTAIN, Outcome.WRONG_UNSURE)
            words = said if wrong else before.said
            self.items[number] = replace(before, outcome=outcome, fault_named=named, said=words)


def judge_roll(truth: RollTruth, effect: RollRead) -> Outcome:
    """Gets how a reading of a throw does against its truth."""
    if truth.valid:
        if not effect.valid:
            return Outcome.NOT_TOLD if effect.certainty is not Certainty.CERTAIN else Outcome.WRONG_CERTAIN
        right = effect.roll is not None and sorted(effect.roll) == sorted(truth.roll)
    else:
        right = not effect.valid
    return Outcome.RIGHT if right else _wrong(effect.certainty)


def judge_turn(truth: TurnTruth, effect: TurnJudged) -> Outcome:
    """Gets how a judgement of a turn does against its truth. A legal play must also be the play that was made."""
    if effect.legal is None:
        return Outcome.NOT_TOLD
    right = effect.legal == truth.legal
    if right and effect.legal:
        right = effect.after == truth.after
    return Outcome.RIGHT if right else _wrong(effect.certainty)


def _is_turn_of(truth: TruthItem, effect: TurnJudged | Ruled) -> bool:
    return isinstance(truth, TurnTruth) and truth.seat is effect.seat


def _began(truth: TruthItem, effect: TurnJudged) -> bool:
    return isinstance(truth, TurnTruth) and truth.before == effect.before and sorted(truth.roll) == sorted(effect.roll)


def _wrong(certainty: Certainty) -> Outcome:
    return Outcome.WRONG_CERTAIN if certainty is Certainty.CERTAIN else Outcome.WRONG_UNSURE


def _roll_words(truth: RollTruth) -> str:
    who = "opening" if truth.seat is None else f"seat {truth.seat.value}"
    return f"{truth.at_ms} ms: {who} threw {truth.roll}, {truth.name}"


def _said(effect: Effect) -> tuple[str, ...]:
    """Gets the keys of the texts that an effect says."""
    match effect:
        case Notice(text=text) | Prompt(text=text):
            return (text.key,)
        case RollRead(reasons=reasons):
            return tuple(reason.key for reason in reasons)
        case CubeTurned(step=step):
            return (f"cube.{step}",)
    return ()


def _points(points: tuple[tuple[Seat, int], ...]) -> str:
    return ", ".join(f"{seat} {scored}" for seat, scored in points)


def _turn_words(truth: TurnTruth) -> str:
    return f"{truth.at_ms} ms: seat {truth.seat.value} played {truth.roll}, {truth.name}"
