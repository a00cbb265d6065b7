"""Until when a game that began from a wrong starting position must be put right, by the ruleset."""

from dataclasses import replace

from boardctl.referee.effects import Text
from boardctl.referee.response import Response
from boardctl.referee.ruleset import SetupWindow
from boardctl.referee.state import WrongStart
from boardctl.rules import Seat

_SECOND = 2


def count_roll(response: Response, seat: Seat) -> None:
    """Counts a valid roll of a game that began wrongly, and says what holds now: to be corrected, or it stands."""
    wrong = response.state.wrong_start
    if wrong is None:
        return
    turns = wrong.starter_turns + (seat is wrong.starter)
    now = replace(wrong, rolls=wrong.rolls + 1, starter_turns=turns)
    response.change(wrong_start=now)
    points = ", ".join(f"{source} for {target}" for source, target, _ in now.astray)
    window = response.ruleset.setup_window
    if window == "none":
        if now.rolls == 1:
            response.notice(Text.of("setup.by_agreement", points=points))
    elif is_open(response, now):
        response.notice(Text.of("setup.correct", points=points))
    elif is_open(response, wrong):
        response.notice(Text.of("setup.stands", points=points))


def is_open(response: Response, wrong: WrongStart) -> bool:
    """Whether a wrong starting position must still be corrected."""
    window = response.ruleset.setup_window
    if isinstance(window, SetupWindow):
        return wrong.rolls < window.rolls
    return window == "starter_second_turn" and wrong.starter_turns < _SECOND
