"""How often the two witnesses agreed, place by place, at the end of the turns."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from boardctl.referee.effects import Effect, TurnJudged
from boardctl.referee.facts import Fact
from boardctl.referee.readings import BoardReading, Witness
from boardctl.referee.seen.agreement import Agreement, compare
from boardctl.rules import Place

Readings = Callable[[], Mapping[Witness, BoardReading]]
"""Gets the last reading of each witness."""


class WitnessTally:
    """An output that counts, whenever a turn was judged, what the camera and the sensors said of every place."""

    def __init__(self, readings: Readings) -> None:
        self._readings = readings
        self.turns = 0
        self.places: Counter[Agreement] = Counter()
        self.disputed: Counter[Place] = Counter()

    def __call__(self, fact: Fact, effects: Sequence[Effect]) -> None:
        """Counts, if a turn was judged and both witnesses have seen the board."""
        readings = self._readings()
        if len(readings) < len(Witness) or not any(isinstance(effect, TurnJudged) for effect in effects):
            return
        self.turns += 1
        for one in compare(readings[Witness.CAMERA], readings[Witness.SENSORS]):
            self.places[one.agreement] += 1
            self.disputed[one.place] += one.agreement is Agreement.DISAGREE

    @property
    def line(self) -> str:
        """What was counted, in one line."""
        if not self.turns:
            return "camera and sensors: no turn was seen by both"
        said = f"camera and sensors at the end of {self.turns} turns: agreed at {self.places[Agreement.AGREE]} places"
        if self.places[Agreement.ONE_SEES]:
            said += f", one alone saw {self.places[Agreement.ONE_SEES]}"
        disputed = ", ".join(f"{place} ({count})" for place, count in self.disputed.most_common() if count)
        return said + f", disagreed at {self.places[Agreement.DISAGREE]}" + (f": {disputed}" if disputed else "")
