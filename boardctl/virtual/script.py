"""A game at the virtual table as a sequence of physical acts: the players throw, think, move, err and answer.

:meth:`Script.acts` is a generator: it yields one :class:`~boardctl.virtual.acts.Act` after the other and is sent what
the referee has said since the last one. The players live by what truly lies on the board; they listen to the referee
as people do: they throw again when told to, answer honestly what they are asked, and make a legal play when one is
required. Without a referee they play on by themselves.
"""

from collections.abc import Generator, Sequence
from dataclasses import replace
from random import Random

from boardctl.referee.effects import Effect, Prompt
from boardctl.referee.facts import Choice, Role
from boardctl.rules import (
    Backgammon,
    BackgammonPosition,
    Faults,
    Game,
    Outcome,
    PlaceKind,
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
from boardctl.virtual.acts import Act
from boardctl.virtual.dice import Die, ThrowKind, throw_die
from boardctl.virtual.doubling import Doubling
from boardctl.virtual.house import HouseRules
from boardctl.virtual.incidents import Incident, When, happen
from boardctl.virtual.mishaps import Mishaps
from boardctl.virtual.misplays import Misplay, Situation, misplay
from boardctl.virtual.motions import Acts, Motions, moves_between
from boardctl.virtual.players import HandMove, Rates, choose_play, hand_moves, weighted
from boardctl.virtual.truth import Ending, TurnTruth, opening_truth, roll_truth

PATIENCE = 2
"""How often players wait or tidy up for a referee who says nothing before they go on by themselves."""

MOST_THROWS = 12
"""After so many throws of one turn in vain the players throw with care: a game must come to its end."""

BOTH_BAD = 0.15
"""The share of irregular throws in which both dice come to rest badly."""

WHOSE_TURN = ("ask.whose_turn", "ask.who_played")
"""The questions whether it is, or was, the turn of ``seat``."""

STACK_OF_ANSWERS = 3
"""How many questions in a row the players answer before they go on."""


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
        self._on_turn: Seat | None = None
        self._doubling = Doubling(ledger, hands, rates, random)
        self._mishaps = Mishaps(game, hands, rates, random, house, self._doubling)
        self._owes_press: Seat | None = None  # who has not ended the turn by the clock, and has lifted the dice

    def acts(self) -> Acts:
        """Gets the acts of one game, from the set-up to the last checker borne off."""
        self.position = self.game.start()
        yield from self._mishaps.may_happen(When.SETTING_UP, self.game.seats[0], self.position)
        yield from self._hands.set_up(self.position.placement())
        seat, roll = yield from self._opening()
        self._mishaps.last_roll = roll
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
            self._on_turn = seat
            if self._owes_press is None:
                if (yield from self._doubling.before_roll(self.game, self.position, seat)):
                    break
                yield from self._mishaps.may_happen(When.BEFORE_ROLL, seat, self.position)
            roll = yield from self._roll(seat)
        yield from self._hands.rest()

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
        result = self.game.result(self.position)
        assert result is not None
        return self._doubling.ledger.ended(result, self._doubling.cube)

    # -- dice

    def _opening(self) -> Generator[Act, Sequence[Effect], tuple[Seat, Roll]]:
        """Each seat throws one die; those that tie for highest throw again. The highest one starts."""
        lying: dict[Seat, Die] = {}
        rolling, rerolled, attempt = self.game.seats, tuple[Seat, ...](), 0
        while True:
            stay = tuple(die for seat, die in lying.items() if seat not in rolling)
            dice = self._thrown(rolling, careful=attempt >= MOST_THROWS, others=stay)
            lying |= zip(rolling, dice, strict=True)
            opening = self.game.opening({seat: die.value for seat, die in lying.items()}, rerolled)
            thrown = {seat: lying[seat] for seat in self.game.seats}
            truth = opening_truth(self._hands.now_ms, thrown, self._hands.world.geometry, opening)
            yield from self._hands.throw(None, tuple(thrown.values()), truth)
            yield from self._wait_for_reading()
            if truth.valid and not self._told_to_throw_again():
                break
            if truth.equal and truth.kind is ThrowKind.FLAT and len(self.game.seats) > 2:
                rolling = rerolled = opening.again
            if truth.equal and truth.kind is ThrowKind.FLAT:
                self._doubling.opening_was_equal()
            yield from self._hands.lift_dice(
                rolling[attempt % len(rolling)], left=tuple(die for seat, die in lying.items() if seat not in rolling)
            )
            attempt += 1
        assert opening.starter is not None
        if opening.roll is not None:
            return opening.starter, opening.roll
        yield from self._hands.lift_dice(opening.starter)
        return opening.starter, (yield from self._roll(opening.starter))

    def _roll(self, seat: Seat) -> Generator[Act, Sequence[Effect], Roll]:
        """Throws both dice until they count, by the truth and by the referee."""
        self._on_turn, attempt = seat, 0
        if self._owes_press is not None:
            yield from happen(Incident.CLOCK_FORGOTTEN, self._mishaps.occasion(self._owes_press, self.position))
        while True:
            dice = self._thrown((seat, seat), careful=attempt >= MOST_THROWS or self._mishaps.with_others_dice > 0)
            truth = roll_truth(self._hands.now_ms, seat, dice, self._hands.world.geometry, self._house.throws)
            yield from self._hands.throw(seat, dice, truth)
            yield from self._wait_for_reading()
            if self._owes_press is not None:
                yield from self._hands.press(Role(self._owes_press.value), self._owes_press)
                self._owes_press = None
            if truth.valid and not self._told_to_throw_again():
                self._mishaps.counted(truth.roll, with_own_dice=all(die.owner in (None, seat) for die in dice))
                return truth.roll
            yield from self._hands.lift_dice(seat)
            attempt += 1

    def _thrown(self, seats: Sequence[Seat], *, careful: bool, others: tuple[Die, ...] = ()) -> tuple[Die, ...]:
        """Gets one die for each seat given, as it comes to rest beside dice that lie already."""
        dice: tuple[Die, ...] = ()
        kinds, owners = self._throw_kinds(len(seats), careful=careful), self._mishaps.owners(seats)
        for seat, kind, owner in zip(seats, kinds, owners, strict=True):
            dice = (*dice, self._lay(seat, self._random.randint(1, 6), kind, (*others, *dice), owner))
        return dice

    def _lay(self, seat: Seat, value: int, kind: ThrowKind, others: Sequence[Die], owner: Seat | None) -> Die:
        world = self._hands.world
        return replace(throw_die(world.geometry, seat, value, kind, world.checkers, others, self._random), owner=owner)

    def _throw_kinds(self, count: int, *, careful: bool) -> list[ThrowKind]:
        """Gets how each die of a throw comes to rest: now and then one of them badly, seldom both."""
        kinds = [ThrowKind.FLAT] * count
        if careful or self._random.random() >= self._rates.irregular_throw:
            return kinds
        weights = self._rates.throws
        both = self._random.random() < BOTH_BAD
        for number in range(count) if both else [self._random.randrange(count)]:
            kinds[number] = self._random.choices(list(weights), list(weights.values()))[0]
        return kinds

    def _told_to_throw_again(self) -> bool:
        read = self._hands.ear.roll()
        return read is not None and not read.valid

    def _wait_for_reading(self) -> Acts:
        """Waits for a referee who has not read the dice; then lays them anew with the same values, to be read."""
        yield from self._answer(None)
        for attempt in range(PATIENCE if self._hands.ear.ever else 0):
            if self._hands.ear.roll() is not None:
                return
            if attempt == 0:
                yield from self._hands.rest()
                continue
            dice = self._hands.world.dice
            if any(die.kind is not ThrowKind.FLAT for die in dice):
                return  # the players see for themselves that this is no roll
            sections = [self._hands.world.geometry.section_of(die.x_mm, die.y_mm) for die in dice]
            laid: tuple[Die, ...] = ()
            for die, section in zip(dice, sections, strict=True):
                laid = (*laid, self._lay(section or self.game.seats[0], die.value, ThrowKind.FLAT, laid, die.owner))
            yield from self._hands.lift_dice(sections[0] or self.game.seats[0])
            yield from self._hands.throw(sections[0], laid, None)

    # -- a turn

    def _turn(self, seat: Seat, roll: Roll) -> Acts:
        """Plays a roll to the end of the turn, whatever referee and opponent make of it."""
        turn = begin(self.game, self.position, seat, roll)
        if has_parts(self.game, turn):
            yield from self._parts(turn)
            return
        plays = self.game.plays(self.position, seat, roll)
        situation = Situation(self.game, self.position, seat, roll, plays)
        self._on_turn = seat
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
        yield from self._answer(None)
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
            self._owes_press = seat
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
                self._on_turn = seat
                self._hands.begin_play()
                yield from self._hands.think(seat)
                yield from self._hands.carry_out(seat, hand_moves(chosen, seat, self._random))
                yield from self._answer(None)
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
        after = self._hands.world.placement()
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
        for attempt in range(PATIENCE + 1):
            yield from self._answer(truth)
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
        back = moves_between(hands.world.placement(), situation.start)
        yield from hands.carry_out(seat, [*back, *hand_moves(chosen, seat, self._random)])
        hands.ear.clear()
        truth = replace(self._truth(situation, None), ending=Ending.REPLAYED)
        yield from hands.rest(seat, truth)
        if self._house.clock:
            yield from hands.press(Role(seat.value), seat)
        yield from self._answer(truth)
        self.position = chosen.position

    def _answer(self, truth: TurnTruth | None) -> Acts:
        """Answers the questions that were put to the players, honestly."""
        for _ in range(STACK_OF_ANSWERS):
            if (prompt := self._hands.ear.take_prompt(self._doubling.is_for_later)) is None:
                return
            if prompt.text.key == "ask.double":
                yield from self._doubling.show()
                continue
            by = prompt.to[0] if prompt.to else Role.DIRECTOR
            choice = self._choice(prompt, truth)
            yield from self._hands.answer(by, truth.seat if truth is not None else None, prompt.number, choice)

    def _choice(self, prompt: Prompt, truth: TurnTruth | None) -> Choice:
        """Gets the honest answer to a question, about the turn ``truth`` when it is about one."""
        offered = prompt.choices
        if prompt.text.key in WHOSE_TURN:
            asked = dict(prompt.text.arguments).get("seat")
            return Choice.CONFIRM if self._on_turn is not None and asked == self._on_turn.value else Choice.DENY
        if Choice.REQUIRE in offered or Choice.ACCEPT in offered:
            if truth is None or truth.legal:
                # Who is asked whether a play looks illegal, and sees that it is not, says so rather than accept it.
                wanted = Choice.DENY if Choice.DENY in offered else Choice.ACCEPT
            else:
                may_stand = self.game.faults(truth.after) is Faults.NONE
                wanted = Choice.ACCEPT if may_stand and self._accepts() else Choice.REQUIRE
        elif Choice.CONFIRM in offered:
            wanted = Choice.CONFIRM if truth is None or self._agrees(truth) else Choice.DENY
        else:
            wanted = Choice.SET_UP
        return wanted if wanted in offered else offered[0]

    def _agrees(self, truth: TurnTruth) -> bool:
        """Whether the referee's last judgement of the play is the players', too; where checkers lie they see anyway."""
        judged = self._hands.ear.judged()
        return judged is None or judged.legal == truth.legal

    def _accepts(self) -> bool:
        return self._random.random() < self._rates.accept
