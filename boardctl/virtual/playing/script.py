"""A game at the virtual table as a sequence of physical acts: the players throw, think, move, err and answer.

:meth:`Script.acts` is a generator: it yields one :class:`~boardctl.virtual.playing.acts.Act` after the other and is
sent what the referee has said since the last one. The players live by what truly lies on the board; they listen to the
referee as people do: they throw again when told to, answer honestly what they are asked, and make a legal play when
one is required. Without a referee they play on by themselves.
"""

from collections.abc import Generator, Sequence
from dataclasses import replace
from random import Random

from boardctl.referee.effects import Effect
from boardctl.referee.facts import Choice, Role
from boardctl.rules import (
    Backgammon,
    BackgammonPosition,
    Faults,
    Game,
    Outcome,
    PlaceKind,
    Placement,
    Play,
    Position,
    Roll,
    Seat,
    Turn,
)
from boardctl.rules import Match as Ledger
from boardctl.rules.last_roll import Finish, finish, outcome_after_last_roll
from boardctl.rules.traits import following
from boardctl.rules.turn import begin, has_parts, plays_in, proceed
from boardctl.virtual.playing.acts import Act
from boardctl.virtual.playing.answers import Answers
from boardctl.virtual.playing.doubling import Doubling
from boardctl.virtual.playing.house import HouseRules
from boardctl.virtual.playing.incidents import Incident, When, happen
from boardctl.virtual.playing.mishaps import Mishaps
from boardctl.virtual.playing.misplays import Misplay, Situation, misplay
from boardctl.virtual.playing.motions import Acts, Motions, moves_between
from boardctl.virtual.playing.players import HandMove, Rates, choose_play, hand_moves, weighted
from boardctl.virtual.playing.throwing import PATIENCE, Throwing
from boardctl.virtual.truth import Ending, TurnTruth


class Script:
    """The players of one table over one game."""

    def __init__(
        self, game: Game, hands: Motions, rates: Rates, random: Random, house: HouseRules, ledger: Ledger
    ) -> None:
        self.game = game
        self.position: Position = game.start()
        self._hands = hands
        self._rates = rates
        self._random = random
        self._house = house
        self._doubling = Doubling(ledger, hands, rates, random)
        self._mishaps = Mishaps(game, hands, rates, random, house, self._doubling)
        self._answers = Answers(game, hands, rates, random, self._doubling)
        self._throwing = Throwing(game, hands, rates, random, house, self._mishaps, self._doubling, self._answers)
        self._last: tuple[Situation, Play] | None = None  # what ended last, and what would have been legal

    def acts(self) -> Acts:
        """Gets the acts of one game, from the set-up to the last checker borne off."""
        self.position = self.game.start()
        yield from self._mishaps.may_happen(When.SETTING_UP, self.game.seats[0], self.position)
        if self._mishaps.wrong_start is None:
            yield from self._hands.set_up(self.position.placement())
        self.position = following(self.game.position_of(self._board()), self.position)
        seat, opening = yield from self._throwing.opening()
        roll = opening if opening is not None else (yield from self._roll(seat))
        self._mishaps.last_roll = self._answers.roll = roll
        starter = seat
        while True:
            before = self.position
            yield from self._turn(seat, roll)
            if self._mishaps.untidy:
                self._mishaps.untidy = False
                yield from self._hands.tidy()
            if self.game.result(self.position) is not None:
                yield from self._last_roll(before, seat, roll, starter)
                break
            seat = self.game.next_seat(self.position, seat)
            while not self.game.may_roll(self.position, seat):
                seat = self.game.next_seat(self.position, seat)
            self._answers.on_turn = seat
            if self._throwing.owes_press is None:
                yield from self._notice_start(seat)
                if (yield from self._double(seat)):
                    break
                yield from self._mishaps.may_happen(When.BEFORE_ROLL, seat, self.position)
            roll = yield from self._roll(seat)
        yield from self._hands.rest()

    def _roll(self, seat: Seat) -> Generator[Act, Sequence[Effect], Roll]:
        """Throws; plays the turn before again first, if that is required only now."""
        while (roll := (yield from self._throwing.roll(seat, self.position))) is None:
            assert self._last is not None
            yield from self._replay(*self._last)
        self._answers.last = None
        return roll

    def _board(self) -> Placement:
        """Gets where the checkers are, all of them, as positions have them."""
        board = self._hands.world.placement()
        return board if self._mishaps.wrong_start is None else self._mishaps.wrong_start.whole(board)

    def _notice_start(self, seat: Seat) -> Acts:
        """Lets the players see that they began from a wrong set-up, and put it right; not if they are asked whether
        both agree, and do not."""
        mishaps, hands = self._mishaps, self._hands
        wrong, right = mishaps.wrong_start, mishaps.noticed(self.position)
        if wrong is None or right is None:
            return
        yield from happen(Incident.START_PUT_RIGHT, mishaps.occasion(seat, self.position))
        prompt = hands.ear.take_prompt()
        asked = prompt is not None and prompt.text.key == "ask.correct_start"
        agreed = not asked or self._answers.accepts()
        if prompt is not None and asked:
            choice = Choice.CONFIRM if agreed else Choice.DENY
            yield from hands.answer(prompt.to[0], None, prompt.number, choice)
        self._answers.last = None
        if agreed:
            mishaps.wrong_start, self.position = None, right
        else:
            mishaps.wrong_start = replace(wrong, noticed_after=None)
            yield from hands.carry_out(seat, [HandMove(wrong.seat, wrong.belongs, wrong.stands)])
            yield from hands.rest()

    def _double(self, seat: Seat) -> Generator[Act, Sequence[Effect], bool]:
        """Lets a seat double now and then before it rolls; whether that has ended the game."""
        doubling = self._doubling
        if not doubling.offers(self.game, self.position, seat):
            return False
        other = seat.other
        yield from doubling.offer(seat)
        yield from self._mishaps.may_happen(When.BEFORE_ANSWER, other, self.position)
        if not doubling.takes():
            yield from doubling.drop(other)
            return True
        unsaid = self._mishaps.drawn(When.TAKING, other, self.position)
        if unsaid is None:
            yield from doubling.take(other)
        else:
            put_down = happen(unsaid, self._mishaps.occasion(other, self.position))
            yield from doubling.take_unsaid(other, put_down)
        return False

    def _last_roll(self, before: Position, seat: Seat, roll: Roll, starter: Seat) -> Acts:
        """Lets the seat with the last roll have it, where that is played and due."""
        ledger, game = self._doubling.ledger, self.game
        if ledger.rules.last_roll is None or not isinstance(game, Backgammon):
            return
        assert isinstance(before, BackgammonPosition)
        if finish(game, before, seat, roll, starter) is not Finish.LAST_ROLL_DUE:
            return
        left = self.position
        assert isinstance(left, BackgammonPosition)
        last = yield from self._roll(seat.other)
        yield from self._turn(seat.other, last)
        after = self.position
        assert isinstance(after, BackgammonPosition)
        cube = self._doubling.cube
        self._doubling.outcome = outcome_after_last_roll(game, ledger, cube, left, after, seat.other, last)

    @property
    def outcome(self) -> Outcome:
        """What the game came to, once it is over."""
        if self._doubling.outcome is not None:
            return self._doubling.outcome
        wrong = self._mishaps.wrong_start
        result = self.game.result(self.position)
        if wrong is not None:
            result = wrong.result(self.game, self.position.placement())
        assert result is not None
        return self._doubling.ledger.ended(result, self._doubling.cube)

    # -- a turn

    def _turn(self, seat: Seat, roll: Roll) -> Acts:
        """Plays a roll to the end of the turn, whatever referee and opponent make of it."""
        turn = begin(self.game, self.position, seat, roll)
        if has_parts(self.game, turn):
            yield from self._parts(turn)
            return
        plays = self.game.plays(self.position, seat, roll)
        situation = Situation(self.game, self.position, seat, roll, plays)
        self._answers.on_turn = seat
        self._hands.begin_play()
        yield from self._hands.think(seat)
        yield from self._mishaps.may_happen(When.BEFORE_PLAY, seat, self.position)
        if self._random.random() < self._rates.shuffle:
            yield from self._shuffle(seat)
        chosen = choose_play(self.game, plays, seat, self._random)
        wrong = self._misplay(situation)
        yield from self._hands.carry_out(
            seat, wrong.moves if wrong is not None else hand_moves(chosen, seat, self._random)
        )
        yield from self._answers.give()
        self._hands.ear.clear()
        if wrong is None:
            yield from self._mishaps.may_happen(When.AFTER_PLAY, seat, self.position)
        truth = self._truth(situation, wrong)
        # The last checker borne off ends the game with the dice still lying: the referee may speak from then on.
        finished = wrong is None and self._is_won(chosen.position)
        yield from self._hands.rest(seat, truth if finished else None)
        truth = replace(truth, at_ms=self._hands.now_ms)
        # Who is held to a double offers it before anything else. Where nobody ends the turn, nobody asks to tidy up.
        forgets = wrong is None and not finished and self._doubling.bound is None and not self._mishaps.untidy
        if forgets and self._mishaps.drawn(When.ENDING_TURN, seat, self.position) is not None:
            yield from self._hands.lift_dice(seat, truth)
            self._throwing.owes_press = seat
            self.position = following(self.game.position_of(truth.after), self.position)
            return
        if self._house.button_ends_turn and not finished:
            yield from self._hands.press(Role(seat.value), seat, truth)
            yield from self._hands.lift_dice(seat)
        else:
            yield from self._hands.lift_dice(seat, None if finished else truth)
        yield from self._hear_judgement(situation, truth, chosen)

    def _is_won(self, position: Position) -> bool:
        """Whether somebody has finished; a game that has locked ends with its last turn."""
        result = self.game.result(position)
        return result is not None and result.winner is not None

    def _parts(self, turn: Turn | None) -> Acts:
        """Plays a double that runs on, part by part and without mistakes; the dice are lifted at the end of it."""
        assert turn is not None
        situation = Situation(self.game, self.position, turn.control, turn.roll, ())
        truth, chosen = self._truth(situation, None), Play((), self.position)
        while turn is not None:
            plays = plays_in(self.game, self.position, turn)
            chosen = choose_play(self.game, plays, turn.control, self._random)
            coming = proceed(self.game, chosen.position, turn, len(chosen.moves))
            if chosen.moves:
                number, seat = turn.numbers[0], turn.control
                situation = Situation(self.game, self.position, seat, Roll(number, number), plays)
                self._answers.on_turn = seat
                self._hands.begin_play()
                yield from self._hands.think(seat)
                yield from self._hands.carry_out(seat, hand_moves(chosen, seat, self._random))
                yield from self._answers.give()
                if coming is None:
                    self._hands.ear.clear()
                truth = self._truth(situation, None)
                yield from self._hands.rest(seat, truth)
            self.position = chosen.position
            turn = coming
        if not self._is_won(self.position):
            yield from self._hands.lift_dice(truth.seat, truth if truth.before == truth.after else None)
        yield from self._hear_judgement(situation, truth, chosen)

    def _misplay(self, situation: Situation) -> Misplay | None:
        if self._random.random() >= self._rates.misplay:
            return None
        return misplay(situation, weighted(self._random, self._rates.misplays), self._random)

    def _truth(self, situation: Situation, wrong: Misplay | None) -> TurnTruth:
        after = self._board()
        fault = None if wrong is None else wrong.fault
        now_ms = self._hands.now_ms
        return TurnTruth(now_ms, situation.seat, situation.roll, situation.start, after, wrong is None, fault)

    def _shuffle(self, seat: Seat) -> Acts:
        """Lifts a checker while thinking, and puts it back."""
        placement = self._hands.world.placement()
        own = [place for place in placement if place.kind is PlaceKind.POINT and placement.at(place)[-1] is seat]
        if not own:
            return
        place = self._random.choice(sorted(own, key=str))
        yield from self._hands.carry_out(seat, [HandMove(seat, place, place)])
        yield from self._hands.think(seat)

    def _hear_judgement(self, situation: Situation, truth: TurnTruth, chosen: Play) -> Acts:
        """Waits for the judgement, answers what is asked, and leaves the board as the game goes on from it."""
        ear = self._hands.ear
        self._last, self._answers.last = (situation, chosen), truth
        for attempt in range(PATIENCE + 1):
            yield from self._answers.give(truth)
            ruled = ear.ruled()
            if ruled is not None and ruled.ruling == "must_replay":
                yield from self._replay(situation, chosen)
                return
            judged = ear.judged()
            decided = ruled is not None or ear.went_on() or (judged is not None and judged.legal is not None)
            if decided or not ear.ever or attempt == PATIENCE:
                break
            if ear.asked_to_look() and not truth.legal:
                # Who is made to look at the board sees what is wrong with it.
                yield from self._replay(situation, chosen)
                return
            # The referee cannot tell, or has seen nothing: every checker is laid properly, and looked at again.
            yield from self._hands.tidy()
        if self.game.faults(truth.after) is Faults.NONE:
            self.position = following(self.game.position_of(truth.after), self.position)
        else:
            # Nobody can play on from a board with a checker too few: the players see it themselves.
            yield from self._replay(situation, chosen)

    def _replay(self, situation: Situation, chosen: Play) -> Acts:
        """Takes the play back and makes a legal one with the same roll."""
        hands, seat = self._hands, situation.seat
        hands.begin_play()
        self._answers.last = None
        back = moves_between(self._board(), situation.start)
        yield from hands.carry_out(seat, [*back, *hand_moves(chosen, seat, self._random)])
        hands.ear.clear()
        truth = replace(self._truth(situation, None), ending=Ending.REPLAYED)
        yield from hands.rest(seat, truth)
        if self._house.clock:
            yield from hands.press(Role(seat.value), seat)
        yield from self._answers.give(truth)
        self.position = chosen.position
