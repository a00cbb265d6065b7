"""The evidence pack: a zip file that holds all that shows one finding, with a page that needs no script to be read."""

import hashlib
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import BinaryIO

from boardctl.records import check_pack
from boardctl.records.journal import Entry

_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time a zip file knows: the same evidence makes the same file
_STYLE = (
    "body{font:16px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#111;background:#fff}"
    "img{max-width:100%;border:1px solid #999}figure{display:inline-block;width:19em;margin:.5em;vertical-align:top}"
    "figcaption{font-size:.8em}table{border-collapse:collapse;font-size:.85em}td,th{border:1px solid #bbb;"
    "padding:.2em .5em;text-align:left;vertical-align:top}pre{background:#f3f3f3;padding:.7em;overflow-x:auto}"
    "code{overflow-wrap:anywhere}"
)


@dataclass(frozen=True)
class Pack:
    """What goes into a pack. Pictures and texts by their file names; ``said`` is the finding in words.

    ``entries``: the entries of the time around it; the first is only there because the second is chained to it.
    """

    title: str
    said: Sequence[str]
    session: Mapping[str, str]
    paragraph: str
    entries: Sequence[Entry]
    boards: Mapping[str, bytes]
    drawn: Mapping[str, str]
    frames: Mapping[str, tuple[int, bytes]]
    lost: Sequence[str]
    head_hash: str

    def files(self) -> dict[str, bytes]:
        """Gets every file of the pack by its name, the sums of all others among them."""
        files = {
            "check.py": Path(check_pack.__file__).read_bytes(),
            "entries.jsonl": "".join(_line(entry) + "\n" for entry in self.entries).encode(),
            "ruleset.txt": self.paragraph.encode(),
            **{f"positions/{name}.txt": text.encode() for name, text in self.drawn.items()},
            **{f"positions/{name}.png": picture for name, picture in self.boards.items()},
            **{f"frames/{name}": picture for name, (_, picture) in self.frames.items()},
        }
        files["index.html"] = self._page(files).encode()
        sums = (f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(files.items()))
        files["SHA256SUMS"] = "".join(sums).encode()
        return files

    def write(self, path: Path | BinaryIO) -> None:
        """Writes the pack as a zip file, to a path or into an open file.

        :raises OSError: when it cannot be written.
        """
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as pack:
            for name, data in sorted(self.files().items()):
                pack.writestr(zipfile.ZipInfo(name, _EPOCH), data, zipfile.ZIP_DEFLATED)

    def _page(self, files: Mapping[str, bytes]) -> str:
        rows = "".join(
            f"<tr><th>{escape(key)}</th><td>{escape(value)}</td></tr>" for key, value in self.session.items()
        )
        boards = "".join(
            f'<figure><img src="positions/{escape(name)}.png" alt="The board {escape(name)} the play">'
            f"<figcaption>{escape(name)} the play</figcaption></figure>"
            for name in self.boards
        )
        frames = "".join(
            f'<figure><img src="frames/{escape(name)}" alt="{escape(name)}">'
            f"<figcaption>{at_ms / 1000:.3f} s: {escape(name)}</figcaption></figure>"
            for name, (at_ms, _) in self.frames.items()
        )
        entries = "".join(
            f"<tr><td>{entry.number}</td><td>{entry.at_ms / 1000:.3f} s</td><td>{escape(_kind(entry))}</td>"
            f"<td><code>{entry.hash[:16]}</code></td></tr>"
            for entry in self.entries
        )
        sums = "".join(
            f"<tr><td>{escape(name)}</td><td><code>{hashlib.sha256(data).hexdigest()}</code></td></tr>"
            for name, data in sorted(files.items())
        )
        said = "".join(f"<li>{escape(text)}</li>" for text in self.said)
        lost = "".join(f"<p><strong>{escape(why)}</strong></p>" for why in self.lost)
        return (
            f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(self.title)}</title>'
            f"<style>{_STYLE}</style></head><body><h1>{escape(self.title)}</h1>"
            "<p>What was seen and said, as it was recorded. These are facts; a person decides what follows.</p>"
            f"<h2>Found</h2><ul>{said}</ul>"
            f"<h2>Positions</h2>{boards or '<p>No position belongs to it.</p>'}"
            f"<h2>Pictures</h2>{lost}{frames or '<p>No picture was stored.</p>'}"
            f"<h2>The ruleset says</h2><pre>{escape(self.paragraph)}</pre>"
            f"<h2>Session</h2><table>{rows}</table>"
            "<h2>Record</h2><p>The entries themselves are in <code>entries.jsonl</code>, each chained to the one "
            "before by its SHA-256; the first stands there only for that. The hash of the record's last entry when "
            f"this was written: <code>{self.head_hash}</code>.</p>"
            f"<table><tr><th>entry</th><th>time</th><th>what</th><th>hash</th></tr>{entries}</table>"
            "<h2>Hashes</h2><p>To check this pack, unpack it and run <code>python3 check.py</code> "
            "(files, chain and pictures), or <code>sha256sum -c SHA256SUMS</code> (files alone).</p>"
            f"<table>{sums}</table></body></html>\n"
        )


def _kind(entry: Entry) -> str:
    content = entry.content
    if entry.kind == "fact":
        return f"fact: {content['kind'].replace('_', ' ')}"
    if entry.kind == "effects":
        return "answered: " + (", ".join(effect["kind"].replace("_", " ") for effect in content) or "nothing")
    return entry.kind


def _line(entry: Entry) -> str:
    fields = {
        "number": entry.number,
        "kind": entry.kind,
        "at_ms": entry.at_ms,
        "answers": entry.answers,
        "body": entry.body,
        "hash": entry.hash,
    }
    return json.dumps(fields, ensure_ascii=False)
