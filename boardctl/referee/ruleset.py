"""Rulesets: what one family of rules does about an irregularity, as data.

No preset claims to conform to a rule book until a person has checked it against the original: until then ``verified``
is false, and the ids of presets after somebody else's rules end in ``-like``.
"""

from hashlib import sha256
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from boardctl.referee.effects import PlayFault

Identifier = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]
Waiver = Literal["forced", "no_contact"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SetupWindow(_Part):
    """Until how many valid rolls a wrong starting position must be corrected."""

    rolls: int = Field(ge=1)


class ClockTerms(_Part):
    """Time for thought. ``reserve_*`` in seconds; simple delay: what is not used of it is never banked."""

    kind: Literal["none", "delay"] = "none"
    delay_s: int = Field(default=0, ge=0)
    reserve_a_point_s: int = Field(default=0, ge=0)
    less_a_point_scored_s: int = Field(default=0, ge=0)
    overtime_s: tuple[Annotated[int, Field(ge=1)], ...] = ()
    flag: Literal["loses", "loses_when_noticed", "penalty_points", "none"] = "none"
    cocked: Literal["runs", "delay_restarts"] = "runs"
    """Whether the delay begins again when dice must be thrown again, or the time just runs on."""
    tell_first: bool = True
    """Whether the director is told who was first when both times are up: the clock knows what two people who noticed
    nothing cannot."""
    replay: Literal["delay_whole", "delay_spent"] = "delay_whole"
    """With how much of the delay a play is made again that was illegal."""

    @model_validator(mode="after")
    def _consistent(self) -> "ClockTerms":
        if self.kind == "none" and self != ClockTerms.model_construct():
            raise ValueError("kind none: a table without a clock has no delay, no reserve and no flag; remove them")
        if self.kind == "delay" and not (self.delay_s or self.reserve_a_point_s):
            raise ValueError("kind delay: needs delay_s or reserve_a_point_s")
        return self


class LateTerms(_Part):
    """Penalty points for who comes late, to a game or from a break: one after ``first_s`` seconds, one more for each
    ``each_s``. ``break_s``: how long a break may be.

    Source: UKBGF event rules 2019 (westoverconsulting): 1 point after 5 minutes, 1 for each further 5; they are
    credited to the opponent, and who is credited more than half the match length has won.
    """

    first_s: int = Field(ge=1)
    each_s: int = Field(ge=1)
    break_s: int = Field(default=0, ge=0)


class Aids(_Part):
    """Help with the play itself. Where all are false, hints are impossible, not merely off."""

    hints: bool = False
    pip_count: bool = False
    targets: bool = False

    @property
    def any(self) -> bool:
        """Whether anything at all may help with the play."""
        return self.hints or self.pip_count or self.targets


class Ruleset(_Part):
    """One family of rules, option by option."""

    id: Identifier
    title: str
    version: int = Field(ge=1)
    sources: tuple[str, ...] = Field(min_length=1)
    verified: bool = False

    turn_end: Literal["dice_lift_any", "dice_lift_both", "clock", "button"]
    die_on_checker: Literal["valid", "reroll"]
    roller_half: Literal["right", "any", "baffle_box"]
    illegal_play: Literal["accept_or_require", "must_correct"]
    correction_window: Literal["next_roll", "next_valid_roll", "valid_roll_or_double", "next_play_complete"]
    window_waived_if: tuple[Waiver, ...] = ()
    non_condonable: tuple[PlayFault, ...] = ()
    premature_roll: Literal["void", "stands", "opponent_choice"]
    others_dice: Literal["ask", "stands", "director"] = "ask"
    """What becomes of a throw with the opponent's dice, or one of each: the players are asked, it stands, or it stands
    until the director, who is told, decides."""
    premature_cube: Literal["stands", "binds_next_turn", "void"]
    setup_window: SetupWindow | Literal["starter_second_turn", "none"]
    crawford_fix: Literal["until_next_game", "never"] = "until_next_game"
    announce: Literal["monitor", "on_query", "director_only"]
    cube_touch: Literal["binds", "director", "ignore"]
    cube_put_down: Literal["answers", "own_side_takes", "no_rule"] = "no_rule"
    """How it is read that an offered cube is put down beside the playing surface and nothing is said: take or pass is
    made by it, whichever; on the own side it is a take and elsewhere nothing; or no rule says anything."""
    video_admissible: Literal["never", "director", "required"]
    clock: ClockTerms = ClockTerms()
    aids: Aids = Aids()
    penalties: tuple[Literal["warning", "points"], ...] = ()
    """What repeated illegal plays of one player draw, by the director: the second, the third and so on; the last of
    these goes on."""
    late: LateTerms | None = None
    dead_cube: Literal["silent", "director", "players"] = "silent"
    """Who is told when a seat turns a cube that cannot help it. The double stands."""
    witnesses_required: Literal[1, 2] = 1
    """How many witnesses must agree before a finding speaks by itself. With 1, a table with a camera only is
    refereed by that camera; a table with two witnesses still keeps silent where they contradict each other."""

    @field_validator("sources")
    @classmethod
    def _named(cls, sources: tuple[str, ...]) -> tuple[str, ...]:
        if any(not source.strip() for source in sources):
            raise ValueError("a source is a text that says where to read the rule")
        return sources

    @model_validator(mode="after")
    def _consistent(self) -> "Ruleset":
        if self.announce == "director_only" and self.aids.any:
            raise ValueError("announce director_only: aids would tell the players; set all aids to false")
        if self.turn_end == "clock" and self.clock.kind == "none":
            raise ValueError("turn_end clock: there is no clock; describe it under clock, or end turns otherwise")
        if self.late is not None and self.clock.kind == "none":
            raise ValueError("late: there is no clock that could tell; describe it under clock, or remove late")
        if self.illegal_play == "must_correct" and self.window_waived_if:
            raise ValueError("window_waived_if: only for illegal_play accept_or_require; remove it")
        return self

    @property
    def digest(self) -> str:
        """The SHA-256 of every option in force, in hexadecimal: it stands in the record."""
        return sha256(self.model_dump_json().encode()).hexdigest()

    @property
    def stated_digest(self) -> str:
        """The same of the options that were written down only: what a version said that knew no others."""
        return sha256(self.model_dump_json(exclude_unset=True).encode()).hexdigest()
