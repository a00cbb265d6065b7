"""How a referee did at the virtual table, row by row.

The rows of a :class:`Report` are the kinds of throws and plays; its columns how the referee did with them:

- ``right``: said what is true. For an irregular throw: that it must be thrown again; for an illegal play: illegal.
- ``wrong_certain``: said something false and vouched for it. The one unforgivable fault.
- ``wrong_unsure``: said something false without vouching for it.
- ``not_told``: said that it cannot tell, or asked to throw again dice that counted without vouching for a reason.
- ``missed``: said nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from boardctl.virtual.truth import CubeTruth, GameTruth, IncidentTruth, RollTruth, TruthItem, TurnTruth


class Outcome(StrEnum):
    """How the referee did with one throw or play, the worst first."""

    WRONG_CERTAIN = "wrong_certain"
    WRONG_UNSURE = "wrong_unsure"
    RIGHT = "right"
    NOT_TOLD = "not_told"
    MISSED = "missed"


@dataclass(frozen=True, slots=True)
class Item:
    """One throw, play or incident, how the referee did, and in words what it said when it was wrong.

    ``fault_named``: what was wrong was called by its right name; ``misnamed``: something else was said of an incident.
    ``misruled``: a ruling came into force that the ruleset does not give.
    """

    truth: TruthItem
    outcome: Outcome
    fault_named: bool = False
    said: str = ""
    misnamed: bool = False
    misruled: bool = False

    @property
    def wrongly_named(self) -> bool:
        """Whether something was found, and called by a wrong name."""
        if isinstance(self.truth, TurnTruth):
            return not self.truth.legal and self.outcome is Outcome.RIGHT and not self.fault_named
        return self.misnamed and self.outcome is not Outcome.RIGHT


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
    misnamed: int = 0
    misruled: int = 0

    def cells(self) -> tuple[str, ...]:
        """Gets the row as texts, in the order of :data:`HEADINGS`."""
        how = (self.right, self.wrong_certain, self.wrong_unsure, self.not_told, self.missed)
        counts = (self.total, *how, self.misnamed, self.misruled)
        return (self.of, self.kind, *(str(count) for count in counts))


HEADINGS = (
    *("of", "kind", "in all", "right", "wrong, certain", "wrong, unsure", "not told", "missed"),
    *("wrongly named", "wrongly ruled"),
)


@dataclass(frozen=True, slots=True)
class Report:
    """How the referee did at a table, or at several taken together."""

    items: tuple[Item, ...] = ()
    games: int = 0
    alarms: tuple[str, ...] = ()  # what named an irregularity where there was none: after which throw or turn, the text

    def __add__(self, other: "Report") -> "Report":
        return Report(self.items + other.items, self.games + other.games, self.alarms + other.alarms)

    @property
    def wrong_certain(self) -> tuple[Item, ...]:
        """Everything false that the referee vouched for."""
        return tuple(item for item in self.items if item.outcome is Outcome.WRONG_CERTAIN)

    @property
    def misruled(self) -> tuple[Item, ...]:
        """Everything of which a wrong ruling came into force."""
        return tuple(item for item in self.items if item.misruled)

    def rows(self) -> tuple[Row, ...]:
        """Gets one row a kind: throws that count first, then irregular throws, legal plays, illegal ones; sums last.

        The very last, if there are any, are the false alarms: something was named that had not happened.
        """
        rolls = [item for item in self.items if isinstance(item.truth, RollTruth)]
        turns = [item for item in self.items if isinstance(item.truth, TurnTruth)]
        cubes = [item for item in self.items if isinstance(item.truth, CubeTruth)]
        games = [item for item in self.items if isinstance(item.truth, GameTruth)]
        incidents = [item for item in self.items if isinstance(item.truth, IncidentTruth)]
        kinds = {"roll": rolls, "play": turns, "cube": cubes, "incident": incidents, "game": games}
        rows = [row for of, items in kinds.items() for row in _by_kind(of, items)]
        sums = {"rolls": rolls, "plays": turns, "cube": cubes, "incidents": incidents, "games": games}
        wanted = {name: items for name, items in sums.items() if items or name in ("rolls", "plays")}
        count = len(self.alarms)
        alarms = (Row("all", "false alarms", count, 0, 0, count, 0, 0, 0),) if count else ()
        return (*rows, *(_row("all", name, items) for name, items in wanted.items()), *alarms)

    def lines(self) -> list[str]:
        """Gets the report as plain text, one row a line under its headings."""
        table = [HEADINGS, *(row.cells() for row in self.rows())]
        widths = [max(len(row[column]) for row in table) for column in range(len(HEADINGS))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in table]
        illegal = [item for item in self.items if isinstance(item.truth, TurnTruth) and not item.truth.legal]
        found = [item for item in illegal if item.outcome is Outcome.RIGHT]
        named = sum(item.fault_named for item in found)
        lines.append(f"{self.games} games; {named} of {len(found)} illegal plays found were called by their right name")
        return [line.rstrip() for line in (*lines, *self.remarks())]

    def remarks(self) -> list[str]:
        """Gets what should not have been, one by one: where to look in the record."""
        unnamed = (
            item for item in self.items if isinstance(item.truth, IncidentTruth) and item.outcome is not Outcome.RIGHT
        )
        return [
            *(f"wrong and vouched for: {item.said}" for item in self.wrong_certain),
            *(f"wrongly ruled: {item.said}" for item in self.misruled),
            *(f"not named: {item.said or f'{item.truth.at_ms} ms: {item.truth.name}'}" for item in unnamed),
            *(f"named where there was none: {alarm}" for alarm in self.alarms),
        ]


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
        sum(item.wrongly_named for item in items),
        sum(item.misruled for item in items),
    )
