"""What commands that referee a virtual table have in common: how often its players err, its frames, the report."""

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from itertools import islice

import typer
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from boardctl.cli.reporting import WORK_FAILED, complain
from boardctl.devices.faces import Frame
from boardctl.referee.facts import ButtonPressed, Fact
from boardctl.table import Desk
from boardctl.virtual import FAULTLESS, HEADINGS, Rates, Report, VirtualTable

LONGEST_MATCH = 1000
"""So many games are played of a match at most: it ends when it is won."""

_WIDTH = 120  # of a report that goes to a file: all columns side by side
_NAMES = 2  # The first columns of the report say what is counted; the others are counts.


class Faults(StrEnum):
    """How much goes wrong at the virtual table."""

    NONE = "none"
    SOME = "some"
    MANY = "many"
    ALL = "all"


RATES = {
    Faults.NONE: FAULTLESS,
    Faults.SOME: Rates(),
    Faults.MANY: Rates(misplay=0.3, irregular_throw=0.3, shuffle=0.3),
    Faults.ALL: Rates(misplay=0.15, irregular_throw=0.15, shuffle=0.15, incident=0.15),
}
"""How often players err and things happen, by how much goes wrong."""


class FromStart:
    """The camera of a virtual table, without its frame of the empty board: that one was for the calibration.

    ``stay`` is called before each frame is given out; ``at_ms`` is when the last one was taken.
    """

    at_ms = 0

    def __init__(self, table: VirtualTable, stay: Callable[[], None] = lambda: None) -> None:
        self._table = table
        self._stay = stay

    def frames(self) -> Iterator[Frame]:
        """Gets the frames from the starting position on."""
        for frame in islice(self._table.camera.frames(), 1, None):
            self._stay()
            self.at_ms = frame.at_ms
            yield frame

    def close(self) -> None:
        """Lets the table's camera go."""
        self._table.camera.close()


def pressed(table: VirtualTable) -> Iterable[Fact]:
    """Gets what the players pressed and answered since the last frame."""
    yield from (ButtonPressed(press.at_ms, press.by) for press in table.panel.presses())
    yield from table.panel.answers()


def tell_report(console: Console, outcome: Report, *, kinds: bool = True, remarks: bool = True) -> None:
    """Prints how the referee did: the sums, before them every kind and, one by one, what should not have been."""
    rows = outcome.rows()
    if kinds:
        wide = console if console.is_terminal else Console(width=_WIDTH)
        shown = Table(title="How the referee did, held against what truly happened", padding=(0, 1, 0, 0), box=SIMPLE)
        for number, heading in enumerate(HEADINGS):
            shown.add_column(heading, justify="left" if number < _NAMES else "right", no_wrap=number < _NAMES)
        for row in rows:
            shown.add_row(*row.cells())
        wide.print(shown)
    if remarks:
        for remark in outcome.remarks():
            console.print(remark, style="bold", highlight=False, soft_wrap=True)
    for row in rows:
        if row.of == "all":
            console.print(
                f"{row.kind}: {row.right} of {row.total} right, {row.wrong_certain} wrong and vouched for, "
                f"{row.wrong_unsure} wrong and not vouched for, {row.not_told} not told, {row.missed} missed",
                highlight=False,
                soft_wrap=True,
            )


def insist_on_no_wrong_ruling(outcome: Report) -> None:
    """Ends the command where the referee was wrong and vouched for it.

    :raises typer.Exit: then, as of work that failed.
    """
    if outcome.wrong_certain:
        complain(f"{len(outcome.wrong_certain)} rulings were wrong and vouched for; this must never happen")
        raise typer.Exit(WORK_FAILED)


def let_table_hear(desk: Desk, table: VirtualTable) -> None:
    """Lets the players of a virtual table hear what the referee says, and its score know what the witnesses told."""
    desk.add_output(lambda fact, effects: table.witnessed(fact))
    desk.add_output(lambda fact, effects: table.hear(effects))
