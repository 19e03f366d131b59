"""Scanners for boards with wings ("Lon-Air"), named coasts ("Spa/c2") or lettered spaces ("boxes L and A")."""

from __future__ import annotations

import re

from gm.judge.board.board import AIR
from gm.judge.model.variant import Variant
from gm.language.i18n.place_names import PlaceNames, words
from gm.language.orders.parsing.lexer import GOES_TO, RawToken, Scanner, Token, WrittenPlace

AIRBORNE = re.compile(r"[-/.](?:a|air)(?![\w'])|\s*\(\s*air\s*\)|\s+air(?![\w'])", re.IGNORECASE)
"""Behind a place: "Lon-A", "Lon-Air", "London/air", "London (Air)", "London Air"."""
COAST_NAME = re.compile(r"\s*/\s*(?P<slash>[^\W_]+)|\s*[(\[]\s*(?P<box>[^()\[\]/]{1,40}?)\s*[)\]]")
SPACED = re.compile(r"\s+/\s")
GOES_ON = re.compile(r"\s*[^\s,;.:!?/)\]]")
NUMBERED = re.compile(r"c\d{1,2}")
ACTS = frozenset({"HOLD", "CONVOY", "SUPPORT", "MOVE"})
LEADS = GOES_TO | {"FROM", "OF", "VIA"}
"""Types of tokens behind which a place stands."""


def board_scanner(variant: Variant, names: PlaceNames) -> type[Scanner]:
    """The scanner that fits a board and the kinds of unit on it."""
    if any(kind.layer == AIR for kind in variant.kinds.values()):
        return WingScanner
    if names.lettered:
        return LetterScanner
    return CoastScanner if names.marks else Scanner


class LetterScanner(Scanner):
    """Reads the letter of a space alone where only a space fits: "box L to K", "the fleets in boxes C and H"."""

    def _word(self, text: str, raws: list[RawToken], at: int, tokens: list[Token]) -> int:
        raw = raws[at]
        if (
            len(raw.text) == 1
            and (code := self.names.lettered.get(raw.text.lower()))
            and self._is_space(raws, at, tokens)
        ):
            return self._place(text, raws, at, at + 1, (code,), tokens)
        return super()._word(text, raws, at, tokens)

    def _is_space(self, raws: list[RawToken], at: int, tokens: list[Token]) -> bool:
        """Behind a word that leads to a place, behind a unit's kind in full, or in a list of spaces.

        A letter that is a word as well, such as "a", counts as a capital, and before no name or kind of unit.
        """
        letter = raws[at].text.lower()
        after = raws[at + 1].text.lower() if at + 1 < len(raws) and raws[at + 1].kind == "word" else ""
        own, following = (self.words.meaning.get(word, ("", ""))[0] for word in (letter, after))
        spoken = bool(own) or letter in self.kinds
        names = after in self.kinds or self._is_kind(after) or (not following and self.names.find((after,)))
        if names or (spoken and raws[at].text.islower()):
            return False
        previous, before = (tokens[-back] if len(tokens) >= back else Token("", "", 0, 0) for back in (1, 2))
        if previous.type in LEADS:  # no dash of a sign: "ObC - H" is a hold
            return own != "HOLD" or previous.value != "-" or raws[at].start > previous.end_pos + 1
        if previous.type == "KIND":
            return previous.end_pos - previous.start_pos > 1
        if previous.type == "SEP" and before.type == "PLACE" and (own not in ACTS or previous.value != ","):
            return not after or following == "AND" or set(before.value.provinces) <= set(self.names.lettered.values())
        if not spoken and previous.type in ("", "SEP"):
            return following == "TO" or (at + 1 < len(raws) and raws[at + 1].kind == "arrow")
        filler = self.words.meaning.get(raws[at - 1].text.lower(), ("", ""))[0] == "FILLER" if at else False
        return filler and own not in ACTS


class WingScanner(Scanner):
    """A place in the air has "air" for its coast, so that a line that leaves out the unit's kind means the wing."""

    def _place(
        self, text: str, raws: list[RawToken], at: int, past: int, provinces: tuple[str, ...], tokens: list[Token]
    ) -> int:
        past = super()._place(text, raws, at, past, provinces, tokens)
        kind, name, start, end = tokens[-1]
        air = AIRBORNE.match(text, end)
        if air is None or kind != "PLACE":
            return past
        end = air.end()
        while past < len(raws) and raws[past].start < end:
            past += 1
        tokens[-1] = Token("PLACE", WrittenPlace(text[start:end], start, end, name.provinces, AIR), start, end)
        return past

    def _meaning(self, word: str, previous: str, after: str) -> tuple[str, object] | None:
        """The letter of a kind means the kind wherever something follows, even where the sheet uses that letter for
        another word ("Build W Ber", but "W" and "W 2" for builds waived).
        """
        if word in self.kinds and len(word) == 1 and after and not after.isdigit() and not self._is_kind(after):
            return "KIND", self.kinds[word]
        return super()._meaning(word, previous, after)

    def _takes_coast(self, match: re.Match[str], provinces: tuple[str, ...]) -> bool:
        """A letter behind a dot ("F NTH. W Par H") is a coast only where the province has some."""
        return any(code in self.coasts for code in provinces) and super()._takes_coast(match, provinces)


class CoastScanner(Scanner):
    """Reads the name or number of a coast together with the place before it: "Spa/c2", "Spa (Gas)"."""

    def _place(
        self, text: str, raws: list[RawToken], at: int, past: int, provinces: tuple[str, ...], tokens: list[Token]
    ) -> int:
        past = super()._place(text, raws, at, past, provinces, tokens)
        name: WrittenPlace = tokens[-1].value
        match = COAST_NAME.match(text, name.end) if not name.coast else None
        coast = self._coast_name(match, provinces, goes_on=_goes_on(text, match)) if match is not None else ""
        if match is None or not coast:
            return past
        end = match.end()
        name = WrittenPlace(text[name.start : end], name.start, end, provinces, coast)
        tokens[-1] = Token("PLACE", name, name.start, end)
        return next((i for i in range(past, len(raws)) if raws[i].start >= end), len(raws))

    def _coast_name(self, match: re.Match[str], provinces: tuple[str, ...], *, goes_on: bool) -> str:
        """As `PlaceNames.coast` knows it. Behind a slash any province may stand, in brackets a neighbour only.

        A slash may part two orders as well, "A War - Gal / Sev - Rum", or two goals: words behind it go on, or blanks
        stand around it.
        """
        written = (match["slash"] or match["box"]).lower()
        if NUMBERED.fullmatch(written):
            return written
        codes = self.names.find(words(written))
        near = [code for code in codes if any(code in self.names.marks[p] for p in provinces)]
        if match["slash"] and (SPACED.match(match.group()) or not near) and goes_on:
            return ""
        if match["slash"] and SPACED.match(match.group()) and not any(code in self.coasts for code in provinces):
            return ""
        if near:
            return near[0].lower()
        return written if match["slash"] and codes else ""


def _goes_on(text: str, match: re.Match[str]) -> bool:
    return GOES_ON.match(text, match.end()) is not None
