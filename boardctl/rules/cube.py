"""The doubling cube through one game: offers, answers, automatic doubles. Values only; every step gets a new one.

Whether a seat may offer a double at all depends on the match too: see :meth:`boardctl.rules.match.Match.refusal`.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from boardctl.rules.board import Seat


class CubeError(ValueError):
    """A step that the cube does not allow now."""


class OfferKind(StrEnum):
    """What kind of turning the cube an offer is."""

    DOUBLE = "double"
    BEAVER = "beaver"
    RACCOON = "raccoon"


_NEXT_KIND = {OfferKind.DOUBLE: OfferKind.BEAVER, OfferKind.BEAVER: OfferKind.RACCOON}


@dataclass(frozen=True, slots=True)
class Offer:
    """A turned cube that waits for its answer."""

    kind: OfferKind
    by: Seat
    taker: Seat  # who owns the cube when the offer is taken
    value: int  # of the cube when the offer is taken
    dropped_value: int  # what the one who answers loses otherwise

    @property
    def answers(self) -> Seat:
        """The seat whose answer is waited for."""
        return self.by.other


@dataclass(frozen=True, slots=True)
class Drop:
    """A game that ended because an offer was refused: what the winner scores."""

    winner: Seat
    value: int


@dataclass(frozen=True, slots=True)
class Cube:
    """The cube of one game. ``owner`` is None while it lies in the middle, where either seat may double."""

    value: int = 1
    owner: Seat | None = None
    offer: Offer | None = None
    offered: bool = False  # whether a seat has offered a double in this game; an automatic double is no offer
    automatic: int = 0  # how many automatic doubles there were

    def may_be_turned_by(self, seat: Seat) -> bool:
        """Whether the cube lies where ``seat`` can turn it, with no offer waiting."""
        return self.offer is None and self.owner in (None, seat)

    def doubled_automatically(self, limit: int) -> "Cube":
        """Gets the cube after equal opening dice: twice the value, still in the middle, up to ``limit`` times a game.

        "If identical numbers are thrown on the first roll, the stakes are doubled. The doubling cube is turned to 2
        and remains in the middle. Players usually agree to limit the number of automatic doubles to one per game."
        """
        if self.automatic >= limit:
            return self
        return replace(self, value=2 * self.value, automatic=self.automatic + 1)

    def double(self, seat: Seat) -> "Cube":
        """Gets the cube after ``seat`` has offered to double.

        :raises CubeError: when the other seat owns the cube, or an offer waits for its answer.
        """
        if self.offer is not None:
            raise CubeError(f"{seat.value} cannot double: the {self.offer.kind} of {self.offer.by.value} waits")
        if not self.may_be_turned_by(seat):
            raise CubeError(f"{seat.value} cannot double: the cube at {self.value} is {seat.other.value}'s")
        offer = Offer(OfferKind.DOUBLE, seat, seat.other, 2 * self.value, self.value)
        return replace(self, offer=offer, offered=True)

    def redouble_at_once(self) -> "Cube":
        """Gets the cube after a beaver, or after a raccoon when a beaver waits.

        "When a player is doubled, he may immediately redouble (beaver) while retaining possession of the cube. The
        original doubler has the option of accepting or refusing as with a normal double." Who refuses a beaver loses
        the stake that he had offered. A raccoon answers a beaver in the same way.

        :raises CubeError: when no double or beaver waits for its answer.
        """
        waiting = self._waiting()
        kind = _NEXT_KIND.get(waiting.kind)
        if kind is None:
            raise CubeError(f"{waiting.answers.value} cannot turn the cube on: a raccoon is taken or dropped")
        return replace(self, offer=Offer(kind, waiting.answers, waiting.taker, 2 * waiting.value, waiting.value))

    def take(self) -> "Cube":
        """Gets the cube after the waiting offer was taken.

        :raises CubeError: when no offer waits.
        """
        waiting = self._waiting()
        return replace(self, value=waiting.value, owner=waiting.taker, offer=None)

    def drop(self) -> Drop:
        """Gets how the game ends when the waiting offer is refused.

        :raises CubeError: when no offer waits.
        """
        waiting = self._waiting()
        return Drop(waiting.by, waiting.dropped_value)

    def _waiting(self) -> Offer:
        if self.offer is None:
            raise CubeError(f"no offer waits for an answer; the cube stands at {self.value}")
        return self.offer


CENTRED = Cube()
"""The cube of a new game."""
