"""The option ``--checkers``: how many a seat has in all, for commands that read pictures one by one."""

from typing import Annotated

import typer

BACKGAMMON_CHECKERS = 15
MOST_CHECKERS = 30

CheckersOption = Annotated[
    int,
    typer.Option(
        min=0,
        max=MOST_CHECKERS,
        help="How many checkers each seat has in all. What is seen elsewhere then helps to count "
        "tall stacks. 0: nobody knows; each place is told as it was seen.",
    ),
]
