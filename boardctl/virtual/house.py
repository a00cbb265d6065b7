"""What the players of a virtual table hold each other to."""

from dataclasses import dataclass, field
from typing import Self

from boardctl.referee import Ruleset
from boardctl.virtual.dice import ThrowRules


@dataclass(frozen=True, slots=True)
class HouseRules:
    """What the players hold each other to: which throws count, and whether a button ends the turn or lifted dice."""

    throws: ThrowRules = field(default_factory=ThrowRules)
    button_ends_turn: bool = False
    early_roll_stands: bool = False

    @classmethod
    def of(cls, ruleset: Ruleset) -> Self:
        """Gets what a ruleset asks of players."""
        throws = ThrowRules(ruleset.roller_half != "right", ruleset.die_on_checker == "valid")
        return cls(throws, ruleset.turn_end in ("button", "clock"), ruleset.premature_roll == "stands")
