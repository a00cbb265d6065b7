"""What a guided command asks a person at the table."""

from collections.abc import Callable

from boardctl.cli.reporting import UsageError

Ask = Callable[[str], str]
"""Says something and waits for the answer; Enter alone is an empty one."""


def agreed(ask: Ask, question: str) -> bool:
    """Asks a question to which Enter says yes, and n says no."""
    return ask(f"{question} [Enter/n]") in ("", "y", "yes")


def ask_person(text: str) -> str:
    """Says ``text`` on the terminal and gets what the person types.

    :raises UsageError: when nobody is there to answer.
    """
    try:
        return input(f"{text} ").strip().lower()
    except EOFError:
        raise UsageError("nobody answers: this command is guided; run it at a terminal") from None
