"""What the players of the virtual table answer when they are asked: the truth, as they saw it."""

from random import Random

from boardctl.referee.effects import Prompt
from boardctl.referee.facts import Choice, Role
from boardctl.rules import Faults, Game, Roll, Seat
from boardctl.virtual.playing.doubling import Doubling
from boardctl.virtual.playing.motions import Acts, Motions
from boardctl.virtual.playing.players import Rates
from boardctl.virtual.truth import TurnTruth

WHOSE_TURN = ("ask.whose_turn", "ask.who_played")
"""The questions whether it is, or was, the turn of ``seat``."""

OF_A_PLAY = ("ask.illegal", "ask.looks_illegal", "ask.impossible")
"""The questions about a play that was made: the one that ended last, whoever has thrown since."""

STACK_OF_ANSWERS = 3
"""How many questions in a row the players answer before they go on."""


class Answers:
    """What the players of one game know, and answer by. ``on_turn``: whose turn it is; ``roll``: the one that counts
    and is being played; ``last``: the turn that ended last, while the next throw has not been read."""

    def __init__(self, game: Game, hands: Motions, rates: Rates, random: Random, doubling: Doubling) -> None:
        self.on_turn: Seat | None = None
        self.roll: Roll | None = None
        self.last: TurnTruth | None = None
        self._game = game
        self._hands = hands
        self._rates = rates
        self._random = random
        self._doubling = doubling

    def give(self, truth: TurnTruth | None = None) -> Acts:
        """Answers the questions that were put to the players, about the turn ``truth`` when they are about one."""
        for _ in range(STACK_OF_ANSWERS):
            if (prompt := self._hands.ear.take_prompt(self._doubling.is_for_later)) is None:
                return
            if prompt.text.key == "ask.double":
                yield from self._doubling.show()
                continue
            if prompt.text.key == "ask.put_right":
                continue  # they go on from the legal play
            about = self._about(prompt, truth)
            by = prompt.to[0] if prompt.to else Role.DIRECTOR
            seat = about.seat if about is not None else None
            yield from self._hands.answer(by, seat, prompt.number, self._choice(prompt, about))

    def accepts(self) -> bool:
        """Whether the players let something pass that they need not."""
        return self._random.random() < self._rates.accept

    def _about(self, prompt: Prompt, truth: TurnTruth | None) -> TurnTruth | None:
        """Gets the turn that a question is about; None: a play that nobody has made."""
        if prompt.text.key not in OF_A_PLAY:
            return truth
        turn, asked = truth or self.last, dict(prompt.text.arguments)
        made = turn is not None and asked.get("seat", turn.seat.value) == turn.seat.value
        return turn if made else None

    def _choice(self, prompt: Prompt, truth: TurnTruth | None) -> Choice:
        """Gets the honest answer to a question, about the turn ``truth`` when it is about one."""
        offered, asked = prompt.choices, dict(prompt.text.arguments)
        if prompt.text.key in WHOSE_TURN:
            return _yes(self.on_turn is not None and asked.get("seat") == self.on_turn.value)
        if prompt.text.key == "ask.roll_counted":
            of_turn = self.on_turn is not None and asked.get("seat") == self.on_turn.value
            return _yes(of_turn and self.roll is not None and asked.get("roll") == str(self.roll))
        if Choice.REQUIRE in offered or Choice.ACCEPT in offered:
            if truth is None or truth.legal:
                # Who is asked whether a play looks illegal, and sees that it is not, says so rather than accept it.
                wanted = Choice.DENY if Choice.DENY in offered else Choice.ACCEPT
            else:
                may_stand = self._game.faults(truth.after) is Faults.NONE
                wanted = Choice.ACCEPT if may_stand and self.accepts() else Choice.REQUIRE
        elif Choice.CONFIRM in offered and truth is None and prompt.text.key in OF_A_PLAY:
            wanted = Choice.DENY
        elif Choice.CONFIRM in offered:
            wanted = Choice.CONFIRM if truth is None or self._agrees(truth) else Choice.DENY
        else:
            wanted = Choice.SET_UP
        return wanted if wanted in offered else offered[0]

    def _agrees(self, truth: TurnTruth) -> bool:
        """Whether the referee's last judgement of the play is the players', too; where checkers lie they see anyway."""
        judged = self._hands.ear.judged()
        return judged is None or judged.legal == truth.legal


def _yes(so: bool) -> Choice:
    return Choice.CONFIRM if so else Choice.DENY
