"""`gm publish DIR` and `[site]`: writes the games as a static site, for any web host or to open from the folder.

    index.html, site.css, site.js
    feed.xml, deadlines.ics, games.json        news of all games (Atom), deadlines (iCalendar), where they stand
    games/ostend.html                          a game, phase by phase
    games/ostend.json, .xml, .ics              its public facts, its news, its deadline
    games/ostend-chronicle.html                a finished game: result, chart, turning points, statements
    games/ostend/F1901M-19cf1a2b3c4.png        its maps; the name changes with the content, so none is drawn twice
    leagues/spring.html                        a league: totals and scores of its games
    published.json                             the files that we wrote, so that obsolete ones can be removed
    published.new                              while the site is written: those that it does not name yet

Each game is read in one transaction and drawn outside any. All of it follows from public facts: a run that was broken
off is simply done again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import CancelledError, Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from gm.cli.map import MapDrawer
from gm.cli.site_folder import SiteFolder
from gm.errors import GmError
from gm.game.model.ports import Transaction
from gm.game.model.recipient import Recipient
from gm.game.model.records import Game, GameState
from gm.game.model.services import Services
from gm.game.views.chronicle.leagues import public_leagues, table_sections
from gm.game.views.maps import MapDocuments
from gm.game.views.public import site_address, web_page
from gm.game.views.public.game_list import as_listed
from gm.game.views.public.game_news import GameNews, game_news
from gm.game.views.public.public_past import public_past
from gm.game.views.public.site_address import CALENDAR, FEED, GAMES, GAMES_LIST, INDEX, game_file
from gm.game.views.public.web_page import PublicGame, WantedPicture
from gm.language.rendering.calendars import calendar_file
from gm.language.rendering.feeds import Feed, FeedEntry, atom
from gm.language.rendering.site_pages import STATIC, GameCard, LeaguePage, PowerShades, Preview, SiteTemplates
from gm.maps.drawing.png import shrink_png

LEAGUES = "leagues"
SMALL = 560
"""Width in pixels of the map in the list of games."""
NEWS_MOST = 60
"""Entries of the feed of all games."""
LIST_FORMAT, LIST_VERSION = "gm-games", 1

Report = Callable[[str], None]
Draw = Callable[[MapDocuments], Future[bytes]]


class PublishedGame(Struct, frozen=True):
    """What the list of games and the common feeds need of a game, and the files about it.

    `card` and `preview` are None before its start.
    """

    revision: int
    news: GameNews
    card: GameCard | None
    preview: Preview | None
    files: frozenset[str]


class Publisher:
    """Writes the site of all listed games. `draw` starts drawing, as `MapWorkers.submit` does.

    It remembers the games that it has published: they are written again when their revision is another.
    """

    def __init__(self, services: Services, tx: Transaction, site: SiteTemplates, drawer: MapDrawer, draw: Draw) -> None:
        self._services = services
        self._tx = tx
        self._site = site
        self._drawer = drawer
        self._draw = draw
        self._published: dict[int, PublishedGame] = {}

    def publish(self, folder: Path, title: str, report: Report, *, anew: bool = False) -> Mapping[int, int]:
        """Writes the site. Returns the revisions that it shows now, by game.

        `anew` draws existing pictures again, for a new style. Raises GmError.
        """
        with SiteFolder(folder) as site_folder:
            with self._tx() as store:
                games = sorted((*store.games.forming(), *store.games.started()), key=lambda game: game.id)
                revisions = {game.id: 0 for game in games} | dict(store.events.revisions())
            before, self._published = self._published, {}
            for game in games:
                known = before.get(game.id)
                if known is not None and known.revision == revisions[game.id] and not anew:
                    site_folder.keep(*known.files)
                    self._published[game.id] = known
                else:
                    self._one(site_folder, game, revisions[game.id], report, anew=anew)
            self._common(site_folder, title)
            gone = site_folder.finish()
            count = len(self._published)
            report(f"{folder / INDEX}: {count} games, {site_folder.written} files written, {gone} removed.")
        return revisions

    def _one(self, site_folder: SiteFolder, game: Game, revision: int, report: Report, *, anew: bool) -> None:
        """A game that cannot be read keeps the pages that it has; the others go on."""
        try:
            published = self._game(site_folder, game, revision, report, anew=anew)
        except (GmError, KeyError) as error:
            if isinstance(error, SiteInterrupted):
                raise
            report(f"{game.name}: cannot be published: {error}")
            site_folder.keep(*site_folder.earlier(*(f"{GAMES}/{game.name}{mark}" for mark in ("/", ".", "-chronicle"))))
            return
        if published is not None:
            self._published[game.id] = published

    # ---- one game

    def _game(
        self, site_folder: SiteFolder, game: Game, revision: int, report: Report, *, anew: bool
    ) -> PublishedGame | None:
        with self._tx() as store:
            game = store.games.get(game.id)
            listed = as_listed(Recipient.observing(self._services, store, game))
            if listed is None:
                return None
            past = public_past(listed.reader)
            news = game_news(listed, past, self._site.address)
            public_game = web_page.public_game(listed.reader, past)
        others = site_folder.names
        card, preview, pictures = None, None, dict[str, str]()
        if public_game is not None:
            drawn = self._pictures(site_folder, public_game, anew=anew)
            card, preview = self._page(site_folder, game, public_game, drawn)
            pictures = {plate.id: f"{GAMES}/{plate.picture}" for plate in card.page.plates if plate.picture}
            card = replace(card, page=replace(card.page, plates=()))
            missing = len(public_game.wanted) + len(public_game.charts) - len(drawn)
            report(
                f"{game.name}: {len(public_game.page.plates)} phases" + (f", {missing} without a map" * bool(missing))
            )
            revision = -1 if missing else revision  # it is tried again at the next run
        news = self._files(site_folder, game, news, pictures)
        return PublishedGame(revision, news, card, preview, site_folder.names - others)

    def _files(self, site_folder: SiteFolder, game: Game, news: GameNews, pictures: Mapping[str, str]) -> GameNews:
        """Writes what programs read of a game."""
        address, name = self._site.address, game.name
        paths = {"page": site_address.game_page(game), "json": game_file(name, "json"), "feed": game_file(name, "xml")}
        if game.state is GameState.RUNNING:
            paths["calendar"] = game_file(name, "ics")
            content = calendar_file((news.deadline,) if news.deadline is not None else (), name)
            site_folder.write(paths["calendar"], content)
        shown = {phase: address(path) for phase, path in pictures.items()}
        entries = tuple(self._with_picture(entry, shown) for entry in news.entries)
        links = {"links": {key: address(path) for key, path in paths.items()}}
        turns = [turn | {"map": shown.get(turn["phase"])} for turn in news.document["turns"]]
        _write_json(site_folder, paths["json"], news.document | links | {"turns": turns})
        self._feed(site_folder, paths["feed"], name, paths["page"], entries, news.summary["language"])
        return replace(news, summary=news.summary | links, document={}, entries=entries)

    @staticmethod
    def _with_picture(entry: FeedEntry, shown: Mapping[str, str]) -> FeedEntry:
        """A feed can show only pictures whose address it knows."""
        picture = shown.get(entry.link.rpartition("#")[2], "")
        return replace(entry, picture=picture) if "://" in picture else entry

    def _page(
        self, site_folder: SiteFolder, game: Game, public_game: PublicGame, drawn: frozenset[str]
    ) -> tuple[GameCard, Preview]:
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
        link, newest = game_file(name, "html"), _newest(public_game, drawn)
        preview = self._preview(site_folder, public_game, link, newest)
        page = replace(page, chronicle=self._chronicle(site_folder, public_game, drawn, preview))
        site_folder.write(link, self._site.game(page, shades, preview).encode("utf-8"))
        return GameCard(page, link, self._small(site_folder, name, newest), shades), preview

    @staticmethod
    def _preview(site_folder: SiteFolder, public_game: PublicGame, link: str, newest: str) -> Preview:
        page = public_game.page
        preview = Preview(f"{page.name} · {page.variant}", page.status, link)
        if not newest:
            return preview
        picture = f"{GAMES}/{page.name}/{newest}"
        alt = next((plate.alt for plate in page.plates if plate.picture == newest), "")
        return replace(preview, picture=picture, size=site_folder.size(picture), alt=alt)

    def _chronicle(
        self, site_folder: SiteFolder, public_game: PublicGame, drawn: frozenset[str], preview: Preview
    ) -> str:
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
        preview = replace(preview, title=page.title, text=page.lead, path=f"{GAMES}/{address}")
        site_folder.write(f"{GAMES}/{address}", self._site.chronicle(page, preview).encode("utf-8"))
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
        except CancelledError:
            raise SiteInterrupted("the site was not finished: the server stops") from None
        except SiteInterrupted:
            raise
        except (GmError, BrokenProcessPool):
            return False
        site_folder.write(path, content)
        return True

    def _small(self, site_folder: SiteFolder, game: str, name: str) -> str:
        """Returns the small form of a map, for the list of games."""
        if not name:
            return ""
        small = f"{GAMES}/{game}/small-{name}"
        if site_folder.has(small):
            site_folder.keep(small)
        else:
            site_folder.write(small, shrink_png(site_folder.read(f"{GAMES}/{game}/{name}"), SMALL))
        return small

    # ---- what is about all games

    def _common(self, site_folder: SiteFolder, title: str) -> None:
        games = tuple(self._published.values())
        cards = [game.card for game in games if game.card is not None]
        playing, over = ([card for card in cards if card.page.over is ended] for ended in (False, True))
        previews = (game.preview for game in reversed(games) if game.preview is not None and game.preview.picture)
        shown = next(previews, Preview("", "", ""))
        preview = replace(shown, title=title, text=self._site.say("site.lead"), path=INDEX)
        openings = tuple(game.news.opening for game in games if game.news.opening is not None)
        leagues = self._leagues(site_folder)
        index = self._site.index(preview, tuple(playing), tuple(reversed(over)), openings, leagues)
        site_folder.write(INDEX, index.encode("utf-8"))
        for name in STATIC:
            site_folder.write(name, self._site.static(name).encode("utf-8"))
        every = (entry for game in games for entry in game.news.entries)
        entries = sorted(every, key=lambda entry: entry.at, reverse=True)[:NEWS_MOST]
        self._feed(site_folder, FEED, title, INDEX, entries, self._site.language)
        deadlines = (game.news.deadline for game in games)
        content = calendar_file((deadline for deadline in deadlines if deadline is not None), title)
        site_folder.write(CALENDAR, content)
        address = self._services.post.address
        head = {"format": LIST_FORMAT, "version": LIST_VERSION, "title": title, "address": address}
        _write_json(site_folder, GAMES_LIST, head | {"games": [game.news.summary for game in games]})

    def _feed(
        self, site_folder: SiteFolder, path: str, title: str, page: str, entries: Iterable[FeedEntry], language: str
    ) -> None:
        own, domain = self._site.address, self._services.post.domain
        number = site_address.lasting_id(domain, path)
        author = self._services.post.domain
        base = "" if "://" in own(path) else "../" * path.count("/")
        feed = Feed(f"urn:uuid:{number}", title, own(path), own(page), author, language, tuple(entries), base)
        site_folder.write(path, atom(feed))

    def _leagues(self, site_folder: SiteFolder) -> Mapping[str, str]:
        """Writes the tables of leagues. Returns their addresses by title."""
        with self._tx() as store:
            leagues = public_leagues(self._services, store)
        addresses: dict[str, str] = {}
        for name, games in leagues.items():
            sections = table_sections(self._services.letters.catalogue(self._site.language), name, games)
            page = LeaguePage(sections[0].title, sections, self._site.language)
            addresses[page.title] = f"{LEAGUES}/{name}.html"
            site_folder.write(addresses[page.title], self._site.league(page).encode("utf-8"))
        return addresses


class SiteInterrupted(GmError):
    """The server stops, or another node writes the site."""


def _newest(public_game: PublicGame, drawn: frozenset[str]) -> str:
    """The picture of the newest orders, or of the start; "" if there is none."""
    there = [picture.name for picture in public_game.wanted if picture.name in drawn]
    return there[-2] if len(there) > 1 else "".join(there)


def _write_json(site_folder: SiteFolder, path: str, document: Mapping[str, Any]) -> None:
    site_folder.write(path, (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode("utf-8"))
