"""`gm publish`: content of the site, nothing done twice, behaviour in a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest
from msgspec.structs import replace
from support.browser import Browser
from support.random_games_site import Sketches, files, played, publish
from support.standard_game import NAMES, Letterbox

from gm.errors import GmError
from gm.game.model.choose_setting import SettingError, with_setting
from gm.game.model.records import EVERYBODY, GameState, Person, Seat
from gm.game.turns import resolve
from gm.game.views import maps as pictures
from gm.game.views.maps import MapDocuments


@pytest.fixture(scope="module")
def box() -> Letterbox:
    box = Letterbox()
    played(box, "lisbon", "standard", 3, 7)
    return box


class Site:
    """A folder that the box's games are published in."""

    def __init__(self, box: Letterbox, where: Path) -> None:
        self.box = box
        self.where = where
        self.sketches = Sketches()

    def publish(self, *, anew: bool = False) -> str:
        """The last line said."""
        box = self.box
        return publish(box.services, box.store.transaction, self.where, self.sketches, anew=anew)[-1]

    def names(self) -> list[str]:
        return [name for name in files(self.where) if "/" in name]


class Failing(Sketches):
    """One of the pictures cannot be drawn."""

    def __call__(self, asked: MapDocuments) -> Future[bytes]:
        done = super().__call__(asked)
        if len(self.asked) == 2:
            done = Future()
            done.set_exception(GmError("its board has not been drawn yet"))
        return done


@pytest.fixture
def site(tmp_path: Path) -> Site:
    box = Letterbox()
    played(box, "lisbon", "standard", 3, 3)
    return Site(box, tmp_path / "site")


def test_a_game_has_a_page_with_its_phases(site: Site) -> None:
    site.publish()
    page = (site.where / "games/lisbon.html").read_text(encoding="utf-8")
    index = (site.where / "index.html").read_text(encoding="utf-8")
    for phase in ("start", "S1901M", "F1901M", "now"):
        assert page.count(f'<section class="plate" id="{phase}"') == 1
    assert '<th scope="row">A Vie' in page
    assert "Supply centres by year" in page
    assert 'href="games/lisbon.html"' in index
    assert "ostend" not in index, "a game that has not begun and has all its players"
    everything = "".join(content.decode("latin-1") for content in files(site.where).values())
    for name in NAMES.values():
        assert name not in everything
    assert "@example.org" not in everything
    assert "://" not in page.replace("http://www.w3.org", "")


def ended(site: Site, name: str, **settings: str) -> None:
    """One more game, of Luc as France, that a draw of France and Turkey has ended."""
    box = site.box
    game = played(box, name, "standard", 5, 4, scoring="draw-size", league="spring", **settings)
    with box.store.transaction() as store:
        luc = store.people.by_address("luc@example.org") or store.people.add(Person(0, "Luc", ("luc@example.org",)))
        store.games.add_seat(Seat(0, game.id, "France", luc.id))
        resolve.end_game(box.services, store, store.games.get(game.id), "draw", ("France", "Turkey"))


def test_a_finished_game_has_its_chronicle(site: Site) -> None:
    ended(site, "porto")
    site.publish()
    page = (site.where / "games/porto-chronicle.html").read_text(encoding="utf-8")
    assert "porto is over: a draw between France and Turkey." in page
    assert [len(re.findall(rf'<img src="porto/{kind}[^"]*\.png"', page)) for kind in ("chart-", "[^c]")] == [1, 1]
    for picture in re.findall(r'<img src="([^"]*)"', page):
        assert (site.where / "games" / picture).is_file()
    assert "Luc" not in page
    assert 'href="porto-chronicle.html"' in (site.where / "games/porto.html").read_text(encoding="utf-8")
    assert "chronicle" not in (site.where / "games/lisbon.html").read_text(encoding="utf-8")


def test_a_league_has_its_table_with_names_where_games_allow_them(site: Site) -> None:
    ended(site, "porto")
    ended(site, "calais", list="unlisted", site_names="yes")
    site.publish()
    table = site.where / "leagues/spring.html"
    page = table.read_text(encoding="utf-8")
    assert "<b>porto</b>: France 50; Turkey 50" in page
    assert "Luc" not in page
    assert "calais" not in page
    ended(site, "ghent", site_names="yes")
    site.publish()
    assert "Luc</th>" in table.read_text(encoding="utf-8")
    assert 'href="leagues/spring.html">League spring' in (site.where / "index.html").read_text(encoding="utf-8")


def test_unchanged_files_are_not_written_again(site: Site) -> None:
    site.publish()
    before, drawn = files(site.where), len(site.sketches.asked)
    assert site.publish().endswith("0 files written, 0 removed.")
    assert (files(site.where), len(site.sketches.asked)) == (before, drawn)
    site.publish(anew=True)
    assert len(site.sketches.asked) == 2 * drawn


def test_pictures_of_letters_are_reused(site: Site) -> None:
    store = site.box.store
    number = store.pictures.request(site.box.last, EVERYBODY, "turn.png", store.now())
    picture = store.pictures.get(number)
    assert picture is not None
    drawn = site.sketches(pictures.documents_for_picture(site.box.services.variant, store, picture)).result()
    store.pictures.finish(number, store.now(), drawn)
    site.sketches.asked.clear()
    site.publish()
    assert [sketch.form.turn for sketch in site.sketches.asked] == [False, True, True, False]
    assert drawn in files(site.where).values()


def games(site: Site) -> set[str]:
    """Whose files there are."""
    return {name.split("/")[1].split(".")[0] for name in site.names()}


def test_unlisted_and_deleted_games_are_removed(site: Site) -> None:
    (site.where).mkdir()
    (site.where / "mine.txt").write_text("not ours", encoding="utf-8")
    played(site.box, "porto", "standard", 4, 2)
    site.publish()
    assert games(site) == {"lisbon", "ostend", "porto"}
    lisbon = site.box.store.games.by_name("lisbon")
    assert lisbon is not None
    hidden = with_setting(lisbon, site.box.variant, "list", "Unlisted")
    assert not isinstance(hidden, SettingError)
    site.box.store.games.save(hidden)
    site.publish()
    assert games(site) == {"ostend", "porto"}
    assert "lisbon" not in (site.where / "index.html").read_text(encoding="utf-8")
    site.box.store.data.games.clear()
    site.publish()
    assert site.names() == []
    assert not (site.where / "games").exists()
    assert (site.where / "mine.txt").exists()


def test_a_folder_above_the_site_is_not_made(site: Site) -> None:
    """It may be a disk that is not mounted."""
    site.where = site.where / "not mounted" / "site"
    with pytest.raises(GmError, match=r"there is no folder .*/not mounted: make it, or mount its disk"):
        site.publish()
    assert not site.where.parent.exists()


def test_another_site_is_not_overwritten(site: Site) -> None:
    site.where.mkdir()
    (site.where / "index.html").write_text("mine", encoding="utf-8")
    with pytest.raises(GmError, match=r"contains another index\.html"):
        site.publish()
    assert files(site.where) == {"index.html": b"mine"}


def test_unresolved_orders_change_nothing(site: Site) -> None:
    site.publish()
    before = files(site.where)
    site.box.store.turns.add_sheet(site.box.sheet("France", 1, "A Par - Bur"))
    site.publish(anew=True)
    assert files(site.where) == before


def test_a_failed_picture_is_retried_next_time(site: Site) -> None:
    whole = site.sketches
    site.sketches = Failing()
    site.publish()
    assert "This phase has no map yet." in (site.where / "games/lisbon.html").read_text(encoding="utf-8")
    site.sketches = whole
    site.publish()
    assert len(whole.asked) == 1
    assert "This phase has no map yet." not in (site.where / "games/lisbon.html").read_text(encoding="utf-8")


# ---- in a browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def address(box: Letterbox, tmp_path_factory: pytest.TempPathFactory) -> str:
    where = tmp_path_factory.mktemp("site")
    played(box, "porto", "fin-de-siecle", 4, 3)
    porto = box.store.games.by_name("porto")
    assert porto is not None
    box.store.games.save(replace(porto, state=GameState.ENDED, due_at=None))
    Site(box, where).publish()
    return where.as_uri()


def test_keys_step_through_the_phases(browser: Browser, address: str) -> None:
    shown = "[...document.querySelectorAll('.plate')].filter(one => one.checkVisibility()).map(one => one.id).join()"
    with browser.open(f"{address}/games/lisbon.html") as page:
        phases = page.run("[...document.querySelectorAll('.plate')].map(one => one.id)")
        assert page.run(shown) == phases[-2], "the newest orders come first"
        for key, there in (
            ("Home", phases[0]),
            ("ArrowLeft", phases[0]),
            ("ArrowRight", phases[1]),
            ("End", phases[-1]),
        ):
            page.press(key)
            assert (page.run(shown), page.run("location.hash")) == (there, f"#{there}")
        page.run("document.getElementById('back').click()")
        assert page.run(shown) == phases[-2]
        page.run("location.hash = '#S1901M'; new Promise(done => setTimeout(done, 50))")
        assert page.run(shown) == "S1901M"
        assert page.run("document.querySelector('.plate:not([hidden]) img').complete")
        assert page.troubles == []


@pytest.mark.parametrize("width", [360, 700, 1200])
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("name", ["index", "games/lisbon", "games/porto"])
def test_pages_fit_and_load_nothing_remote(browser: Browser, address: str, name: str, width: int, dark: bool) -> None:
    with browser.open(f"{address}/{name}.html", width=width, dark=dark) as page:
        assert page.run("document.documentElement.scrollWidth <= innerWidth")
        assert all(url.startswith((address, "data:")) for url in page.asked_for)
        assert page.troubles == []
