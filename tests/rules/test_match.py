"""Cube, match and session, sentence by sentence."""

import pytest

from boardctl.rules import (
    HOUSE_RULES,
    BackgammonOptions,
    Cube,
    CubeError,
    EndedBy,
    LastRollRules,
    Ledger,
    Match,
    MatchRules,
    OfferKind,
    Outcome,
    Seat,
    TiedCrawford,
    WinKind,
)

A, B = Seat.A, Seat.B
MONEY = Match()
SINGLE, GAMMON, BACKGAMMON, DOUBLE_BACKGAMMON = WinKind


def won(seat: Seat, points: int) -> Outcome:
    return Outcome(seat, points, SINGLE, EndedBy.BORNE_OFF, 1)


def may_double(match: Match, cube: Cube, seat: Seat, **state: bool) -> bool:
    return match.refusal(cube, seat, **{"opening_played": True, **state}) is None


def test_either_seat_may_double_from_the_middle_and_only_the_owner_afterwards() -> None:
    assert may_double(MONEY, Cube(), A)
    assert may_double(MONEY, Cube(), B)
    taken = Cube().double(A).take()
    assert (taken.value, taken.owner) == (2, B)
    assert not may_double(MONEY, taken, A)
    assert may_double(MONEY, taken, B)
    redoubled = taken.double(B).take()
    assert (redoubled.value, redoubled.owner) == (4, A)


def test_a_refused_double_costs_what_was_at_stake_before() -> None:
    assert MONEY.dropped(Cube().double(A)) == Outcome(A, 1, SINGLE, EndedBy.DROPPED, 1)
    assert MONEY.dropped(Cube(4, B).double(B)) == Outcome(B, 4, SINGLE, EndedBy.DROPPED, 4)


def test_there_is_no_limit_to_redoubles() -> None:
    cube, seat = Cube(), A
    for _ in range(10):
        cube, seat = cube.double(seat).take(), seat.other
    assert cube.value == 1024


def test_no_double_before_the_opening_play_nor_while_an_offer_waits() -> None:
    assert MONEY.refusal(Cube(), A, opening_played=False) == "the opening dice are the first roll"
    offered = Cube().double(A)
    assert not may_double(MONEY, offered, B)
    with pytest.raises(CubeError, match="the double of A waits"):
        offered.double(B)


def test_the_cube_refuses_what_it_does_not_allow() -> None:
    with pytest.raises(CubeError, match="the cube at 2 is B's"):
        Cube(2, B).double(A)
    for step in (Cube().take, Cube().drop, Cube().redouble_at_once):
        with pytest.raises(CubeError, match="no offer waits"):
            step()


def test_a_beaver_keeps_the_cube_and_refusing_it_loses_the_stake_offered() -> None:
    beavered = Cube().double(A).redouble_at_once()
    assert beavered.offer is not None
    assert (beavered.offer.kind, beavered.offer.answers) == (OfferKind.BEAVER, A)
    assert (beavered.take().value, beavered.take().owner) == (4, B)
    assert MONEY.dropped(beavered).points == 2
    assert MONEY.dropped(beavered).winner is B


def test_a_raccoon_answers_a_beaver() -> None:
    raccooned = Cube().double(A).redouble_at_once().redouble_at_once()
    assert (raccooned.take().value, raccooned.take().owner) == (8, B)
    assert (MONEY.dropped(raccooned).winner, MONEY.dropped(raccooned).points) == (A, 4)
    with pytest.raises(CubeError, match="a raccoon is taken or dropped"):
        raccooned.redouble_at_once()


def test_beavers_and_raccoons_are_played_where_agreed() -> None:
    doubled, beavered = Cube().double(A), Cube().double(A).redouble_at_once()
    beavers, raccoons = Match(MatchRules(beavers=True)), Match(MatchRules(beavers=True, raccoons=True))
    assert [match.may_redouble_at_once(doubled) for match in (MONEY, beavers, raccoons)] == [False, True, True]
    assert [match.may_redouble_at_once(beavered) for match in (MONEY, beavers, raccoons)] == [False, False, True]
    assert not beavers.may_redouble_at_once(Cube())


def test_automatic_doubles_leave_the_cube_in_the_middle_and_have_a_limit() -> None:
    assert Match(MatchRules(automatic_doubles=1)).opening_cube(3) == Cube(value=2, automatic=1)
    assert Match(MatchRules(automatic_doubles=2)).opening_cube(3) == Cube(value=4, automatic=2)
    assert MONEY.opening_cube(3) == Cube()


def test_jacoby_counts_gammons_once_until_a_double_was_offered() -> None:
    jacoby = Match(MatchRules(jacoby=True, automatic_doubles=1))
    assert jacoby.won(A, GAMMON, Cube()).points == 1
    assert jacoby.won(A, GAMMON, Cube().double(B).take()).points == 4
    # An automatic double is not an offer.
    assert jacoby.won(A, BACKGAMMON, jacoby.opening_cube(1)).points == 2
    assert MONEY.won(A, GAMMON, Cube()).points == 2


@pytest.mark.parametrize(
    "customs", [{"jacoby": True}, {"beavers": True}, {"automatic_doubles": 1}, {"beavers": True, "raccoons": True}]
)
def test_customs_of_money_play_are_refused_in_a_match(customs: dict[str, bool]) -> None:
    MatchRules(**customs)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="belong to money play"):
        MatchRules(length=5, **customs)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong", [{"length": 0}, {"raccoons": True}, {"automatic_doubles": -1}, {"automatic_doubles": 10**9}]
)
def test_impossible_rules_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"length is 1|allow beavers|limit is 0"):
        MatchRules(**wrong)  # type: ignore[arg-type]


def test_the_crawford_game_comes_once() -> None:
    match = Match(MatchRules(length=5)).after(won(A, 2))
    assert (match.is_crawford, match.is_post_crawford) == (False, False)
    match = match.after(won(A, 2))
    assert match.is_crawford
    assert match.refusal(Cube(), B, opening_played=True) == "this is the Crawford game"
    match = match.after(won(B, 1))
    assert (match.is_crawford, match.is_post_crawford) == (False, True)
    assert may_double(match, Cube(), B)
    match = match.after(won(B, 3))  # B reaches length minus one as well: no second Crawford game
    assert match.score == (4, 4)
    assert not match.is_crawford
    match = match.after(won(B, 2))
    assert match.winner is B
    assert match.refusal(Cube(), B, opening_played=True) == "the match is over"
    with pytest.raises(ValueError, match="B has won this match"):
        match.after(won(A, 1))


def test_a_match_begun_with_a_wrong_length_is_counted_anew() -> None:
    match = Match(MatchRules(length=7))
    for outcome in (won(A, 2), won(B, 3), won(A, 1), won(B, 2)):
        match = match.after(outcome)
    shorter = match.to_length(3)
    assert (shorter.score, shorter.winner) == ((2, 3), B)  # A had no three points yet when B had them
    assert match.to_length(6).is_crawford
    played = match.to_length(4)  # the last game was the Crawford game of such a match
    assert (played.score, played.winner, played.crawford_played) == ((3, 5), B, True)
    over = match.to_length(5)
    assert over.winner is B
    resumed = over.to_length(9)
    assert (resumed.score, resumed.winner) == ((3, 5), None)
    assert Match(MatchRules(), score=(4, 1)).to_length(5).is_crawford  # a score that no games came to stays
    with pytest.raises(ValueError, match="length is 1"):
        match.to_length(0)
    with pytest.raises(ValueError, match="jacoby"):
        Match(MatchRules(jacoby=True)).to_length(3)


def test_matches_can_be_played_without_crawford_and_without_a_cube() -> None:
    assert not Match(MatchRules(length=2, crawford=False)).after(won(A, 1)).is_crawford
    for match in (Match(MatchRules(cube=False)), Match(options=HOUSE_RULES)):
        assert match.refusal(Cube(), A, opening_played=True) == "the cube is not used"


def test_a_match_to_one_point_is_its_crawford_game() -> None:
    assert Match(MatchRules(length=1)).is_crawford


def test_a_closed_out_seat_may_double_unless_the_option_says_no() -> None:
    assert may_double(MONEY, Cube(), A, closed_out=True)
    assert not may_double(Match(options=BackgammonOptions(closed_out_may_double=False)), Cube(), A, closed_out=True)


def test_a_cube_is_dead_for_a_seat_that_wins_the_match_with_it() -> None:
    match = Match(MatchRules(length=5)).after(won(A, 3))
    assert not match.is_dead(Cube(), A)
    assert match.is_dead(Cube(2, A), A)
    assert not match.is_dead(Cube(2, B), B)
    assert not MONEY.is_dead(Cube(64, A), A)


def test_a_game_can_be_resigned_at_what_it_can_be_lost_by() -> None:
    cube = Cube(2, B)
    assert MONEY.resigned(MONEY.resign(B, GAMMON), cube) == Outcome(A, 4, GAMMON, EndedBy.RESIGNED, 2)
    with pytest.raises(ValueError, match="levels here are 1, 2, 3"):
        MONEY.resign(A, DOUBLE_BACKGAMMON)
    double = Match(options=BackgammonOptions(double_backgammon=True))
    assert double.resigned(double.resign(A, DOUBLE_BACKGAMMON), cube).points == 8
    with pytest.raises(ValueError, match=r"levels here are 1$"):
        Match(options=HOUSE_RULES).resign(A, GAMMON)


def test_the_loser_loses_points_where_the_ledger_says_so() -> None:
    gains = MONEY.after(won(A, 3)).after(won(B, 1))
    losses = Match(MatchRules(ledger=Ledger.LOSSES)).after(won(A, 3)).after(won(B, 1))
    assert gains.ledger() == (3, 1)
    assert losses.ledger() == (-1, -3)


def test_a_tie_scores_what_was_agreed_and_may_spend_the_crawford_game() -> None:
    replayed = Match(MatchRules(length=3, last_roll=LastRollRules())).after(won(A, 2))
    assert replayed.after(replayed.tied(Cube())).is_crawford
    spent = Match(MatchRules(length=3, last_roll=LastRollRules(tied_crawford=TiedCrawford.SPENT))).after(won(A, 2))
    assert spent.after(spent.tied(Cube())).is_post_crawford
    half = Match(MatchRules(last_roll=LastRollRules(tie_points=1)))
    assert half.after(half.tied(Cube())).score == (1, 1)
    with pytest.raises(ValueError, match="a tie needs Last Roll"):
        MONEY.tied(Cube())


def test_a_locked_game_is_drawn_or_won_by_one_point() -> None:
    assert MONEY.after(MONEY.locked(None)).score == (0, 0)
    assert MONEY.after(MONEY.locked(B)).score == (0, 1)


def test_a_session_has_no_winner_and_no_length() -> None:
    match = MONEY.after(won(A, 100))
    assert match.winner is None
    with pytest.raises(ValueError, match="no length"):
        match.needs(A)
