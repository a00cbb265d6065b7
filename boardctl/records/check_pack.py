"""Checks an evidence pack that was unpacked: ``python3 check.py`` in its folder. It needs nothing but Python.

Each pack holds this file, under that name. It tells whether a file was changed since the pack was written, whether the
entries are chained to one another as they were recorded, and whether the pictures are those that the record names. What
it cannot tell: whether all of it was made anew. For that compare the head hash on the page with one that was noted down
when the game was played.
"""

import hashlib
import json
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any


def faults(folder: Path) -> list[str]:
    """Gets what is not as it was packed; empty where all is."""
    return [*_changed_files(folder), *_broken_chain(folder), *_foreign_pictures(folder)]


def _changed_files(folder: Path) -> list[str]:
    found = []
    for line in (folder / "SHA256SUMS").read_text(encoding="utf-8").splitlines():
        digest, _, name = line.partition("  ")
        file = folder / name
        if not file.is_file():
            found.append(f"{name}: is missing")
        elif _sha256(file.read_bytes()) != digest:
            found.append(f"{name}: was changed since the pack was written")
    return found


def _entries(folder: Path) -> list[dict[str, Any]]:
    file = folder / "entries.jsonl"
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.is_file() else []


def _broken_chain(folder: Path) -> list[str]:
    found = []
    entries = _entries(folder)
    for before, entry in pairwise(entries):
        fields = [entry[name] for name in ("number", "kind", "at_ms", "answers", "body")]
        chained = json.dumps([before["hash"], *fields], ensure_ascii=True, separators=(",", ":"))
        if _sha256(chained.encode()) != entry["hash"] or entry["number"] != before["number"] + 1:
            found.append(f"entries.jsonl: entry {entry['number']} is not chained to the one before it")
    return found


def _foreign_pictures(folder: Path) -> list[str]:
    facts = [json.loads(entry["body"]) for entry in _entries(folder) if entry["kind"] == "fact"]
    frames = [frame for fact in facts if fact["kind"] == "evidence_kept" for frame in fact["frames"]]
    named = {frame["name"]: frame["sha256"] for frame in frames}
    pictures = sorted((folder / "frames").glob("*"))
    return [
        f"frames/{file.name}: is not the picture that the record names"
        for file in pictures
        if file.name in named and _sha256(file.read_bytes()) != named[file.name]
    ]


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def main() -> None:
    """Checks the folder that this file lies in, and says what it found. Exit code 1: something is not as it was."""
    found = faults(Path(__file__).resolve().parent)
    sys.stdout.write("\n".join(found or ["all files, the chain and the pictures are as they were packed"]) + "\n")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
