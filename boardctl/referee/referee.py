"""The referee: facts in, effects out. Pure: the same facts give the same effects, always."""

from boardctl.referee import clocking
from boardctl.referee.announcing import announced
from boardctl.referee.disputed_places import watch_disputes
from boardctl.referee.doubling import answered_resignation, lapse_resignation, see_cube
from boardctl.referee.effects import Effect, Phase
from boardctl.referee.facts import Answered, BoardSeen, DiceLifted, DiceRested, Fact, PositionDeclared
from boardctl.referee.penalties import propose
from boardctl.referee.phases import TABLE
from boardctl.referee.response import Match, Response
from boardctl.referee.roll.missing import note_whole, with_missing
from boardctl.referee.roll.set_up_anew import begin_opening_anew, note_set_up_anew
from boardctl.referee.roll.wrong_start import note_none_missing
from boardctl.referee.ruleset import Ruleset
from boardctl.referee.state import State
from boardctl.rules import Game
from boardctl.rules import Match as Ledger

_JUDGED = (Phase.SETUP, Phase.CUBE, Phase.ROLL, Phase.MOVE, Phase.CONFIRM, Phase.HOLD)


class Referee:
    """Referees one table: a game, by a ruleset, for a match or single games.

    >>> from boardctl.referee import Referee, read_ruleset
    >>> from boardctl.rules import Backgammon
    >>> referee = Referee(Backgammon(), read_ruleset("house-seed"))
    >>> referee.state.phase
    <Phase.SETUP: 'setup'>
    """

    def __init__(self, game: Game, ruleset: Ruleset, match: Match | None = None) -> None:
        self.game = game
        self.ruleset = ruleset
        self.match = match if match is not None else Match()
        clock = clocking.clock_of(ruleset, game, self.match.length)
        self._state = State(clock=clock, ledger=Ledger.of(game, self.match.terms), assist=self.match.assist)

    @property
    def state(self) -> State:
        """Where the game stands; a value that later facts do not change."""
        return self._state

    def feed(self, fact: Fact, /) -> list[Effect]:
        """Takes a fact and gets what follows from it, in the order in which it is to be carried out."""
        response = Response(self.game, self.ruleset, self.match, self._state)
        fact = with_missing(response, fact)
        if isinstance(fact, DiceRested):
            response.change(dice_in_view=fact)
        elif isinstance(fact, DiceLifted) and fact.left == 0:
            response.change(dice_in_view=None)
        clocking.before_fact(response, fact)
        if isinstance(fact, BoardSeen):
            see_cube(response, fact)
        if isinstance(fact, DiceRested):
            begin_opening_anew(response, fact)
        if not (isinstance(fact, Answered) and answered_resignation(response, fact)):
            TABLE[response.state.phase, fact.kind].handler(response, fact)
        if isinstance(fact, BoardSeen):
            note_set_up_anew(response)
        if isinstance(fact, BoardSeen | PositionDeclared):
            note_whole(response)
            note_none_missing(response)
        lapse_resignation(response)
        clocking.after_fact(response, fact, self._state.clock)
        watch_disputes(response, self._state.phase)
        propose(response, fact, self._state)
        self._state, effects = announced(self.ruleset, self._state, response.state, response.effects)
        return effects

    @property
    def unexplained(self) -> bool:
        """Whether the board stands still in a way that no play explains, with no hand over it."""
        state = self._state
        phase = state.repaired_phase if state.phase is Phase.REPAIR and state.turn is None else state.phase
        return bool(state.unexplained) and phase in _JUDGED
