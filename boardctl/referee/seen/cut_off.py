"""Places that no tidying helps: what lies there is too bright or too dark for a camera to tell."""

from collections.abc import Iterable
from dataclasses import dataclass

from boardctl.referee.effects import Text
from boardctl.referee.readings import BoardReading
from boardctl.rules import Place


@dataclass(frozen=True, slots=True)
class CutOff:
    """Places at which it hides what lies there that the light is too bright for a camera, or its picture too dark."""

    places: tuple[Place, ...]
    too_dark: bool

    @property
    def text(self) -> Text:
        """That in words."""
        if self.too_dark:
            return Text.of("light.too_dark", points=self._points)
        return Text.of("light.too_bright", points=self._points)

    @property
    def refusal(self) -> Text:
        """That a board is refused for it."""
        if self.too_dark:
            return Text.of("declared.too_dark", points=self._points)
        return Text.of("declared.too_bright", points=self._points)

    @property
    def _points(self) -> str:
        return ", ".join(map(str, self.places))


def cut_off_of(readings: Iterable[BoardReading], places: Iterable[Place]) -> CutOff | None:
    """Gets those of the places at which the light is too bright for a witness; where it is at none, at which its
    picture is too dark; None where that is at none, either."""
    seen = [reading for one in readings for reading in one.places]
    bright, dark = ({one.place for one in seen if one.too_bright}, {one.place for one in seen if one.too_dark})
    asked = tuple(places)
    for such, is_dark in ((bright, False), (dark, True)):
        if found := tuple(place for place in asked if place in such):
            return CutOff(found, is_dark)
    return None
