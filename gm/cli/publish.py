"""`gm publish DIR`: writes the games as a static site, for any web host or to open from the folder.

    index.html, site.css, site.js
    games/ostend.html                          a game, phase by phase
    games/ostend-chronicle.html                a finished game: result, chart, turning points, statements
    games/ostend/F1901M-19cf1a2b3c4.png        its maps; the name changes with the content, so none is drawn twice
    leagues/spring.html                        a league: totals and scores of its games
    published.json                             the files that we wrote, so that obsolete ones can be removed

Files are replaced atomically. Each game is read in one transaction and drawn outside any.
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
from gm.game.views.chronicle.leagues import public_leagues, table_sections
from gm.game.views.maps import MapDocuments
from gm.game.views.public import web_page
from gm.game.views.public.web_page import PublicGame, WantedPicture
from gm.language.rendering.site_pages import STATIC, GameCard, LeaguePage, PowerShades, SiteTemplates
from gm.maps.drawing.png import shrink_png

INDEX = "index.html"
GAMES = "games"
LEAGUES = "leagues"
LIST = "published.json"
SMALL = 560
"""Width in pixels of the map in the list of games."""

Report = Callable[[str], None]
Draw = Callable[[MapDocuments], Future[bytes]]


class Publisher:
    """Writes the site of all listed games. `draw` starts drawing, as `MapWorkers.submit` does."""

    def __init__(self, services: Services, tx: Transaction, site: SiteTemplates, drawer: MapDrawer, draw: Draw) -> None:
        self._services = services
        self._tx = tx
        self._site = site
        self._drawer = drawer
        self._draw = draw

    def publish(self, folder: Path, title: str, report: Report, *, anew: bool = False) -> None:
        """Writes the site. `anew` draws existing pictures again, for a new style. Raises GmError."""
        site_folder = SiteFolder(folder)
        with self._tx() as store:
            games = store.games.started()
        cards = [card for game in games if (card := self._game(site_folder, game, report, anew=anew)) is not None]
        playing, over = ([card for card in cards if card.page.over is ended] for ended in (False, True))
        index = self._site.index(title, tuple(playing), tuple(reversed(over)), self._leagues(site_folder))
        site_folder.write(INDEX, index.encode("utf-8"))
        for name in STATIC:
            site_folder.write(name, self._site.static(name).encode("utf-8"))
        gone = site_folder.finish()
        report(f"{folder / INDEX}: {len(cards)} games, {site_folder.written} files written, {gone} removed.")

    def _game(self, site_folder: SiteFolder, game: Game, report: Report, *, anew: bool) -> GameCard | None:
        with self._tx() as store:
            public_game = web_page.public_game(self._services, store, store.games.get(game.id))
        if public_game is None:
            return None
        drawn = self._pictures(site_folder, public_game, anew=anew)
        name = public_game.page.name
        page = replace(
            public_game.page,
            plates=tuple(
                replace(
                    plate, picture=f"{name}/{plate.picture}", size=site_folder.size(f"{GAMES}/{name}/{plate.picture}")
                )
                if plate.picture in drawn
                else replace(plate, picture="")
                for plate in public_game.page.plates
            ),
        )
        shades = self._shades(game, public_game)
        page = replace(page, chronicle=self._chronicle(site_folder, public_game, drawn))
        link = f"{GAMES}/{name}.html"
        site_folder.write(link, self._site.game(page, shades, "../").encode("utf-8"))
        missing = len(public_game.wanted) + len(public_game.charts) - len(drawn)
        report(f"{name}: {len(page.plates)} phases" + (f", {missing} without a map" if missing else ""))
        return GameCard(page, link, self._small(site_folder, public_game, drawn), shades)

    def _leagues(self, site_folder: SiteFolder) -> Mapping[str, str]:
        """Writes the tables of leagues. Returns their addresses by title."""
        with self._tx() as store:
            leagues = public_leagues(self._services, store)
        addresses: dict[str, str] = {}
        for name, games in leagues.items():
            sections = table_sections(self._services.letters.catalogue(), name, games)
            page = LeaguePage(sections[0].title, sections)
            addresses[page.title] = f"{LEAGUES}/{name}.html"
            site_folder.write(addresses[page.title], self._site.league(page, "../").encode("utf-8"))
        return addresses

    def _chronicle(self, site_folder: SiteFolder, public_game: PublicGame, drawn: frozenset[str]) -> str:
        """Writes the chronicle of a finished game. Returns its address for the game's page; "" if there is none."""
        if public_game.chronicle is None:
            return ""
        name = public_game.page.name
        chart, board = (
            next((f"{name}/{picture.name}" for picture in pictures if picture.name in drawn), "")
            for pictures in (public_game.charts, public_game.wanted[-1:])
        )
        address = f"{name}-chronicle.html"
        page = replace(public_game.chronicle, chart=chart, map=board)
        site_folder.write(f"{GAMES}/{address}", self._site.chronicle(page, "../").encode("utf-8"))
        return address

    def _shades(self, game: Game, public_game: PublicGame) -> Mapping[str, PowerShades]:
        variant = self._services.variant(game.variant, dict(public_game.wanted[-1].asked.options))
        return {name: PowerShades(*pair) for name, pair in self._drawer.shades(variant).items()}

    def _pictures(self, site_folder: SiteFolder, public_game: PublicGame, *, anew: bool) -> frozenset[str]:
        """Returns the names of the pictures that are there now."""
        every = (*public_game.wanted, *public_game.charts)
        wanted = {f"{GAMES}/{public_game.page.name}/{picture.name}": picture for picture in every}
        waiting: list[tuple[str, WantedPicture, Future[bytes]]] = []
        for path, picture in wanted.items():
            if not anew and site_folder.has(path):
                site_folder.keep(path)
                continue
            with self._tx() as store:
                kept = b"" if anew else picture.kept(store)
            if kept:
                site_folder.write(path, kept)
            else:
                waiting.append((path, picture, self._draw(picture.asked)))
        lost = {
            picture.name for path, picture, future in waiting if not self._drawn(site_folder, path, picture, future)
        }
        return frozenset(picture.name for picture in wanted.values()) - lost

    def _drawn(self, site_folder: SiteFolder, path: str, picture: WantedPicture, future: Future[bytes]) -> bool:
        """Stores a picture. If its process died, tries once more, alone; the next run retries what failed."""
        try:
            try:
                content = future.result()
            except BrokenProcessPool:
                content = self._draw(picture.asked).result()
        except (GmError, BrokenProcessPool):
            return False
        site_folder.write(path, content)
        return True

    def _small(self, site_folder: SiteFolder, public_game: PublicGame, drawn: frozenset[str]) -> str:
        """Returns the small map of the newest phase, for the list of games."""
        there = [picture.name for picture in public_game.wanted if picture.name in drawn]
        if not there:
            return ""
        folder = f"{GAMES}/{public_game.page.name}"
        name = there[-2] if len(there) > 1 else there[-1]
        small = f"{folder}/small-{name}"
        if site_folder.has(small):
            site_folder.keep(small)
        else:
            site_folder.write(small, shrink_png(site_folder.read(f"{folder}/{name}"), SMALL))
        return small


class SiteFolder:
    """The folder of the site. Only files that we wrote are changed or removed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._now: set[str] = set()
        self.written = 0
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._before = self._previous_files()
            self._write_list(self._before)
        except OSError as error:
            raise GmError(f"{folder}: cannot be written in ({error.strerror})") from None

    def _previous_files(self) -> frozenset[str]:
        """Returns the files that we wrote before."""
        path = self._folder / LIST
        if not path.exists():
            if (self._folder / INDEX).exists():
                raise GmError(f"{self._folder} contains another {INDEX}: choose another folder, or remove it")
            return frozenset()
        try:
            files = json.loads(path.read_text(encoding="utf-8"))["files"]
            return frozenset(name for name in files if _is_inside(name))
        except (ValueError, KeyError, TypeError):
            raise GmError(f"{path}: is damaged; remove the folder and publish again") from None

    def has(self, name: str) -> bool:
        return name in self._before and (self._folder / name).is_file()

    def read(self, name: str) -> bytes:
        return (self._folder / name).read_bytes()

    def size(self, name: str) -> tuple[int, int]:
        """Returns width and height of a PNG, from its header."""
        with (self._folder / name).open("rb") as file:
            head = file.read(24)
        return int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")

    def keep(self, name: str) -> None:
        self._now.add(name)

    def write(self, name: str, content: bytes) -> None:
        """Writes a file unless it is the same already."""
        self._now.add(name)
        path = self._folder / name
        try:
            if path.is_file() and path.read_bytes() == content:
                return
            if name not in self._before:
                self._before |= {name}
                self._write_list(self._before)  # first: an interrupted run must leave no unknown file
            path.parent.mkdir(parents=True, exist_ok=True)
            _replace_file(path, content)
        except OSError as error:
            raise GmError(f"{path}: cannot be written ({error.strerror})") from None
        self.written += 1

    def finish(self) -> int:
        """Removes obsolete files and returns their number."""
        gone = self._before - self._now
        try:
            for name in gone:
                (self._folder / name).unlink(missing_ok=True)
            emptied = {(self._folder / name).parent for name in gone} - {self._folder}
            for parent in sorted(emptied, key=lambda path: -len(path.parts)):  # innermost first
                if parent.is_dir() and not any(parent.iterdir()):
                    parent.rmdir()
            self._write_list(self._now)
        except OSError as error:
            raise GmError(f"{self._folder}: cannot be cleared ({error.strerror})") from None
        return len(gone)

    def _write_list(self, names: Iterable[str]) -> None:
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
