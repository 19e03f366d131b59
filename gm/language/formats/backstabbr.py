"""Pages of Backstabbr: the list of orders as its text is copied, of one season or of several below each other.

    Spring 1903
    ENGLAND: A Lvp-Edi, F Lon-Nth (bounced)
    France 5
    F Mao-Spa(sc)
    A Bur S A Par-Mun

    Winter 1903
    France
    Build A Par

Seasons and powers are headings, and other words of the page are passed over. The page's source is read by
backstabbr_source.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gm.judge.model.variant import Variant
from gm.language.formats.recorded_turns import RecordedOrder, RecordedTurns, page_lines, replayed
from gm.language.formats.saved_game import LONGEST_PAGE, GameFormat, SavedGame, UnreadGameError, name_elsewhere
from gm.language.i18n.place_names import powers

PROGRAM = "backstabbr"
SEASON = re.compile(
    r"(?P<season>spring|fall|autumn|winter),?\s+(?P<year>\d{4})\b[\s:–-]*(?P<rest>.{0,40})", re.IGNORECASE
)
PART = re.compile(r"(?P<part>orders|moves?|movement|retreats?|builds?|adjustments?|disbands?)\b\W{0,3}", re.IGNORECASE)
UNIT = r"(?:A|F|Army|Fleet)"
PLACE = r"\w[\w.]{2,}"
ORDER = re.compile(
    rf"{UNIT}\s+{PLACE}(?:\s[\w.]{{2,}}){{0,3}}(?:\s?\([nsew]c\)|/[nsew]c)?"
    r"(?:\s*[-–→]|\s(?:[SCHRD]|holds?|supports?|convoys?|moves?|retreats?|disbands?)\b)"
    rf"|(?:Build|Disband|Destroy|Remove)s?\s+{UNIT}\s+{PLACE}|Waived?\b|Build\s+waived\b",
    re.IGNORECASE,
)
HEAD = re.compile(r"^[ \t>|#*]{0,20}(?:spring|fall|autumn|winter) \d{4}\b", re.IGNORECASE | re.MULTILINE)
REMARK = re.compile(
    r"[\s(\[,;–—-]{0,8}(?P<remark>[✓✔✗✘×]|\b(?:succeed(?:s|ed)|success(?:ful)?|fail(?:s|ed)?|bounced?|bounces|cut|"
    r"dislodged|void|invalid|illegal)\b).*$",
    re.IGNORECASE,
)
GOOD = ("✓", "✔", "succe")
OPEN_END = re.compile(r"(?:-|–|→|>|,|\b(?:S|C|to|supports?|convoys?|A|F))$")
OPEN_START = re.compile(r"(?:-|–|→|->|[SC] [AF] )")
BETWEEN = re.compile(rf"[,;]\s*(?={UNIT}\s|Build|Disband|Destroy|Remove|Waive)", re.IGNORECASE)
LONGEST_LINE = 2_000
PHASES = {"m": "M", "o": "M", "r": "R", "b": "A", "a": "A", "d": "A"}


def _detect(text: str) -> object:
    return HEAD.search(text) and ORDER.search(text)


def _read(variant: Variant, own: Mapping[str, Any], text: str) -> SavedGame:
    name_elsewhere(variant, PROGRAM)
    page = _Page(variant)
    for line in _joined(page_lines(text)):
        page.take(line)
    return replayed(variant, own, page.turns)


def _joined(lines: list[str]) -> Iterator[str]:
    """Lines with the orders joined that a mail program broke in two."""
    held = ""
    for line in lines:
        if len(line) > LONGEST_LINE:
            raise UnreadGameError("too-much")
        if held and line and len(held) < LONGEST_LINE and (OPEN_END.search(held) or OPEN_START.match(line)):
            held = f"{held} {line}"
            continue
        if held:
            yield held
        held = line
    if held:
        yield held


class _Page:
    """Collects the orders below the headings."""

    def __init__(self, variant: Variant) -> None:
        self.turns = RecordedTurns({})
        self.powers = powers((*variant.powers, *variant.minors))
        self.season = self.year = self.power = ""
        self.letter = "M"

    def take(self, line: str) -> None:
        season = SEASON.match(line)
        part = PART.fullmatch(line)
        if season:
            self.begin(season["season"], season["year"])
            part = PART.match(season["rest"])
        if part:
            self.letter = "A" if self.season == "W" else PHASES[part["part"][0].lower()]
        elif not season:
            self.orders(self.named(line))

    def begin(self, season: str, year: str) -> None:
        self.season, self.year, self.power = season[0].upper().replace("A", "F"), year, ""
        self.letter = "A" if self.season == "W" else "M"

    def named(self, line: str) -> str:
        """Take the power's name off a line that begins with one; what is left may be orders."""
        head, colon, rest = line.partition(":")
        words = (head if colon else line).split()
        power = next((self.powers[name] for n in (2, 1) if (name := " ".join(words[:n]).lower()) in self.powers), "")
        if not power:
            return line
        self.power = power
        return rest.strip() if colon else ""

    def orders(self, line: str) -> None:
        if not ORDER.match(line) or not self.year:
            return
        for text in BETWEEN.split(line):
            if not self.power:
                raise UnreadGameError("page-power", line=text)
            remark = REMARK.search(text)
            order = (text[: remark.start()] if remark else text).strip(" .,;")
            self.add(order, remark["remark"].lower() if remark else "")

    def add(self, text: str, remark: str) -> None:
        failed = None if not remark or remark == "dislodged" else not remark.startswith(GOOD)
        driven = True if remark == "dislodged" else None
        letter = self.letter
        if letter == "M" and re.search(r"\b(?:retreats?|disbands?(?:ed)?)\b", text, re.IGNORECASE):
            letter = "R"
        if letter == "R":
            text = re.sub(r"\bretreats?(?: to)?\b", "-", text, flags=re.IGNORECASE)
            text = re.sub(rf"^disbands?\s+({UNIT}\s+\S+)$", r"\1 disband", text, flags=re.IGNORECASE)
        if letter == "A":
            text = re.sub(r"^(?:disband|destroy)s?\b", "Remove", text, flags=re.IGNORECASE)
        self.turns.add(f"{self.season}{self.year}{letter}", RecordedOrder(self.power, text, failed, driven))


FORMAT = GameFormat(PROGRAM, _detect, _read, LONGEST_PAGE)
