"""An offered cube that is put down and nothing said: where it lies, by whose hand, and how the ruleset reads that.

On the own side of who must answer it is a take, as most have it (bkgm 1448). Elsewhere beside the playing surface it
is an answer, too, by some rules (USBGF, as quoted by a third party), but no picture tells which: that is asked again.
"""

from boardctl.referee.effects import Text
from boardctl.referee.facts import HandSeen
from boardctl.referee.response import Response
from boardctl.rules import Seat


def remember_hands(response: Response, fact: HandSeen) -> None:
    """Remembers from whose sides hands have come since an offered cube lies where it does; None: not to be told."""
    if response.state.cube.offer is None or not fact.present:
        return
    seen = tuple(hand.entry for hand in fact.hands if hand.places) or (None,)
    response.change(hands_at_cube=tuple(dict.fromkeys((*response.state.hands_at_cube, *seen))))


def say_taken(response: Response, seat: Seat) -> None:
    """Says that a cube on the side of who must answer is read as a take."""
    response.notice(Text.of("cube.taken_by_place", seat=seat))


def put_down_elsewhere(response: Response, zone: str) -> bool:
    """Says where an offered cube was put down that is on the answering seat's side no more than on the playing
    surface, and how that is read; False where it may have been somebody else's hand that put it there."""
    offer = response.state.cube.offer
    assert offer is not None
    if response.state.hands_at_cube != (offer.answers,):
        return False
    if zone == "bar":
        response.notice(Text.of("cube.put_in_middle", seat=offer.answers))
    else:
        response.notice(Text.of("cube.put_on_other_side", seat=offer.answers, other=offer.by))
    match response.ruleset.cube_put_down:
        case "answers":
            response.notice(Text.of("cube.put_down_answers", seat=offer.answers))
        case "own_side_takes":
            response.notice(Text.of("cube.only_own_side_takes", seat=offer.answers))
        case "no_rule":
            response.notice(Text.of("cube.put_down_no_rule", seat=offer.answers))
    return True
