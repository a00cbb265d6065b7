"""From how a referee stands to the message that tells of it, in the words of one language."""

import socket
from dataclasses import dataclass
from datetime import datetime, timedelta

from boardctl import __version__
from boardctl.hall.matters import Matters, OpenFinding, asks_director_alone
from boardctl.hall.messages import (
    LONGEST_WORDS,
    MOST_MATTERS,
    MOST_SENTENCES,
    Call,
    ClockTold,
    Cube,
    Evidence,
    Irregularity,
    Question,
    SeatClock,
    SeatScore,
    TableState,
)
from boardctl.lights.words import Say, certainty_text, choice_text, pause_text, phase_text
from boardctl.referee import Ruleset
from boardctl.referee.clock import Clock
from boardctl.referee.effects import Certainty
from boardctl.referee.facts import Role
from boardctl.referee.state import State
from boardctl.rules import Cube as CubeLying
from boardctl.table.packing import words_of


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A table at one instant: values only, so that another thread may make words of it. ``now_ms``: the time since it
    began to tell; ``table_ms``: the table's own time, which its clock goes by."""

    state: State
    matters: Matters
    now_ms: int
    table_ms: int


@dataclass(frozen=True, slots=True)
class Teller:
    """Makes the messages of one table. What is in them is for the director: it tells what players may not know."""

    table: str
    run: str
    game: str
    ruleset: Ruleset
    record: str
    page: str | None
    say: Say

    def message(self, shown: Snapshot, number: int, began: datetime) -> TableState:
        """Gets the message number ``number`` about a snapshot; ``began``: when the table began to tell."""
        state, matters = shown.state, shown.matters

        def at(ms: int) -> datetime:
            return (began + timedelta(milliseconds=ms)).replace(microsecond=0)

        return TableState(
            table=self.table,
            run=self.run,
            number=number,
            now_ms=shown.now_ms,
            at=at(shown.now_ms),
            software=__version__,
            game=self.game,
            ruleset=self.ruleset.id,
            match_length=state.ledger.rules.length,
            crawford=state.ledger.is_crawford,
            game_number=state.game_number,
            turns=state.turns_played,
            phase=state.phase,
            says=fit(self.say(phase_text(state.phase, state.seat))),
            on_turn=state.seat,
            roll="" if state.roll is None else str(state.roll),
            score=tuple(SeatScore(seat=seat, points=points) for seat, points in state.score),
            cube=_cube(state.cube) if state.ledger.has_cube else None,
            clock=None if state.clock is None else self._clock(state.clock, shown.table_ms),
            devices_lost=tuple(device.value for device in state.lost),
            question=self._question(state, matters.question_since_ms, at(matters.question_since_ms)),
            calls=tuple(
                Call(why=fit(self.say(call.why)), since_ms=call.since_ms, since=at(call.since_ms))
                for call in matters.calls
            ),
            irregularities=tuple(self._irregularity(one, at(one.since_ms)) for one in matters.findings[-MOST_MATTERS:]),
            evidence=Evidence(
                machine=fit(socket.gethostname()),
                record=fit(self.record),
                page=None if self.page is None else fit(self.page),
            ),
        )

    def _question(self, state: State, since_ms: int, since: datetime) -> Question | None:
        if (prompt := state.prompt) is None:
            return None
        asked = (Role.DIRECTOR,) if asks_director_alone(self.ruleset, state) else prompt.to
        return Question(
            to=tuple(role.value for role in asked),
            text=fit(self.say(prompt.text)),
            choices=tuple(self.say(choice_text(choice)) for choice in dict.fromkeys(prompt.choices)),
            since_ms=since_ms,
            since=since,
        )

    def _irregularity(self, found: OpenFinding, since: datetime) -> Irregularity:
        certainty = found.certainty
        return Irregularity(
            entry=found.recorded.number,
            certainty=self.say(certainty_text(Certainty(certainty))) if certainty else "",
            says=tuple(fit(words) for words in words_of(found.recorded, self.say)[:MOST_SENTENCES]),
            pictures=found.pictures,
            since_ms=found.since_ms,
            since=since,
        )

    def _clock(self, clock: Clock, table_ms: int) -> ClockTold:
        now = clock.advanced(max(table_ms, clock.at_ms))
        return ClockTold(
            sides=tuple(
                SeatClock(seat=seat, reserve_ms=side.reserve_ms, delay_ms=side.delay_ms, is_up=side.flagged)
                for seat, side in now.sides
            ),
            running=now.running,
            paused="" if now.paused is None else self.say(pause_text(now.paused)),
        )


def _cube(cube: CubeLying) -> Cube:
    offered = None if cube.offer is None else cube.offer.value
    return Cube(value=cube.value, owner=cube.owner, offered=offered)


def fit(words: str) -> str:
    """Gets words as a message may carry them: signs that cannot be shown become spaces, and too many words are cut."""
    shown = "".join(sign if sign.isprintable() else " " for sign in words)
    return shown if len(shown) <= LONGEST_WORDS else shown[: LONGEST_WORDS - 1] + "…"
