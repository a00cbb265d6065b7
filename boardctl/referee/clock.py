"""The clock of a match, pure: time is passed in, nothing here looks at a watch.

Simple delay (the standard of US tournaments since 2013): each time a side's clock is started, the delay runs first;
only when it is used up does the reserve run. What is not used of the delay is never banked. This is neither an
increment nor the Bronstein way, which takes from the reserve at once and gives back.
"""

from dataclasses import dataclass, replace

from boardctl.referee.facts import PauseReason
from boardctl.referee.ruleset import ClockTerms
from boardctl.rules import Seat


class ClockError(ValueError):
    """A clock that was asked for what cannot be; the message says what and when."""


def reserve_ms(terms: ClockTerms, match_length: int, points_scored: int) -> int:
    """Gets the reserve of a side: so much a point of the match, less so much for each point scored by either side.

    Source: US clock rules of 2013, 2 minutes a point and 1 minute less for each point already scored.

    :raises ClockError: when more points were scored than two sides can.
    """
    if not 0 <= points_scored <= 2 * (match_length - 1):
        raise ClockError(f"{points_scored} points scored in a match to {match_length} that is still played")
    seconds = terms.reserve_a_point_s * match_length - terms.less_a_point_scored_s * points_scored
    return max(0, seconds) * 1000


@dataclass(frozen=True, slots=True)
class Side:
    """The time of one seat. ``overtimes_used``: how many periods of overtime have been given to it."""

    reserve_ms: int
    delay_ms: int
    flagged: bool = False
    overtimes_used: int = 0


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock of two or more sides, as it stood at ``at_ms``. Every method gives the clock that follows.

    ``running`` is the seat whose time runs; None while nobody's does. ``paused`` says why; None before the first start
    and while it runs. ``stopped_seat`` is whose time ran when it was paused. ``fell`` are the seats whose time is up,
    the first to fall first: a clock knows what two people who noticed nothing cannot.
    """

    terms: ClockTerms
    sides: tuple[tuple[Seat, Side], ...]
    at_ms: int = 0
    running: Seat | None = None
    paused: PauseReason | None = None
    stopped_seat: Seat | None = None
    fell: tuple[Seat, ...] = ()

    @classmethod
    def of(cls, terms: ClockTerms, seats: tuple[Seat, ...], match_length: int, points_scored: int = 0) -> "Clock":
        """Gets a clock that has not been started.

        :raises ClockError: when the terms know no clock.
        """
        if terms.kind == "none":
            raise ClockError("the ruleset has no clock")
        side = Side(reserve_ms(terms, match_length, points_scored), terms.delay_s * 1000)
        return cls(terms, tuple((seat, side) for seat in seats))

    def side(self, seat: Seat) -> Side:
        """Gets the time of a seat as it stood at ``at_ms``.

        :raises ClockError: for a seat that has no clock.
        """
        for owner, side in self.sides:
            if owner is seat:
                return side
        raise ClockError(f"seat {seat.value} has no clock")

    def advanced(self, now_ms: int) -> "Clock":
        """Gets the clock at a later instant: the delay of the running side runs first, then its reserve.

        :raises ClockError: when time goes backwards.
        """
        if now_ms < self.at_ms:
            raise ClockError(f"the clock stood at {self.at_ms} ms and was told {now_ms} ms: time goes forward only")
        if self.running is None:
            return replace(self, at_ms=now_ms)
        side, spent = self.side(self.running), now_ms - self.at_ms
        of_delay = min(spent, side.delay_ms)
        reserve, used = side.reserve_ms - (spent - of_delay), side.overtimes_used
        while reserve <= 0 and used < len(self.terms.overtime_s) and not side.flagged:
            reserve, used = reserve + self.terms.overtime_s[used] * 1000, used + 1
        flagged = side.flagged or reserve < 0 or (reserve == 0 and spent > of_delay)
        changed = Side(max(0, reserve), side.delay_ms - of_delay, flagged, used)
        fell = (*self.fell, self.running) if flagged and self.running not in self.fell else self.fell
        return replace(self._with(self.running, changed), at_ms=now_ms, fell=fell)

    @property
    def due_ms(self) -> int | None:
        """When the flag of the running side falls, or its next overtime begins, if nobody does anything until then.

        None while nobody's time runs, and once its flag has fallen.
        """
        if self.running is None or self.side(self.running).flagged:
            return None
        side = self.side(self.running)
        return self.at_ms + side.delay_ms + max(side.reserve_ms, 1)

    def started(self, seat: Seat, now_ms: int, delay_whole: bool = True) -> "Clock":
        """Gets the clock with the time of ``seat`` running, its delay whole again, or all spent.

        :raises ClockError: when time goes backwards or the seat has no clock.
        """
        clock = self.advanced(now_ms)
        fresh = replace(clock.side(seat), delay_ms=self.terms.delay_s * 1000 if delay_whole else 0)
        return replace(clock._with(seat, fresh), running=seat, paused=None, stopped_seat=None)

    def pressed(self, by: Seat, now_ms: int) -> "Clock":
        """Gets the clock after a seat hit its lever: it ends its own time and starts that of the next seat.

        Hitting it in another's time, or while it is paused, does nothing: only the own act ends a turn.
        """
        clock = self.advanced(now_ms)
        if clock.running is not by:
            return clock
        seats = [seat for seat, _ in self.sides]
        return clock.started(seats[(seats.index(by) + 1) % len(seats)], now_ms)

    def stopped(self, reason: PauseReason, now_ms: int) -> "Clock":
        """Gets the clock paused, with the reason that stands in the record."""
        clock = self.advanced(now_ms)
        stopped_seat = clock.running if clock.running is not None else clock.stopped_seat
        return replace(clock, running=None, paused=reason, stopped_seat=stopped_seat)

    def resumed(self, now_ms: int, delay_whole: bool = False) -> "Clock":
        """Gets the clock running on for the seat whose time was stopped.

        ``delay_whole``: by a ruling its delay begins again.

        :raises ClockError: when nobody's time was stopped.
        """
        clock = self.advanced(now_ms)
        if clock.stopped_seat is None:
            raise ClockError("nobody's time was stopped; start the clock for a seat instead")
        if delay_whole:
            return clock.started(clock.stopped_seat, now_ms)
        return replace(clock, running=clock.stopped_seat, paused=None, stopped_seat=None)

    def given(self, seat: Seat, more_ms: int, now_ms: int) -> "Clock":
        """Gets the clock after a ruling gave a seat time, or took it (``more_ms`` below 0). A fallen flag stays fallen
        unless time was given.
        """
        clock = self.advanced(now_ms)
        side = clock.side(seat)
        reserve = max(0, side.reserve_ms + more_ms)
        flagged = side.flagged and more_ms <= 0
        lifted = replace(clock, fell=clock.fell if flagged else tuple(other for other in clock.fell if other != seat))
        return lifted._with(seat, replace(side, reserve_ms=reserve, flagged=flagged))

    @property
    def flagged(self) -> tuple[Seat, ...]:
        """The seats whose time is up, the first to fall first. What it means, and when it counts, is the ruleset's."""
        return self.fell

    def _with(self, seat: Seat, changed: Side) -> "Clock":
        self.side(seat)
        return replace(self, sides=tuple((owner, changed if owner is seat else side) for owner, side in self.sides))


__all__ = ["Clock", "ClockError", "PauseReason", "Side", "first_started", "reserve_ms"]


def first_started(opening: dict[Seat, int]) -> Seat:
    """Gets the seat whose clock the opening dice start: the winner's. It is the lower roller who starts it.

    :raises ClockError: for equal dice.
    """
    highest = max(opening.values())
    winners = [seat for seat, value in opening.items() if value == highest]
    if len(winners) != 1:
        raise ClockError(f"opening dice {opening}: equal dice start no clock")
    return winners[0]
