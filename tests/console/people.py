"""What people do at a board as facts, as a table with perfect eyes would report them."""

from random import Random

from boardctl.referee import Referee
from boardctl.referee.effects import Phase
from boardctl.referee.facts import (
    Answered,
    BoardSeen,
    ButtonPressed,
    Decision,
    DiceLifted,
    DiceRested,
    DirectorRuled,
    Doubled,
    Fact,
    HandSeen,
    PositionDeclared,
    Queried,
    Role,
)
from boardctl.referee.readings import DiceReading, DieReading, Support, sure_reading
from boardctl.rules import Backgammon, BackgammonPosition, Placement, Seat, point

GAME = Backgammon()
START = BackgammonPosition.start().placement()
SECTION_X_MM = {Seat.A: 150.0, Seat.B: -150.0}


def moved(board: Placement, *moves: tuple[int, int]) -> Placement:
    """Gets a board after the topmost checkers of some points went to others."""
    for source, target in moves:
        stack = board.at(point(source))
        board = board.replaced({point(source): stack[:-1], point(target): (*board.at(point(target)), stack[-1])})
    return board


LEGAL_31 = moved(START, (8, 5), (6, 5))
WRONG_31 = moved(START, (8, 5), (6, 4))


class People:
    """Two people whose time goes on with everything they do."""

    def __init__(self) -> None:
        self.at_ms = 0
        self._throws = 0

    def now(self) -> int:
        """Gets the time of the next fact."""
        self.at_ms += 500
        return self.at_ms

    def show(self, board: Placement) -> Fact:
        """The board lies still."""
        return BoardSeen(self.now(), sure_reading(board, GAME.places))

    def to_roll(self, seat: Seat, board: Placement = START) -> Fact:
        """The director says what the board is and who rolls."""
        return PositionDeclared(self.now(), Role.DIRECTOR, sure_reading(board, GAME.places), seat)

    def roll(self, seat: Seat, *values: int) -> Fact:
        """Dice lie in the section of a seat, each time elsewhere."""
        return self.rest(*((value, seat) for value in values))

    def rest(self, *dice: tuple[int, Seat]) -> Fact:
        """Dice lie in sections."""
        self._throws += 1
        lying = []
        for number, (value, seat) in enumerate(dice):
            spot = (SECTION_X_MM[seat] + 7.0 * (self._throws % 9), -80.0 + 60.0 * number + 3.0 * (self._throws % 5))
            lying.append(DieReading(value, 0.999, True, Support.SURFACE, seat, 0.5, spot, spot))
        return DiceRested(self.now(), DiceReading(tuple(lying)))

    def lift(self) -> Fact:
        """The dice are taken up."""
        return DiceLifted(self.now(), 0)

    def turn(self, seat: Seat, roll: tuple[int, int], board: Placement) -> list[Fact]:
        """A whole turn: rolled, moved to a board, dice taken up."""
        return [self.roll(seat, *roll), self.show(board), self.lift()]

    def sensible(self, referee: Referee, random: Random) -> list[Fact]:
        """Does what the referee waits for; three plays of ten lead somewhere else than they may."""
        state = referee.state
        match state.phase:
            case Phase.OPENING:
                return [self.rest((random.randint(1, 6), Seat.A), (random.randint(1, 6), Seat.B))]
            case Phase.CUBE | Phase.ROLL if state.prompt is None:
                seat = state.seat or random.choice([Seat.A, Seat.B])
                return [self.roll(seat, random.randint(1, 6), random.randint(1, 6))]
            case Phase.MOVE if state.turn is not None:
                turn = state.turn
                after = random.choice(GAME.plays(turn.before, turn.seat, turn.roll)).position.placement()
                if random.random() < 0.3:
                    after = random.choice([LEGAL_31, WRONG_31, START])
                return [self.show(after), self.lift()]
            case _ if state.prompt is not None and random.random() < 0.5:
                choice = random.choice(state.prompt.choices)
                return [Answered(self.now(), random.choice(state.prompt.to), state.prompt.number, choice)]
            case Phase.CONFIRM | Phase.HOLD if state.turn is not None:
                return [self.roll(state.turn.seat.other, random.randint(1, 6), random.randint(1, 6))]
        return [self.show(state.expected or START)]

    def meddlesome(self, random: Random) -> list[Fact]:
        """Does something that nobody waits for."""
        role = random.choice([Role.A, Role.B])
        return [
            random.choice(
                (
                    lambda: HandSeen(self.now(), random.random() < 0.5),
                    lambda: ButtonPressed(self.now(), role),
                    lambda: Queried(self.now(), random.choice([role, Role.DIRECTOR])),
                    lambda: Doubled(self.now(), role),
                    lambda: self.show(random.choice([START, LEGAL_31, WRONG_31])),
                    lambda: self.rest((random.randint(1, 6), random.choice([Seat.A, Seat.B]))),
                    lambda: DirectorRuled(self.now(), "Dora", random.choice(list(Decision)), "she saw it"),
                )
            )()
        ]
