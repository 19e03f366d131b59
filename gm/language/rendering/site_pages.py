"""Pages of the public site (templates/site), from frozen values that hold only public knowledge.

Links are relative, so that the pages work from a folder as from any web host.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

from markupsafe import Markup
from msgspec import Struct

from gm.language.i18n.catalogue import FALLBACK, load
from gm.language.rendering.templates import environment
from gm.language.rendering.views import CentresView, LegView, SectionView

STYLE = "site.css"
STATIC = (STYLE, "site.js")
"""Files of templates/site that are published unchanged."""


class PowerShades(Struct, frozen=True):
    """A power's colours, as on its maps: of its tokens and of its land."""

    key: str
    tint: str


class Standing(Struct, frozen=True):
    power: str
    centres: int
    units: int


class PhasePage(Struct, frozen=True):
    """One phase: its map, orders and results. `id` is its anchor ("F1901M").

    `picture` is the file of its map, "" for none, `size` its width and height in pixels; `tick` its short label.
    """

    id: str
    year: str
    tick: str
    title: str
    kind: str
    alt: str
    picture: str
    legs: tuple[LegView, ...] = ()
    centres: CentresView | None = None
    size: tuple[int, int] = (0, 0)


class GamePage(Struct, frozen=True):
    """The public view of a game. `plates` run from the start to the present position; `chronicle` is the address of
    the finished game's. `counts` are each power's centres at the start ("" of `years`) and after the census of a year.
    """

    name: str
    variant: str
    status: str
    over: bool
    season: str
    standings: tuple[Standing, ...]
    plates: tuple[PhasePage, ...]
    years: tuple[str, ...]
    counts: Mapping[str, tuple[int, ...]]
    language: str = FALLBACK
    chronicle: str = ""


class ChroniclePage(Struct, frozen=True):
    """The chronicle of a finished game. `chart` and `map` are the addresses of its pictures, "" for none."""

    name: str
    title: str
    variant: str
    lead: str
    first: tuple[SectionView, ...]
    more: tuple[SectionView, ...]
    chart: str = ""
    chart_alt: str = ""
    map: str = ""
    map_alt: str = ""
    language: str = FALLBACK


class LeaguePage(Struct, frozen=True):
    title: str
    sections: tuple[SectionView, ...]
    language: str = FALLBACK


class OpenGame(Struct, frozen=True):
    """A game that somebody may ask to play in: the `line` to write to `address`; `about` are its master's own words."""

    name: str
    line: str
    summary: str
    about: str
    address: str

    @property
    def mail(self) -> str:
        """A link that opens a letter with the line."""
        return f"mailto:{quote(self.address, safe='@+')}?subject={quote(self.line)}&body={quote(self.line)}"


class Preview(Struct, frozen=True):
    """What other sites show of a page (Open Graph). `path` and `picture` are paths from the site's top."""

    title: str
    text: str
    path: str
    picture: str = ""
    size: tuple[int, int] = (0, 0)
    alt: str = ""


class GameCard(Struct, frozen=True):
    """A game in the list of games."""

    page: GamePage
    link: str
    small: str
    shades: Mapping[str, PowerShades]


class SiteTemplates:
    """The templates of pages; `folder` is templates/. `address` is where the site is read, "" if that is not known.

    `language` is the list's; a game's page is in the game's language.
    """

    def __init__(self, folder: Path, address: str = "", language: str = FALLBACK) -> None:
        self._folder = folder
        self._environment = environment(folder)
        self._address = address.rstrip("/")
        self.language = language

    def address(self, path: str) -> str:
        """The address of a path from the site's top: the path itself if the site's address is not known."""
        return f"{self._address}/{path}" if self._address else path

    def say(self, key: str) -> str:
        return load(self._folder / "sentences", self.language).say(key)

    def game(self, page: GamePage, shades: Mapping[str, PowerShades], preview: Preview) -> str:
        return self._render("game", page.language, page=page, shades=shades, up="../", preview=preview)

    def index(
        self,
        preview: Preview,
        playing: tuple[GameCard, ...],
        over: tuple[GameCard, ...],
        openings: tuple[OpenGame, ...],
        leagues: Mapping[str, str],
    ) -> str:
        """`leagues`: addresses of their pages by title."""
        lists = {"playing": playing, "over": over, "openings": openings, "leagues": leagues}
        return self._render("index", self.language, up="", preview=preview, **lists)

    def league(self, page: LeaguePage) -> str:
        return self._render("league", page.language, page=page, up="../")

    def chronicle(self, page: ChroniclePage, preview: Preview) -> str:
        return self._render("chronicle", page.language, page=page, up="../", preview=preview)

    def chronicle_file(self, page: ChroniclePage) -> str:
        """One file that needs no other: with the style sheet in it, and without links."""
        return self._render("chronicle", page.language, page=page, up=None, style=Markup(self.static(STYLE)))

    def static(self, name: str) -> str:
        return (self._folder / "site" / name).read_text(encoding="utf-8")

    def _render(self, name: str, language: str, **fields: object) -> str:
        say = load(self._folder / "sentences", language).say
        template = self._environment.get_template(f"site/{name}.j2")
        known = {"say": say, "language": language, "address": self.address, "absolute": bool(self._address)}
        return template.render(fields, **known) + "\n"
