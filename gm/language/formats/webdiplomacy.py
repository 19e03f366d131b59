"""The order archive of webDiplomacy ("Orders" below the board), as its text is copied from the browser.

    Autumn, 1901 :
    Austria:
        Diplomacy
            The army at Vienna move to Galicia. (fail)
            The fleet at Trieste support move to Serbia from Budapest.
        Retreats
            The army at Galicia retreat to Silesia.
        Unit-placement
            Build army at Vienna.

The last turn stands first. Lines may be broken anywhere. The site writes an order to disband as "The army at Galicia
disbandBuild fleet at Galicia.", and one to destroy as "Destroy the unit at GaliciaThe army at Galicia destroy.".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gm.judge.model.variant import Variant
from gm.language.commands.blocks.position_edits import EditNames, UnknownName
from gm.language.formats.recorded_turns import RecordedOrder, RecordedTurns, page_lines, replayed
from gm.language.formats.saved_game import LONGEST_PAGE, GameFormat, SavedGame, UnreadGameError, name_elsewhere
from gm.language.i18n.place_names import powers

PROGRAM = "webdiplomacy"
ORDER = re.compile(
    r"The (?:army|fleet) at [\w .()'-]{2,40} (?:hold|move|support|convoy|retreat|disband)|Destroy the unit at"
    r"|(?:Build (?:army|fleet) at)|Do not use build order"
)
SITE = re.compile(r"\bwebdiplomacy\b|\bOrder history\b|\bsupply-centers?, \d+ units?\b", re.IGNORECASE)
TURN = re.compile(r"\b(?:Spring|Autumn|Fall), \d{4}\b")
NAME = r"[\w(][\w .()'-]{1,40}?"
END = r"(?<!\bSt)\s*\."
SCAN = re.compile(
    rf"\b(?P<season>Spring|Autumn|Fall), (?P<year>\d{{4}})\b"
    rf"|\b(?P<power>[A-Z][a-z]+)\s?:"
    rf"|The (?P<kind>army|fleet) at (?P<at>{NAME}) (?:"
    rf"(?P<disband>disband)(?:\s*Build (?:army|fleet) at {NAME})?"
    rf"|(?P<verb>hold|move|support hold|support move|convoy|retreat)"
    rf"(?: to (?P<to>{NAME}))?(?: from (?P<source>{NAME}))?(?P<via> via convoy)?"
    rf"){END}(?P<fail>\s*\(fail\))?(?P<driven>\s*\(dislodged\))?"
    rf"|Destroy the unit at (?P<gone>{NAME})(?:\s*The\s+(?:army|fleet)?\s*at {NAME} destroy)?{END}"
    rf"|Build (?P<built>army|fleet) at (?P<site>{NAME}){END}(?P<unbuilt>\s*\(fail\))?"
    rf"|(?P<wait>Do not use build order){END}"
)


def _detect(text: str) -> object:
    return TURN.search(text) and (ORDER.search(text) or SITE.search(text))


def _read(variant: Variant, own: Mapping[str, Any], text: str) -> SavedGame:
    name_elsewhere(variant, PROGRAM)
    page = _Page(variant)
    stream = " ".join(" ".join(page_lines(text)).split())
    for match in SCAN.finditer(stream):
        page.take(match)
    return replayed(variant, own, page.turns)


class _Page:
    """Collects the orders below the headings."""

    def __init__(self, variant: Variant) -> None:
        self.turns = RecordedTurns({})
        self.names = EditNames(variant, variant.start)
        self.powers = powers((*variant.powers, *variant.minors))
        self.season = self.year = self.power = ""

    def take(self, match: re.Match[str]) -> None:
        if match["season"]:
            self.season, self.year, self.power = match["season"][0].replace("A", "F"), match["year"], ""
        elif match["power"]:
            self.power = self.powers.get(match["power"].lower(), self.power)
        elif not (self.year and self.power):
            raise UnreadGameError("page-power", line=match[0])
        elif match["wait"]:
            self.add("A", "Waive")
        elif match["gone"]:
            self.add("A", f"Remove {self.place(match['gone'])}")
        elif match["built"]:
            if not match["unbuilt"]:
                self.add("A", f"Build {match['built'][0].upper()} {self.place(match['site'])}")
        else:
            self.order(match)

    def order(self, match: re.Match[str]) -> None:
        verb, failed, driven = match["verb"], bool(match["fail"]), bool(match["driven"])
        unit = f"{match['kind'][0].upper()} {self.place(match['at'])}"
        to = self.place(match["to"]) if match["to"] else ""
        source = self.place(match["source"]) if match["source"] else ""
        if match["disband"]:
            self.add("R", f"{unit} disband")
        elif verb == "retreat":
            self.add("R", f"{unit} - {to}", failed=failed)
        else:
            texts = {
                "hold": f"{unit} H",
                "move": f"{unit} - {to}{' via convoy' if match['via'] else ''}",
                "support hold": f"{unit} S {to}",
                "support move": f"{unit} S {source} - {to}",
                "convoy": f"{unit} C {source} - {to}",
            }
            self.add("M", texts[verb], failed=failed, driven=driven)

    def add(self, letter: str, text: str, failed: bool | None = None, driven: bool | None = None) -> None:
        season = "W" if letter == "A" else self.season
        self.turns.add(f"{season}{self.year}{letter}", RecordedOrder(self.power, text, failed, driven))

    def place(self, name: str) -> str:
        try:
            return str(self.names.place(name.split()))
        except UnknownName:
            raise UnreadGameError("page-place", place=name) from None


FORMAT = GameFormat(PROGRAM, _detect, _read, LONGEST_PAGE)
