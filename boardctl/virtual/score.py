"""Holds what the referee said against what truly happened.

The rows of a :class:`Report` are the kinds of throws and plays; its columns how the referee did with them:

- ``right``: said what is true. For an irregular throw: that it must be thrown again; for an illegal play: illegal.
- ``wrong_certain``: said something false and vouched for it. The one unforgivable fault.
- ``wrong_unsure``: said something false without vouching for it.
- ``not_told``: said that it cannot tell, or asked to throw again dice that counted without vouching for a reason.
- ``missed``: said nothing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from boardctl.referee.effects import Certainty, CubeTurned, Effect, GameEnded, Notice, Prompt, RollRead, TurnJudged
from boardctl.rules import Seat
from boardctl.virtual.truth import CubeTruth, GameTruth, IncidentTruth, RollTruth, TruthItem, TurnTruth

UNCLEAR_DICE = ("dice.unclear",)
UNCLEAR_TURN = ("turn.unclear", "turn.blind", "turn.overtaken")
"""The texts with which the referee says that it cannot read a throw, and that it cannot judge a turn."""


class Outcome(StrEnum):
    """How the referee did with one throw or play, the worst first."""

    WRONG_CERTAIN = "wrong_certain"
    WRONG_UNSURE = "wrong_unsure"
    RIGHT = "right"
    NOT_TOLD = "not_told"
    MISSED = "missed"


_WORST_FIRST = tuple(Outcome)
_MOST_PARTS = 12  # of one turn, by one seat: six doubles, each of which may have come back once


@dataclass(frozen=True, slots=True)
class Item:
    """One throw or play, how the referee did, and in words what it said when it was wrong."""

    truth: TruthItem
    outcome: Outcome
    fault_named: bool = False
    said: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of throw or play. ``named``: of the illegal plays found, how many were given the right name."""

    of: str
    kind: str
    total: int
    right: int
    wrong_certain: int
    wrong_unsure: int
    not_told: int
    missed: int
    named: int

    def cells(self) -> tuple[str, ...]:
        """Gets the row as texts, in the order of :data:`HEADINGS`."""
        counts = (self.total, self.right, self.wrong_certain, self.wrong_unsure, self.not_told, self.missed)
        return (self.of, self.kind, *(str(count) for count in counts))


HEADINGS = ("of", "kind", "in all", "right", "wrong, certain", "wrong, unsure", "not told", "missed")


@dataclass(frozen=True, slots=True)
class Report:
    """How the referee did at a table, or at several taken together."""

    items: tuple[Item, ...] = ()
    games: int = 0

    def __add__(self, other: "Report") -> "Report":
        return Report(self.items + other.items, self.games + other.games)

    @property
    def wrong_certain(self) -> tuple[Item, ...]:
        """Everything false that the referee vouched for."""
        return tuple(item for item in self.items if item.outcome is Outcome.WRONG_CERTAIN)

    def rows(self) -> tuple[Row, ...]:
        """Gets one row a kind: throws that count first, then irregular throws, legal plays, illegal ones; sums last."""
        rolls = [item for item in self.items if isinstance(item.truth, RollTruth)]
        turns = [item for item in self.items if isinstance(item.truth, TurnTruth)]
        cubes = [item for item in self.items if isinstance(item.truth, CubeTruth)]
        games = [item for item in self.items if isinstance(item.truth, GameTruth)]
        incidents = [item for item in self.items if isinstance(item.truth, IncidentTruth)]
        kinds = {"roll": rolls, "play": turns, "cube": cubes, "incident": incidents, "game": games}
        rows = [row for of, items in kinds.items() for row in _by_kind(of, items)]
        sums = {"rolls": rolls, "plays": turns, "cube": cubes, "incidents": incidents, "games": games}
        wanted = {name: items for name, items in sums.items() if items or name in ("rolls", "plays")}
        return (*rows, *(_row("all", name, items) for name, items in wanted.items()))

    def lines(self) -> list[str]:
        """Gets the report as plain text, one row a line under its headings."""
        table = [HEADINGS, *(row.cells() for row in self.rows())]
        widths = [max(len(row[column]) for row in table) for column in range(len(HEADINGS))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in table]
        illegal = [item for item in self.items if isinstance(item.truth, TurnTruth) and not item.truth.legal]
        found = [item for item in illegal if item.outcome is Outcome.RIGHT]
        named = sum(item.fault_named for item in found)
        lines.append(f"{self.games} games; {named} of {len(found)} illegal plays found were called by their right name")
        lines += [f"wrong and certain: {item.said}" for item in self.wrong_certain]
        return [line.rstrip() for line in lines]


@dataclass
class Score:
    """Takes the truth as it happens and the effects as they are heard, and keeps how the referee did."""

    items: list[Item] = field(default_factory=list)
    games: int = 0
    _ended: GameEnded | None = None

    def happened(self, truth: TruthItem) -> None:
        """Takes the truth of a throw or of a turn that has just ended, before the referee speaks about it."""
        self.items.append(Item(truth, Outcome.MISSED))

    def hear(self, effects: Iterable[Effect]) -> None:
        """Takes what the referee said next."""
        for effect in effects:
            if self.items and isinstance(self.items[-1].truth, IncidentTruth):
                self._hear_incident(effect)
                if isinstance(effect, RollRead | Notice | CubeTurned):
                    continue
            if isinstance(effect, RollRead):
                self._hear_roll(effect)
            elif isinstance(effect, TurnJudged):
                self._hear_turn(effect)
            elif isinstance(effect, CubeTurned):
                self._hear_cube(effect)
            elif isinstance(effect, GameEnded):
                self._ended = effect
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
        return Report(tuple(self.items), self.games)

    def _hear_roll(self, effect: RollRead) -> None:
        number = next((n for n in reversed(range(len(self.items))) if isinstance(self.items[n].truth, RollTruth)), None)
        if number is None:
            return
        truth = self.items[number].truth
        assert isinstance(truth, RollTruth)
        self._settle(number, judge_roll(truth, effect), False, f"{_roll_words(truth)}; read as {effect.roll}")

    def _hear_incident(self, effect: Effect) -> None:
        """Takes what was said while something happened."""
        truth = self.items[-1].truth
        assert isinstance(truth, IncidentTruth)
        if any(key in truth.signs for key in _said(effect)):
            self._settle(len(self.items) - 1, Outcome.RIGHT, False, "")
        elif isinstance(effect, RollRead) and effect.valid:
            words = f"{truth.at_ms} ms: {truth.name}; read as {effect.roll}"
            self._settle(len(self.items) - 1, _wrong(effect.certainty), False, words)

    def _hear_cube(self, effect: CubeTurned) -> None:
        number = next((n for n in reversed(range(len(self.items))) if isinstance(self.items[n].truth, CubeTruth)), None)
        if number is None or effect.step == "automatic":
            return
        truth = self.items[number].truth
        assert isinstance(truth, CubeTruth)
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
        of_seat = [n for n in reversed(range(len(self.items))) if _is_turn_of(self.items[n].truth, effect)]
        # Of the parts of one turn, all judged at its end, it is the one that began from there.
        began_there = [n for n in of_seat[:_MOST_PARTS] if _began(self.items[n].truth, effect)]
        for number in (began_there or of_seat)[:1]:
            truth = self.items[number].truth
            if isinstance(truth, TurnTruth):
                named = effect.finding is not None and truth.fault in effect.finding.faults
                verdict = "legal" if effect.legal else "illegal"
                words = f"{effect.play or 'play'} judged {verdict} with {effect.roll}"
                self._settle(number, judge_turn(truth, effect), named, f"{_turn_words(truth)}; {words}")
                return

    def _settle(self, number: int, outcome: Outcome, named: bool, said: str) -> None:
        """Keeps an outcome unless a worse one, or one that says more, was heard before."""
        before = self.items[number]
        if _WORST_FIRST.index(outcome) < _WORST_FIRST.index(before.outcome):
            wrong = outcome in (Outcome.WRONG_CERTAIN, Outcome.WRONG_UNSURE)
            self.items[number] = Item(before.truth, outcome, named, said if wrong else "")


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


def _is_turn_of(truth: TruthItem, effect: TurnJudged) -> bool:
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
    return ()


def _points(points: tuple[tuple[Seat, int], ...]) -> str:
    return ", ".join(f"{seat} {scored}" for seat, scored in points)


def _turn_words(truth: TurnTruth) -> str:
    return f"{truth.at_ms} ms: seat {truth.seat.value} played {truth.roll}, {truth.name}"


def _by_kind(of: str, items: Sequence[Item]) -> list[Row]:
    kinds = dict.fromkeys(item.truth.name for item in items)
    order = sorted(kinds, key=lambda kind: (kind not in ("flat", "legal"), kind))
    return [_row(of, kind, [item for item in items if item.truth.name == kind]) for kind in order]


def _row(of: str, kind: str, items: Sequence[Item]) -> Row:
    count = {outcome: sum(item.outcome is outcome for item in items) for outcome in Outcome}
    return Row(
        of,
        kind,
        len(items),
        count[Outcome.RIGHT],
        count[Outcome.WRONG_CERTAIN],
        count[Outcome.WRONG_UNSURE],
        count[Outcome.NOT_TOLD],
        count[Outcome.MISSED],
        sum(item.fault_named for item in items),
    )
