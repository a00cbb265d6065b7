"""Every game through the referee: random legal games to their end, and illegal plays found, named and put right."""

from random import Random

import pytest
from seats_at_table import Seats, die

from boardctl.referee.effects import Certainty, GameEnded, Phase, TurnJudged
from boardctl.referee.facts import Answered, Choice, Role
from boardctl.rules import Game, PlaceKind, Placement, Play, Position, Roll, Seat
from boardctl.rules.games import GAMES
from boardctl.rules.turn import begin, plays_in, proceed

GAME_NAMES = sorted(GAMES)
MOST_TURNS = 900
"""Turns after which a random game is left: Blocking games of random players are long."""


class RandomTable:
    """Players of any game who play at random, and a referee who sees everything they do."""

    def __init__(self, game: Game, seed: int) -> None:
        self.random = Random(seed)
        self.game = game
        self.seats = Seats(game=game)
        self.position: Position = game.start()
        self.seats.start()
        self._spot = 0
        self.seat, roll = self._opening()
        self.roll = roll if roll is not None else self._throw()

    def _opening(self) -> tuple[Seat, Roll | None]:
        lying: dict[Seat, tuple[int, int]] = {}
        rolling: tuple[Seat, ...] = self.game.seats
        rerolled: tuple[Seat, ...] = ()
        while True:
            for seat in rolling:
                self._spot += 1
                lying[seat] = (self.random.randint(1, 6), self._spot)
            self.seats.rest(*(die(value, seat, spot=40 + spot) for seat, (value, spot) in lying.items()))
            opening = self.game.opening({seat: value for seat, (value, _) in lying.items()}, rerolled)
            if opening.starter is not None:
                if opening.roll is None:
                    self.seats.lift()
                return opening.starter, opening.roll
            rolling = rerolled = opening.again

    def _throw(self) -> Roll:
        roll = Roll(self.random.randint(1, 6), self.random.randint(1, 6))
        self.seats.roll(self.seat, *roll)
        return roll

    def next_turn(self) -> None:
        """Lets the next seat that may roll roll."""
        self.seat = self.game.next_seat(self.position, self.seat)
        while not self.game.may_roll(self.position, self.seat):
            self.seat = self.game.next_seat(self.position, self.seat)
        self.roll = self._throw()

    def play(self) -> list[tuple[Seat, Play]]:
        """Gets the parts of a random legal turn, each shown as it is made; the last one is not shown."""
        made: list[tuple[Seat, Play]] = []
        position, turn = self.position, begin(self.game, self.position, self.seat, self.roll)
        while True:
            play = self.random.choice(plays_in(self.game, position, turn))
            made.append((turn.control, play))
            position = play.position
            following = proceed(self.game, position, turn, len(play.moves))
            if following is None:
                return made
            turn = following

    def shown(self, made: list[tuple[Seat, Play]]) -> None:
        """Shows the board after every part of a turn."""
        self.seats.show(self.position)
        for _, play in made:
            self.seats.show(play.position)

    @property
    def judged(self) -> list[TurnJudged]:
        """Everything that was judged so far."""
        return [effect for effect in self.seats.effects if isinstance(effect, TurnJudged)]


def won(game: Game, position: Position) -> bool:
    """Whether somebody has finished; a game that has locked ends when its last turn does."""
    result = game.result(position)
    return result is not None and result.winner is not None


@pytest.mark.parametrize("name", GAME_NAMES)
@pytest.mark.parametrize("seed", range(3))
def test_legal_games_are_followed_to_the_end(name: str, seed: int) -> None:
    table = RandomTable(GAMES[name], seed)
    game = table.game
    for _ in range(MOST_TURNS):
        made = table.play()
        said = len(table.judged)
        table.shown(made)
        after = made[-1][1].position
        if not won(game, after):
            table.seats.lift()
        played = [(seat, play) for seat, play in made if play.moves] or made[-1:]
        judged = table.judged[said:]
        assert [(one.seat, one.legal, one.certainty) for one in judged] == [
            (seat, True, Certainty.CERTAIN) for seat, _ in played
        ]
        assert [one.after for one in judged] == [play.position.placement() for _, play in played]
        assert table.seats.referee.state.position == after
        table.position = after
        if game.result(after) is not None:
            break
        table.next_turn()
        assert table.seats.referee.state.phase is Phase.MOVE
    result = game.result(table.position)
    ended = [effect for effect in table.seats.effects if isinstance(effect, GameEnded)]
    assert len(ended) == (result is not None)
    if result is not None:
        assert ended[0].winner is result.winner
        assert {seat: won for seat, won in ended[0].points if won} == {s: n for s, n in result.points.items() if n}


def spoiled(table: RandomTable) -> Placement | None:
    """Gets a board after a legal turn with one checker of the mover put elsewhere; None when that is legal, too."""
    game = table.game
    board = table.play()[-1][1].position.placement()
    own = [place for place in game.places if board.at(place)[-1:] == (table.seat,) and place.kind is PlaceKind.POINT]
    points = [place for place in game.places if place.kind is PlaceKind.POINT]
    if not own:
        return None
    source, target = table.random.choice(own), table.random.choice(points)
    if source == target or board == table.position.placement():
        return None
    changed = board.replaced({source: board.at(source)[:-1], target: (*board.at(target), table.seat)})
    return None if changed in reachable(game, table.position, table.seat, table.roll) else changed


def reachable(game: Game, position: Position, seat: Seat, roll: Roll) -> set[Placement]:
    """Gets every board at which a turn may end, or where it may stand between two parts."""
    found: set[Placement] = set()
    open_turns = [(position, begin(game, position, seat, roll))]
    while open_turns and len(found) < 20_000:
        at, turn = open_turns.pop()
        for play in plays_in(game, at, turn):
            if play.position.placement() not in found:
                found.add(play.position.placement())
                following = proceed(game, play.position, turn, len(play.moves))
                if following is not None:
                    open_turns.append((play.position, following))
    return found


@pytest.mark.parametrize("name", GAME_NAMES)
@pytest.mark.parametrize("seed", range(3))
def test_illegal_plays_are_found_and_put_right(name: str, seed: int) -> None:
    table = RandomTable(GAMES[name], 100 + seed)
    game = table.game
    found = 0
    for _ in range(60):
        simple = not table.roll.is_double or name != "express"
        wrong = spoiled(table) if simple else None
        if wrong is not None:
            said = len(table.judged)
            table.seats.show(wrong)
            table.seats.lift()
            judged = table.judged[said:]
            assert all(one.legal is not True for one in judged)
            if judged and judged[-1].legal is False:
                found += 1
                finding = judged[-1].finding
                assert finding is not None
                assert finding.faults
                assert judged[-1].after == wrong
                prompt = table.seats.referee.state.prompt
                assert prompt is not None
                by = prompt.to[0]
                assert by is not Role(judged[-1].seat.value)
                table.seats.feed(Answered(table.seats.now(), by, prompt.number, Choice.REQUIRE))
        made = table.play()
        table.shown(made)
        after = made[-1][1].position
        if not won(game, after) and wrong is None:
            table.seats.lift()
        assert table.judged[-1].legal is True
        assert table.seats.referee.state.position == after
        table.position = after
        if game.result(after) is not None:
            break
        table.next_turn()
    assert found > 5


def test_a_run_of_doubles_may_be_played_without_a_pause() -> None:
    checked = sum(followed_without_pauses(seed) for seed in range(40, 44))
    assert checked > 5


def followed_without_pauses(seed: int) -> int:
    """Gets how many turns of several parts were followed of which only the end was seen, until one was too long."""
    table = RandomTable(GAMES["express"], seed)
    checked = 0
    for _ in range(60):
        made = table.play()
        said = len(table.judged)
        after = made[-1][1].position
        if len(made) > 1:
            table.seats.show(after)  # only the end is seen
            checked += 1
        else:
            table.shown(made)
        if not won(table.game, after):
            table.seats.lift()
        judged = table.judged[said:]
        assert all(one.legal is not False for one in judged)
        if not judged or table.seats.referee.state.position != after:
            break  # the way was too long to be told from its end; nothing wrong was said
        table.position = after
        if table.game.result(after) is not None:
            break
        table.next_turn()
    return checked


def test_what_one_seat_cannot_play_passes_to_the_other_and_the_lights_say_so() -> None:
    for seed in range(60):
        table = RandomTable(GAMES["express"], seed)
        for _ in range(120):
            made = table.play()
            if len({seat for seat, play in made if play.moves}) > 1:
                for number, (seat, play) in enumerate(made):
                    if play.moves:
                        assert table.seats.referee.state.seat is seat, number
                        marks = table.seats.referee.state.scene.marks
                        assert [mark.seat for mark in marks if mark.sign.value == "turn"] == [seat]
                        table.seats.show(play.position)
                return
            table.shown(made)
            if won(table.game, made[-1][1].position):
                break
            table.seats.lift()
            table.position = made[-1][1].position
            if table.game.result(table.position) is not None:
                break
            table.next_turn()
    raise AssertionError("no turn passed from one seat to the other")
