"""What the players of a virtual table hold each other to."""

from dataclasses import dataclass, field
from typing import Self

from boardctl.referee import Ruleset
from boardctl.virtual.dice import ThrowRules


@dataclass(frozen=True, slots=True)
class HouseRules:
    """What the players hold each other to: which throws count, and whether a button ends the turn or lifted dice.

    ``double_binds`` and ``own_double_binds``: who shows too early that he doubles is held to it on his next turn, in
    the other's turn and after his own roll. ``sensors``: the board has sensors that can be lost. ``own_dice``: each
    seat throws a pair of its own.
    """

    throws: ThrowRules = field(default_factory=ThrowRules)
    button_ends_turn: bool = False
    early_roll_stands: bool = False
    clock: bool = False
    double_binds: bool = False
    own_double_binds: bool = False
    cube_touch_means_nothing: bool = True
    must_correct: bool = False
    sensors: bool = False
    own_dice: bool = False

    @classmethod
    def of(cls, ruleset: Ruleset, *, sensors: bool = False) -> Self:
        """Gets what a ruleset asks of players."""
        return cls(
            ThrowRules(ruleset.roller_half != "right", ruleset.die_on_checker == "valid"),
            button_ends_turn=ruleset.turn_end in ("button", "clock"),
            early_roll_stands=ruleset.premature_roll == "stands",
            clock=ruleset.turn_end == "clock",
            double_binds=ruleset.premature_cube != "void",
            own_double_binds=ruleset.premature_cube == "binds_next_turn",
            cube_touch_means_nothing=ruleset.cube_touch == "ignore",
            must_correct=ruleset.illegal_play == "must_correct",
            sensors=sensors,
        )
