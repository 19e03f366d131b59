"""`gm publish DIR`: the games as a static site, for any web host or to open from the folder.

    index.html, site.css, site.js
    games/ostend.html                          a game, phase by phase
    games/ostend/F1901M-19cf1a2b3c4.png        its maps; their names say all that is in them, so that none is made twice
    published.json                             what is ours in the folder, so that what is gone can be cleared away

Files are exchanged whole: whoever reads meanwhile finds the old page or the new one. Each game is read in one
transaction, drawn outside of any.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from msgspec.structs import replace

from gm.cli.map import MapDrawer
from gm.errors import GmError
from gm.game.model.ports import Transaction
from gm.game.model.records import Game
from gm.game.model.services import Services
from gm.game.views import public
from gm.game.views.maps import MapDocuments
from gm.game.views.public import PublicGame, WantedPicture
from gm.language.rendering.site_pages import STATIC, GameCard, PowerShades, SiteTemplates
from gm.maps.drawing.png import shrink_png

INDEX = "index.html"
GAMES = "games"
LIST = "published.json"
SMALL = 560
"""Pixels across, of the map in the list of games."""

Report = Callable[[str], None]
Draw = Callable[[MapDocuments], Future[bytes]]


class Publisher:
    """Writes the site of an office's games. `draw` begins a picture, as `gm.server.map_worker.Studio.drawing` does."""

    def __init__(self, services: Services, tx: Transaction, site: SiteTemplates, drawer: MapDrawer, draw: Draw) -> None:
        self._office = services
        self._tx = tx
        self._site = site
        self._drawer = drawer
        self._draw = draw

    def publish(self, folder: Path, title: str, told: Report, *, anew: bool = False) -> None:
        """GmError where the folder is not ours to write in. `anew`: pictures that are there already are drawn again,
        as after a change of their style.
        """
        site_folder = SiteFolder(folder)
        with self._tx() as store:
            games = store.games.begun()
        cards = [card for game in games if (card := self._game(site_folder, game, told, anew=anew)) is not None]
        playing, over = ([one for one in cards if one.page.over is ended] for ended in (False, True))
        site_folder.write(INDEX, self._site.index(title, tuple(playing), tuple(reversed(over))).encode("utf-8"))
        for name in STATIC:
            site_folder.write(name, self._site.static(name).encode("utf-8"))
        gone = site_folder.finish()
        told(f"{folder / INDEX}: {len(cards)} games, {site_folder.written} files written, {gone} removed.")

    def _game(self, site_folder: SiteFolder, game: Game, told: Report, *, anew: bool) -> GameCard | None:
        with self._tx() as store:
            found = public.told(self._office, store, store.games.get(game.id))
        if found is None:
            return None
        drawn = self._pictures(site_folder, found, anew=anew)
        name = found.page.name
        page = replace(
            found.page,
            plates=tuple(
                replace(
                    plate, picture=f"{name}/{plate.picture}", size=site_folder.size(f"{GAMES}/{name}/{plate.picture}")
                )
                if plate.picture in drawn
                else replace(plate, picture="")
                for plate in found.page.plates
            ),
        )
        shades = self._shades(game, found)
        link = f"{GAMES}/{name}.html"
        site_folder.write(link, self._site.game(page, shades, "../").encode("utf-8"))
        missing = len(found.wanted) - len(drawn)
        told(f"{name}: {len(page.plates)} phases" + (f", {missing} without a map" if missing else ""))
        return GameCard(page, link, self._small(site_folder, found, drawn), shades)

    def _shades(self, game: Game, found: PublicGame) -> Mapping[str, PowerShades]:
        variant = self._office.variant(game.variant, dict(found.wanted[-1].asked.options))
        return {name: PowerShades(*pair) for name, pair in self._drawer.shades(variant).items()}

    def _pictures(self, site_folder: SiteFolder, found: PublicGame, *, anew: bool) -> frozenset[str]:
        """The names of those that are there now."""
        wanted = {f"{GAMES}/{found.page.name}/{one.name}": one for one in found.wanted}
        waiting: list[tuple[str, WantedPicture, Future[bytes]]] = []
        for path, one in wanted.items():
            if not anew and site_folder.has(path):
                site_folder.keep(path)
                continue
            with self._tx() as store:
                kept = b"" if anew else one.kept(store)
            if kept:
                site_folder.write(path, kept)
            else:
                waiting.append((path, one, self._draw(one.asked)))
        lost = {one.name for path, one, submit in waiting if not self._drawn(site_folder, path, one, submit)}
        return frozenset(one.name for one in wanted.values()) - lost

    def _drawn(self, site_folder: SiteFolder, path: str, one: WantedPicture, submit: Future[bytes]) -> bool:
        """One whose process died is tried once more, alone; the next run tries again what could not be drawn."""
        try:
            try:
                content = submit.result()
            except BrokenProcessPool:
                content = self._draw(one.asked).result()
        except (GmError, BrokenProcessPool):
            return False
        site_folder.write(path, content)
        return True

    def _small(self, site_folder: SiteFolder, found: PublicGame, drawn: frozenset[str]) -> str:
        """The newest phase's map, for the list."""
        there = [one.name for one in found.wanted if one.name in drawn]
        if not there:
            return ""
        folder = f"{GAMES}/{found.page.name}"
        name = there[-2] if len(there) > 1 else there[-1]
        small = f"{folder}/small-{name}"
        if site_folder.has(small):
            site_folder.keep(small)
        else:
            site_folder.write(small, shrink_png(site_folder.read(f"{folder}/{name}"), SMALL))
        return small


class SiteFolder:
    """The folder that the site stands in. Only files that we wrote are ever changed or removed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._now: set[str] = set()
        self.written = 0
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._before = self._listed()
            self._note(self._before)
        except OSError as error:
            raise GmError(f"{folder}: cannot be written in ({error.strerror})") from None

    def _listed(self) -> frozenset[str]:
        """What we wrote before."""
        path = self._folder / LIST
        if not path.exists():
            if (self._folder / INDEX).exists():
                raise GmError(f"{self._folder} holds an {INDEX} that is not ours: choose another folder, or remove it")
            return frozenset()
        try:
            files = json.loads(path.read_text(encoding="utf-8"))["files"]
            return frozenset(name for name in files if _is_inside(name))
        except (ValueError, KeyError, TypeError):
            raise GmError(f"{path}: is damaged; remove the folder, and publish again") from None

    def has(self, name: str) -> bool:
        return name in self._before and (self._folder / name).is_file()

    def read(self, name: str) -> bytes:
        return (self._folder / name).read_bytes()

    def size(self, name: str) -> tuple[int, int]:
        """Of a PNG, in pixels, as its head says."""
        with (self._folder / name).open("rb") as file:
            head = file.read(24)
        return int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")

    def keep(self, name: str) -> None:
        self._now.add(name)

    def write(self, name: str, content: bytes) -> None:
        """Nothing is written where the same stands there."""
        self._now.add(name)
        path = self._folder / name
        try:
            if path.is_file() and path.read_bytes() == content:
                return
            if name not in self._before:
                self._before |= {name}
                self._note(self._before)  # first, so that a run that is cut short leaves nothing unknown
            path.parent.mkdir(parents=True, exist_ok=True)
            _replace_file(path, content)
        except OSError as error:
            raise GmError(f"{path}: cannot be written ({error.strerror})") from None
        self.written += 1

    def finish(self) -> int:
        """Remove what is no longer there; how many files."""
        gone = self._before - self._now
        try:
            for name in gone:
                (self._folder / name).unlink(missing_ok=True)
            emptied = {(self._folder / name).parent for name in gone} - {self._folder}
            for parent in sorted(emptied, key=lambda one: -len(one.parts)):  # the innermost first
                if parent.is_dir() and not any(parent.iterdir()):
                    parent.rmdir()
            self._note(self._now)
        except OSError as error:
            raise GmError(f"{self._folder}: cannot be cleared ({error.strerror})") from None
        return len(gone)

    def _note(self, names: Iterable[str]) -> None:
        _replace_file(self._folder / LIST, (json.dumps({"files": sorted(names)}, indent=0) + "\n").encode("utf-8"))


def _is_inside(name: str) -> bool:
    return isinstance(name, str) and not Path(name).is_absolute() and ".." not in Path(name).parts


def _replace_file(path: Path, content: bytes) -> None:
    draft = path.with_name(path.name + ".part")
    with draft.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
