"""From what was asked at the page to a fact: who may, what must stand for it, and why not."""

from collections.abc import Callable
from typing import assert_never

from boardctl.console.asks import (
    DIRECTORS,
    Answer,
    Ask,
    Assist,
    CallFlag,
    Declare,
    Double,
    GiveTime,
    Press,
    Query,
    Resign,
    ResumeClock,
    Rule,
    StopClock,
)
from boardctl.console.audience import Audience
from boardctl.console.telling import OFFERS
from boardctl.records import Journal
from boardctl.records.rulings import UnknownEntryError, check_entry
from boardctl.referee import Referee
from boardctl.referee.announcing import is_silent
from boardctl.referee.effects import Prompt
from boardctl.referee.facts import (
    Answered,
    AssistanceChosen,
    ButtonPressed,
    ClockResumed,
    ClockStopped,
    DirectorRuled,
    Doubled,
    Fact,
    FlagCalled,
    PositionDeclared,
    Queried,
    Resigned,
    Role,
    Text,
    TimeGiven,
)
from boardctl.referee.readings import Witness
from boardctl.rules import Seat


class RefusedError(Exception):
    """Something that was asked for and is not done; ``text`` says why. Nothing was recorded of it."""

    def __init__(self, text: Text) -> None:
        super().__init__(text.key)
        self.text = text


class Actor:
    """Makes facts of what is asked, on the table's own thread, where nothing changes between the check and the fact."""

    def __init__(self, referee: Referee, journal: Journal, now_ms: Callable[[], int]) -> None:
        self._referee = referee
        self._journal = journal
        self._now_ms = now_ms

    def fact_of(self, ask: Ask, audience: Audience) -> Fact:
        """Gets the fact that is asked for.

        :raises RefusedError: when this audience may not, or what it would be about is not there.
        """
        if audience is Audience.EVERYBODY or (isinstance(ask, DIRECTORS) and audience is not Audience.DIRECTOR):
            raise RefusedError(Text.of("page.refused.role"))
        at_ms = self._now_ms()
        match ask:
            case Double(seat=seat):
                return Doubled(at_ms, self._player(seat))
            case Resign(seat=seat, level=level):
                return Resigned(at_ms, self._player(seat), level)
            case Answer():
                return self._answered(ask, audience, at_ms)
            case Press(seat=seat):
                return self._pressed(self._player(seat), at_ms)
            case Query(seat=seat):
                return Queried(at_ms, self._by(seat, audience))
            case Assist(seat=seat, level=level, lifts=lifts):
                if not self._referee.ruleset.aids.any:
                    raise RefusedError(Text.of("page.refused.no_aids"))
                return AssistanceChosen(at_ms, self._player(seat), seat, level, lifts)
            case CallFlag(seat=seat):
                self._needs_clock()
                return FlagCalled(at_ms, self._by(seat, audience))
            case StopClock(seat=seat, reason=reason):
                self._needs_clock()
                return ClockStopped(at_ms, self._by(seat, audience), reason)
            case ResumeClock(seat=seat, delay_whole=delay_whole):
                self._needs_clock()
                return ClockResumed(at_ms, self._by(seat, audience), delay_whole)
            case GiveTime(seat=seat, seconds=seconds, reason=reason):
                self._needs_clock()
                self._player(seat)
                return TimeGiven(at_ms, Role.DIRECTOR, seat, seconds * 1000, reason)
            case Rule():
                return self._ruled(ask, at_ms)
            case Declare(roller=roller):
                return self._declared(roller, at_ms)
            case _:
                assert_never(ask)

    def _player(self, seat: Seat) -> Role:
        """Gets a player's role: players speak at the table's screen, and the director for them."""
        if seat not in self._referee.game.seats:
            raise RefusedError(Text.of("page.refused.seat", seat=seat))
        return Role(seat.value)

    def _by(self, seat: Seat | None, audience: Audience) -> Role:
        if seat is not None:
            return self._player(seat)
        if audience is not Audience.DIRECTOR:
            raise RefusedError(Text.of("page.refused.who"))
        return Role.DIRECTOR

    def _pressed(self, by: Role, at_ms: int) -> ButtonPressed:
        """Gets the press of a seat's button. A button at the table requires a legal play while that is asked; here
        there is a button for each answer, and who says to be done must not require anything by it."""
        if self._question(by) is not None:
            raise RefusedError(Text.of("page.refused.answer_first"))
        return ButtonPressed(at_ms, by)

    def _needs_clock(self) -> None:
        if self._referee.state.clock is None:
            raise RefusedError(Text.of("page.refused.no_clock"))

    def _answered(self, ask: Answer, audience: Audience, at_ms: int) -> Answered:
        by = self._by(ask.seat, audience)
        prompt = self._question(by)
        other = prompt is not None and (
            (ask.prompt is not None and ask.prompt != prompt.number)
            or (ask.offer is not None and prompt.text.key != f"ask.{ask.offer}")
        )
        if prompt is None or other:
            raise RefusedError(Text.of("page.refused.no_question"))
        if ask.choice not in prompt.choices:
            raise RefusedError(Text.of("page.refused.choice", choice=ask.choice.replace("_", " ")))
        return Answered(at_ms, by, prompt.number, ask.choice)

    def _question(self, by: Role) -> Prompt | None:
        """Gets the question that stands for somebody; None also where he may not know that one stands."""
        state = self._referee.state
        prompt = state.prompt
        if prompt is None or by is Role.DIRECTOR:
            return prompt
        hidden = is_silent(self._referee.ruleset, state) and prompt.text.key not in OFFERS
        return None if hidden or by not in prompt.to else prompt

    def _ruled(self, ask: Rule, at_ms: int) -> DirectorRuled:
        ruling = DirectorRuled(
            at_ms,
            ask.name,
            ask.decision,
            ask.reason,
            score=tuple(ask.score.items()),
            cube_value=ask.cube_value,
            cube_owner=ask.cube_owner,
            entry=ask.entry,
            length=ask.length,
            row=ask.row or "",
            seat=ask.about,
        )
        if ask.about is not None:
            self._player(ask.about)
        try:
            check_entry(self._journal, ruling)
        except UnknownEntryError as error:
            raise RefusedError(Text.of("page.refused.no_entry", entry=error.entry, last=error.last)) from error
        return ruling

    def _declared(self, roller: Seat | None, at_ms: int) -> PositionDeclared:
        reading = dict(self._referee.state.readings).get(Witness.CAMERA)
        if reading is None:
            raise RefusedError(Text.of("page.refused.not_seen"))
        if roller is not None:
            self._player(roller)
        return PositionDeclared(at_ms, Role.DIRECTOR, reading, roller)
