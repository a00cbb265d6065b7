"""From what was asked for on the command line to a session."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from pydantic import ValidationError

from boardctl.cli.reporting import UsageError
from boardctl.cli.session.options import named_players
from boardctl.referee import read_ruleset
from boardctl.referee.assistance import Assist, Assistance, Level
from boardctl.rules import Seat
from boardctl.table import GAMES, Session

_WITH_LAST_ROLL = ("backgammon", "house-rules")


@dataclass(frozen=True, slots=True)
class CubeCustoms:
    """Whether a doubling cube is used, by which customs of money play, and whether Last Roll is played."""

    cube: bool = False
    jacoby: bool = False
    beavers: bool = False
    automatic_doubles: int = 0
    last_roll: bool = False


def session_of(
    game: str,
    ruleset: str,
    match_length: int | None,
    source: str,
    *,
    recorded: bool = False,
    assist: str | None = None,
    assist_lifts: int | None = None,
    customs: CubeCustoms | None = None,
    options: Mapping[str, str] | None = None,
    players: list[str] | None = None,
    calibration: str = "",
) -> Session:
    """Gets the session that was asked for. ``recorded``: followed from pictures that were taken now and then.

    ``assist``: a level for all seats (``3``), or one for each (``A=6,B=0``). ``options``: of game, match or Last Roll.
    ``players``: their names, each as ``A=Ann``. ``calibration``: the digest of what the camera is read by.

    :raises UsageError: for a game or an option that is not known, or help that there is not or that the ruleset does
        not allow.
    :raises SettingsError: for a ruleset that is not known, or whose file cannot be used.
    """
    if game not in GAMES:
        raise UsageError(f"no game is called {game!r}; choose one of {', '.join(GAMES)}")
    rules = read_ruleset(ruleset)
    chosen = None if assist is None else _assist(assist, assist_lifts, GAMES[game]().seats)
    if chosen is not None and not rules.aids.any and any(one.level for _, one in chosen):
        raise UsageError(f"--assist: ruleset {rules.id} allows no aids, so there are none; try --ruleset teaching")
    customs = customs or CubeCustoms()
    money = customs.jacoby or customs.beavers or customs.automatic_doubles
    if money and not customs.cube:
        raise UsageError("--jacoby, --beavers and --automatic-doubles are customs of the cube; give --cube, too")
    if customs.cube and len(GAMES[game]().seats) != 2:
        raise UsageError(f"--cube: {game} is played without one")
    if customs.last_roll and game not in _WITH_LAST_ROLL:
        raise UsageError(f"--last-roll: belongs to backgammon, not to {game}")
    if match_length is not None and money:
        raise UsageError("--jacoby, --beavers and --automatic-doubles belong to money play; leave out --match")
    try:
        return Session(
            game=game,
            ruleset=rules,
            match_length=match_length,
            options=options or {},
            players=named_players(GAMES[game]().seats, players),
            recorded=recorded,
            begun=datetime.now(UTC).astimezone().isoformat(timespec="seconds"),
            source=source,
            calibration=calibration,
            assist=chosen,
            **asdict(customs),
        )
    except ValidationError as error:
        raise UsageError(f"--option: {error.errors()[0]['msg'].removeprefix('Value error, ')}") from error


def _assist(text: str, lifts: int | None, seats: tuple[Seat, ...]) -> Assist:
    words = [word.partition("=") for word in text.split(",")]
    each = {name.strip(): level.strip() for name, equals, level in words if equals}
    if not each:
        each = dict.fromkeys(seats, text.strip())
    names = [seat.value for seat in seats]
    if (len(each) < len(words) and "=" in text) or any(name not in names for name in each):
        raise UsageError(f"--assist {text}: give one level for all, such as 3, or one for each seat, such as A=6,B=0")
    levels = [str(level.value) for level in Level]
    if wrong := next((level for level in each.values() if level not in levels), None):
        raise UsageError(f"--assist {text}: no level {wrong!r}; levels are {levels[0]} to {levels[-1]}")
    return tuple((Seat(name), Assistance(Level(int(level)), lifts)) for name, level in each.items())
