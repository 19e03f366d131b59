"""Every kind of letter as a browser shows it: on a phone, in a window, on a wide screen; by day and by night.

GM_WRITE_PICTURES=1 takes the pictures beside the templates anew.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace
from PIL import Image
from support.browser import Browser, Page
from support.dialogue import AUTHSERV
from support.paths import ROOT
from support.services import POST
from support.shipped import map_drawer
from support.standard_game import Letterbox
from support.twin_games import GAME, MASTERS, Stage

from gm.game.clock import clock
from gm.game.model.records import InboxRow, Letter, OutLetter
from gm.game.model.services import Services
from gm.language.rendering.templates import KINDS
from gm.mail.message.open_letter import open_letter
from gm.maps.drawing.png import shrink_png
from gm.server.map_worker import take_pictures

PICTURES = ROOT / "templates" / "pictures"
KEPT = {
    "results-360-dark.png": ("results", 360, True),
    "results-700.png": ("results", 700, False),
    "welcome-1200.png": ("welcome", 1200, False),
    "answer-700.png": ("answer", 700, False),
    "press-360.png": ("press", 360, False),
    "reminder-700-dark.png": ("reminder", 700, True),
}
"""File -> the letter, how wide, and whether by night."""
ASKED = {"rules": "RULES\nSETTINGS", "games": "LIST\nHELP GM", "missing": "MISSING\nSTATUS\nDRAFTS?"}
"""Answers to a game master who asks for long lists."""
SHOWN = (*KINDS, *ASKED, "created")
SEATS = {"Austria": "ada", "England": "hannah", "France": "luc", "Germany": "tom", "Italy": "chiara", "Russia": "irina"}


def opened(row: InboxRow) -> Letter:
    return open_letter(row, POST.ours, AUTHSERV, 1_000_000)


@pytest.fixture(scope="module")
def letters() -> Mapping[str, OutLetter]:
    """One of each kind, the newest, out of a game played by letters."""
    box = Letterbox()
    services = replace(box.services, post=POST, open_letter=opened, masters=frozenset({MASTERS}))
    stage = Painted(box, services)
    seats = "\n".join(f"SEAT {power}: {name.title()} <{name}@example.org>" for power, name in SEATS.items())
    days = "moves: 48 h\nreminder: 12 h\nempty_seats: yes"
    stage.write(MASTERS, "gm@gm.example", f"CREATE {GAME} standard\n{days}\n{seats}\nSTART")
    mail = {power: (f"{name}@example.org", stage.seat_address(power)) for power, name in SEATS.items()}
    stage.write(*mail["France"], "A Par - Bur\nA Mar S A Par - Bur\nF Bre - Xyz\nA Pra - Gas\nA Par - Pic")
    stage.write(*mail["Germany"], "A Mun - Bur\nA Ber - Kie\nPRESS TO France\nLet us leave Burgundy empty.\nENDPRESS")
    stage.write(*mail["Austria"], "A Vie - Gal\nA Bud - Ser\nF Tri - Alb")
    stage.write("luc@example.org", "gm@gm.example", "A Par - Gas", f"[{GAME} S1901M] orders", proven=False)
    stage.go_to(stage.now() + timedelta(hours=37))
    stage.settle()
    stage.write(MASTERS, stage.seat_address("GM"), "DEADLINE +1d")
    stage.write("stranger@example.org", "gm@gm.example", "Hello, may I play?")
    stage.go_to(stage.now() + timedelta(days=3))
    stage.settle()
    by_kind: dict[str, OutLetter] = {}
    for letters in stage.recorder.sent.values():
        for sent in letters:
            if sent.row.letter.html and sent.row.letter.address in ("luc@example.org", "stranger@example.org"):
                by_kind[sent.row.letter.kind] = sent.row.letter
    mine = stage.recorder.sent[MASTERS]
    by_kind["created"] = next(sent.row.letter for sent in mine if "CREATE" in sent.row.letter.html)
    for name, words in ASKED.items():
        stage.write(MASTERS, stage.seat_address("GM"), words)
        by_kind[name] = stage.recorder.sent[MASTERS][-1].row.letter
    stage.write(MASTERS, stage.seat_address("GM"), "CLOSE DRAW")
    by_kind["chronicle"] = next(
        sent.row.letter for sent in stage.recorder.sent[MASTERS] if sent.row.letter.kind == "chronicle"
    )
    return by_kind


class Painted(Stage):
    """With its maps: of each the real one, drawn at once."""

    def __init__(self, box: Letterbox, services: Services) -> None:
        super().__init__(services)
        self._box = box

    def settle(self) -> None:
        clock.tick(self.services, self.transaction, None)
        while taken := take_pictures(self.services, self.transaction, 1):
            for picture, asked in taken:
                content = map_drawer().draw_file(asked)
                with self.transaction() as store:
                    store.pictures.finish(picture.id, store.now(), content)
        super().settle()


def page_of(letter: OutLetter) -> str:
    """Its HTML, with the map in it."""
    html = letter.html
    for part in letter.parts:
        if part.cid:
            picture = base64.b64encode(part.content).decode("ascii")
            html = html.replace(f"cid:{part.cid}", f"data:{part.mime};base64,{picture}")
    return html


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as browser:
        yield browser


@contextmanager
def shown(browser: Browser, letter: OutLetter, where: Path, width: int, *, dark: bool) -> Iterator[Page]:
    file = where / f"{letter.kind}.html"
    file.write_text(page_of(letter), encoding="utf-8")
    with browser.open(file.as_uri(), width=width, dark=dark) as page:
        yield page


def test_there_is_one_of_each_kind(letters: Mapping[str, OutLetter]) -> None:
    assert set(letters) == set(SHOWN)
    assert {kind for kind, letter in letters.items() if "cid:" in letter.html} >= {"results", "welcome"}


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [360, 700, 1200])
@pytest.mark.parametrize("kind", SHOWN)
def test_it_fits_and_is_readable(
    browser: Browser, letters: Mapping[str, OutLetter], tmp_path: Path, kind: str, width: int, dark: bool
) -> None:
    with shown(browser, letters[kind], tmp_path, width, dark=dark) as page:
        assert page.run("document.documentElement.scrollWidth") <= width
        assert page.run(TOO_WIDE) == []
        assert page.run(UNSEEN_PICTURES) == []
        assert page.run(FAINT) == []
        assert all(url.startswith(("file:", "data:")) for url in page.asked_for)
        assert page.troubles == []


def test_a_broken_letter_is_found(browser: Browser, tmp_path: Path) -> None:
    """The checks themselves."""
    file = tmp_path / "bad.html"
    file.write_text(
        '<body style="background:#fff"><p style="width:2000px;color:#000">wide</p><p style="color:#aaa">faint</p>'
        '<img alt="" src="none.png" width="10" height="10">',
        encoding="utf-8",
    )
    with browser.open(file.as_uri(), width=700) as page:
        assert page.run("document.documentElement.scrollWidth") > 700
        assert page.run(TOO_WIDE) == ["P: wide"]
        assert page.run(UNSEEN_PICTURES) == ["none.png"]
        assert [line.split(":")[0] for line in page.run(FAINT)] == ["faint"]
        assert page.troubles


@pytest.mark.parametrize("name", KEPT)
def test_the_pictures_beside_the_templates_are_of_this_look(
    browser: Browser, letters: Mapping[str, OutLetter], tmp_path: Path, name: str
) -> None:
    """Taken with GM_WRITE_PICTURES=1; other machines have other fonts, so that only the size is compared."""
    kind, width, dark = KEPT[name]
    if os.environ.get("GM_WRITE_PICTURES"):
        with shown(browser, letters[kind], tmp_path, width, dark=dark) as page:
            page.shot(PICTURES / name, whole=True)
            (PICTURES / name).write_bytes(shrink_png((PICTURES / name).read_bytes(), width))
    with Image.open(PICTURES / name) as picture:
        assert picture.width == width


TOO_WIDE = """[...document.body.querySelectorAll("*")]
  .filter(one => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 1)
  .map(one => one.tagName + ": " + one.textContent.trim().slice(0, 40))"""
UNSEEN_PICTURES = """[...document.images]
  .filter(one => !one.naturalWidth || one.getBoundingClientRect().width > innerWidth)
  .map(one => one.getAttribute("src").slice(0, 40))"""
FAINT = """(() => {
  const levels = colour => colour.match(/[\\d.]+/g).map(Number);
  const light = ([red, green, blue]) => {
    const [r, g, b] = [red, green, blue].map(part => part / 255)
      .map(part => part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const behind = one => {
    for (; one; one = one.parentElement) {
      const ground = levels(getComputedStyle(one).backgroundColor);
      if (ground.length < 4 || ground[3] > 0) return ground;
    }
    return [255, 255, 255];
  };
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  while (words.nextNode()) {
    const said = words.currentNode.textContent.trim(), one = words.currentNode.parentElement;
    if (!said || !one.checkVisibility() || ["STYLE", "SCRIPT"].includes(one.tagName)) continue;
    const style = getComputedStyle(one), size = parseFloat(style.fontSize);
    if (!size) continue;
    const [low, high] = [light(levels(style.color)), light(behind(one))].sort((a, b) => a - b);
    const contrast = (high + .05) / (low + .05);
    const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    if (contrast < (large ? 3 : 4.5)) found.push(`${said.slice(0, 40)}: ${contrast.toFixed(2)}`);
  }
  return found;
})()"""
"""Text that stands out too little from what is behind it (WCAG 2, level AA)."""
