"""Reads conditions, in canonical words and in others: "France owns Mun AND (A Ruh OR Bur empty)".

A unit without a power's name is anybody's; "my" and "I" are the writer's. `read(write(c)) == c` for every condition.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gm.judge.board.board import Place
from gm.judge.model.conditions import AllConditions, AnyCondition, CentreOwned, Condition, NotCondition, UnitStands
from gm.language.i18n.normalize import clean
from gm.language.i18n.place_names import power_key, powers, words
from gm.language.i18n.vocabulary import vocabulary_of
from gm.language.lines.letter_contents import LetterContext
from gm.language.orders.parsing.order_context import place_names

CONDITION_LONGEST = 300
MOST_WORDS = 10
"""Most words of a unit and its place."""
DEEPEST = 12
"""Most nested brackets and NOTs."""
TOKENS = re.compile(r"\(|\)|[^\s()]+")
COAST = re.compile(r"\s*\(\s*([a-z]c)\s*\)", re.IGNORECASE)
JOINTS = frozenset({"and", "or", "not", "(", ")"})
NOBODY = frozenset({"nobody", "no one", "noone", "none"})
SELF = frozenset({"i", "we", "my", "our", "me", "us"})
THERE = r"(?:there\s+(?:is|are|stands?)\s+)?"
FREE = re.compile(r"(?P<place>.+?)\s+(?:(?:is|stays|lies)\s+)?(?:empty|vacant|unoccupied|free)")
TAKEN = re.compile(r"(?P<place>.+?)\s+(?:is\s+)?occupied(?:\s+by\s+(?:an?\s+(?!in\b))?(?P<who>.+))?")
UNOWNED = re.compile(r"(?P<place>.+?)\s+(?:is\s+)?(?:unowned|neutral|nobody's)")
OWNED = re.compile(r"(?P<place>.+?)\s+(?:is\s+)?(?:owned|held|controlled)\s+by\s+(?P<who>.+)")
OWNS = re.compile(r"(?P<who>.+?)\s+(?:owns?|controls?|ha(?:s|ve)|holds?)\s+(?P<place>.+)")
STANDS = re.compile(rf"{THERE}(?P<who>.+?)\s+(?:(?:is|are|stands?)\s+)?(?:in|at|on)\s+(?:the\s+)?(?P<place>.+)")
HAS = re.compile(r"(?P<power>.+?)\s+ha(?:s|ve)\s+(?P<who>an?\s+(?!in\b|at\b|on\b).+?)\s+(?:in|at|on)\s+(?P<place>.+)")


class ConditionError(Exception):
    """No condition; `word` is where it went wrong."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


def write(condition: Condition) -> str:
    match condition:
        case UnitStands(at, kind, power):
            if not power:
                return f"{kind} {_at(at)}" if kind else f"{_at(at)} occupied"
            return f"{power}'s {kind} in {_at(at)}" if kind else f"{power} in {_at(at)}"
        case CentreOwned(power, province):
            return f"{power or 'nobody'} owns {_at(Place(province))}"
        case NotCondition(UnitStands(at, "", "")):
            return f"{_at(at)} empty"
        case NotCondition(part):
            return f"NOT {_bracketed(part)}"
        case AllConditions(parts):
            return " AND ".join(_bracketed(part) for part in parts)
        case AnyCondition(parts):
            return " OR ".join(_bracketed(part) for part in parts)


def _at(place: Place) -> str:
    """In quotation marks where the code is a word of ours, as of the Andaman Sea."""
    return f'"{place}"' if str(place).lower() in JOINTS else str(place)


def _bracketed(condition: Condition) -> str:
    written = write(condition)
    return f"({written})" if isinstance(condition, AllConditions | AnyCondition) else written


def read(text: str, context: LetterContext) -> Condition:
    """Raises Unclear."""
    plain = clean(text).text.strip().rstrip(".,:;").strip()
    plain = vocabulary_of(context.variant.language).conditions.replaced(plain)
    if len(plain) > CONDITION_LONGEST:
        raise ConditionError(plain[:40])
    return _Parser(context, TOKENS.findall(COAST.sub(r"/\1", plain.replace(",", " ")))).whole()


class _Parser:
    """By descent: OR binds least, then AND, then NOT."""

    def __init__(self, context: LetterContext, tokens: Sequence[str]) -> None:
        self.context = context
        self.tokens = tokens
        self.at = 0
        self.depth = 0

    def whole(self) -> Condition:
        condition = self._any()
        if self.at < len(self.tokens):
            raise ConditionError(self.tokens[self.at])
        return condition

    def _next(self) -> str:
        return self.tokens[self.at].lower() if self.at < len(self.tokens) else ""

    def _any(self) -> Condition:
        parts = [self._all()]
        while self._next() == "or":
            self.at += 1
            parts.append(self._all())
        return AnyCondition(tuple(parts)) if len(parts) > 1 else parts[0]

    def _all(self) -> Condition:
        parts = [self._not()]
        while self._next() == "and":
            self.at += 1
            parts.append(self._not())
        return AllConditions(tuple(parts)) if len(parts) > 1 else parts[0]

    def _not(self) -> Condition:
        self.depth += 1
        if self.depth > DEEPEST:
            raise ConditionError(self._next())
        if self._next() == "not":
            self.at += 1
            condition: Condition = NotCondition(self._not())
        elif self._next() == "(":
            self.at += 1
            condition = self._any()
            if self._next() != ")":
                raise ConditionError(self._next() or "(")
            self.at += 1
        else:
            condition = self._atom()
        self.depth -= 1
        return condition

    def _atom(self) -> Condition:
        start = self.at
        while self._next() and self._next() not in JOINTS:
            self.at += 1
        phrase = " ".join(self.tokens[start : self.at])
        if not phrase:
            raise ConditionError(self._next())
        if " is not " in f" {phrase.lower()} ":
            return NotCondition(_plain(re.sub(r"\bis not\b", "is", phrase, flags=re.IGNORECASE), self.context))
        if self._next() == "not" and phrase.lower().endswith(" is"):  # "Bur is NOT empty"
            self.at += 1
            rest = self.at
            while self._next() and self._next() not in JOINTS:
                self.at += 1
            return NotCondition(_plain(f"{phrase} {' '.join(self.tokens[rest : self.at])}", self.context))
        return _plain(phrase, self.context)


def _plain(phrase: str, context: LetterContext) -> Condition:
    low = phrase.lower()
    if match := FREE.fullmatch(low):
        return NotCondition(UnitStands(_place(match["place"], context)))
    if match := OWNED.fullmatch(low):
        return CentreOwned(_power(match["who"], context), _place(match["place"], context).province)
    if match := UNOWNED.fullmatch(low):
        return CentreOwned("", _place(match["place"], context).province)
    if match := TAKEN.fullmatch(low):
        return _unit(match["who"] or "", match["place"], context)
    if match := HAS.fullmatch(low):
        return _unit(f"{match['power']} {match['who']}", match["place"], context)
    if match := STANDS.fullmatch(low):
        return _unit(match["who"], match["place"], context)
    if match := OWNS.fullmatch(low):
        return CentreOwned(_power(match["who"], context), _place(match["place"], context).province)
    return _bare(low, context)


def _bare(phrase: str, context: LetterContext) -> Condition:
    """ "A Ruh", "French A Ruh", "my fleet StP/nc": the longest ending that names a place."""
    parts = phrase.split()
    if len(parts) > MOST_WORDS:
        raise ConditionError(parts[0])
    for at in range(1, len(parts)):
        try:
            return _unit(" ".join(parts[:at]), " ".join(parts[at:]), context)
        except ConditionError:
            continue
    raise ConditionError(phrase)


def _unit(who: str, place: str, context: LetterContext) -> UnitStands:
    parts = [part for part in who.split() if part not in ("the", "an", "unit", "units", "any", "some")]
    kinds = {kind.code.lower(): kind.code for kind in context.variant.kinds.values()}
    kinds |= {kind.name.lower(): kind.code for kind in context.variant.kinds.values()}
    kind = ""
    if parts and parts[-1] in kinds and not (parts[-1] == "a" and who.split()[-1] == "unit"):
        kind = kinds[parts.pop()]
    while parts and parts[-1] == "a":
        parts.pop()
    if parts and parts[0] == "a":
        parts = parts[1:]
    parts = [part for part in parts if part != "a"]
    power = _power(" ".join(parts), context) if parts else ""
    return UnitStands(_place(place, context), kind, power)


def _power(phrase: str, context: LetterContext) -> str:
    name = phrase.strip().removesuffix("'s").removeprefix("the ").strip()
    if name in NOBODY:
        return ""
    if name in SELF and context.power:
        return context.power
    power = powers((*context.variant.powers, *context.variant.minors)).get(power_key(name))
    if power is None:
        raise ConditionError(phrase.strip())
    return power


def _place(phrase: str, context: LetterContext) -> Place:
    names = place_names(context.position.board, context.variant)
    name, _, coast = phrase.strip().removeprefix("the ").partition("/")
    codes = names.find(words(name))
    if len(codes) != 1:
        raise ConditionError(phrase.strip())
    coasts = context.position.board.provinces[codes[0]].coasts
    return Place(codes[0], names.coast(codes[0], coast.strip(), coasts) or "" if coast else "")
