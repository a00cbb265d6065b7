"""What the referee can say: keys with the names of their arguments, filled in from a catalogue of one language."""

from collections.abc import Mapping
from string import Formatter
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, model_validator

from boardctl.referee.effects import Text

ARGUMENTS: dict[str, tuple[str, ...]] = {
    "setup.wrong": ("points",),
    "setup.unclear": ("points",),
    "setup.first": (),
    "setup.correct": ("points",),
    "setup.stands": ("points",),
    "setup.by_agreement": ("points",),
    "setup.corrected": (),
    "setup.put_back": (),
    "opening.roll": (),
    "opening.one_each": (),
    "opening.equal": (),
    "opening.starts": ("seat",),
    "opening.tied": ("seats",),
    "dice.not_on_turn": ("expected", "seat"),
    "dice.unclear": (),
    "dice.whose": (),
    "dice.not_flat": ("die", "tilt_deg"),
    "dice.on_checker": ("die",),
    "dice.on_die": ("die",),
    "dice.on_rail": ("die",),
    "dice.on_bar": ("die",),
    "dice.in_tray": ("die",),
    "dice.off_board": ("die",),
    "dice.wrong_half": ("die", "seat"),
    "dice.two_halves": (),
    "dice.wrong_number": ("count",),
    "dice.only_one_again": (),
    "dice.not_together": (),
    "dice.premature": ("seat",),
    "dice.early": ("seat",),
    "dice.changed": ("roll",),
    "dice.taken_up": ("seat", "roll"),
    "roll.no_play": ("roll", "seat"),
    "roll.board_changed": ("points",),
    "roll.played_without_rolling": ("points", "seat"),
    "roll.played_opponents_roll": ("roll", "seat"),
    "roll.or_ended_so": (),
    "roll.waits": ("seat",),
    "turn.numbers": ("numbers", "seat"),
    "turn.unclear": ("points",),
    "turn.blind": ("points",),
    "turn.not_seen": (),
    "turn.overtaken": (),
    "turn.play_again": ("roll", "seat"),
    "ask.illegal": ("roll", "seat"),
    "ask.looks_illegal": ("roll", "seat"),
    "ask.whose_turn": ("expected", "seat"),
    "ask.correct_start": (),
    "ask.who_played": ("expected", "roll", "seat"),
    "ask.premature": ("seat",),
    "ask.repair": (),
    "ask.impossible": ("points",),
    "confirm.roll_does_not_accept": (),
    "repair.look": (),
    "repair.first": (),
    "repair.too_many": ("count", "more", "place"),
    "repair.missing": ("count", "more", "place"),
    "repair.other_seat": ("more", "place"),
    "repair.done": (),
    "device.lost": ("device", "reason"),
    "device.left_camera": (),
    "device.left_sensors": (),
    "device.back": ("device",),
    "assist.chosen": ("level", "seat"),
    "assist.none_allowed": (),
    "query.nothing": (),
    "clock.started_late": ("seat",),
    "clock.no_reason": ("reason", "seat"),
    "clock.director_resumes": (),
    "clock.given": ("reason", "seat", "seconds"),
    "clock.flag_is_up": (),
    "clock.flag_fell": ("seat",),
    "clock.both_down": ("seat",),
    "clock.penalty": ("seat",),
    "clock.both_are_down": (),
    "penalty.warning": ("count", "seat"),
    "game.set_up_anew": (),
    "hands.two": ("seat",),
    "hands.out_of_turn": ("count", "other", "seat"),
    "pattern.let_pass": ("count", "other", "seat"),
    "penalty.points": ("count", "seat"),
    "late.points": ("minutes", "points"),
    "late.points_for": ("minutes", "points", "seat"),
    "late.decides": ("length", "points"),
    "cube.dead": ("seat",),
    "clock.overtime": ("seat", "seconds"),
    "clock.not_started": (),
    "clock.runs_for_other": ("running", "seat"),
    "clock.went_back": ("stood_ms", "told_ms"),
    "coach.no_move": ("number",),
    "coach.held": ("count", "point"),
    "coach.bar_first": ("count",),
    "coach.not_home": ("point",),
    "coach.behind": ("point",),
    "coach.covered": ("point",),
    "coach.leaves_nothing": ("move", "number"),
    "coach.must_play": ("number",),
    "coach.forced_move": ("move",),
    "coach.only_play": ("play",),
    "coach.pips": ("other", "own"),
    "coach.best": ("engine", "play"),
    "coach.best_made": ("engine",),
    "coach.better": ("engine", "loss", "play"),
    "coach.no_engine": (),
    "coach.engine_lost": ("reason",),
    "cube.none": (),
    "cube.waits": ("seat",),
    "cube.not_now": (),
    "cube.binds": ("seat",),
    "cube.too_early": ("seat",),
    "cube.crawford": ("seat",),
    "cube.crawford_game": (),
    "cube.not_yours": ("seat",),
    "cube.answer_first": (),
    "cube.rolled_before_answer": (),
    "cube.wrong_value": ("shown", "value"),
    "cube.laid_too_early": (),
    "cube.touched": ("seat",),
    "cube.belongs_in_middle": (),
    "cube.belongs_to": ("seat",),
    "last_roll.due": ("seat",),
    "last_roll.stolen": ("seat",),
    "last_roll.unknown": (),
    "ask.double": ("seat", "value"),
    "ask.resign": ("level", "seat"),
    "resign.no_level": ("level", "levels"),
    "resign.answer_first": (),
    "resign.refused": ("seat",),
    "director.nothing_stands": (),
    "director.restored": ("seat",),
    "director.length_unclear": ("why",),
    "director.score_unclear": ("seats",),
    "director.no_cube": (),
    "declared.hidden": ("points",),
    "declared.impossible": ("totals",),
    "fault.wrong_pips": ("pips", "roll", "source", "target"),
    "fault.too_much": ("moves", "roll"),
    "fault.no_legal_play": ("roll",),
    "fault.number_not_used": ("numbers", "roll"),
    "fault.lower_number_used": ("higher", "lower"),
    "fault.entry_missed": ("count", "roll"),
    "fault.bar_ignored": ("count", "source", "target"),
    "fault.blocked_point": ("point", "source", "target"),
    "fault.trapped_checker_moved": ("source", "target"),
    "fault.hit_checker_left": ("point",),
    "fault.hit_checker_in_tray": ("point",),
    "fault.own_checker_on_bar": ("source",),
    "fault.moved_backwards": ("source", "target"),
    "fault.left_the_tray": ("source", "target"),
    "fault.opponent_checker_moved": ("source", "target"),
    "fault.early_bear_off": ("points", "source"),
    "fault.bear_off_from_behind": ("points", "source"),
    "fault.excess_bear_off": ("count", "roll"),
    "fault.checker_vanished": ("point", "seat"),
    "fault.checker_extra": ("point", "seat"),
    "fault.ambiguous_placement": ("points",),
}
"""Every text that there is, with the arguments it may use."""


class Catalogue(BaseModel):
    """The texts of one language; complete, and each with no other arguments than it is given."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    ARGUMENTS: ClassVar[Mapping[str, tuple[str, ...]]] = ARGUMENTS

    language: str
    texts: dict[str, str]

    @model_validator(mode="after")
    def _whole(self) -> "Catalogue":
        if lacking := sorted(set(self.ARGUMENTS) - set(self.texts)):
            raise ValueError(f"texts: missing {', '.join(lacking)}; add them")
        for key, words in self.texts.items():
            if key not in self.ARGUMENTS:
                raise ValueError(f"texts.{key}: nobody says this; remove it or correct its name")
            used = {name for _, name, _, _ in Formatter().parse(words) if name is not None}
            if unknown := sorted(used - set(self.ARGUMENTS[key])):
                known = ", ".join(self.ARGUMENTS[key]) or "none"
                raise ValueError(f"texts.{key}: no argument {', '.join(unknown)}; it has {known}")
        return self


def render(text: Text, catalogue: Catalogue) -> str:
    """Gets a text in the catalogue's language.

    :raises ValueError: when nobody ever says this, or an argument is missing.
    """
    words = catalogue.texts.get(text.key)
    if words is None:
        raise ValueError(f"no text {text.key!r} in the catalogue of language {catalogue.language!r}")
    try:
        return words.format(**dict(text.arguments))
    except KeyError as error:
        raise ValueError(f"text {text.key!r} needs the argument {error.args[0]!r}; given: {text.arguments}") from None
