"""`[site]`: the server writes the site by itself, whole, atomically, and only what has changed."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest
from msgspec.structs import replace
from support.dialogue import AUTHSERV, DeskStage, Player, load
from support.paths import DIALOGUES, ROOT
from support.random_games_site import Sketches, files
from support.stores.migrated_database import migrate

from gm.cli.site_folder import SiteFolder
from gm.config import Config, NotifyConfig, Secret, SiteConfig, load_section
from gm.errors import GmError
from gm.game.model.choose_setting import SettingError, with_setting
from gm.game.model.public_events import PublicEvent
from gm.server import site_writer
from gm.server.operators.public_checks import check_site
from gm.server.site_writer import SiteWriter
from gm.server.tick import run_once
from gm.server.wiring import Application, assemble

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
URL = "https://games.example/season"
ATOM = {"a": "http://www.w3.org/2005/Atom"}


class Hands:
    clock = START

    def now(self) -> datetime:
        return self.clock


class Office:
    """A server without threads, whose site is written when it is asked to."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.where, self.hands, self.sketches = folder / "site", Hands(), Sketches()
        self._monkeypatch = monkeypatch
        self.settings = Config(
            address="gm@gm.example",
            database=str(folder / "gm.sqlite"),
            secret=Secret("a secret for all tests"),
            masters=("ruth@example.org",),
            authserv_id=AUTHSERV,
            site=SiteConfig(folder=str(self.where), url=f"{URL}/", title="Our games"),
            notify=load_section(NotifyConfig, {"url": "http://127.0.0.1:9/", "secret": "a long random text"}),
        )
        self.app: Application = assemble(self.settings, clock=self.hands.now)
        migrate(self.app)
        self.player = Player(DeskStage(self.app.services, self.app.database, self.hands))
        self.writer = self.new_writer()

    def new_writer(self) -> SiteWriter:
        """As after a restart."""
        assert self.settings.site is not None
        writer = SiteWriter(self.app, self.settings.site)
        self._monkeypatch.setattr(writer._map_workers, "submit", self.sketches)
        return writer

    def play(self, words: str) -> None:
        path = self.where.with_name("dialogue.txt")
        path.write_text(words, encoding="utf-8")
        self.player.play(load(path))

    def write(self) -> set[str]:
        """The files that were written, by the time when they were changed."""
        before = self._times()
        self.writer.write()
        now = self._times()
        return {name for name in now if now[name] != before.get(name)}

    def _times(self) -> dict[str, tuple[int, int]]:
        every = [path for path in self.where.rglob("*") if path.is_file()] if self.where.exists() else []
        return {str(path.relative_to(self.where)): (path.stat().st_mtime_ns, path.stat().st_ino) for path in every}

    def text(self, name: str) -> str:
        return (self.where / name).read_text(encoding="utf-8")


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Office]:
    office = Office(tmp_path, monkeypatch)
    with closing(office.app.database):
        office.player.begin(DIALOGUES / "started.part")
        yield office


MASTER = ">> Ruth Amsel <ruth@example.org>\nTo: ostend GM\n\n"


def test_a_turn_is_published_with_all_that_goes_with_it(office: Office) -> None:
    office.write()
    office.play("== 2026-03-08 20:00\n")
    assert office.write() >= {
        *("index.html", "feed.xml", "deadlines.ics", "games.json", "published.json"),
        *("games/ostend.html", "games/ostend.json", "games/ostend.xml", "games/ostend.ics"),
    }
    assert office.write() == set(), "nothing has changed"
    entries = [entry.findtext("a:title", namespaces=ATOM) for entry in entries_of(office, "feed.xml")]
    assert entries == ["ostend: Spring 1901", "ostend has begun"]
    page = office.text("games/ostend.html")
    picture = f"{URL}/games/ostend/S1901M-"
    assert f'<meta property="og:image" content="{picture}' in page
    assert f'<meta property="og:url" content="{URL}/games/ostend.html">' in page
    assert "og:image" in office.text("index.html")
    (turn,) = json.loads(office.text("games/ostend.json"))["turns"]
    assert turn["map"].startswith(picture)
    assert (office.where / turn["map"].removeprefix(f"{URL}/")).is_file()


def entries_of(office: Office, name: str) -> list[Xml.Element]:
    return Xml.fromstring(office.text(name)).findall("a:entry", ATOM)


def test_what_is_nobodys_business_writes_nothing(office: Office) -> None:
    office.write()
    office.play(">> Luc Marchand <luc@example.org>\nTo: ostend France\n\nA Par - Bur\nVOTE DRAW\nREADY\n")
    assert office.write() == set()


def test_a_moved_deadline_changes_page_calendar_feed_and_json_but_draws_nothing(office: Office) -> None:
    office.write()
    drawn = len(office.sketches.asked)
    office.play(MASTER + "DEADLINE 2026-03-09 20:00\n")
    assert office.write() >= {"games/ostend.html", "games/ostend.ics", "games/ostend.xml", "games/ostend.json"}
    assert len(office.sketches.asked) == drawn
    assert "DTSTART:20260309T200000Z" in office.text("deadlines.ics")
    assert "SEQUENCE:1" in office.text("deadlines.ics")


def test_other_games_stay_as_they_are(office: Office) -> None:
    create = "CREATE calais standard\njoining: open\nlist: public"
    office.play(f">> Ruth Amsel <ruth@example.org>\nTo: gm@gm.example\nAuth: pass\n\n{create}\n")
    office.write()
    assert "JOIN%20calais" in office.text("index.html")
    assert "mailto:gm@gm.example?subject=JOIN%20calais&amp;body=JOIN%20calais" in office.text("index.html")
    office.play(MASTER + "DEADLINE 2026-03-09 20:00\n")
    assert not [name for name in office.write() if "calais" in name]


def test_a_restart_writes_what_is_missing_and_nothing_else(office: Office) -> None:
    office.write()
    office.play("== 2026-03-08 20:00\n")
    office.writer = office.new_writer()
    (office.where / "games/ostend.json").unlink()
    (office.where / "index.html").write_text("half", encoding="utf-8")
    assert office.write() >= {"games/ostend.json", "index.html", "games/ostend.html"}
    office.writer = office.new_writer()
    assert office.write() <= {"published.json"}, "only compared"


def test_a_run_that_breaks_off_is_done_again(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    office.write()
    office.play("== 2026-03-08 20:00\n")
    whole = SiteFolder.write

    def full(self: SiteFolder, name: str, content: bytes) -> None:
        if name == "feed.xml":
            raise GmError("feed.xml: cannot be written (No space left on device)")
        whole(self, name, content)

    monkeypatch.setattr(SiteFolder, "write", full)
    for _ in range(2):
        with pytest.raises(GmError, match=r"the site is not written: feed\.xml"):
            office.write()
    monkeypatch.setattr(SiteFolder, "write", whole)
    monkeypatch.setattr(office.writer, "_rests_until", 0.0)
    assert "feed.xml" in office.write()
    assert not list(office.where.rglob("*.part"))


def test_a_broken_game_keeps_its_pages_and_stops_no_other(office: Office) -> None:
    office.write()
    with office.app.database.transaction() as store:
        game = store.games.by_name("ostend")
        assert game is not None
        settings = tuple((key, "full moon" if key == "moves" else value) for key, value in game.settings)
        store.games.save(replace(game, settings=settings))
    office.writer = office.new_writer()
    before = files(office.where)
    office.writer.write()
    assert before["games/ostend.html"] == files(office.where)["games/ostend.html"]
    assert "ostend" not in office.text("index.html")


def test_an_unlisted_game_leaves_the_site_its_feeds_and_its_calendar(office: Office) -> None:
    office.write()
    with office.app.database.transaction() as store:
        game = store.games.by_name("ostend")
        assert game is not None
        hidden = with_setting(game, office.app.services.variant(game.variant, {}), "list", "unlisted")
        assert not isinstance(hidden, SettingError)
        store.games.save(hidden)
    office.player.settle()
    office.write()
    assert not [name for name, content in files(office.where).items() if b"ostend" in content or "ostend" in name]


def test_the_json_has_the_documented_keys(office: Office) -> None:
    office.write()
    guide = (ROOT / "deploy/README.md").read_text(encoding="utf-8").partition("### Feeds, calendars, JSON")[2]
    rows = re.findall(r"^\| (`.*?`) \| ", guide.partition("## A webhook")[0], re.MULTILINE)
    keys = [key for row in rows for key in re.findall(r"`([a-z_]+)`", row)]
    document, games = (json.loads(office.text(name)) for name in ("games/ostend.json", "games.json"))
    assert sorted(keys) == sorted(set(document) - {"format", "version"})
    assert games.keys() == {"format", "version", "title", "address", "games"}
    assert set(games["games"][0]) == set(keys[: keys.index("links") + 1])


def test_the_webhook_gets_a_turn_when_its_page_is_there(office: Office) -> None:
    def next_event() -> PublicEvent | None:
        with office.app.database.transaction() as store:
            return store.events.next(store.now())

    assert next_event() is None, "it waits for its page"
    office.write()
    assert next_event() is not None


def test_the_web_server_may_read_all_of_it_and_no_draft_stays(office: Office) -> None:
    old = os.umask(0o077)
    try:
        office.write()
        draft = office.where / "games/ostend.html.part"
        draft.write_text("half", encoding="utf-8")
        office.play(MASTER + "DEADLINE 2026-03-09 20:00\n")
        office.write()
    finally:
        os.umask(old)
    modes = {path.stat().st_mode & 0o777 for path in office.where.rglob("*") if path.is_file()}
    assert modes == {0o644}
    assert {path.stat().st_mode & 0o777 for path in (office.where, *office.where.glob("games/*/"))} == {0o755}
    assert not draft.exists()


def test_two_writers_do_not_meet(office: Office) -> None:
    with SiteFolder(office.where), pytest.raises(GmError, match="another gm writes it now"):
        office.write()


@pytest.mark.parametrize("torn", ["", "games/never-writ"])
def test_no_file_of_a_run_that_was_killed_stays_unknown(tmp_path: Path, torn: str) -> None:
    with SiteFolder(tmp_path) as killed:
        killed.write("index.html", b"the first")
        killed.write("games/calais.html", b"a game")
    with (tmp_path / "published.new").open("a") as file:
        file.write(torn)
    with SiteFolder(tmp_path) as folder:
        folder.write("index.html", b"the second")
        assert folder.finish() == 1
    assert {path.name for path in tmp_path.rglob("*") if path.is_file()} == {"index.html", "published.json"}
    assert json.loads((tmp_path / "published.json").read_text()) == {"files": ["index.html"]}


def test_what_a_new_file_costs_does_not_grow_with_the_site(tmp_path: Path) -> None:
    with SiteFolder(tmp_path) as folder:
        for number in range(30):
            before = (tmp_path / "published.json").stat()
            folder.write(f"games/ostend/{number}.png", b"a picture")
            assert (tmp_path / "published.json").stat() == before, "the list is written once"
        folder.finish()
    assert len(json.loads((tmp_path / "published.json").read_text())["files"]) == 30


def test_a_tick_writes_the_site(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_writer.MapWorkers, "submit", lambda self, documents: office.sketches(documents))
    office.hands.clock = datetime(2026, 3, 8, 20, 0, tzinfo=UTC)
    with pytest.raises(GmError, match="relay"):
        run_once(office.app)  # neither the relay nor the webhook answers here
    assert "ostend: Spring 1901" in office.text("feed.xml")


def test_the_doctor_looks_at_folder_and_address(office: Office) -> None:
    settings = office.settings.site
    assert settings is not None
    assert [(finding.good, finding.text.split(": ")[0]) for finding in check_site(settings)] == [
        (True, f"{office.where} can be created"),
        (True, "nothing is published yet"),
    ]
    office.where.mkdir()
    (office.where / "index.html").write_text("mine", encoding="utf-8")
    assert not next(check_site(settings)).good
    missing = SiteConfig(folder="/proc/nobody/site")
    assert next(check_site(missing)).text == "there is no folder /proc/nobody: make it, or mount its disk"
