"""The folders of installations that a benchmark reads: the empty board, the start and a game, with truth."""

from pathlib import Path

from boardctl.cli.reporting import UsageError


def wanted_installations(folder: Path, only: str | None) -> list[Path]:
    """Gets the folders of installations, of those that are named alone (names with commas between; None: of all).

    :raises UsageError: where there is none.
    """
    places = _installations(folder)
    if not places:
        raise UsageError(
            f"{folder}: holds no installation (f00.json, f00.jpg, f01 ... with truth); name another folder"
        )
    names = {name.strip() for name in (only or "").split(",")} - {""}
    wanted = [place for place in places if not names or place.name in names]
    if not wanted:
        raise UsageError(f"{folder}: holds none called {only}, but {', '.join(place.name for place in places)}")
    return wanted


def _installations(folder: Path) -> list[Path]:
    """Gets the folders of installations: the folder itself, or those in it."""
    if (folder / "f00.json").is_file():
        return [folder]
    return sorted(place.parent for place in folder.glob("*/f00.json"))
