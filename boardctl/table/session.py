"""What is played at a table and by which rules: enough to bring a fresh referee to where a journal stands."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import partial
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from boardctl import __version__
from boardctl.records import JournalError
from boardctl.referee import Match, Referee, Ruleset
from boardctl.referee.assistance import Assist
from boardctl.rules import Game, LastRollRules, MatchRules, Seat
from boardctl.rules.games import GAMES as PLAYED
from boardctl.rules.games import game_named, game_with, option_names, with_options

GAMES: Mapping[str, Callable[[], Game]] = {name: partial(game_named, name) for name in PLAYED}
"""What makes each game, by the name that the command line knows it by."""


MATCH_OPTIONS = ("crawford", "raccoons")
"""The options of a match that are set by their names; the others are asked for one by one."""

LAST_ROLL_OPTIONS = tuple(each.name for each in fields(LastRollRules))


class Session(BaseModel):
    """One session: game, ruleset with every option in force, match length (None: single games), calibration."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    game: str = "backgammon"
    ruleset: Ruleset
    match_length: int | None = Field(default=None, ge=1, le=99)
    cube: bool = False
    jacoby: bool = False
    beavers: bool = False
    automatic_doubles: int = Field(default=0, ge=0, le=9)
    last_roll: bool = False
    options: Mapping[str, str] = Field(default_factory=dict)  # of the game, the match or Last Roll, by name
    players: Mapping[Seat, str] = Field(default_factory=dict)  # their names, as far as they were given
    recorded: bool = False  # followed from pictures taken now and then
    assist: Assist | None = None  # the help that each seat wants; None: nobody has chosen
    begun: str = ""  # when, by the wall clock: ISO 8601, as 2026-11-20T19:12:30+00:00; empty: not known
    source: str = ""
    calibration: str = ""  # its digest; empty: none was needed, or the record is of before that was noted
    software: str = __version__

    @model_validator(mode="after")
    def _customs_fit(self) -> "Session":
        _ = self.match_rules  # refuses customs of money play in a match
        if self.game in GAMES:
            _ = self.played  # refuses options that there are not
        return self

    def referee(self) -> Referee:
        """Gets a fresh referee for this session.

        :raises ValueError: for a game that this version does not know.
        """
        if self.game not in GAMES:
            raise ValueError(f"game {self.game!r} is not known; choose one of {', '.join(GAMES)}")
        match = Match(self.match_length, self.cube, self.recorded, rules=self.match_rules, assist=self.assist)
        return Referee(self.played, self.ruleset, match)

    @property
    def played(self) -> Game:
        """The game with its options.

        :raises ValueError: for an option or a value that there is not.
        """
        others = (*MATCH_OPTIONS, *(LAST_ROLL_OPTIONS if self.last_roll else ()))
        own = {name: value for name, value in self.options.items() if name not in others}
        wrong = next((name for name in own if name not in option_names(game_named(self.game))), None)
        if wrong is not None:
            there = ", ".join((*option_names(game_named(self.game)), *others))
            hint = "; it belongs to --last-roll" if wrong in LAST_ROLL_OPTIONS else ""
            raise ValueError(f"{self.game} has no option {wrong!r}{hint}; there are {there}")
        return game_with(self.game, own)

    @property
    def match_rules(self) -> MatchRules:
        """The rules of match and cube.

        :raises ValueError: for customs of money play in a match.
        """
        last_roll = with_options(LastRollRules(), "Last Roll", self._those_of(LAST_ROLL_OPTIONS))
        agreed = MatchRules(
            length=self.match_length,
            cube=self.cube,
            jacoby=self.jacoby,
            beavers=self.beavers,
            automatic_doubles=self.automatic_doubles,
            last_roll=last_roll if self.last_roll else None,
        )
        return with_options(agreed, "the match", self._those_of(MATCH_OPTIONS))

    def _those_of(self, names: tuple[str, ...]) -> dict[str, str]:
        return {name: value for name, value in self.options.items() if name in names}

    def header(self) -> dict[str, Any]:
        """Gets the first entry of the journal."""
        return {**self.model_dump(mode="json"), "ruleset_digest": self.ruleset.digest}

    @classmethod
    def from_header(cls, header: Mapping[str, Any]) -> "Session":
        """Gets the session that a journal was begun with.

        :raises JournalError: when the header is not one of this version.
        """
        fields = {key: value for key, value in header.items() if key != "ruleset_digest"}
        try:
            session = cls.model_validate(fields)
        except ValidationError as error:
            fault = error.errors()[0]
            where = ".".join(str(part) for part in fault["loc"])
            if fault["type"] == "extra_forbidden":
                written_by = header.get("software", "another version")
                raise JournalError(
                    f"the journal was written by boardctl {written_by} and says {where}, which this one, "
                    f"{__version__}, does not know; update boardctl. The journal is left as it is"
                ) from error
            raise JournalError(f"the journal's header cannot be used: {where}: {fault['msg']}") from error
        if session.game not in GAMES:
            raise JournalError(
                f"the journal is of the game {session.game!r}, which this boardctl cannot referee; update it"
            )
        # A journal from before some option was known has the hash of the options that stand in it.
        if header.get("ruleset_digest") not in (session.ruleset.digest, session.ruleset.stated_digest):
            raise JournalError("the journal's ruleset is not the one whose digest it carries: it was altered")
        return session
