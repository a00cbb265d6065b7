"""What the referee's values are called: phases, choices, pauses, rulings, steps of the cube, kinds of a win.

Entries of the catalogue of texts; every screen says them alike, in its reader's language.
"""

from collections.abc import Callable, Mapping

from boardctl.referee import Catalogue, read_catalogue, render
from boardctl.referee.effects import Certainty, CubeStep, Phase, Ruling, Text
from boardctl.referee.facts import Choice, PauseReason
from boardctl.rules import Seat

Say = Callable[[Text], str]
"""Turns an entry of the catalogue of texts into words in the reader's language."""


def in_english(text: Text) -> str:
    """Says a text in English, the language of the shipped catalogue."""
    return render(text, read_catalogue())


def say_also(own: Catalogue, prefix: str, language: str) -> Say:
    """Gets what says a catalogue's own texts, whose keys begin with ``prefix``, and those of the referee in a language.

    :raises SettingsError: when the referee's texts cannot be read in that language.
    """
    of_referee = read_catalogue(language)

    def say(text: Text) -> str:
        return render(text, own if text.key.startswith(prefix) else of_referee)

    return say


_PHASES: Mapping[Phase, Text] = {
    Phase.SETUP: Text.of("phase.setup"),
    Phase.OPENING: Text.of("phase.opening"),
    Phase.HOLD: Text.of("phase.hold"),
    Phase.REPAIR: Text.of("phase.repair"),
    Phase.GAME_OVER: Text.of("phase.game_over"),
    Phase.MATCH_OVER: Text.of("phase.match_over"),
}
_PHASES_OF_A_SEAT: Mapping[Phase, Callable[[Seat], Text]] = {
    Phase.CUBE: lambda seat: Text.of("phase.cube", seat=seat),
    Phase.ROLL: lambda seat: Text.of("phase.roll", seat=seat),
    Phase.MOVE: lambda seat: Text.of("phase.move", seat=seat),
    Phase.CONFIRM: lambda seat: Text.of("phase.confirm", seat=seat),
}


def phase_text(phase: Phase | None, seat: Seat | None) -> Text:
    """Gets where the game stands and who is to act; ``phase`` None: no more may be told than that it goes on."""
    if phase is None:
        return Text.of("phase.underway")
    if phase in _PHASES:
        return _PHASES[phase]
    if seat is not None:
        return _PHASES_OF_A_SEAT[phase](seat)
    return Text.of("phase.dice_tell")


_CHOICES: Mapping[Choice, Text] = {
    Choice.ACCEPT: Text.of("choice.accept"),
    Choice.REQUIRE: Text.of("choice.require"),
    Choice.CONFIRM: Text.of("choice.confirm"),
    Choice.DENY: Text.of("choice.deny"),
    Choice.SET_UP: Text.of("choice.set_up"),
    Choice.TAKE: Text.of("choice.take"),
    Choice.DROP: Text.of("choice.drop"),
    Choice.BEAVER: Text.of("choice.beaver"),
    Choice.RACCOON: Text.of("choice.raccoon"),
}


def choice_text(choice: Choice) -> Text:
    """Gets an answer as it stands on its button."""
    return _CHOICES[choice]


_PAUSES: Mapping[PauseReason, Text] = {
    PauseReason.GAME_START: Text.of("pause.game_start"),
    PauseReason.CONCESSION: Text.of("pause.concession"),
    PauseReason.BREAK: Text.of("pause.break"),
    PauseReason.DIE_OFF_TABLE: Text.of("pause.die_off_table"),
    PauseReason.CONTEST: Text.of("pause.contest"),
    PauseReason.DIRECTOR: Text.of("pause.director"),
    PauseReason.FAULT: Text.of("pause.fault"),
}


def pause_text(reason: PauseReason) -> Text:
    """Gets why the clock stands."""
    return _PAUSES[reason]


_RULINGS: Mapping[Ruling, Text] = {
    "accepted": Text.of("ruling.accepted"),
    "must_replay": Text.of("ruling.must_replay"),
    "condoned": Text.of("ruling.condoned"),
    "set_up": Text.of("ruling.set_up"),
    "restored": Text.of("ruling.restored"),
    "score_set": Text.of("ruling.score_set"),
    "length_set": Text.of("ruling.length_set"),
    "cube_set": Text.of("ruling.cube_set"),
    "noted": Text.of("ruling.noted"),
}


def ruling_text(ruling: Ruling) -> Text:
    """Gets what came into force."""
    return _RULINGS[ruling]


_CUBE_STEPS: Mapping[CubeStep, Callable[[Seat | None], Text]] = {
    "double": lambda seat: Text.of("cube_step.double", seat=seat),
    "beaver": lambda seat: Text.of("cube_step.beaver", seat=seat),
    "raccoon": lambda seat: Text.of("cube_step.raccoon", seat=seat),
    "take": lambda seat: Text.of("cube_step.take", seat=seat),
    "drop": lambda seat: Text.of("cube_step.drop", seat=seat),
    "withdrawn": lambda seat: Text.of("cube_step.withdrawn", seat=seat),
    "automatic": lambda seat: Text.of("cube_step.automatic"),
}


def cube_step_text(step: CubeStep, by: Seat | None) -> Text:
    """Gets what was done with the cube, and by whom."""
    return _CUBE_STEPS[step](by)


def cube_text(value: int, owner: Seat | None) -> Text:
    """Gets what the cube shows and where it lies."""
    if owner is None:
        return Text.of("cube_at.middle", value=value)
    return Text.of("cube_at.owned", value=value, seat=owner)


_WINS: Mapping[str, Callable[[Seat], Text]] = {
    "single": lambda seat: Text.of("won.single", seat=seat),
    "gammon": lambda seat: Text.of("won.gammon", seat=seat),
    "backgammon": lambda seat: Text.of("won.backgammon", seat=seat),
    "double_backgammon": lambda seat: Text.of("won.double_backgammon", seat=seat),
}


def win_text(winner: Seat | None, kind: str) -> Text:
    """Gets who won a game, and how."""
    return Text.of("won.nobody") if winner is None else _WINS[kind](winner)


_CERTAINTIES: Mapping[Certainty, Text] = {
    Certainty.CERTAIN: Text.of("certainty.certain"),
    Certainty.PROBABLE: Text.of("certainty.probable"),
    Certainty.AMBIGUOUS: Text.of("certainty.ambiguous"),
    Certainty.BLIND: Text.of("certainty.blind"),
}


def certainty_text(certainty: Certainty) -> Text:
    """Gets how far a finding is vouched for."""
    return _CERTAINTIES[certainty]
