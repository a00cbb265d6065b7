"""Hands over the board: two of one player at once, or one in the other's turn. Noted for the director, no more.

Most rules say nothing of either; some have one hand only, and leave the other's turn alone (US 2008, 4.3, as printed).
That a hand was there is a fact; what it was for, no picture tells.
"""

from boardctl.referee.effects import Phase, Text
from boardctl.referee.facts import HandSeen
from boardctl.referee.response import Response
from boardctl.referee.seen.dice import lying
from boardctl.rules import Seat


def note_hands(response: Response, fact: HandSeen) -> None:
    """Notes what the hands in view have done that is worth a note, each once a turn."""
    on_turn = _plays(response)
    if on_turn is None:
        return
    over = [hand.entry for hand in fact.hands if hand.places and hand.entry is not None]
    for seat in dict.fromkeys(over):
        if over.count(seat) > 1:
            _note(response, Text.of("hands.two", seat=seat))
        if seat is not on_turn and len(response.game.seats) == 2:
            _note_out_of_turn(response, seat, on_turn)


def _plays(response: Response) -> Seat | None:
    """Gets the seat that is playing a roll, one that could not be read, too; None: nobody, or it may be over by now.

    Where the dice of the roll are gone the game may have gone on in a way that was not seen.
    """
    state = response.state
    in_view = state.dice_in_view.reading.dice if state.dice_in_view is not None else ()
    if state.phase is Phase.MOVE and state.turn is not None:
        again = state.thrown_again.reading.dice if state.thrown_again is not None else ()
        thrown = (*state.turn.dice, *again)
        return state.turn.seat if state.turn.replayed or lying(in_view, thrown) else None
    rolls = state.phase in (Phase.CUBE, Phase.ROLL)
    return state.seat if rolls and lying(in_view, state.unread) else None


def _note_out_of_turn(response: Response, seat: Seat, on_turn: Seat) -> None:
    """Notes a hand in the other's turn, with how often that has happened: once is nothing, a habit may be something."""
    if not _is_new(response, "hands.out_of_turn"):
        return
    counts = dict(response.state.reached_over)
    counts[seat] = counts.get(seat, 0) + 1
    response.change(reached_over=tuple(counts.items()))
    response.tell_director(Text.of("hands.out_of_turn", seat=seat, other=on_turn, count=counts[seat]))


def _note(response: Response, text: Text) -> None:
    if _is_new(response, repr(text)):
        response.tell_director(text)


def _is_new(response: Response, signature: str) -> bool:
    """Whether this has not been noted in this turn yet; from now on it has."""
    said = response.state.said
    if signature in said:
        return False
    response.change(said=(*said, signature))
    return True
