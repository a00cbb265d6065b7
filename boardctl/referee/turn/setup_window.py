"""Until when a game that began from a wrong starting position must be put right, by the ruleset."""

from dataclasses import replace

from boardctl.referee.effects import Text
from boardctl.referee.response import Response
from boardctl.referee.ruleset import SetupWindow
from boardctl.referee.state import WrongStart
from boardctl.rules import Place, PlaceKind, Seat

_SECOND = 2


def count_roll(response: Response, seat: Seat) -> None:
    """Counts a valid roll of a game that began wrongly, and says what holds now: to be corrected, or it stands."""
    wrong = response.state.wrong_start
    if wrong is None:
        return
    turns = wrong.starter_turns + (seat is wrong.starter)
    now = replace(wrong, rolls=wrong.rolls + 1, starter_turns=turns)
    response.change(wrong_start=now)
    if response.ruleset.setup_window == "none":
        if now.rolls == 1:
            say_what_holds(response, now)
    elif is_open(response, now) or is_open(response, wrong):
        say_what_holds(response, now)


def say_what_holds(response: Response, wrong: WrongStart) -> None:
    """Says whether a wrong start must be put right now, may be, or stands; and what follows where checkers are missing
    and stay out."""
    points = ", ".join(f"{_where(source)} for {target}" for source, target, _ in wrong.astray)
    if response.ruleset.setup_window == "none":
        response.notice(Text.of("setup.by_agreement", points=points))
    elif is_open(response, wrong):
        response.notice(Text.of("setup.correct", points=points))
        return
    else:
        response.notice(Text.of("setup.stands", points=points))
    for seat, count in response.state.missing:
        response.notice(Text.of("setup.stays_out", seat=seat, count=count))


def _where(source: Place) -> str:
    return "none" if source.kind is PlaceKind.TRAY else str(source)


def is_open(response: Response, wrong: WrongStart) -> bool:
    """Whether a wrong starting position must still be corrected."""
    window = response.ruleset.setup_window
    if isinstance(window, SetupWindow):
        return wrong.rolls < window.rolls
    return window == "starter_second_turn" and wrong.starter_turns < _SECOND
