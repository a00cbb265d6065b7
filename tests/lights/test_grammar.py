"""The grammar of the lights: what the shipped one says, and what is refused."""

from collections.abc import Mapping
from itertools import combinations
from pathlib import Path

import pytest
import yaml

from boardctl.lights import Grammar, read_grammar, standard_grammar
from boardctl.lights.colour_vision import DISTINCT, Vision, distance
from boardctl.lights.grammar import MAX_FLASHES_A_SECOND, End, flashes
from boardctl.referee.effects import Sign
from config import CONFIG_DIRECTORY, SettingsError


def turned(pattern: str) -> set[str]:
    return {pattern[by:] + pattern[:by] for by in range(len(pattern))}


@pytest.mark.parametrize(("one", "other"), list(combinations(Sign, 2)))
def test_two_signs_differ_in_rhythm_or_in_ends_and_never_by_colour_alone(one: Sign, other: Sign) -> None:
    look, other_look = standard_grammar().signs[one], standard_grammar().signs[other]
    same_ends = look.ends == other_look.ends
    same_rhythm = all(look.pattern(end) in turned(other_look.pattern(end)) for end in End)
    same_step = (look.base == look.tip) == (other_look.base == other_look.tip)
    assert not (same_ends and same_rhythm and same_step)


@pytest.mark.parametrize("vision", Vision)
@pytest.mark.parametrize(("one", "other"), list(combinations(standard_grammar().colours, 2)))
def test_colours_are_told_apart_by_every_eye(one: str, other: str, vision: Vision) -> None:
    colours = standard_grammar().colours
    assert distance(colours[one], colours[other], vision) >= DISTINCT


@pytest.mark.parametrize("sign", Sign)
def test_no_light_flashes_often_enough_to_harm(sign: Sign) -> None:
    look = standard_grammar().signs[sign]
    assert max(flashes(look.base), flashes(look.tip)) <= MAX_FLASHES_A_SECOND


def test_the_owners_words_hold() -> None:
    signs = standard_grammar().signs
    source, target, problem = signs[Sign.SOURCE], signs[Sign.TARGET], signs[Sign.PROBLEM]
    assert source.colour == "blue"
    assert source.base == "oooooooo"
    assert target.colour == "yellow"
    assert flashes(target.tip) == 1
    assert problem.colour == "white"
    assert problem.ends == {End.BASE, End.TIP}
    assert flashes(problem.base) == 2
    assert signs[Sign.MISSING].base != signs[Sign.EXTRA].base


def test_a_source_that_is_also_a_target_has_a_light_for_each() -> None:
    signs = standard_grammar().signs
    assert signs[Sign.SOURCE].ends.isdisjoint(signs[Sign.TARGET].ends)


def changed(tmp_path: Path, change: Mapping[str, Mapping[str, object]], drop: str | None = None) -> Path:
    """Writes the shipped grammar with some keys of its sections changed."""
    values = yaml.safe_load((CONFIG_DIRECTORY / "lights.yaml").read_text(encoding="utf-8"))
    for section, entries in change.items():
        for key, value in entries.items():
            old = values[section].get(key)
            values[section][key] = {**old, **value} if isinstance(old, dict) and isinstance(value, dict) else value
    if drop:
        del values["signs"][drop]
    path = tmp_path / "lights.yaml"
    path.write_text(yaml.safe_dump(values, sort_keys=False), encoding="utf-8")
    return path


def refusal(path: Path) -> str:
    with pytest.raises(SettingsError) as refused:
        read_grammar(path)
    return str(refused.value)


def test_the_shipped_grammar_passes_through_the_reader(tmp_path: Path) -> None:
    assert read_grammar(changed(tmp_path, {})) == standard_grammar()


def test_an_unknown_key_is_refused_with_file_line_and_key(tmp_path: Path) -> None:
    path = changed(tmp_path, {"signs": {"turn": {"color": "white"}}})
    line = path.read_text(encoding="utf-8").splitlines().index("    color: white") + 1
    assert refusal(path) == f"{path}:{line}: signs.turn.color: unknown key; remove it or correct its name"


def test_two_signs_that_differ_by_colour_alone_are_refused(tmp_path: Path) -> None:
    same = {"base": "o.o.....", "tip": "o.o....."}
    assert "signs.problem and signs.reroll: differ by nothing but colour" in refusal(
        changed(tmp_path, {"signs": {"reroll": same}})
    )


def test_a_rhythm_that_only_starts_later_is_no_other_rhythm(tmp_path: Path) -> None:
    later = {"base": "..o.o...", "tip": "..o.o..."}
    assert "signs.problem and signs.reroll" in refusal(changed(tmp_path, {"signs": {"reroll": later}}))


def test_red_beside_green_is_refused(tmp_path: Path) -> None:
    path = changed(tmp_path, {"colours": {"blue": [255, 0, 0], "yellow": [0, 255, 0]}})
    assert "too alike for people with protanopia" in refusal(path)


def test_flicker_is_refused(tmp_path: Path) -> None:
    path = changed(tmp_path, {"signs": {"problem": {"base": "o.o.o.o."}}})
    assert "more than 3 flashes a second" in refusal(path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"signs": {"turn": {"base": "ooo"}}}, "8 eighths of a second"),
        ({"signs": {"turn": {"colour": "green"}}}, "no colour 'green'; choose one of blue, white, yellow"),
        ({"signs": {"turn": {"base": "........", "tip": "........"}}}, "signs.turn: is dark at both ends"),
        ({"signs": {"turn": {"priority": 90}}}, "both have priority 90"),
        ({"colours": {"blue": [0, 0, 256]}}, "less than or equal to 255"),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path: Path, change: Mapping[str, Mapping[str, object]], words: str) -> None:
    assert words in refusal(changed(tmp_path, change))


def test_a_sign_without_a_look_is_refused(tmp_path: Path) -> None:
    assert "no look for ready" in refusal(changed(tmp_path, {}, drop="ready"))


def test_a_faulty_grammar_is_not_quoted_at_length(tmp_path: Path) -> None:
    assert len(refusal(changed(tmp_path, {}, drop="ready"))) < 200


def test_every_sign_says_what_it_means() -> None:
    grammar: Grammar = standard_grammar()
    assert len({grammar.signs[sign].means for sign in Sign}) == len(Sign)
