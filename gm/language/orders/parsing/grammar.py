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
from gm.language.orders.parsing.lexer import Name, Ready, Token, Words
from gm.language.orders.parsing.parse_cache import Shape
from gm.language.orders.parsing.parse_tree import Path, Sketch, Unit, Units

MOST_SHAPES = 4096
LONGEST_SHAPE = 24
WORDS_OF_TERMINAL = re.compile(r"[^|()?:]+")

ORDERS = (sketches.Hold, sketches.Move, sketches.Support, sketches.Convoy)
Child = Any
"""What Lark hands to a rule: tokens, results of rules below, None for an optional part that is not there."""


def compiled(name: str, **options: Any) -> Lark:
    """The parser of grammars/<name>.lark. Lark keeps what it compiled, and makes it anew when the files change."""
    file = resources.folder("grammars") / f"{name}.lark"
    return Lark.open(str(file), parser="lalr", cache=resources.compiled(file) or False, **options)


class Grammar:
    """One sheet's language."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._lark = compiled(name, lexer=Ready, start=["start", "vocabulary"], transformer=Sketcher())
        fresh = self._lark.parse_interactive(start="start")
        self.starters = frozenset(fresh.accepts())  # type: ignore[no-untyped-call]
        self.alone = any(rule.alias == "alone" or str(rule.origin.name) == "alone" for rule in self._lark.rules)
        self._english = {str(t.name): _words(t.pattern.value) for t in self._lark.terminals if t.pattern}
        self._vocabularies: dict[str, Words] = {}
        self.terminals = frozenset(str(t.name) for t in self._lark.terminals)
        self._shapes: dict[tuple[str, ...], Shape] = {}

    def vocabulary(self, language: str) -> Words:
        """The words of its lines in a language; the English ones are among them."""
        found = self._vocabularies.get(language)
        if found is None:
            more = tongue(language)
            terminals = {name: (*words, *more.words_for(self.name, name)) for name, words in self._english.items()}
            found = self._vocabularies[language] = Words(terminals)
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
    found: list[Unit] = []
    for child in children:
        if isinstance(child, Unit):
            found.append(child)
        elif isinstance(child, tuple) and child and isinstance(child[0], Unit):
            found.extend(child)
    return tuple(found)


def _names(children: Iterable[Child]) -> Path:
    return tuple(child for child in children if isinstance(child, Name))


def _path(children: Iterable[Child]) -> Path:
    return next((c for c in children if isinstance(c, tuple) and c and isinstance(c[0], Name)), ())


class Target(Struct, frozen=True):
    """The unit that is helped, and its way (empty: it holds)."""

    unit: Unit
    path: Path = ()


class Via(tuple[Name, ...]):
    """The seas of a convoy as written; told apart from a path by its type."""

    __slots__ = ()


def _via(children: Iterable[Child]) -> Path | None:
    return next((tuple(child) for child in children if isinstance(child, Via)), None)


def _plain(children: Iterable[Child]) -> list[Child]:
    return [child for child in children if not isinstance(child, Via)]


class Sketcher(Transformer[Token, Any]):
    """One method per rule. Other wordings of a rule of another file's come with that file's name before theirs."""

    def __getattr__(self, name: str) -> Any:
        _, mark, rule = name.partition("__")
        if not mark or not rule or name.startswith("_"):
            raise AttributeError(name)
        return getattr(self, rule)

    def place(self, children: list[Child]) -> Name:
        name: Name = children[0].value
        return name

    def unit(self, children: list[Child]) -> Unit:
        nation = next((c.value for c in children if isinstance(c, Token) and c.type == "NATION"), "")
        kind = next((c.value for c in children if isinstance(c, Token) and c.type == "KIND"), "")
        return Unit(nation, kind, next(c for c in children if isinstance(c, Name)))

    def units(self, children: list[Child]) -> Units:
        return _units(children)

    def path(self, children: list[Child]) -> Path:
        return _names(children)

    def via(self, children: list[Child]) -> Via:
        return Via(_names(children))

    via_route = via

    def overland(self, children: list[Child]) -> None:
        """ "via land" is what every move does that asks for no convoy."""

    def hold(self, children: list[Child]) -> sketches.Hold:
        return sketches.Hold(_units(children), next(iter(_names(children)), None))

    def move(self, children: list[Child]) -> sketches.Move:
        return sketches.Move(_units(children), _path(_plain(children)), _via(children))

    def supported(self, children: list[Child]) -> sketches.Supported:
        first, *backers = _units(children)
        move = sketches.Move((first,), _path(_plain(children)), _via(children))
        return sketches.Supported(move, tuple(backers))

    def support_hold(self, children: list[Child]) -> Target:
        return Target(_units(children)[0])

    def support_move(self, children: list[Child]) -> Target:
        return Target(_units(children)[0], _path(_plain(children)))

    def support_move_from(self, children: list[Child]) -> Target:
        return Target(_units(children)[0], _names(children))

    def support(self, children: list[Child]) -> sketches.Support:
        target = next(child for child in children if isinstance(child, Target))
        return sketches.Support(_units(children), target.unit, target.path)

    def convoy(self, children: list[Child]) -> sketches.Convoy:
        *fleets, target = _units(children)
        return sketches.Convoy(tuple(fleets), target, _path(_plain(children)))

    def convoy_from(self, children: list[Child]) -> sketches.Convoy:
        *fleets, target = _units(children)
        return sketches.Convoy(tuple(fleets), target, _names(children))

    def convoy_by(self, children: list[Child]) -> sketches.Convoy:
        target, *fleets = _units(children)
        return sketches.Convoy(tuple(fleets), target, _path(children))

    def retreat(self, children: list[Child]) -> sketches.Retreat:
        return sketches.Retreat(_units(children)[0], _names(children)[0])

    def disband(self, children: list[Child]) -> sketches.Disband:
        minus = any(isinstance(c, Token) and c.type == "MINUS" for c in children)
        return sketches.Disband(_units(children), minus)

    def removal(self, children: list[Child]) -> sketches.Disband:
        return sketches.Disband(_units(children))

    def build(self, children: list[Child]) -> sketches.Build:
        return sketches.Build(_units(children))

    def alone(self, children: list[Child]) -> sketches.Alone:
        return sketches.Alone(_units(children))

    def keep(self, children: list[Child]) -> sketches.Keep:
        return sketches.Keep(_units(children))

    def waive(self, children: list[Child]) -> sketches.Waive:
        number = next((int(c.value) for c in children if isinstance(c, Token) and c.type == "NUMBER"), None)
        return sketches.Waive(number)

    def deed_hold(self, children: list[Child]) -> sketches.Hold:
        return sketches.Hold(())

    def deed_support(self, children: list[Child]) -> sketches.Support:
        return self.support(children)

    def deed_move(self, children: list[Child]) -> sketches.Move:
        return sketches.Move((), _path(_plain(children)))

    def allocate(self, children: list[Child]) -> sketches.Allocate:
        number = next(c for c in children if isinstance(c, Token) and c.type == "NUMBER")
        nation = next((str(c.value) for c in children if isinstance(c, Token) and c.type == "NATION"), None)
        whom = next((c for c in children if isinstance(c, Unit)), nation)
        order = next(c for c in children if isinstance(c, ORDERS))
        return sketches.Allocate(str(number.value), (number.start_pos, number.end_pos), whom, order)

    def no_points(self, children: list[Child]) -> sketches.NoPoints:
        return sketches.NoPoints()

    def _parting(self, children: list[Child], *, apart: bool) -> sketches.Pair:
        one, two, *near = _names(children)
        number = next((str(c.value) for c in children if isinstance(c, Token) and c.type == "NUMBER"), "")
        number = number or next((str(name.number) for name in (one, two) if name.number), "")
        return sketches.Pair(apart, (one, two), number, next(iter(near), None))

    def apart(self, children: list[Child]) -> sketches.Pair:
        return self._parting(children, apart=True)

    def joined(self, children: list[Child]) -> sketches.Pair:
        return self._parting(children, apart=False)

    def upheaval(self, children: list[Child]) -> sketches.Upheaval:
        return sketches.Upheaval(tuple(child for child in children if isinstance(child, sketches.Pair)))

    condition = upheaval

    def placement(self, children: list[Child]) -> sketches.Placement:
        given = next((child for child in children if isinstance(child, sketches.Upheaval)), None)
        return sketches.Placement(_units(children)[0], _names(children), given)

    def no_event(self, children: list[Child]) -> sketches.NoEvent:
        return sketches.NoEvent()

    def points(self, children: list[Child]) -> sketches.Points:
        return sketches.Points()

    def bid(self, children: list[Child]) -> sketches.Bid:
        number = next(c for c in children if isinstance(c, Token) and c.type == "NUMBER")
        named = [c for c in children if isinstance(c, Name) or (isinstance(c, Token) and c.type == "NATION")]
        whom, *backs = [c if isinstance(c, Name) else str(c.value) for c in named]
        helped = next((one for one in backs if isinstance(one, str)), "")
        return sketches.Bid(whom, str(number.value), (number.start_pos, number.end_pos), helped)

    bid_helping = bid

    def bid_support(self, children: list[Child]) -> sketches.Bid:
        """The power that is helped stands first."""
        first = next(c for c in children if isinstance(c, Token) and c.type == "NATION")
        return self.bid([*(c for c in children if c is not first), first])

    def no_bids(self, children: list[Child]) -> sketches.NoBids:
        return sketches.NoBids()

    def passage(self, children: list[Child]) -> sketches.Passage:
        whom = next((str(c.value) for c in children if isinstance(c, Token) and c.type == "NATION"), "")
        return sketches.Passage(_path(children), whom)

    def bomb(self, children: list[Child]) -> sketches.Bomb:
        *wings, target = _units(children)
        return sketches.Bomb(tuple(wings), target)

    def bomb_with(self, children: list[Child]) -> sketches.Bomb:
        target, *wings = _units(children)
        return sketches.Bomb(tuple(wings), target)

    def intercept(self, children: list[Child]) -> sketches.Intercept:
        return sketches.Intercept(_units(children), _names(children))

    def country(self, children: list[Child]) -> sketches.Country:
        token = children[0]
        power = str(token.value) if token.type == "NATION" else ""
        text = token.value.text if isinstance(token.value, Name) else str(token.value)
        return sketches.Country(power, text, token.start_pos, token.end_pos)

    def dip_support(self, children: list[Child]) -> sketches.DipSupport:
        tokens = [c for c in children if isinstance(c, Token)]
        number = next((c for c in tokens if c.type == "NUMBER"), None)
        at = number or next(c for c in tokens if c.type == "POINTS")
        target = next(c for c in children if isinstance(c, Target))
        dips = str(number.value) if number else ""
        return sketches.DipSupport(dips, (at.start_pos, at.end_pos), target.unit, target.path)

    def intercept_mail(self, children: list[Child]) -> sketches.InterceptMail:
        return sketches.InterceptMail(_countries(children), _verb(children, "INTERCEPT"))

    def protect(self, children: list[Child]) -> sketches.Protect:
        return sketches.Protect(_countries(children), _verb(children, "PROTECT"))

    def no_dips(self, children: list[Child]) -> sketches.NoDips:
        return sketches.NoDips()


def _countries(children: list[Child]) -> tuple[sketches.Country, ...]:
    return tuple(child for child in children if isinstance(child, sketches.Country))


def _verb(children: list[Child], kind: str) -> tuple[int, int]:
    """Where the word of command stands."""
    found = next(c for c in children if isinstance(c, Token) and c.type == kind)
    return found.start_pos, found.end_pos
