"""Drawn boards take the colours of designs that others chose."""

from pathlib import Path

import pytest

from boardctl.virtual.unseen.designs import designed, read_designs
from boardctl.virtual.unseen.looks import drawn_installation

TWO = """<board-designs>
   <board-design>
      <about><title>Green and red</title></about>
      <design>
         board=#2F5F2F;0.20
         points0=#FF5F5F;0.20
         points1=#BFBFBF;0.20
         chequers0=#00000B;0.50;1.50;1.00;30.00
         chequers1=#F12525;0.90;1.50;0.20;3.00
      </design>
   </board-design>
   <board-design>
      <about><title>Gold and silver</title></about>
      <design>
         board=#000032;0.20
         points0=#FF6060;0.20
         points1=#7EA9CA;0.20
         chequers0=#DCA52B;0.90
         chequers1=#B4B5CA;0.90
      </design>
   </board-design>
</board-designs>
"""


def written(folder: Path, text: str) -> Path:
    file = folder / "boards.xml"
    file.write_text(text)
    return file


def test_a_design_has_the_lighter_checkers_first(tmp_path: Path) -> None:
    # The second one's checkers are about as light: which seat has the lighter ones nobody could say.
    (only,) = read_designs(written(tmp_path, TWO))
    assert only.title == "Green and red"
    assert only.field == (47, 95, 47)
    assert only.points == ((95, 95, 252), (191, 191, 191))
    assert only.checkers == ((37, 37, 241), (11, 5, 5))


def test_an_installation_takes_the_colours_and_stays_itself_else(tmp_path: Path) -> None:
    plain = drawn_installation(7, 3)
    there = designed(plain, read_designs(written(tmp_path, TWO)))
    assert there.look.field == (47, 95, 47)
    assert [seat.colour for seat in there.look.checkers] == [(37, 37, 241), (11, 5, 5)]
    assert there.described.endswith("in the colours of Green and red")
    assert (there.geometry, there.look.camera, there.look.dice) == (plain.geometry, plain.look.camera, plain.look.dice)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<boards/>", "no designs of boards"),
        (TWO.replace("points1", "point1"), "Green and red tells no colour of points1"),
    ],
)
def test_a_file_without_designs_is_refused_with_what_is_missing(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_designs(written(tmp_path, text))
