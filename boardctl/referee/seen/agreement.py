"""Where two witnesses agree about a board, and where they do not."""

from dataclasses import dataclass
from enum import StrEnum
from math import log

from boardctl.referee.readings import BoardReading, PlaceReading
from boardctl.referee.seen.judging import DISAGREEMENT
from boardctl.referee.seen.weighing import LIKELIHOOD_FLOOR, unlisted_likelihood
from boardctl.rules import Place, Stack


class Agreement(StrEnum):
    """What two witnesses say of one place."""

    AGREE = "agree"
    DISAGREE = "disagree"
    ONE_SEES = "one_sees"  # the place is hidden from the other, or it vouches for nothing there
    NONE_SEES = "none_sees"


@dataclass(frozen=True, slots=True)
class PlaceAgreement:
    """One place, what the first and the second witness hold to be there (None: nothing vouched for), and whether they
    agree. Where one cannot tell counts apart, as sensors cannot above a full row, it agrees with each of them."""

    place: Place
    first: Stack | None
    second: Stack | None
    agreement: Agreement


def compare(first: BoardReading, second: BoardReading) -> tuple[PlaceAgreement, ...]:
    """Gets what two readings of one board say of each place that either lists."""
    places = dict.fromkeys(reading.place for board in (first, second) for reading in board.places)
    return tuple(_at(place, first.at(place), second.at(place)) for place in places)


def _at(place: Place, first: PlaceReading, second: PlaceReading) -> PlaceAgreement:
    seen = sum(reading.best is not None for reading in (first, second))
    if seen < 2:
        agreement = Agreement.ONE_SEES if seen else Agreement.NONE_SEES
    else:
        stacks = {chance.stack for reading in (first, second) for chance in reading.chances}
        fits = any(_fits(first, stack) and _fits(second, stack) for stack in stacks)
        agreement = Agreement.AGREE if fits else Agreement.DISAGREE
    return PlaceAgreement(place, first.best, second.best, agreement)


def _fits(reading: PlaceReading, stack: Stack) -> bool:
    """Whether a witness does not contradict a stack, by the measure by which it contradicts a play."""
    return log(reading.confidence) - log(_likelihood(reading, stack)) < DISAGREEMENT


def _likelihood(reading: PlaceReading, stack: Stack) -> float:
    listed = any(chance.stack == stack for chance in reading.chances)
    return max(reading.likelihood(stack), LIKELIHOOD_FLOOR) if listed else unlisted_likelihood(reading)
