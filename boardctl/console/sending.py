"""From what is shown of a table to the model that leaves the process, in the words of one language."""

from collections.abc import Callable

from boardctl.console.audience import Audience
from boardctl.console.console import Shown
from boardctl.console.drawing import BoardDrawing
from boardctl.console.findings_log import LoggedFinding
from boardctl.console.page_state import (
    ChoiceSent,
    ClockSent,
    DirectorSent,
    FindingSent,
    FrameSent,
    PageState,
    QuestionSent,
    SeatScore,
    SeatTime,
)
from boardctl.console.telling import Telling
from boardctl.lights.words import Say, choice_text, cube_text, pause_text, phase_text
from boardctl.referee import Ruleset
from boardctl.referee.clock import Clock
from boardctl.referee.effects import Prompt
from boardctl.table.packing import rule_text, words_of

FINDINGS_SENT = 20
"""How many of the last findings the director's page holds; all are in the record."""


class Sender:
    """Makes the model of what is shown. ``say`` knows the texts of the referee and of the page."""

    def __init__(
        self,
        ruleset: Ruleset,
        say: Say,
        drawing: BoardDrawing,
        now_ms: Callable[[], int],
    ) -> None:
        self._ruleset = ruleset
        self._say = say
        self._drawing = drawing
        self._now_ms = now_ms
        self._made: dict[Audience, tuple[int, PageState]] = {}
        self._written: dict[int, tuple[LoggedFinding, FindingSent]] = {}

    def state_of(self, shown: Shown, audience: Audience) -> PageState:
        """Gets the model of what is shown, for an audience that it is meant for.

        It is made once, however many look; only the age of what the clock shows differs.
        """
        made = self._made.get(audience)
        if made is None or made[0] != shown.number:
            made = self._made[audience] = (shown.number, self._make(shown, audience))
        state, clock = made[1], shown.telling.clock
        if state.clock is None or clock is None:
            return state
        age_ms = max(0, self._now_ms() - clock.at_ms)
        return state.model_copy(update={"clock": state.clock.model_copy(update={"age_ms": age_ms})})

    def _make(self, shown: Shown, audience: Audience) -> PageState:
        told = shown.telling
        return PageState(
            audience=audience.value,
            phase=self._say(phase_text(told.phase, told.on_turn)),
            on_turn=told.on_turn.value if told.on_turn else None,
            roll=str(told.roll) if told.roll else "",
            score=tuple(SeatScore(seat=seat.value, points=points) for seat, points in told.score),
            match_length=told.match_length,
            cube=self._cube(told),
            clock=None if told.clock is None else self._clock(told.clock),
            question=None if told.prompt is None else self._question(told.prompt, audience),
            advice=told.advice,
            said=told.said,
            board=self._drawing(told),
            director=self._director(shown) if audience is Audience.DIRECTOR else None,
        )

    def _cube(self, told: Telling) -> str:
        if told.cube is None:
            return ""
        return self._say(cube_text(*told.cube))

    def _clock(self, clock: Clock) -> ClockSent:
        sides = (
            SeatTime(seat=seat.value, reserve_ms=side.reserve_ms, delay_ms=side.delay_ms, is_up=side.flagged)
            for seat, side in clock.sides
        )
        return ClockSent(
            sides=tuple(sides),
            running=clock.running.value if clock.running else None,
            paused="" if clock.paused is None else self._say(pause_text(clock.paused)),
            age_ms=0,
        )

    def _question(self, prompt: Prompt, audience: Audience) -> QuestionSent:
        # The number of a question says how many were asked before it, perhaps of the director alone.
        numbered = self._ruleset.announce == "monitor" or audience is Audience.DIRECTOR
        choices = (
            ChoiceSent(choice=choice.value, label=self._say(choice_text(choice)))
            for choice in dict.fromkeys(prompt.choices)
        )
        return QuestionSent(
            number=prompt.number if numbered else None,
            to=tuple(role.value for role in prompt.to),
            text=self._say(prompt.text),
            choices=tuple(choices),
        )

    def _director(self, shown: Shown) -> DirectorSent:
        last = shown.findings[: -FINDINGS_SENT - 1 : -1]
        written = {finding.number: (finding, self._finding(finding)) for finding in last}
        self._written = written
        return DirectorSent(last_entry=shown.last_entry, findings=tuple(sent for _, sent in written.values()))

    def _finding(self, finding: LoggedFinding) -> FindingSent:
        """Gets a finding in words; one that has not changed is not written anew."""
        before = self._written.get(finding.number)
        return before[1] if before is not None and before[0] is finding else self._write(finding)

    def _write(self, finding: LoggedFinding) -> FindingSent:
        recorded = finding.recorded
        where = f"findings/{recorded.number}"
        return FindingSent(
            number=recorded.number,
            at_s=recorded.at_ms / 1000,
            certainty=finding.certainty,
            says=tuple(words_of(recorded, self._say)),
            rule=rule_text(self._ruleset, recorded.options),
            frames=tuple(
                FrameSent(name=frame.name, url=f"{where}/frames/{frame.name}", at_s=frame.at_ms / 1000)
                for frame in finding.kept.frames
            ),
            frames_lost="; ".join(finding.kept.lost),
            pack_url=f"{where}/pack.zip",
        )
