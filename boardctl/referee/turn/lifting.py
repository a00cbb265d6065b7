"""What the sensors feel of a play while it is made: lights for it at once, never a word about it.

A checker that is lifted lights its legal targets before anything has come to rest. Nothing is judged by what is felt:
only readings of the board at rest are evidence.
"""

from collections.abc import Mapping

from boardctl.referee.effects import Notice, Text
from boardctl.referee.facts import CheckerSensed, Device
from boardctl.referee.readings import Witness
from boardctl.referee.response import Response
from boardctl.referee.turn.turns import show_play
from boardctl.rules import MoveGraph, Place, Position

_MOST_LIFTED = 2
"""How many checkers one has in the hands at most while others may still be felt to go: one in each."""


def checker_sensed(response: Response, fact: CheckerSensed) -> None:
    """Remembers that the board is no longer as it was read."""
    response.change(awaited=tuple(witness for witness, _ in response.state.readings))


def checker_in_move(response: Response, fact: CheckerSensed) -> None:
    """Lights where the checker that was lifted may go. Nothing is judged by it."""
    checker_sensed(response, fact)
    turn = response.state.turn
    assert turn is not None
    if fact.seat not in (None, turn.seat):
        return  # a checker that was hit, on its way to the bar
    if fact.lifted:
        response.change(lifted=(*response.state.lifted, fact.place)[-_MOST_LIFTED:])
    else:
        _put(response, fact.place)
    show_play(response)


def forget_witness(response: Response, device: Device) -> None:
    """Leaves out what a device saw that is gone: the board may change unseen by it. Says which witness is left."""
    state = response.state
    left = tuple((witness, reading) for witness, reading in state.readings if witness.value != device.value)
    if len(left) == len(state.readings):
        return
    awaited = tuple(witness for witness in state.awaited if witness.value != device.value)
    response.change(readings=left, awaited=awaited, lifted=(), followed=None)
    if device is Device.CAMERA:
        response.change(hand=False)
    for witness, _ in left:
        alone = Text.of("device.left_camera") if witness is Witness.CAMERA else Text.of("device.left_sensors")
        response.say(Notice(alone))


def _put(response: Response, place: Place) -> None:
    """Lets a lifted checker have gone to a place, if one of them may: the one that was lifted first."""
    lifted = list(response.state.lifted)
    if place in lifted:
        lifted.remove(place)
        response.change(lifted=tuple(lifted))
        return
    here = _where(response)
    for source in lifted:
        position = None if here is None else reachable(response.graph, here, source).get(place)
        if position is not None:
            lifted.remove(source)
            response.change(lifted=tuple(lifted), followed=position)
            return
    response.change(lifted=tuple(lifted[1:]))


def _where(response: Response) -> Position | None:
    """Gets how far the play has come; None when that is not known."""
    return response.state.followed or response.state.progress.position


def reachable(graph: MoveGraph, position: Position, source: Place) -> Mapping[Place, Position]:
    """Gets where the checker at ``source`` may go by itself, in one move or in several, and the position it leads to.

    Of several ways to a place the one that uses the fewest moves.
    """
    found: dict[Place, Position] = {}
    open_ways = [(position, source)]
    while open_ways:
        further = []
        for here, place in open_ways:
            for move, result in graph.steps[here].onward:
                if move.source == place and move.target not in found:
                    found[move.target] = result
                    further.append((result, move.target))
        open_ways = further
    return found
