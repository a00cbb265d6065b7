"""The page's parts for each audience: what it looks at, and what it may say."""

from collections.abc import Iterable, Mapping
from html import escape

from boardctl.console.audience import Audience
from boardctl.console.entrance import Visit
from boardctl.console.pages import Html, filled
from boardctl.lights.words import Say, choice_text, pause_text
from boardctl.referee import Referee
from boardctl.referee.assistance import Level, allowed, assistance_of
from boardctl.referee.effects import Text
from boardctl.referee.facts import Choice, Decision, PauseReason
from boardctl.referee.rows import ROWS
from boardctl.rules import Seat

PLAYERS_PAUSES = (PauseReason.BREAK, PauseReason.CONTEST, PauseReason.DIE_OFF_TABLE, PauseReason.CONCESSION)
"""Why players may stop the clock; for a new game it stands by itself."""

NOTES = ("page.note.wrong", "page.note.too_many", "page.note.left")

_DECISIONS: Mapping[Decision, Text] = {
    Decision.NOTE: Text.of("page.decision.note"),
    Decision.ACCEPT: Text.of("page.decision.accept"),
    Decision.REQUIRE: Text.of("page.decision.require"),
    Decision.RESTORE: Text.of("page.decision.restore"),
    Decision.SCORE: Text.of("page.decision.score"),
    Decision.LENGTH: Text.of("page.decision.length"),
    Decision.CUBE: Text.of("page.decision.cube"),
}
_LEVELS = {
    1: Text.of("page.level.single"),
    2: Text.of("page.level.gammon"),
    3: Text.of("page.level.backgammon"),
    4: Text.of("page.level.double_backgammon"),
}

_ASSIST_LEVELS: Mapping[Level, Text] = {
    Level.OFF: Text.of("page.assist.off"),
    Level.MOVABLE: Text.of("page.assist.movable"),
    Level.TARGETS: Text.of("page.assist.targets"),
    Level.REASONS: Text.of("page.assist.reasons"),
    Level.FORCED: Text.of("page.assist.forced"),
    Level.PIPS: Text.of("page.assist.pips"),
    Level.BEST: Text.of("page.assist.best"),
}


class Layout:
    """Lays the page out. ``say`` knows the texts of the referee and of the page."""

    def __init__(self, referee: Referee, say: Say, language: str) -> None:
        self.say = say
        self._language = language
        self._referee = referee
        self._seats = referee.game.seats
        self._has_cube = referee.state.ledger.has_cube
        self._has_clock = referee.state.clock is not None

    def page(self, visit: Visit | None, note: str = "") -> Html:
        """Gets the whole page for somebody; ``note``: one of :data:`NOTES`, said at its top."""
        audience = Audience.EVERYBODY if visit is None else visit.audience
        part = {
            Audience.EVERYBODY: self._entrance,
            Audience.TABLE: self._table,
            Audience.DIRECTOR: self._director,
        }[audience]()
        ruleset = self._referee.ruleset
        return self._filled(
            "page",
            language=self._language,
            audience=audience.value,
            token=visit.token if visit is not None else "",
            game=self._referee.game.name,
            ruleset=ruleset.title,
            note=self.say(Text(note)) if note in NOTES else "",
            part=part,
            leave=self._filled("leave", token=visit.token) if visit is not None else Html(),
        )

    def _entrance(self) -> Html:
        return self._filled("entrance")

    def _table(self) -> Html:
        return Html("".join(self._seat(seat) for seat in self._seats))

    def _seat(self, seat: Seat) -> Html:
        two = len(self._seats) == 2
        return self._filled(
            "seat",
            seat=seat.value,
            cube=self._filled("seat_cube", seat=seat.value, again=self._again(seat)) if self._has_cube else Html(),
            resign=self._filled("seat_resign", seat=seat.value, levels=self._levels()) if two else Html(),
            clock=self._filled("seat_clock", seat=seat.value, pauses=self._pauses(PLAYERS_PAUSES))
            if self._has_clock
            else Html(),
            assist=self._filled("seat_assist", seat=seat.value, levels=self._assist_levels(seat))
            if self._referee.ruleset.aids.any
            else Html(),
        )

    def _assist_levels(self, seat: Seat) -> Html:
        """Gets the levels whose help the ruleset allows, with the seat's own chosen."""
        levels = sorted({Level.OFF, *allowed(self._referee.ruleset.aids)})
        own = assistance_of(self._referee.state.assist, seat).level
        texts = ((str(int(level)), self.say(_ASSIST_LEVELS[level])) for level in levels)
        return _options(texts, str(int(own)))

    def _again(self, seat: Seat) -> Html:
        if not self._referee.match.terms.beavers:
            return Html()
        choices = (Choice.BEAVER, Choice.RACCOON)
        return Html(
            "".join(
                self._filled("choice", seat=seat.value, choice=c.value, label=self.say(choice_text(c))) for c in choices
            )
        )

    def _levels(self) -> Html:
        levels = {int(level) for level in self._referee.state.ledger.resignation_levels()}
        return _options((str(level), self.say(text)) for level, text in _LEVELS.items() if level in levels)

    def _director(self) -> Html:
        return self._filled(
            "director",
            decisions=_options((decision.value, self.say(text)) for decision, text in _DECISIONS.items()),
            scores=Html("".join(self._filled("score", seat=seat.value) for seat in self._seats)),
            owners=self._seat_options(),
            rows=_options((row, f"{row}, {self.say(text)}") for row, text in ROWS.items()),
            players=self._table(),
            rollers=self._seat_options(),
            clock=self._filled("director_clock", pauses=self._pauses(PauseReason), seats=self._seat_options())
            if self._has_clock
            else Html(),
        )

    def _seat_options(self) -> Html:
        return _options((seat.value, seat.value) for seat in self._seats)

    def _pauses(self, reasons: Iterable[PauseReason]) -> Html:
        return _options((reason.value, self.say(pause_text(reason))) for reason in reasons)

    def _filled(self, name: str, **values: object) -> Html:
        return filled(name, self.say, values)


def _options(each: Iterable[tuple[str, str]], chosen: str | None = None) -> Html:
    return Html(
        "".join(
            f'<option value="{escape(value)}"{" selected" if value == chosen else ""}>{escape(label)}</option>'
            for value, label in each
        )
    )
