"""What stands on the page: keys with the names of their arguments; the words are in ``config/texts/page``."""

from collections.abc import Mapping
from functools import cache
from typing import ClassVar

from boardctl.lights.words import Say, say_also
from boardctl.referee import Catalogue
from config import CONFIG_DIRECTORY, read_yaml_model

TEXTS = CONFIG_DIRECTORY / "texts" / "page"

PAGE_ARGUMENTS: dict[str, tuple[str, ...]] = {
    "page.assist": (),
    "page.assist.best": (),
    "page.assist.forced": (),
    "page.assist.go": (),
    "page.assist.lifts": (),
    "page.assist.movable": (),
    "page.assist.off": (),
    "page.assist.pips": (),
    "page.assist.reasons": (),
    "page.assist.targets": (),
    "page.clock": (),
    "page.clock.delay": (),
    "page.clock.delay_whole": (),
    "page.clock.flag": (),
    "page.clock.give": (),
    "page.clock.resume": (),
    "page.clock.seconds": (),
    "page.clock.stop": (),
    "page.clock.stop_for": (),
    "page.clock.up": (),
    "page.decision.accept": (),
    "page.decision.cube": (),
    "page.decision.length": (),
    "page.decision.note": (),
    "page.decision.require": (),
    "page.decision.restore": (),
    "page.decision.score": (),
    "page.declare": (),
    "page.declare.dice_tell": (),
    "page.declare.go": (),
    "page.declare.roller": (),
    "page.declare.says": (),
    "page.enter": (),
    "page.enter.director": (),
    "page.enter.go": (),
    "page.enter.table": (),
    "page.finding.about": (),
    "page.finding.entry": (),
    "page.finding.pack": (),
    "page.finding.pictures": (),
    "page.finding.rule": (),
    "page.findings": (),
    "page.last_entry": (),
    "page.leave": (),
    "page.level.backgammon": (),
    "page.level.double_backgammon": (),
    "page.level.gammon": (),
    "page.level.single": (),
    "page.lost": (),
    "page.match_to": (),
    "page.noscript": (),
    "page.not_sent": (),
    "page.note.left": (),
    "page.note.too_many": (),
    "page.note.wrong": (),
    "page.players": (),
    "page.recorded": (),
    "page.refused.answer_first": (),
    "page.refused.busy": (),
    "page.refused.choice": ("choice",),
    "page.refused.malformed": ("fields",),
    "page.refused.no_aids": (),
    "page.refused.no_answer": (),
    "page.refused.no_clock": (),
    "page.refused.no_entry": ("entry", "last"),
    "page.refused.no_picture": (),
    "page.refused.no_question": (),
    "page.refused.not_seen": (),
    "page.refused.over": (),
    "page.refused.role": (),
    "page.refused.seat": ("seat",),
    "page.refused.who": (),
    "page.rule": (),
    "page.rule.about": (),
    "page.rule.cube_owner": (),
    "page.rule.cube_value": (),
    "page.rule.decision": (),
    "page.rule.entry": (),
    "page.rule.go": (),
    "page.rule.length": (),
    "page.rule.middle": (),
    "page.rule.name": (),
    "page.rule.no_row": (),
    "page.rule.nobody": (),
    "page.rule.reason": (),
    "page.rule.row": (),
    "page.said": (),
    "page.seat": (),
    "page.seat.accept": (),
    "page.seat.double": (),
    "page.seat.offer": (),
    "page.seat.press": (),
    "page.seat.query": (),
    "page.seat.refuse": (),
    "page.seat.resign": (),
    "page.sure": (),
    "page.table": (),
    "page.taken_up": (),
    "page.title": (),
}
"""Every text of the page, with the arguments it may use."""


class PageCatalogue(Catalogue):
    """The page's texts in one language."""

    ARGUMENTS: ClassVar[Mapping[str, tuple[str, ...]]] = PAGE_ARGUMENTS


@cache
def read_page_catalogue(language: str = "en") -> PageCatalogue:
    """Gets the page's texts of a language.

    :raises SettingsError: when there are none, or one is missing or has other arguments than it is given.
    """
    return read_yaml_model(TEXTS / f"{language}.yaml", PageCatalogue)


def page_say(language: str = "en") -> Say:
    """Gets what says the texts of the page and of the referee in a language.

    :raises SettingsError: as :func:`read_page_catalogue` does.
    """
    return say_also(read_page_catalogue(language), "page.", language)
