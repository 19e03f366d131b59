"""The file of a backup: what it may replace when it is written, and that it is whole before it is read."""

from __future__ import annotations

import gzip
import os
import shutil
import stat
import sys
import tempfile
import zlib
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, BinaryIO

from gm.errors import GmError
from gm.store.schema import migrations
from gm.store.upkeep import backup

STANDARD = Path("-")
"""Standard input or output."""
HEAD_MOST = 10_000
DAMAGED = (gzip.BadGzipFile, zlib.error, EOFError, ValueError)
"""What reading the lines of a damaged file raises."""


def is_stream(path: Path) -> bool:
    """Whether a backup is written to it as it comes; in a file it first stands when it is whole."""
    return path == STANDARD or path.is_fifo()


@contextmanager
def new_backup(path: Path, ours: Collection[Path]) -> Iterator[BinaryIO]:
    """A file to write; at the end it stands at `path`, and only its owner can read it. Links are followed.

    Raises GmError where something else than an earlier backup is there; `ours` are files that it may never become.
    """
    place = Path(os.path.realpath(path))
    try:
        if is_stream(path):
            with _stream(path) as file:
                yield file
        else:
            _refuse_other_files(path, place, ours)
            with _draft(place) as file:
                yield file
    except OSError as error:
        raise GmError(f"{path}: cannot be written ({error.strerror})") from None


def _stream(path: Path) -> BinaryIO:
    if path != STANDARD:
        return path.open("wb")
    if sys.stdout is None:
        raise GmError("standard output is closed: name a file")
    if sys.stdout.isatty():
        raise GmError("a backup is not for the screen: name a file, or write it to a pipe or by >")
    return os.fdopen(os.dup(sys.stdout.fileno()), "wb")


def _refuse_other_files(path: Path, place: Path, ours: Collection[Path]) -> None:
    """Raises OSError too."""
    if place in {Path(os.path.realpath(own)) for own in ours}:
        raise GmError(f"{path}: is a file that gm works with, no place for a backup: name another file")
    try:
        about = place.stat()
    except FileNotFoundError:
        return
    if stat.S_ISDIR(about.st_mode):
        raise GmError(f"{path}: is a folder: name a file in it")
    if not stat.S_ISREG(about.st_mode):
        raise GmError(f"{path}: is a device or a socket: name a file; - is standard output")
    if about.st_size and not _is_backup(place):
        raise GmError(f"{path}: is there already, and is no backup of gm's: name another file, or move it away")


def _is_backup(path: Path) -> bool:
    try:
        with gzip.open(path) as file:
            backup.head_of(iter([file.readline(HEAD_MOST).decode("ascii")]))
    except DAMAGED:
        return False
    return True


@contextmanager
def _draft(place: Path) -> Iterator[BinaryIO]:
    handle, name = tempfile.mkstemp(".part", f"{place.name}.", place.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(place)
    finally:
        Path(name).unlink(missing_ok=True)


class WholeBackup:
    """A backup that was read to its end before. `lines` are those after the head, `version` is that of its tables."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self.path = path
        with self.faults_named():
            backup.require_whole(_lines(file))
            file.seek(0)
            self.lines = _lines(file)
            self.head = backup.head_of(self.lines)
        self.version = str(self.head.get("schema"))
        if not migrations.is_known(self.version):
            raise GmError(f"{path}: was made by a newer gm: restore it with gm {self.head['gm']}")

    @contextmanager
    def faults_named(self) -> Iterator[None]:
        """Raises GmError, one line with the file's name, for what is wrong with its lines."""
        try:
            yield
        except DAMAGED as error:
            raise GmError(f"{self.path}: is no backup of gm's, or is damaged ({error})") from None
        except OSError as error:
            raise GmError(f"{self.path}: cannot be read ({error.strerror})") from None


def _lines(file: IO[bytes]) -> Iterator[str]:
    with gzip.open(file, "rt", encoding="ascii") as text:
        yield from text


@contextmanager
def whole_backup(path: Path) -> Iterator[WholeBackup]:
    """Raises GmError for a file that is no whole backup. What comes through a pipe is kept in a file meanwhile."""
    with ExitStack() as opened:
        try:
            file: IO[bytes] = opened.enter_context(_standard_input() if path == STANDARD else path.open("rb"))
            if not file.seekable():
                kept = opened.enter_context(tempfile.TemporaryFile())
                shutil.copyfileobj(file, kept)
                kept.seek(0)
                file = kept
        except OSError as error:
            raise GmError(f"{path}: cannot be read ({error.strerror})") from None
        yield WholeBackup(path, file)


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise GmError("standard input is closed: name a file")
    return os.fdopen(os.dup(sys.stdin.fileno()), "rb")
