"""The whole virtual table: sessions, what is true of them, and a referee with perfect eyes who is never wrong."""

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

import numpy as np
import pytest
from perfect_eyes import read_world

from boardctl.lights.picture_lights import led_places
from boardctl.referee import Referee, Ruleset, read_ruleset
from boardctl.referee.effects import (
    Certainty,
    Effect,
    Mark,
    Notice,
    Phase,
    Prompt,
    Role,
    RollRead,
    Scene,
    Sign,
    Text,
    TurnJudged,
)
from boardctl.referee.facts import ButtonPressed, Choice
from boardctl.rules import Backgammon, Roll, Seat, point
from boardctl.virtual import FAULTLESS, REAL_TIME, ActKind, Outcome, Rates, Step, VirtualTable
from boardctl.virtual.camera import Pacing
from boardctl.virtual.looks import LOOKS
from boardctl.virtual.truth import Ending, RollTruth, TurnTruth, is_legal
from boardctl.vision import Tracker
from firmware_bridge import ChannelClass, SlotMap
from firmware_bridge.leds import ChainLayout

GAME = Backgammon()
HOUSE_SEED = read_ruleset("house-seed")
OFTEN = Rates(misplay=0.25, irregular_throw=0.25, shuffle=0.2)


def steps(table: VirtualTable) -> Iterator[Step]:
    """Plays a session to its end with nobody refereeing."""
    while (step := table.advance()) is not None:
        yield step


def refereed(table: VirtualTable, ruleset: Ruleset) -> Referee:
    """Plays a session to its end under a referee who sees everything as it is."""
    referee, tracker = Referee(GAME, ruleset), Tracker()
    effects: list[Effect] = []
    while (step := table.advance(effects)) is not None:
        effects = []
        for at_ms in step.shots_ms:
            for fact in tracker.feed(read_world(step.act.world, GAME), at_ms, "frame"):
                effects += referee.feed(fact)
        for press in table.panel.presses():
            effects += referee.feed(ButtonPressed(press.at_ms, press.by))
        for answer in table.panel.answers():
            effects += referee.feed(answer)
    return referee


def test_the_same_seed_plays_the_same_session() -> None:
    first, second, third = (
        [(step.at_ms, step.act.kind, step.act.world) for step in islice(steps(VirtualTable(GAME, seed=seed)), 150)]
        for seed in (5, 5, 6)
    )
    assert first == second
    assert first != third


def test_the_same_seed_gives_the_same_frames() -> None:
    one, other = ([table.advance() for _ in range(6)][-1] for table in (VirtualTable(GAME), VirtualTable(GAME)))
    assert one is not None
    assert other is not None
    pairs = list(zip(one.frames(), other.frames(), strict=True))
    assert pairs
    assert all((a.picture == b.picture).all() and a.at_ms == b.at_ms for a, b in pairs)


def test_faultless_players_play_legally_to_the_end_and_their_truth_is_the_rules() -> None:
    table = VirtualTable(GAME, seed=2, rates=FAULTLESS)
    kinds = {step.act.kind for step in steps(table)}
    assert {ActKind.DICE_REST, ActKind.LIFT, ActKind.PUT, ActKind.DICE_LIFTED, ActKind.THINK} <= kinds
    turns = [truth for truth in table.truths if isinstance(truth, TurnTruth)]
    for turn, following in pairwise(turns):
        assert following.before == turn.after
        assert following.seat is turn.seat.other
    for turn in turns:
        assert turn.legal
        assert is_legal(GAME, GAME.position_of(turn.before), turn.seat, turn.roll, turn.after)
    rolls = [truth for truth in table.truths if isinstance(truth, RollTruth)]
    assert all(roll.valid or roll.equal for roll in rolls)
    assert [roll.roll for roll in rolls if roll.valid] == [turn.roll for turn in turns]
    assert GAME.result(GAME.position_of(turns[-1].after)) is not None
    assert table.world.placement() == turns[-1].after


@pytest.mark.parametrize("seed", range(3))
def test_what_is_called_illegal_is_illegal_and_every_game_goes_on_from_a_sound_board(seed: int) -> None:
    table = VirtualTable(GAME, seed=seed, rates=OFTEN)
    for _ in steps(table):
        pass
    turns = [truth for truth in table.truths if isinstance(truth, TurnTruth)]
    assert any(not turn.legal for turn in turns)
    for turn in turns:
        before = GAME.position_of(turn.before)
        assert turn.legal == is_legal(GAME, before, turn.seat, turn.roll, turn.after)
        assert turn.legal == (turn.fault is None)


def test_irregular_throws_are_thrown_again_without_being_told() -> None:
    table = VirtualTable(GAME, seed=4, rates=Rates(misplay=0, irregular_throw=0.5))
    for _ in steps(table):
        pass
    last: RollTruth | None = None
    for truth in table.truths:
        if isinstance(truth, TurnTruth):
            assert last is not None
            assert last.valid
        else:
            last = truth
    assert sum(isinstance(truth, RollTruth) and not truth.valid for truth in table.truths) > 10


@pytest.mark.parametrize("name", ["house-seed", "casual", "button"])
def test_a_referee_with_perfect_eyes_is_never_wrong(name: str) -> None:
    button = HOUSE_SEED.model_copy(update={"turn_end": "button"})
    ruleset = button if name == "button" else read_ruleset(name)
    for seed in range(2):
        table = VirtualTable(GAME, seed=seed, rates=OFTEN, ruleset=ruleset)
        referee = refereed(table, ruleset)
        report = table.report()
        assert report.games == 1
        assert referee.state.phase is Phase.GAME_OVER
        wrong = [item for item in report.items if item.outcome in (Outcome.WRONG_CERTAIN, Outcome.WRONG_UNSURE)]
        assert wrong == []
        right = sum(item.outcome is Outcome.RIGHT for item in report.items)
        assert right >= 0.98 * len(report.items)


def test_illegal_plays_are_taken_back_when_a_legal_one_is_required() -> None:
    table = VirtualTable(GAME, seed=3, rates=Rates(misplay=0.3, irregular_throw=0, accept=0.0))
    refereed(table, HOUSE_SEED)
    turns = [truth for truth in table.truths if isinstance(truth, TurnTruth)]
    for turn, following in pairwise(turns):
        if not turn.legal:
            assert following.ending is Ending.REPLAYED
            assert following.legal
            assert following.before == turn.before
            assert following.roll == turn.roll


def test_players_throw_again_when_told_to() -> None:
    table = VirtualTable(GAME, seed=1, rates=FAULTLESS)
    again: Sequence[Effect] = ()
    refused = 0
    while refused < 2:
        step = table.advance(again)
        assert step is not None
        again = ()
        if step.act.kind is ActKind.DICE_REST and refused < 1:
            again = (RollRead(step.act.seat, None, False, Certainty.CERTAIN, (Text.of("dice.on_checker", die=3),)),)
            refused += 1
        elif step.act.kind is ActKind.DICE_LIFTED:
            refused += 1
    assert not any(isinstance(truth, TurnTruth) for truth in table.truths)
    (item,) = table.report().items
    assert item.outcome is Outcome.WRONG_CERTAIN


@pytest.mark.parametrize(
    ("choices", "honest"),
    [
        ((Choice.ACCEPT, Choice.REQUIRE), Choice.ACCEPT),
        ((Choice.ACCEPT, Choice.REQUIRE, Choice.DENY), Choice.DENY),
        ((Choice.CONFIRM, Choice.DENY), Choice.DENY),
        ((Choice.REQUIRE,), Choice.REQUIRE),
    ],
)
def test_a_question_about_a_legal_play_is_answered_honestly_by_whom_it_was_put_to(
    choices: tuple[Choice, ...], honest: Choice
) -> None:
    table = VirtualTable(GAME, seed=1, rates=FAULTLESS)
    while (step := table.advance()) is not None and step.act.kind is not ActKind.DICE_LIFTED:
        pass
    prompt = Prompt(4, (Role.B,), Text.of("ask.looks_illegal", seat=Seat.A, roll=Roll(3, 1)), choices)
    before = GAME.start().placement()
    judged = TurnJudged(Seat.A, Roll(3, 1), None, False, Certainty.PROBABLE, before, before)
    step = table.advance([judged, prompt])
    assert step is not None
    assert step.act.kind is ActKind.ANSWER
    (answer,) = table.panel.answers()
    assert (answer.by, answer.prompt, answer.choice) == (Role.B, 4, honest)
    assert table.panel.answers() == []


def test_players_who_are_made_to_look_at_an_illegal_play_take_it_back() -> None:
    table = VirtualTable(GAME, seed=3, rates=Rates(misplay=1.0, irregular_throw=0))
    while (step := table.advance()) is not None and step.act.kind is not ActKind.DICE_LIFTED:
        pass
    wrong = table.truths[-1]
    assert isinstance(wrong, TurnTruth)
    assert not wrong.legal
    table.advance([Notice(Text.of("turn.unclear", points="point 6"))])
    while not (isinstance(table.truths[-1], TurnTruth) and table.truths[-1].ending is Ending.REPLAYED):
        assert table.advance() is not None
    assert table.truths[-1].legal
    assert table.truths[-1].before == wrong.before
    assert table.report().items[-2].outcome is Outcome.NOT_TOLD


@pytest.mark.parametrize("asked", [Seat.A, Seat.B])
def test_players_know_whose_turn_it_is(asked: Seat) -> None:
    table = VirtualTable(GAME, seed=1, rates=FAULTLESS)
    while (step := table.advance()) is not None and not (step.act.seat and step.act.kind is ActKind.DICE_REST):
        pass
    assert step is not None
    assert step.act.seat is not None
    text = Text.of("ask.whose_turn", seat=asked, expected=asked.other)
    table.advance([Prompt(1, (Role.A, Role.B), text, (Choice.CONFIRM, Choice.DENY))])
    (answer,) = table.panel.answers()
    assert answer.choice is (Choice.CONFIRM if asked is step.act.seat else Choice.DENY)


def test_dice_that_the_referee_cannot_read_are_laid_anew_with_the_same_values() -> None:
    table = VirtualTable(GAME, seed=1, rates=FAULTLESS)
    while (step := table.advance()) is not None and step.act.kind is not ActKind.DICE_REST:
        pass
    assert step is not None
    thrown = step.act.world.dice
    heard: Sequence[Effect] = (Prompt(1, (), Text.of("setup.first"), (Choice.CONFIRM,)),)
    seen = []
    for _ in range(6):
        step = table.advance(heard)
        assert step is not None
        heard = ()
        if step.act.kind is ActKind.DICE_REST:
            seen.append(step.act.world.dice)
    assert seen
    assert [die.value for die in seen[0]] == [die.value for die in thrown]
    assert all(a.x_mm != b.x_mm for a, b in zip(seen[0], thrown, strict=True))


def test_the_camera_shows_the_empty_board_then_the_start_then_the_session() -> None:
    table = VirtualTable(GAME, seed=1)
    frames = list(islice(table.camera.frames(), 8))
    assert [frame.name for frame in frames[:2]] == ["virtual-empty", "virtual-start"]
    assert np.abs(frames[0].picture.astype(int) - frames[1].picture).mean() > 1
    assert [frame.at_ms for frame in frames] == sorted(frame.at_ms for frame in frames)
    assert not any(frame.still for frame in frames[2:])
    table.camera.close()
    assert list(table.camera.frames()) == []


def test_in_real_time_there_is_a_frame_every_tenth_of_a_second_and_hands_move() -> None:
    table = VirtualTable(GAME, seed=1, pace=REAL_TIME)
    shots: list[int] = []
    hands: set[tuple[float, float]] = set()
    for step in islice(steps(table), 120):
        shots += step.shots_ms
        hands |= {(hand.x_mm, hand.y_mm) for hand in step.act.world.hands}
    assert shots == list(range(0, shots[-1] + 1, 100))
    assert len(hands) > 40


def test_frames_are_held_back_until_they_are_due() -> None:
    now_s = [50.0]
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now_s[0] += seconds

    pacing = Pacing(lambda: now_s[0], sleep)
    pacing.wait_until(1000)
    pacing.wait_until(1300)
    now_s[0] += 5
    pacing.wait_until(1400)
    assert slept == [pytest.approx(0.3)]


def test_the_camera_sees_the_lights_that_burn_and_their_rhythm() -> None:
    with VirtualTable(GAME, seed=5, sensors=True) as table:
        table.hear([Scene((Mark(Sign.TARGET, point(10)),))])
        layout, geometry = ChainLayout(), table.geometry
        x_mm, y_mm = dict(led_places(geometry, layout))[layout.tip(10)]
        x, y = (round(value) for value in LOOKS["green-felt"].camera.project([(x_mm, y_mm, 0.0)])[0])
        frames = islice((frame for step in steps(table) for frame in step.frames()), 60)
        lit = {frame.at_ms // 125 % 8: int(frame.picture[y, x, 2]) for frame in frames}
    assert min(lit[slot] for slot in lit if slot < 4) > 240
    assert max(lit[slot] for slot in lit if slot >= 4) < 150


def test_a_cup_stands_on_the_board_where_nothing_else_lies_and_not_while_it_is_calibrated() -> None:
    table, plain = (VirtualTable(GAME, seed=4, cup=cup) for cup in (True, False))
    for with_cup, without in zip(islice(table.camera.frames(), 6), islice(plain.camera.frames(), 6), strict=True):
        quarters = np.array_split(np.abs(with_cup.picture.astype(int) - without.picture).max(axis=2), 4, axis=1)
        seen = [float((quarter > 40).mean()) for quarter in quarters]
        if with_cup.name in ("virtual-empty", "virtual-start"):
            assert seen == [0.0] * 4
        else:
            assert seen[1] > 0.01
            assert max(seen[2:]) == 0.0


def test_the_sensor_board_sees_the_checkers_where_they_lie() -> None:
    with VirtualTable(GAME, seed=1, sensors=True) as table:
        assert table.board is not None
        assert table.board.path
        slots = SlotMap.reference()
        seen = {channel: table.sensed(channel) for channel in slots.point(6)}
        assert set(seen.values()) == {ChannelClass.LIGHT}
        for _ in islice(steps(table), 60):
            pass
        for number in range(1, 25):
            lowest = [one for one in table.world.checkers if one.place.number == number and one.z_mm < 10]
            covered = [c for c in slots.point(number) if table.sensed(c) is not ChannelClass.EMPTY]
            if not table.world.dice:
                assert len(covered) == len(lowest)
    table.close()


def test_an_unknown_look_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"no look is called 'chrome'.*green-felt"):
        VirtualTable(GAME, look="chrome")


def test_a_rate_that_is_no_share_is_refused() -> None:
    with pytest.raises(ValueError, match=r"misplay 1\.5"):
        Rates(misplay=1.5)


def test_players_with_sets_of_their_own_throw_the_others_now_and_then_and_are_told() -> None:
    rates = Rates(misplay=0.0, irregular_throw=0.0, shuffle=0.0, incident=0.5, incidents=frozenset({"opponents_dice"}))
    table = VirtualTable(GAME, seed=3, rates=rates, ruleset=HOUSE_SEED, own_dice=True)
    referee, tracker = Referee(GAME, HOUSE_SEED), Tracker()
    effects: list[Effect] = []
    thrown: set[tuple[Seat | None, ...]] = set()
    while (step := table.advance(effects)) is not None:
        effects = []
        if step.act.kind is ActKind.DICE_REST and step.act.seat is not None:
            thrown.add((step.act.seat, *(die.owner for die in step.act.world.dice)))
        for at_ms in step.shots_ms:
            for fact in tracker.feed(read_world(step.act.world, GAME), at_ms, "frame"):
                effects += referee.feed(fact)
        for answer in table.panel.answers():
            effects += referee.feed(answer)
    assert {(Seat.A, Seat.A, Seat.A), (Seat.B, Seat.B, Seat.B)} <= thrown
    assert thrown & {(Seat.A, Seat.B, Seat.B), (Seat.A, Seat.B, Seat.A), (Seat.B, Seat.A, Seat.A)}
    report = table.report()
    happened = [item for item in report.items if item.truth.name == "opponents dice"]
    assert happened
    assert all(item.outcome is Outcome.RIGHT for item in happened)
    assert not report.alarms
