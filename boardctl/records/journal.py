"""The journal: every fact on disk before it is acted on, then what was answered, each entry chained to the one before.

One SQLite file in write-ahead mode with full synchronisation: what :meth:`Journal.append_fact` returned from is on the
disk. Entries are never edited; corrections are entries of their own.
"""

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import quote

from boardctl.records.encoding import effect_to_plain, fact_from_json, fact_to_json
from boardctl.referee.effects import Effect
from boardctl.referee.facts import Fact

FORMAT_VERSION = 1
_APPLICATION_ID = 0x62636A6C  # "bcjl": told apart from other SQLite files by tools that know it
_SQLITE = b"SQLite format 3\0"
_APPLICATION_ID_AT, _HEAD_LENGTH = slice(68, 72), 100  # https://www.sqlite.org/fileformat.html#the_database_header
_NO_HASH = "0" * 64

F = TypeVar("F", bound=Fact)

_SCHEMA = """
CREATE TABLE entries (
    number INTEGER PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('header', 'fact', 'effects')),
    at_ms INTEGER NOT NULL,
    answers INTEGER REFERENCES entries (number),
    body TEXT NOT NULL,
    hash TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX answered ON entries (answers) WHERE answers IS NOT NULL;
"""


class JournalError(ValueError):
    """A journal that cannot be written or read; the message says what to do next."""


class JournalExistsError(JournalError):
    """A new journal was to be begun where one is, or where a part of one is left."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry as stored. ``answers`` is the number of the fact that effects belong to."""

    number: int
    kind: str
    at_ms: int
    answers: int | None
    body: str
    hash: str

    @property
    def content(self) -> Any:
        """The body as JSON values."""
        return json.loads(self.body)


def _hash(previous: str, number: int, kind: str, at_ms: int, answers: int | None, body: str) -> str:
    text = json.dumps([previous, number, kind, at_ms, answers, body], ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


class Journal:
    """One session's journal. Use :meth:`create` or :meth:`open`; a context manager."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self.path = path
        row = connection.execute("SELECT number, hash FROM entries ORDER BY number DESC LIMIT 1").fetchone()
        self._last_number: int = row[0] if row else 0
        self._last_hash: str = row[1] if row else _NO_HASH

    @classmethod
    def create(cls, path: Path, header: Mapping[str, Any]) -> Self:
        """Begins a new journal whose first entry is ``header``: what is played, by which rules, with which devices.

        Of two that begin the same journal at once, one gets it. A journal that could not be begun leaves no file.

        :raises JournalExistsError: when the file exists already.
        :raises JournalError: when it cannot be written.
        """
        _take(path)
        try:
            connection = _connect(path)
            try:
                connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {FORMAT_VERSION}")
                connection.executescript(_SCHEMA)
                journal = cls(connection, path)
                journal._append("header", 0, None, json.dumps(dict(header), sort_keys=True))
            except (sqlite3.Error, JournalError):
                connection.close()
                raise
        except (sqlite3.Error, JournalError) as error:
            path.unlink(missing_ok=True)
            raise error if isinstance(error, JournalError) else _explain(path, error) from error
        return journal

    @classmethod
    def open(cls, path: Path) -> Self:
        """Opens a journal to go on with it.

        :raises JournalError: when it is missing, is no journal, is damaged, or was written by a newer version. A file
            that is no journal is left as it is.
        """
        _check_file(path)
        return cls._opened(_connect(path), path)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Opens a journal to read it, also one that lies where the reader may not write.

        :raises JournalError: as :meth:`open` does.
        """
        _check_file(path)
        if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
            return cls._opened(_connect(path), path)
        return cls._opened(_connect_to_read(path), path)

    @classmethod
    def _opened(cls, connection: sqlite3.Connection, path: Path) -> Self:
        try:
            if connection.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION_ID:
                raise JournalError(f"{path}: is not a boardctl journal")
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version > FORMAT_VERSION:
                raise JournalError(
                    f"{path}: was written by a newer boardctl (journal format {version}, this one knows "
                    f"{FORMAT_VERSION}); update boardctl to read it"
                )
            return cls(connection, path)
        except sqlite3.Error as error:
            connection.close()
            raise _explain(path, error) from error
        except JournalError:
            connection.close()
            raise

    def append_fact(self, fact: Fact) -> int:
        """Stores a fact and gets its number. When this returns, the fact is on the disk.

        :raises JournalError: when it could not be stored (a full disk); then nothing of it was.
        """
        return self._append("fact", fact.at_ms, None, fact_to_json(fact))

    def append_effects(self, fact_number: int, at_ms: int, effects: Sequence[Effect]) -> None:
        """Stores what was answered to the fact with the given number."""
        body = json.dumps([effect_to_plain(effect) for effect in effects], ensure_ascii=False)
        self._append("effects", at_ms, fact_number, body)

    def _append(self, kind: str, at_ms: int, answers: int | None, body: str) -> int:
        number = self._last_number + 1
        digest = _hash(self._last_hash, number, kind, at_ms, answers, body)
        try:
            self._connection.execute(
                "INSERT INTO entries (number, kind, at_ms, answers, body, hash) VALUES (?, ?, ?, ?, ?, ?)",
                (number, kind, at_ms, answers, body, digest),
            )
        except sqlite3.Error as error:
            raise _explain(self.path, error) from error
        self._last_number, self._last_hash = number, digest
        return number

    @property
    def header(self) -> dict[str, Any]:
        """What the journal was begun with."""
        first = next(self.entries(), None)
        if first is None or first.kind != "header":
            raise JournalError(f"{self.path}: has no header; it was cut off when it was begun")
        content = first.content
        assert isinstance(content, dict)
        return content

    @property
    def last_number(self) -> int:
        """The number of the last entry."""
        return self._last_number

    def holds(self, number: int) -> bool:
        """Whether there is an entry with this number."""
        return 1 <= number <= self._last_number

    @property
    def head_hash(self) -> str:
        """The hash of the last entry; it vouches for all before it."""
        return self._last_hash

    def entries(self) -> Iterator[Entry]:
        """Gets all entries in order.

        :raises JournalError: when the file is damaged.
        """
        yield from self._chosen("SELECT number, kind, at_ms, answers, body, hash FROM entries ORDER BY number")

    def _chosen(self, query: str, *values: str) -> Iterator[Entry]:
        try:
            for row in self._connection.execute(query, values):
                yield Entry(*row)
        except sqlite3.Error as error:
            raise _explain(self.path, error) from error

    def facts(self) -> Iterator[tuple[int, Fact]]:
        """Gets all facts in order with their numbers."""
        for entry in self.entries():
            if entry.kind == "fact":
                yield entry.number, fact_from_json(entry.body)

    def facts_of(self, kind: type[F]) -> Iterator[tuple[int, F]]:
        """Gets the facts of one kind in order with their numbers; the others are not decoded, so that it is quick."""
        query = (
            "SELECT number, kind, at_ms, answers, body, hash FROM entries "
            "WHERE kind = 'fact' AND json_extract(body, '$.kind') = ? ORDER BY number"
        )
        (name,) = (str(field.default) for field in fields(kind) if field.name == "kind")
        for entry in self._chosen(query, name):
            fact = fact_from_json(entry.body)
            assert isinstance(fact, kind)
            yield entry.number, fact

    def unanswered(self) -> set[int]:
        """Gets the numbers of facts that were stored but whose effects were not: the power went in between."""
        query = (
            "SELECT number FROM entries WHERE kind = 'fact' AND number NOT IN "
            "(SELECT answers FROM entries WHERE answers IS NOT NULL)"
        )
        return {row[0] for row in self._connection.execute(query)}

    def last_phase(self) -> str | None:
        """Gets the phase in which the game stood when the last fact was answered; None before the first change."""
        query = (
            "SELECT json_extract(value, '$.phase') FROM entries, json_each(entries.body) "
            "WHERE entries.kind = 'effects' AND json_extract(value, '$.kind') = 'phase_changed' "
            "ORDER BY entries.number DESC, key DESC LIMIT 1"
        )
        row = self._connection.execute(query).fetchone()
        return None if row is None else str(row[0])

    def first_altered(self) -> Entry | None:
        """Gets the first entry whose chain does not hold; None when all do."""
        previous, expected = _NO_HASH, 1
        for entry in self.entries():
            digest = _hash(previous, expected, entry.kind, entry.at_ms, entry.answers, entry.body)
            if digest != entry.hash:
                return entry
            previous, expected = digest, expected + 1
        return None

    def close(self) -> None:
        """Closes the file. May be called again."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _take(path: Path) -> None:
    """Makes an empty file that was not there before, whoever else tries to at the same time."""
    if not path.parent.is_dir():
        raise JournalError(f"{path}: the folder {path.parent} does not exist; make it first")
    waiting = _waiting(path)
    if waiting.exists() and not path.exists():
        raise JournalExistsError(
            f"{waiting}: is left of a journal that was taken away, and may hold its last entries; put it where the "
            "journal is, or choose another name"
        )
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644))
    except FileExistsError as error:
        raise JournalExistsError(
            f"{path}: exists already; a journal is never overwritten, so choose another name"
        ) from error
    except OSError as error:
        raise JournalError(f"{path}: cannot be written ({error.strerror}); check the folder's permissions") from error


def _waiting(path: Path) -> Path:
    """Gets the file that holds entries which SQLite has not yet put into the journal itself."""
    return path.with_name(path.name + "-wal")


def _check_file(path: Path) -> None:
    """Checks, before SQLite touches the file, that it is a journal: SQLite would make a database of an empty one.

    :raises JournalError: when it is not.
    """
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_LENGTH)
    except FileNotFoundError as error:
        raise JournalError(f"{path}: no such journal; check the path") from error
    except OSError as error:
        raise JournalError(f"{path}: cannot be read ({error.strerror}); check the path and its permissions") from error
    if head.startswith(_SQLITE) and _waiting(path).exists():
        return  # what it is may still wait to be put into it
    if head[_APPLICATION_ID_AT] != _APPLICATION_ID.to_bytes(4, "big"):
        raise JournalError(f"{path}: is not a boardctl journal")


def _connect_to_read(path: Path) -> sqlite3.Connection:
    """Opens a journal of which nothing may be written, nor beside it."""
    where = f"file:{quote(str(path.absolute()))}?mode=ro"
    # What nothing waits for, nobody is writing: SQLite then needs no file of its own beside it.
    where += "" if _waiting(path).exists() else "&immutable=1"
    try:
        connection = sqlite3.connect(where, uri=True, isolation_level=None, timeout=2.0)
        connection.execute("SELECT COUNT(*) FROM sqlite_schema")
    except sqlite3.Error as error:
        raise JournalError(
            f"{path}: was not closed, or is being written, and cannot be read where you may not write ({error}); "
            "copy it with the files beside it to a folder of your own"
        ) from error
    return connection


def _connect(path: Path) -> sqlite3.Connection:
    try:
        # A path from the root on: ":memory:" would be no file.
        connection = sqlite3.connect(path.absolute(), isolation_level=None, timeout=2.0)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
    except sqlite3.Error as error:
        raise _explain(path, error) from error
    return connection


def _explain(path: Path, error: sqlite3.Error) -> JournalError:
    reason = str(error)
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith("SQLITE_FULL"):
        return JournalError(
            f"{path}: the disk is full, so nothing more is recorded and nothing more is decided; make room: all "
            "that was recorded until then is kept"
        )
    if name.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PERM")):
        return JournalError(f"{path}: cannot be written ({reason}); check the folder's permissions")
    if name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
        return JournalError(
            f"{path}: is damaged or cut short ({reason}); copy it anew from where it was written, with all beside it"
        )
    if name.startswith("SQLITE_BUSY"):
        return JournalError(f"{path}: is in use by another program; close that first")
    return JournalError(f"{path}: {reason}")
