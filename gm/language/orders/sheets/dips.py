"""Sheets with dips: supports, intercepts and protections beside movement orders.

In a line that intercepts or protects, a word that is a province as well as a country ("Mexico") is the country, and
what stands between two countries ("Spain and Mexico", "Spain, Mexico") says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from gm.judge.board.board import Location, Place
from gm.judge.mechanics.dips.dip_orders import DipSupport, InterceptMail, NoDips, Protect
from gm.judge.model.orders import Statement
from gm.judge.model.position import Unit
from gm.judge.model.variant import Variant
from gm.language.i18n.place_names import powers
from gm.language.i18n.similar_powers import near_powers
from gm.language.orders.parsing.lexer import Token, WrittenPlace
from gm.language.orders.parsing.order_context import OrderContext, order_error
from gm.language.orders.parsing.parse_tree import OrderNode, Path, UnitNode
from gm.language.orders.parsing.tree_builder import Child, token_in, value_in
from gm.language.orders.sheets import moves
from gm.language.orders.sheets.diplomacy_points import (
    LISTING,
    PointsNode,
    PointsScanner,
    PointsTree,
    are_points_meant,
    are_points_named,
    join_points,
    points,
)
from gm.language.orders.sheets.moves import SupportTarget, needed_coast
from gm.language.orders.sheets.sheet_kind import SheetKind
from gm.language.orders.sheets.wings import join_interceptions

NAMED = frozenset({"NATION", "WORD"})
JOINTS = frozenset({"SEP", "ARROW", "TO"})


class CountryNode(NamedTuple):
    """A country as written; `power` is "" where it is none."""

    power: str
    text: str
    start: int
    end: int


class DipSupportNode(OrderNode, frozen=True):
    """`dips` as written, "" where no number was. `path` empty: a hold is supported."""

    dips: str
    at: tuple[int, int]
    target: UnitNode
    path: Path = ()


class InterceptMailNode(OrderNode, frozen=True):
    countries: tuple[CountryNode, ...]
    at: tuple[int, int]


class ProtectNode(OrderNode, frozen=True):
    countries: tuple[CountryNode, ...]
    at: tuple[int, int]


class NoDipsNode(OrderNode, frozen=True):
    pass


class DipTree(PointsTree):
    def country(self, children: list[Child]) -> CountryNode:
        token = children[0]
        power = str(token.value) if token.type == "NATION" else ""
        text = token.value.text if isinstance(token.value, WrittenPlace) else str(token.value)
        return CountryNode(power, text, token.start_pos, token.end_pos)

    def dip_support(self, children: list[Child]) -> DipSupportNode:
        target = next(c for c in children if isinstance(c, SupportTarget))
        at = _position(children, "NUMBER" if token_in(children, "NUMBER") else "POINTS")
        return DipSupportNode(value_in(children, "NUMBER"), at, target.unit, target.path)

    def intercept_mail(self, children: list[Child]) -> InterceptMailNode:
        return InterceptMailNode(_countries_in(children), _position(children, "INTERCEPT"))

    def protect(self, children: list[Child]) -> ProtectNode:
        return ProtectNode(_countries_in(children), _position(children, "PROTECT"))

    def no_dips(self, children: list[Child]) -> NoDipsNode:
        return NoDipsNode()


def _countries_in(children: list[Child]) -> tuple[CountryNode, ...]:
    return tuple(child for child in children if isinstance(child, CountryNode))


def _position(children: list[Child], kind: str) -> tuple[int, int]:
    token = next(c for c in children if isinstance(c, Token) and c.type == kind)
    return token.start_pos, token.end_pos


class DipScanner(PointsScanner):
    def plain_places(self) -> Mapping[str, Place]:
        """In a list of powers a province that bears the name of one is that power."""
        places = super().plain_places()
        lower = {word: place.province.lower() for word, place in places.items()}
        return {
            word: places[word] for word, code in lower.items() if not self._power(code) and code not in self.long_powers
        }

    def scan(self, text: str) -> list[Token]:
        tokens = super().scan(text)
        if not any(token.type in LISTING for token in tokens):
            return tokens
        kept: list[Token] = []
        listing = False
        for at, token in enumerate(tokens):
            listing = token.type in LISTING or (listing and token.type != "NUMBER")
            if listing and token.type == "PLACE" and (power := self._power(token.value.text.lower())):
                token = Token("NATION", power, token.start_pos, token.end_pos)
            after = tokens[at + 1].type if at + 1 < len(tokens) else ""
            between = token.type in JOINTS and kept and kept[-1].type in NAMED and after in (*NAMED, "PLACE", "SEP")
            if not (listing and between):
                kept.append(token)
        return kept


TWO = 2


def dip_support(context: OrderContext, node: DipSupportNode) -> Iterator[Statement]:
    context.owners = True
    if not (node.dips.isdigit() and len(node.dips) <= TWO):
        raise order_error("dips-number", node.at)
    goal = node.path[-1] if node.path else None
    readings: dict[DipSupport, Unit] = {}
    for unit in context.others(node.target):
        ref = replace(context.ref(unit), power="" if unit.power == context.power else unit.power)
        for place in context.places(goal) if goal else (None,):
            readings[DipSupport(int(node.dips), ref, needed_coast(context.here, unit, place))] = unit
    possible = [line for line, unit in readings.items() if _can(context, unit, line.to)]
    chosen = possible or list(readings)
    if len(chosen) > 1:
        at = goal if goal and len(goal.provinces) > 1 else node.target.name
        lines = [context.line(line) for line in chosen]
        raise order_error("which-place", at, suggestions=lines, word=at.text, places=" ".join(at.provinces))
    context.local = False
    yield chosen[0]


def _can(context: OrderContext, unit: Unit, to: Place | None) -> bool:
    return to is None or isinstance(context.here.checker.destination(unit, to), Location)


def intercept_mail(context: OrderContext, node: InterceptMailNode) -> Iterator[Statement]:
    names = _countries(context, node.countries, _intercepts, "dips-two-countries")
    if not _are_two(names):
        raise order_error("dips-two-countries", node.at)
    yield InterceptMail(*sorted(names))


def protect(context: OrderContext, node: ProtectNode) -> Iterator[Statement]:
    names = _countries(context, node.countries, _protections, "dips-against-whom")
    if not names:
        raise order_error("dips-against-whom", node.at)
    for name in dict.fromkeys(names):
        yield Protect(name)


def _intercepts(names: list[str]) -> tuple[Statement, ...]:
    return (InterceptMail(*sorted(names)),) if _are_two(names) else ()


def _protections(names: list[str]) -> tuple[Statement, ...]:
    return tuple(map(Protect, names))


def _are_two(names: Sequence[str]) -> bool:
    return len(names) == TWO and names[0] != names[1]


def _countries(
    context: OrderContext,
    written: tuple[CountryNode, ...],
    meant: Callable[[list[str]], tuple[Statement, ...]],
    lacking: str,
) -> list[str]:
    """The countries of an order. `meant`: its lines with those that misspelt words may mean; `lacking`: the error where
    there are too few.
    """
    wrong = next((country for country in written if not country.power), None)
    if wrong is None:
        return [country.power for country in written]
    at, called = (wrong.start, wrong.end), powers(context.variant.powers)
    near = [each.power or next(iter(near_powers(each.text.lower(), called)), "") for each in written]
    if all(near) and (orders := meant(near)):
        lines = ["\n".join(map(context.line, orders))]
        raise order_error("no-country-near", at, suggestions=lines, word=wrong.text, near=near[written.index(wrong)])
    if says_more(written, context.variant):
        orders = meant([country.power for country in written if country.power])
        raise order_error(lacking, at, suggestions=["\n".join(map(context.line, orders))] if orders else [])
    known = " ".join(power.name.replace(" ", "_") for power in context.variant.powers)
    raise order_error("no-country", at, units=known, word=wrong.text)


def says_more(written: Iterable[CountryNode], variant: Variant) -> bool:
    """Whether words in small letters that are like no country stand among them: "intercept whatever France writes"."""
    called = powers(variant.powers)
    return any(not each.power and each.text.islower() and not any(near_powers(each.text, called)) for each in written)


def no_dips(context: OrderContext, node: NoDipsNode) -> Iterator[Statement]:
    yield NoDips()


SHEET = SheetKind(
    "dips",
    DipTree,
    {
        **moves.CHECKS,
        PointsNode: points,
        DipSupportNode: dip_support,
        InterceptMailNode: intercept_mail,
        ProtectNode: protect,
        NoDipsNode: no_dips,
    },
    lambda variant, names: DipScanner,
    regroup=join_interceptions,
    join=join_points,
    is_meant=are_points_meant,
    unclear="dips-unclear",
    unclear_for=are_points_named,
    own_nodes=(InterceptMailNode, ProtectNode),
    holds=True,
    numbers_in_front=True,
)
