"""Reads the lines of a SETUP block as edits of the position.

UNIT A Kie Germany        adds a unit
KILL A Ber                removes a unit; with a power where units of two powers stand there, and in an ocean
                          with the number of one of its fleets (KILL F NAT#2 Italy), or all of them go
DISLODGE A Ber FROM Mun   a unit that must retreat; with TO Kie, Sil only there
OWN Mun Germany           the owner of a centre; "none" for nobody
POINTS France Poland = 5  points of a variant with points, also by their own name
PHASE F1936M              the open phase

A power may stand before the rest or behind it. Each line is one edit or one error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from msgspec import Struct

from gm.judge.board.board import Place, UnitKind, locate, locations
from gm.judge.gm_changes.dislodge_edits import DislodgeUnit, TakeUnit, matching_units
from gm.judge.gm_changes.position_edits import Edit, GiveCentre, OpenPhase, PutUnit, SetAccount
from gm.judge.model.position import LedgerKey, Position
from gm.judge.model.variant import Variant
from gm.language.i18n.normalize import clean
from gm.language.i18n.place_names import LONGEST_NAME, power_key, powers, words
from gm.language.i18n.vocabulary import vocabulary_of
from gm.language.orders.parsing.order_context import place_names

NOBODY = frozenset({"none", "nobody", "neutral", "free", "-"})
POINTS = frozenset({"points", "dp", "ledger", "purse"})
COAST_WORDS = re.compile(r"\b([nsew])(?:orth|outh|ast|est)(?:ern)? coast\b", re.IGNORECASE)
FLEET_NUMBER = re.compile(r"\s*#\s?([1-9][0-9]?)(?![^\s])")
FROM = frozenset({"from", "by"})
TO = frozenset({"to"})
JOINING_WORDS = frozenset({"or", "and"})
LONGEST_POWER = 4
"""Words in the name of a power."""


class EditTrouble(Struct, frozen=True):
    """A line that is no edit. `key` is a sentence of the catalogue (`edit.trouble`) with its `fields`."""

    key: str
    fields: tuple[tuple[str, str], ...] = ()


class UnknownName(Exception):
    def __init__(self, key: str, **fields: str) -> None:
        super().__init__(key)
        self.trouble = EditTrouble(key, tuple(fields.items()))


class EditNames(Struct, frozen=True):
    """Looks up names of powers, kinds of unit and places in a game."""

    variant: Variant
    position: Position

    @property
    def called(self) -> Mapping[str, str]:
        return powers((*self.variant.powers, *self.variant.minors))

    def parted(self, pieces: list[str]) -> tuple[str, list[str]]:
        """The power named at the end or beginning, "" for none, and the rest. "Den Germany" is a place and a power."""
        for count in range(min(LONGEST_POWER, len(pieces)), 0, -1):
            for name, rest in ((pieces[-count:], pieces[:-count]), (pieces[:count], pieces[count:])):
                article = name[0].lower() not in self.codes
                power = self.called.get(power_key(" ".join(name)) if article else " ".join(words(" ".join(name))))
                if power:
                    return power, rest
        return "", pieces

    def kind(self, word: str) -> UnitKind | None:
        wanted = word.lower().rstrip(".")
        kinds = self.variant.kinds.values()
        named = next((kind for kind in kinds if wanted in (kind.code.lower(), kind.name.lower())), None)
        called = self.variant.translation.kinds if self.variant.translation is not None else {}
        return named or next((self.variant.kinds[code] for code in called if called[code].name.lower() == wanted), None)

    @property
    def codes(self) -> Mapping[str, str]:
        """Lower case code -> code of a province."""
        return place_names(self.position.board, self.variant).codes

    def coasts(self, code: str) -> tuple[str, ...]:
        return self.position.board.provinces[code].coasts

    def place(self, pieces: list[str]) -> Place:
        """A province and its coast, which stands behind "/", in brackets or as a word."""
        text = COAST_WORDS.sub(lambda match: f"{match[1][0]}c", " ".join(pieces))
        name, mark, coast = text.rstrip(")").replace("(", "/").partition("/")
        names = place_names(self.position.board, self.variant)
        provinces = names.find(words(name))
        if not provinces and not mark and len(pieces) > 1:
            name, _, coast = text.rpartition(" ")
            provinces = names.find(words(name))
            if len(provinces) == 1 and not names.coast(provinces[0], coast.lower(), self.coasts(provinces[0])):
                provinces = ()
        if not provinces:
            raise UnknownName("no-place", word=text)
        if len(provinces) > 1:
            raise UnknownName("which-place", word=text, places=", ".join(provinces))
        said_coast = coast.strip().lower()
        meant = names.coast(provinces[0], said_coast, self.coasts(provinces[0])) if said_coast else ""
        if not meant and " " in said_coast:  # what stands behind a coast is no part of it
            raise UnknownName("no-place", word=text)
        return Place(provinces[0], meant or said_coast)

    def places(self, pieces: list[str]) -> tuple[Place, ...]:
        """Several places; the longest names first."""
        places: list[Place] = []
        left = [word for at, word in enumerate(pieces) if not self._joins(pieces, at)]
        while left:
            count = next((n for n in range(min(LONGEST_NAME, len(left)), 1, -1) if self._named(left[:n])), 1)
            places.append(self.place(left[:count]))
            left = left[count:]
        return tuple(places)

    def _joins(self, pieces: list[str], at: int) -> bool:
        """Whether a word stands between places; in "AND, Brm" it is the Andaman Sea, and in "BRM AND JOH" it is not."""
        word = pieces[at]
        is_code = word.isupper() and self._named([word])
        between = 0 < at < len(pieces) - 1 and "".join(pieces).isupper()
        return word.lower() in JOINING_WORDS and (between or not is_code)

    def _named(self, pieces: list[str]) -> bool:
        try:
            return bool(self.place(pieces))
        except UnknownName:
            return False


def read_edit(text: str, variant: Variant, position: Position) -> Edit | EditTrouble:
    """Reads one line. `variant` is localized: its own names are read besides the English ones."""
    line = vocabulary_of(variant.language).edit(clean(text).text)
    words = re.sub(r"[:=,]|->|(?<=\s)-(?=\s)", " ", line).rstrip(".!").split()
    verb = words[0].lower() if words else ""
    purse = _purse(verb, variant)
    make = VERBS.get(verb, _account if purse or verb in POINTS else None)
    if make is None:
        return EditTrouble("verb", (("word", text.strip()[:60]),))
    try:
        return make(EditNames(variant, position), words if purse else words[1:])
    except UnknownName as wrong:
        return wrong.trouble


def begins_edit(text: str, variant: Variant) -> bool:
    """Whether a line outside of SETUP begins as one of its lines does, in capitals: "KILL F Lon England"."""
    written = text.split()
    line = vocabulary_of(variant.language).edit(clean(text).text).split()
    return len(written) > 2 and written[0].isupper() and line[0].lower() in WRITTEN


def _put(bench: EditNames, words: list[str]) -> Edit:
    power, rest = bench.parted(words)
    if not power:
        listed = ", ".join(bench.variant.nations)
        raise UnknownName("whose", line=" ".join(words), powers=listed)
    kind = bench.kind(rest[0]) if rest else None
    if kind is None or len(rest) < 2:
        known = ", ".join(f"{known_kind.code} ({known_kind.name})" for known_kind in bench.variant.kinds.values())
        raise UnknownName("kind", line=" ".join(rest), kinds=known)
    place = bench.place(rest[1:])
    at = locate(bench.position.board, kind, place)
    if at is None:
        ends = locations(bench.position.board, kind, place.province)
        coasts = " or ".join(str(end.place) for end in ends)
        key = "which-coast" if ends else "cannot-stand"
        raise UnknownName(key, kind=kind.name, place=place.province, coasts=coasts)
    return PutUnit(power, kind.code, at)


def _fleet_number(words: list[str]) -> tuple[list[str], int]:
    """The words without the number of a fleet ("F NAT#2 Italy", "F NAT #2"), and that number, or 0."""
    match = FLEET_NUMBER.search(text := " ".join(words))
    return (FLEET_NUMBER.sub(" ", text).split(), int(match[1])) if match else (words, 0)


def _take(bench: EditNames, words: list[str]) -> Edit:
    words, number = _fleet_number(words)
    if number:
        taken = _take(bench, words)
        return taken._replace(number=number) if isinstance(taken, TakeUnit) else taken
    kind = bench.kind(words[0]) if len(words) > 1 else None
    rest = words[1:] if kind else words
    code = kind.code if kind else ""
    whose, place = bench.parted(rest)
    if whose and len(place) == 1 and bench.codes.get(place[0].partition("/")[0].lower()):
        return TakeUnit(bench.codes[place[0].partition("/")[0].lower()], whose, code)
    try:
        return TakeUnit(bench.place(rest).province, "", code)
    except UnknownName:
        power, left = bench.parted(words)
        if not power or not left:
            raise
    kind = bench.kind(left[0]) if len(left) > 1 else None
    return TakeUnit(bench.place(left[1:] if kind else left).province, power, kind.code if kind else "")


def _drive(bench: EditNames, words: list[str]) -> Edit:
    """Fills in the power whose unit stands there now, since another may come to stand there."""
    lower = [word.lower() for word in words]
    cut = next((at for at, word in enumerate(lower) if word in FROM), 0)
    if not cut or cut + 1 == len(words):
        raise UnknownName("from", line=" ".join(words))
    end = next((at for at in range(cut, len(words)) if lower[at] in TO), len(words))
    taken = _take(bench, words[:cut])
    assert isinstance(taken, TakeUnit)
    behind = words[cut + 1 : end]
    source = bench.place(behind[1:] if len(behind) > 1 and bench.kind(behind[0]) else behind)
    to = bench.places(words[end + 1 :]) or None
    edit = DislodgeUnit(taken.province, source, taken.power, taken.kind, to)
    meant = matching_units(bench.position, edit)
    powers = {unit.power for unit in meant}
    return edit._replace(power=powers.pop()) if len(powers) == 1 else edit


def _give(bench: EditNames, words: list[str]) -> Edit:
    nobody = next((word for word in (words[-1:] + words[:1]) if word.lower() in NOBODY), None)
    power, rest = ("", [word for word in words if word != nobody]) if nobody else bench.parted(words)
    if not power and not nobody:
        raise UnknownName("whose", line=" ".join(words), powers=", ".join(bench.variant.owners))
    place = bench.place(rest)
    if not bench.position.board.provinces[place.province].centre:
        raise UnknownName("no-centre", place=place.province)
    return GiveCentre(place.province, power)


def _account(bench: EditNames, words: list[str]) -> Edit:
    influence = bench.variant.influence
    accounts = influence.accounts(bench.variant) if influence is not None else {}
    if not accounts:
        raise UnknownName("no-points")
    named = next((word for word in words if _purse(word.lower(), bench.variant)), "")
    words = [word for word in words if word != named]
    purse = _purse(named.lower(), bench.variant) or next(iter(accounts))
    if not words or not re.fullmatch(r"\d{1,4}", words[-1]):
        raise UnknownName("number", purse=purse)
    subject, rest = bench.parted(words[:-1]) if accounts[purse] else ("", words[:-1])
    power, left = bench.parted(rest)
    if power in accounts[purse]:
        power, subject = subject, power
    owners = [power_of_game.name for power_of_game in bench.variant.powers]
    if power not in owners or left or (accounts[purse] and subject not in accounts[purse]):
        raise UnknownName("account", purse=purse, powers=", ".join(owners), minors=", ".join(accounts[purse]) or "-")
    return SetAccount(LedgerKey(purse, power, subject), int(words[-1]))


def _purse(word: str, variant: Variant) -> str:
    """The variant's own name for points, ignoring case."""
    accounts = variant.influence.accounts(variant) if variant.influence is not None else {}
    return next((purse for purse in accounts if purse.lower() == word), "")


def _open(bench: EditNames, words: list[str]) -> Edit:
    try:
        return OpenPhase(*bench.variant.phase_at("".join(words)))
    except ValueError:
        listed = ", ".join(
            dict.fromkeys(f"{step.season[0]}…{step.letter}" for step in bench.variant.calendar if step.letter)
        )
        raise UnknownName("no-phase", phase=" ".join(words), phases=listed) from None


def written(edit: Edit, variant: Variant) -> str:
    """The edit as a line that reads back."""
    match edit:
        case PutUnit(power, kind, at):
            return f"UNIT {kind} {at.place} {power}"
        case TakeUnit(province, power, kind, number):
            return " ".join(("KILL", *filter(None, (kind, province, power)))) + (f"#{number}" if number else "")
        case DislodgeUnit(province, source, power, kind, to):
            ends = ("TO", ", ".join(str(place) for place in to)) if to is not None else ()
            return " ".join(("DISLODGE", *filter(None, (kind, province, power)), "FROM", str(source), *ends))
        case GiveCentre(centre, owner):
            return f"OWN {centre} {owner or 'none'}"
        case SetAccount(account, amount):
            return " ".join(("POINTS", *filter(None, account), "=", str(amount)))
        case OpenPhase(year, at):
            step = variant.calendar[at]
            return f"PHASE {step.season[0]}{year}{step.letter}"


Making: TypeAlias = Callable[[EditNames, list[str]], Edit]
VERBS: Mapping[str, Making] = {
    **dict.fromkeys(("unit", "put", "add", "place"), _put),
    **dict.fromkeys(("kill", "remove", "delete"), _take),
    **dict.fromkeys(("dislodge", "dislodged"), _drive),
    **dict.fromkeys(("own", "owner", "centre", "center"), _give),
    "phase": _open,
}
WRITTEN = frozenset({"unit", "kill", "dislodge", "own"})
"""The first words of lines that `written` makes, and no other command."""
