"""Lines about dips, and choices of units, in the lexer's terms: countries of several words, lists of countries.

In a line that intercepts or protects, a word that is a province as well as a country ("Mexico") is the country, and
what stands between two countries ("Spain and Mexico", "Spain, Mexico") says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from gm.judge.board.board import Board, Location, Place
from gm.judge.mechanics.dips.dip_orders import DipSupport, InterceptMail, NoDips, Protect
from gm.judge.model.orders import Statement
from gm.judge.model.position import Unit
from gm.judge.model.variant import Variant
from gm.language.i18n.place_names import PlaceNames, words
from gm.language.orders.parsing import parse_tree as sketches
from gm.language.orders.parsing.lexer import GrammarWords, RawToken, Scanner, Token
from gm.language.orders.parsing.order_context import OrderContext, flaw
from gm.language.orders.sheets.diplomacy_points import LISTING, PointsScanner
from gm.language.orders.sheets.moves import of_use

NAMED = frozenset({"NATION", "WORD"})
BETWEEN = frozenset({"SEP", "ARROW", "TO"})


class DipScanner(PointsScanner):
    def __init__(self, variant: Variant, board: Board, names: PlaceNames, vocabulary: GrammarWords) -> None:
        super().__init__(variant, board, names, vocabulary)
        self.long: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for power in variant.powers:
            for spelling in (power.name, power.adjective, *power.aliases):
                called = words(spelling)
                if len(called) > 1:
                    self.long.setdefault(called[0], []).append((called, power.name))

    def plain_places(self) -> Mapping[str, Place]:
        """In a list of powers a province that bears the name of one is that power."""
        found = super().plain_places()
        lower = {word: place.province.lower() for word, place in found.items()}
        return {word: found[word] for word, code in lower.items() if not self._power(code) and code not in self.long}

    def scan(self, text: str) -> list[Token]:
        tokens = super().scan(text)
        if not any(token.type in LISTING for token in tokens):
            return tokens
        found: list[Token] = []
        listing = False
        for at, token in enumerate(tokens):
            listing = token.type in LISTING or (listing and token.type != "NUMBER")
            if listing and token.type == "PLACE" and (power := self._power(token.value.text.lower())):
                token = Token("NATION", power, token.start_pos, token.end_pos)
            after = tokens[at + 1].type if at + 1 < len(tokens) else ""
            between = token.type in BETWEEN and found and found[-1].type in NAMED and after in (*NAMED, "PLACE", "SEP")
            if not (listing and between):
                found.append(token)
        return found

    def _next(self, text: str, raws: list[RawToken], at: int, tokens: list[Token]) -> int:
        raw = raws[at]
        if raw.kind == "word":
            for called, power in self.long.get(raw.text.lower(), ()):
                past = _said(raws, at, called)
                if past:
                    tokens.append(Token("NATION", power, raw.start, raws[past - 1].end))
                    return past
        return super()._next(text, raws, at, tokens)


def _said(raws: list[RawToken], at: int, called: tuple[str, ...]) -> int:
    """Where a name of several words that begins here ends; 0 where it is not that name."""
    for word in called:
        while at < len(raws) and raws[at].text == "-":
            at += 1
        if at >= len(raws) or raws[at].text.lower().removesuffix("'s") != word:
            return 0
        at += 1
    return at


class ChoiceScanner(Scanner):
    """Where units are chosen, "LON: F" and "LON = F" are as good as "LON F"."""

    def scan(self, text: str) -> list[Token]:
        tokens = super().scan(text)
        kinds = [token.type for token in tokens]
        return [
            token
            for at, token in enumerate(tokens)
            if token.type not in ("SEP", "ARROW") or kinds[max(0, at - 1) : at + 2] != ["PLACE", token.type, "KIND"]
        ]


TWO = 2


def dip_support(bench: OrderContext, sketch: sketches.DipSupportNode) -> Iterator[Statement]:
    bench.owners = True
    if not (sketch.dips.isdigit() and len(sketch.dips) <= TWO):
        raise flaw("dips-number", sketch.at)
    goal = sketch.path[-1] if sketch.path else None
    readings: dict[DipSupport, Unit] = {}
    for unit in bench.others(sketch.target):
        ref = replace(bench.ref(unit), power="" if unit.power == bench.power else unit.power)
        for place in bench.places(goal) if goal else (None,):
            readings[DipSupport(int(sketch.dips), ref, of_use(bench.ground, unit, place))] = unit
    possible = [line for line, unit in readings.items() if _can(bench, unit, line.to)]
    chosen = possible or list(readings)
    if len(chosen) > 1:
        at = goal if goal and len(goal.provinces) > 1 else sketch.target.name
        lines = [bench.line(line) for line in chosen]
        raise flaw("which-place", at, suggestions=lines, word=at.text, places=" ".join(at.provinces))
    bench.local = False
    yield chosen[0]


def _can(bench: OrderContext, unit: Unit, to: Place | None) -> bool:
    return to is None or isinstance(bench.ground.checker.destination(unit, to), Location)


def intercept_mail(bench: OrderContext, sketch: sketches.InterceptMailNode) -> Iterator[Statement]:
    names = _countries(bench, sketch.countries)
    if len(names) != TWO or names[0] == names[1]:
        raise flaw("dips-two-countries", sketch.at)
    yield InterceptMail(*sorted(names))


def protect(bench: OrderContext, sketch: sketches.ProtectNode) -> Iterator[Statement]:
    names = _countries(bench, sketch.countries)
    if not names:
        raise flaw("dips-against-whom", sketch.at)
    for name in dict.fromkeys(names):
        yield Protect(name)


def _countries(bench: OrderContext, written: tuple[sketches.CountryNode, ...]) -> list[str]:
    for one in written:
        if not one.power:
            known = " ".join(power.name.replace(" ", "_") for power in bench.variant.powers)
            raise flaw("no-country", (one.start, one.end), units=known, word=one.text)
    return [one.power for one in written]


def no_dips(bench: OrderContext, sketch: sketches.NoDipsNode) -> Iterator[Statement]:
    yield NoDips()
