"""``boardctl bench displaced``: what may be asked of it."""

import pytest

from boardctl.cli import main


def test_a_game_that_is_none_is_refused(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["boardctl", "bench", "displaced", "--game", "chess"])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 2
    assert "no game is called 'chess'; choose one of backgammon" in " ".join(capsys.readouterr().err.split())
