"""The buttons of a virtual table, and what its players answer to questions."""

from collections import deque
from typing import TypeVar

from boardctl.devices.faces import Press
from boardctl.referee.facts import Answered, Choice, Doubled, Role

Item = TypeVar("Item")


class VirtualPanel:
    """The panel of a virtual table, with the face of a real one, and a console at which players answer."""

    def __init__(self) -> None:
        self._presses: deque[Press] = deque()
        self._answers: deque[Answered | Doubled] = deque()

    def presses(self) -> list[Press]:
        """Gets the presses since the last call, oldest first."""
        return _emptied(self._presses)

    def answers(self) -> list[Answered | Doubled]:
        """Gets what the players said since the last call, oldest first: answers to prompts, and doubles."""
        return _emptied(self._answers)

    def press(self, by: Role, at_ms: int) -> None:
        """Presses a button."""
        self._presses.append(Press(by, at_ms))

    def answer(self, by: Role, at_ms: int, prompt: int, choice: Choice) -> None:
        """Answers a question."""
        self._answers.append(Answered(at_ms, by, prompt, choice))

    def double(self, by: Role, at_ms: int) -> None:
        """Says that somebody doubles."""
        self._answers.append(Doubled(at_ms, by))

    def close(self) -> None:
        """Lets the panel go. May be called again."""
        self._presses.clear()
        self._answers.clear()


def _emptied(waiting: deque[Item]) -> list[Item]:
    items: list[Item] = []
    while waiting:
        items.append(waiting.popleft())
    return items
