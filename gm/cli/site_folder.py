"""The folder of the public site: files are replaced atomically, and only if they change."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterable
from pathlib import Path

from gm.errors import GmError
from gm.game.views.public.site_address import INDEX

LIST = "published.json"
NEW = "published.new"
"""Names of new files, one on a line, until the list has them: a list written anew with each costs n² for n files."""
FILE_MODE, FOLDER_MODE = 0o644, 0o755
"""The web server reads the site, whatever the umask of the game master."""


class SiteFolder:
    """The folder of the site, while it is written. Only files that we wrote are changed or removed.

    A context manager: one process at a time writes.
    """

    def __init__(self, folder: Path) -> None:
        """Raises GmError."""
        self._folder = folder
        self._new = folder / NEW
        self._now: set[str] = set()
        self.written = 0
        self._lock = -1
        try:
            self._make_folder(folder)
            self._lock = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
            self._take()
            self._before = self._previous_files()
            self._write_list(self._before)
            self._new.unlink(missing_ok=True)
        except FileNotFoundError:
            self.close()
            raise GmError(f"{folder}: there is no folder {folder.parent}: make it, or mount its disk") from None
        except OSError as error:
            self.close()
            raise GmError(f"{folder}: cannot be written in ({error.strerror})") from None
        except GmError:
            self.close()
            raise

    def __enter__(self) -> SiteFolder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._lock >= 0:
            os.close(self._lock)
        self._lock = -1

    def _take(self) -> None:
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise GmError(f"{self._folder}: another gm writes it now; nothing is done here") from None

    @property
    def names(self) -> frozenset[str]:
        """The files that the site has so far."""
        return frozenset(self._now)

    def _previous_files(self) -> set[str]:
        """Returns the files that we wrote before, those of a run that was interrupted among them."""
        path = self._folder / LIST
        if not path.exists():
            if (self._folder / INDEX).exists():
                raise GmError(f"{self._folder} contains another {INDEX}: choose another folder, or remove it")
            return set()
        try:
            files = json.loads(path.read_text(encoding="utf-8"))["files"]
            return {name for name in (*files, *self._new_files()) if _is_inside(name)}
        except (ValueError, KeyError, TypeError):
            raise GmError(f"{path}: is damaged; remove the folder and publish again") from None

    def _new_files(self) -> list[str]:
        """Returns those that the list may not name yet. Of a line without an end there is no file."""
        return self._new.read_text(encoding="utf-8").split("\n")[:-1] if self._new.exists() else []

    def has(self, name: str) -> bool:
        return name in self._before and (self._folder / name).is_file()

    def read(self, name: str) -> bytes:
        return (self._folder / name).read_bytes()

    def size(self, name: str) -> tuple[int, int]:
        """Returns width and height of a PNG, from its header."""
        with (self._folder / name).open("rb") as file:
            head = file.read(24)
        return int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")

    def keep(self, *names: str) -> None:
        self._now.update(names)

    def earlier(self, *beginnings: str) -> tuple[str, ...]:
        """Files of the last time that begin so."""
        return tuple(name for name in self._before if name.startswith(beginnings))

    def write(self, name: str, content: bytes) -> None:
        """Writes a file unless it is the same already."""
        self._now.add(name)
        path = self._folder / name
        try:
            if path.is_file() and path.read_bytes() == content:
                return
            if name not in self._before:
                self._before.add(name)
                self._announce(name)  # first: an interrupted run must leave no unknown file
            self._make_folder(path.parent)
            _replace_file(path, content)
        except OSError as error:
            raise GmError(f"{path}: cannot be written ({error.strerror})") from None
        self.written += 1

    def _make_folder(self, folder: Path) -> None:
        """Within the site, and its own; what is above may be a disk that is not mounted."""
        if not folder.is_dir():
            if folder != self._folder:
                self._make_folder(folder.parent)
            folder.mkdir(exist_ok=True)
            folder.chmod(FOLDER_MODE)

    def finish(self) -> int:
        """Removes obsolete files and returns their number."""
        gone = self._before - self._now
        try:
            for name in self._before:
                _draft(self._folder / name).unlink(missing_ok=True)
            for name in gone:
                (self._folder / name).unlink(missing_ok=True)
            emptied = {(self._folder / name).parent for name in gone} - {self._folder}
            for parent in sorted(emptied, key=lambda path: -len(path.parts)):  # innermost first
                if parent.is_dir() and not any(parent.iterdir()):
                    parent.rmdir()
            self._write_list(self._now)
            self._new.unlink(missing_ok=True)
        except OSError as error:
            raise GmError(f"{self._folder}: cannot be cleared ({error.strerror})") from None
        return len(gone)

    def _announce(self, name: str) -> None:
        with self._new.open("ab") as file:
            os.fchmod(file.fileno(), FILE_MODE)
            file.write(f"{name}\n".encode())
            file.flush()
            os.fsync(file.fileno())

    def _write_list(self, names: Iterable[str]) -> None:
        _replace_file(self._folder / LIST, (json.dumps({"files": sorted(names)}, indent=0) + "\n").encode("utf-8"))


def _is_inside(name: str) -> bool:
    return isinstance(name, str) and bool(name) and not Path(name).is_absolute() and ".." not in Path(name).parts


def _draft(path: Path) -> Path:
    """Where a file is written before it is renamed. A killed server may leave one."""
    return path.with_name(path.name + ".part")


def _replace_file(path: Path, content: bytes) -> None:
    draft = _draft(path)
    with draft.open("wb") as file:
        os.fchmod(file.fileno(), FILE_MODE)
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
