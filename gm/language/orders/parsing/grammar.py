"""The grammars of grammars/*.lark, compiled once, and the first stage of reading: tokens -> a sketch of an order.

LALR only, so that a line costs what its length costs. A rule's name is the name of its class in
`gm.language.orders.parsing.parse_tree`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from lark import Lark, Transformer, UnexpectedToken
from msgspec import Struct

from gm import resources
from gm.language.i18n.vocabulary import tongue
from gm.language.orders.parsing import parse_cache as shapes
from gm.language.orders.parsing import parse_tree as sketches
from gm.language.orders.parsing.lexer import GrammarWords, Token, TokenizedLexer, WrittenPlace
from gm.language.orders.parsing.parse_cache import ParseShape
from gm.language.orders.parsing.parse_tree import Path, Sketch, UnitNode, Units

MOST_SHAPES = 4096
LONGEST_SHAPE = 24
WORDS_OF_TERMINAL = re.compile(r"[^|()?:]+")

ORDERS = (sketches.HoldNode, sketches.MoveNode, sketches.SupportNode, sketches.ConvoyNode)
Child = Any
"""What Lark hands to a rule: tokens, results of rules below, None for an optional part that is not there."""


def compiled(name: str, more: str = "", **options: Any) -> Lark:
    """The parser of grammars/<name>.lark, with `more` rules below it. Lark caches it until a file changes."""
    file = resources.folder("grammars") / f"{name}.lark"
    text = file.read_text(encoding="utf-8") + more
    cache = resources.cache_file(file) or False
    return Lark(text, source_path=str(file), parser="lalr", cache=cache, **options)


class Grammar:
    """One sheet's language."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._lark = compiled(name, lexer=TokenizedLexer, start=["start", "vocabulary"], transformer=TreeBuilder())
        fresh = self._lark.parse_interactive(start="start")
        self.starters = frozenset(fresh.accepts())  # type: ignore[no-untyped-call]
        self.alone = any(rule.alias == "alone" or str(rule.origin.name) == "alone" for rule in self._lark.rules)
        self._english = {str(t.name): _words(t.pattern.value) for t in self._lark.terminals if t.pattern}
        self._vocabularies: dict[str, GrammarWords] = {}
        self.terminals = frozenset(str(t.name) for t in self._lark.terminals)
        self._shapes: dict[tuple[str, ...], ParseShape] = {}

    def vocabulary(self, language: str) -> GrammarWords:
        """The words of its lines in a language; the English ones are among them."""
        found = self._vocabularies.get(language)
        if found is None:
            more = tongue(language)
            terminals = {name: (*words, *more.words_for(self.name, name)) for name, words in self._english.items()}
            found = self._vocabularies[language] = GrammarWords(terminals)
        return found

    def parse(self, tokens: Sequence[Token]) -> tuple[Sketch | None, Token | None]:
        """None where the tokens are no order, and the token where that showed (None: at the end).

        Only the types of the tokens decide, so sequences that have been parsed are remembered as shapes to fill.
        """
        key = tuple([token.type for token in tokens])
        shape = self._shapes.get(key)
        if shape is None:
            if len(key) > LONGEST_SHAPE or not shapes.FILLABLE.issuperset(key):
                return self._parse(tokens)
            if len(self._shapes) >= MOST_SHAPES:
                self._shapes.clear()
            blanks = shapes.blanks(key)
            shape = self._shapes[key] = shapes.shape(blanks, *self._parse(blanks))
        stuck = None if shape.stuck is None else tokens[shape.stuck]
        return None if shape.fill is None else shape.fill(tokens), stuck

    def _parse(self, tokens: Sequence[Token]) -> tuple[Sketch | None, Token | None]:
        try:
            result: Sketch = self._lark.parse(tokens, start="start")  # type: ignore[assignment]
        except UnexpectedToken as error:
            return None, error.token if error.token.type != "$END" else None
        return result, None


@lru_cache(maxsize=64)
def grammar(name: str) -> Grammar:
    """`name` is a step's grammar: "moves", "retreats" …"""
    return Grammar(name)


def _words(pattern: str) -> tuple[str, ...]:
    return tuple(WORDS_OF_TERMINAL.findall(pattern.replace("\\", "")))


def _units(children: Iterable[Child]) -> Units:
    """All units among the children of a rule, lists of units taken apart."""
    found: list[UnitNode] = []
    for child in children:
        if isinstance(child, UnitNode):
            found.append(child)
        elif isinstance(child, tuple) and child and isinstance(child[0], UnitNode):
            found.extend(child)
    return tuple(found)


def _names(children: Iterable[Child]) -> Path:
    return tuple(child for child in children if isinstance(child, WrittenPlace))


def _path(children: Iterable[Child]) -> Path:
    return next((c for c in children if isinstance(c, tuple) and c and isinstance(c[0], WrittenPlace)), ())


class SupportTarget(Struct, frozen=True):
    """The unit that is helped, and its way (empty: it holds)."""

    unit: UnitNode
    path: Path = ()


class ConvoySeas(tuple[WrittenPlace, ...]):
    """The seas of a convoy as written; told apart from a path by its type."""

    __slots__ = ()


def _via(children: Iterable[Child]) -> Path | None:
    return next((tuple(child) for child in children if isinstance(child, ConvoySeas)), None)


def _plain(children: Iterable[Child]) -> list[Child]:
    return [child for child in children if not isinstance(child, ConvoySeas)]


class TreeBuilder(Transformer[Token, Any]):
    """One method per rule. Other wordings of a rule of another file's come with that file's name before theirs."""

    def __getattr__(self, name: str) -> Any:
        _, mark, rule = name.partition("__")
        if not mark or not rule or name.startswith("_"):
            raise AttributeError(name)
        return getattr(self, rule)

    def place(self, children: list[Child]) -> WrittenPlace:
        name: WrittenPlace = children[0].value
        return name

    def unit(self, children: list[Child]) -> UnitNode:
        nation = next((c.value for c in children if isinstance(c, Token) and c.type == "NATION"), "")
        kind = next((c.value for c in children if isinstance(c, Token) and c.type == "KIND"), "")
        return UnitNode(nation, kind, next(c for c in children if isinstance(c, WrittenPlace)))

    def units(self, children: list[Child]) -> Units:
        return _units(children)

    def path(self, children: list[Child]) -> Path:
        return _names(children)

    def via(self, children: list[Child]) -> ConvoySeas:
        return ConvoySeas(_names(children))

    via_route = via

    def overland(self, children: list[Child]) -> None:
        """ "via land" is what every move does that asks for no convoy."""

    def hold(self, children: list[Child]) -> sketches.HoldNode:
        return sketches.HoldNode(_units(children), next(iter(_names(children)), None))

    def move(self, children: list[Child]) -> sketches.MoveNode:
        return sketches.MoveNode(_units(children), _path(_plain(children)), _via(children))

    def supported(self, children: list[Child]) -> sketches.SupportedNode:
        first, *backers = _units(children)
        move = sketches.MoveNode((first,), _path(_plain(children)), _via(children))
        return sketches.SupportedNode(move, tuple(backers))

    def support_hold(self, children: list[Child]) -> SupportTarget:
        return SupportTarget(_units(children)[0])

    def support_move(self, children: list[Child]) -> SupportTarget:
        return SupportTarget(_units(children)[0], _path(_plain(children)))

    def support_move_from(self, children: list[Child]) -> SupportTarget:
        return SupportTarget(_units(children)[0], _names(children))

    def support(self, children: list[Child]) -> sketches.SupportNode:
        target = next(child for child in children if isinstance(child, SupportTarget))
        return sketches.SupportNode(_units(children), target.unit, target.path)

    def convoy(self, children: list[Child]) -> sketches.ConvoyNode:
        *fleets, target = _units(children)
        return sketches.ConvoyNode(tuple(fleets), target, _path(_plain(children)))

    def convoy_from(self, children: list[Child]) -> sketches.ConvoyNode:
        *fleets, target = _units(children)
        return sketches.ConvoyNode(tuple(fleets), target, _names(children))

    def convoy_by(self, children: list[Child]) -> sketches.ConvoyNode:
        target, *fleets = _units(children)
        return sketches.ConvoyNode(tuple(fleets), target, _path(children))

    def retreat(self, children: list[Child]) -> sketches.RetreatNode:
        return sketches.RetreatNode(_units(children)[0], _names(children)[0])

    def disband(self, children: list[Child]) -> sketches.DisbandNode:
        minus = any(isinstance(c, Token) and c.type == "MINUS" for c in children)
        return sketches.DisbandNode(_units(children), minus)

    def removal(self, children: list[Child]) -> sketches.DisbandNode:
        return sketches.DisbandNode(_units(children))

    def build(self, children: list[Child]) -> sketches.BuildNode:
        return sketches.BuildNode(_units(children))

    def alone(self, children: list[Child]) -> sketches.AloneNode:
        return sketches.AloneNode(_units(children))

    def keep(self, children: list[Child]) -> sketches.KeepNode:
        return sketches.KeepNode(_units(children))

    def waive(self, children: list[Child]) -> sketches.WaiveNode:
        number = next((int(c.value) for c in children if isinstance(c, Token) and c.type == "NUMBER"), None)
        return sketches.WaiveNode(number)

    def deed_hold(self, children: list[Child]) -> sketches.HoldNode:
        return sketches.HoldNode(())

    def deed_support(self, children: list[Child]) -> sketches.SupportNode:
        return self.support(children)

    def deed_move(self, children: list[Child]) -> sketches.MoveNode:
        return sketches.MoveNode((), _path(_plain(children)))

    def allocate(self, children: list[Child]) -> sketches.AllocateNode:
        number = next(c for c in children if isinstance(c, Token) and c.type == "NUMBER")
        nation = next((str(c.value) for c in children if isinstance(c, Token) and c.type == "NATION"), None)
        whom = next((c for c in children if isinstance(c, UnitNode)), nation)
        order = next(c for c in children if isinstance(c, ORDERS))
        return sketches.AllocateNode(str(number.value), (number.start_pos, number.end_pos), whom, order)

    def no_points(self, children: list[Child]) -> sketches.NoPointsNode:
        return sketches.NoPointsNode()

    def _parting(self, children: list[Child], *, apart: bool) -> sketches.PairNode:
        one, two, *near = _names(children)
        number = next((str(c.value) for c in children if isinstance(c, Token) and c.type == "NUMBER"), "")
        number = number or next((str(name.number) for name in (one, two) if name.number), "")
        return sketches.PairNode(apart, (one, two), number, next(iter(near), None))

    def apart(self, children: list[Child]) -> sketches.PairNode:
        return self._parting(children, apart=True)

    def joined(self, children: list[Child]) -> sketches.PairNode:
        return self._parting(children, apart=False)

    def upheaval(self, children: list[Child]) -> sketches.UpheavalNode:
        return sketches.UpheavalNode(tuple(child for child in children if isinstance(child, sketches.PairNode)))

    condition = upheaval

    def placement(self, children: list[Child]) -> sketches.PlacementNode:
        given = next((child for child in children if isinstance(child, sketches.UpheavalNode)), None)
        return sketches.PlacementNode(_units(children)[0], _names(children), given)

    def no_event(self, children: list[Child]) -> sketches.NoEventNode:
        return sketches.NoEventNode()

    def points(self, children: list[Child]) -> sketches.PointsNode:
        return sketches.PointsNode()

    def bid(self, children: list[Child]) -> sketches.BidNode:
        number = next(c for c in children if isinstance(c, Token) and c.type == "NUMBER")
        named = [c for c in children if isinstance(c, WrittenPlace) or (isinstance(c, Token) and c.type == "NATION")]
        whom, *backs = [c if isinstance(c, WrittenPlace) else str(c.value) for c in named]
        helped = next((back for back in backs if isinstance(back, str)), "")
        return sketches.BidNode(whom, str(number.value), (number.start_pos, number.end_pos), helped)

    bid_helping = bid

    def bid_support(self, children: list[Child]) -> sketches.BidNode:
        """The power that is helped stands first."""
        first = next(c for c in children if isinstance(c, Token) and c.type == "NATION")
        return self.bid([*(c for c in children if c is not first), first])

    def no_bids(self, children: list[Child]) -> sketches.NoBidsNode:
        return sketches.NoBidsNode()

    def passage(self, children: list[Child]) -> sketches.PassageNode:
        whom = next((str(c.value) for c in children if isinstance(c, Token) and c.type == "NATION"), "")
        return sketches.PassageNode(_path(children), whom)

    def bomb(self, children: list[Child]) -> sketches.BombNode:
        *wings, target = _units(children)
        return sketches.BombNode(tuple(wings), target)

    def bomb_with(self, children: list[Child]) -> sketches.BombNode:
        target, *wings = _units(children)
        return sketches.BombNode(tuple(wings), target)

    def intercept(self, children: list[Child]) -> sketches.InterceptNode:
        return sketches.InterceptNode(_units(children), _names(children))

    def country(self, children: list[Child]) -> sketches.CountryNode:
        token = children[0]
        power = str(token.value) if token.type == "NATION" else ""
        text = token.value.text if isinstance(token.value, WrittenPlace) else str(token.value)
        return sketches.CountryNode(power, text, token.start_pos, token.end_pos)

    def dip_support(self, children: list[Child]) -> sketches.DipSupportNode:
        tokens = [c for c in children if isinstance(c, Token)]
        number = next((c for c in tokens if c.type == "NUMBER"), None)
        at = number or next(c for c in tokens if c.type == "POINTS")
        target = next(c for c in children if isinstance(c, SupportTarget))
        dips = str(number.value) if number else ""
        return sketches.DipSupportNode(dips, (at.start_pos, at.end_pos), target.unit, target.path)

    def intercept_mail(self, children: list[Child]) -> sketches.InterceptMailNode:
        return sketches.InterceptMailNode(_countries(children), _verb(children, "INTERCEPT"))

    def protect(self, children: list[Child]) -> sketches.ProtectNode:
        return sketches.ProtectNode(_countries(children), _verb(children, "PROTECT"))

    def no_dips(self, children: list[Child]) -> sketches.NoDipsNode:
        return sketches.NoDipsNode()


def _countries(children: list[Child]) -> tuple[sketches.CountryNode, ...]:
    return tuple(child for child in children if isinstance(child, sketches.CountryNode))


def _verb(children: list[Child], kind: str) -> tuple[int, int]:
    """Where the word of command stands."""
    found = next(c for c in children if isinstance(c, Token) and c.type == kind)
    return found.start_pos, found.end_pos
