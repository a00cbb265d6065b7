"""What a benchmark has counted, as a table: a line a kind, a column a measure."""

from collections import Counter
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table

WIDTH = 120


def print_counts(
    heading: str, kinds: Iterable[str], measures: Sequence[str], counts: "Counter[tuple[str, str]]"
) -> None:
    """Prints how often each measure came out for each kind; ``heading`` stands over the kinds."""
    table = Table(heading, *measures, box=None)
    for kind in kinds:
        table.add_row(kind, *(str(counts[kind, measure]) for measure in measures))
    Console(width=WIDTH).print(table)
