"""Whole games at random: legal plays are followed to the end, illegal ones are found, and noise fools nobody."""

from random import Random

import pytest
from seats_at_table import Seats, die, moved

from boardctl.referee.effects import Certainty, GameEnded, Phase, PlayFault, TurnJudged
from boardctl.referee.facts import Answered, Choice, Role
from boardctl.referee.readings import BoardReading, PlaceReading, StackChance, Witness
from boardctl.rules import Place, Placement, Position, Roll, Seat, Stack, read_play


class RandomGame:
    """A game between two seats that play at random."""

    def __init__(self, seed: int, witnesses: tuple[Witness, ...] = (Witness.CAMERA,)) -> None:
        self.random = Random(seed)
        self.seats = Seats(witnesses=witnesses)
        self.game = self.seats.game
        self.seats.start()
        first, second = self.random.sample(range(1, 7), 2)
        self.seats.rest(die(first, Seat.A), die(second, Seat.B))
        self.seat = Seat.A if first > second else Seat.B
        self.roll = Roll(first, second)
        self.position: Position = self.game.start()

    def throw(self) -> None:
        """Lets the next seat roll."""
        self.seat = self.seat.other
        self.roll = Roll(self.random.randint(1, 6), self.random.randint(1, 6))
        self.seats.roll(self.seat, *self.roll)

    def any_play(self) -> Position:
        """Gets where a legal play leads."""
        return self.random.choice(self.game.plays(self.position, self.seat, self.roll)).position

    def misplayed(self) -> Placement | None:
        """Gets a board after a legal play was spoiled by one more displacement; None when it is legal all the same."""
        board = self.any_play().placement()
        own = [place for place in self.game.places if self.seat in board.at(place) and place.seat is None]
        points = [place for place in self.game.places if place.seat is None]
        if not own:
            return None
        source, target = self.random.choice(own), self.random.choice(points)
        if source == target:
            return None
        spoiled = moved(board, (str(source.number), str(target.number)), seat=self.seat)
        legal = {play.position.placement() for play in self.game.plays(self.position, self.seat, self.roll)}
        return None if spoiled in legal or spoiled == self.position.placement() else spoiled


@pytest.mark.parametrize("seed", range(6))
def test_legal_games_are_followed_to_the_end(seed: int) -> None:
    table = RandomGame(seed)
    for _ in range(500):
        after = table.any_play()
        table.seats.show(table.position)
        table.seats.show(after)
        if table.game.result(after) is None:
            table.seats.lift()
        judged = table.seats.judged
        assert (judged.legal, judged.certainty, judged.seat, judged.roll) == (
            True,
            Certainty.CERTAIN,
            table.seat,
            table.roll,
        )
        assert judged.play is not None
        assert read_play(table.game, table.position, table.seat, table.roll, judged.play).position == after
        table.position = after
        if table.game.result(after) is not None:
            break
        table.throw()
    ended = [effect for effect in table.seats.effects if isinstance(effect, GameEnded)]
    assert len(ended) == 1
    result = table.game.result(table.position)
    assert result is not None
    assert ended[0].winner is result.winner
    assert dict(ended[0].points) == dict(result.points)
    assert table.seats.referee.state.phase is Phase.GAME_OVER


@pytest.mark.parametrize("seed", range(6))
def test_every_illegal_play_is_found_named_and_put_right(seed: int) -> None:
    table = RandomGame(seed)
    found = 0
    for _ in range(60):
        wrong = table.misplayed()
        if wrong is not None:
            table.seats.show(wrong)
            table.seats.lift()
            judged = table.seats.judged
            assert judged.legal is False
            assert judged.after == wrong
            assert judged.finding is not None
            assert judged.finding.faults
            assert judged.finding.places
            found += 1
            prompt = table.seats.referee.state.prompt
            assert prompt is not None
            by = Role(table.seat.other.value)
            table.seats.feed(Answered(table.seats.now(), by, prompt.number, Choice.REQUIRE))
            assert table.seats.referee.state.expected == table.position.placement()
        after = table.any_play()
        table.seats.show(table.position)
        table.seats.show(after)
        if table.game.result(after) is not None:
            break
        if wrong is None:
            table.seats.lift()
        assert table.seats.judged.legal is True
        table.position = after
        table.throw()
    assert found > 10


def noisy(board: Placement, places: tuple[Place, ...], random: Random, worst: float) -> BoardReading:
    """Gets an honest reading of a blurred board: at each place what is there is likely, but not always the likeliest.

    A place is misread about as often as its reading says it may be.
    """
    read = []
    for place in places:
        truth = board.at(place)
        seat = truth[-1] if truth else place.seat or random.choice([Seat.A, Seat.B])
        others: list[Stack] = [(*truth, seat), truth[:-1]] if truth else [(seat,)]
        doubt = random.random() * worst
        stacks = [truth, *others]
        if random.random() < doubt:
            stacks = [others[0], truth, *others[1:]]  # misread
        likelihoods = [1 - doubt, *([doubt / len(others)] * len(others))]
        chances = tuple(StackChance(stack, likelihood) for stack, likelihood in zip(stacks, likelihoods, strict=True))
        read.append(PlaceReading(place, chances))
    return BoardReading(Witness.CAMERA, tuple(read))


@pytest.mark.parametrize("seed", range(8))
def test_noise_never_makes_a_wrong_ruling_certain(seed: int) -> None:
    table = RandomGame(seed)
    random = Random(1000 + seed)
    worst = random.choice([0.02, 0.1, 0.3, 0.5])
    for _ in range(50):
        legal = table.any_play()
        spoiled = table.misplayed() if random.random() < 0.3 else None
        truth = spoiled if spoiled is not None else legal.placement()
        table.seats.see(noisy(truth, table.game.places, random, worst))
        said = len(table.seats.effects)
        table.seats.lift()
        for effect in table.seats.effects[said:]:
            if isinstance(effect, TurnJudged) and effect.certainty is Certainty.CERTAIN:
                assert effect.legal is (spoiled is None)
                assert effect.after == truth
        # From here on everybody sees well again; the legal play is what counts.
        table.seats.show(legal)
        table.position = legal
        if table.game.result(legal) is not None:
            break
        assert table.seats.referee.state.expected == legal.placement()
        table.throw()


def test_the_faults_of_random_misplays_are_of_many_kinds() -> None:
    kinds: set[PlayFault] = set()
    for seed in range(3):
        table = RandomGame(seed)
        for _ in range(25):
            wrong = table.misplayed()
            after = table.any_play()
            if wrong is not None:
                table.seats.show(wrong)
                table.seats.lift()
                assert table.seats.judged.finding is not None
                kinds |= set(table.seats.judged.finding.faults)
                table.seats.show(after)
            else:
                table.seats.show(after)
                table.seats.lift()
            table.position = after
            if table.game.result(after) is not None:
                break
            table.throw()
    assert {PlayFault.WRONG_PIPS, PlayFault.MOVED_BACKWARDS, PlayFault.BLOCKED_POINT} <= kinds
