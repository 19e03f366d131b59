"""Lists of units in words: "fleets in London and Edinburgh, an army in Bombay", "Hamburg und München Armeen"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from msgspec.structs import replace

from gm.language.orders.line_meaning import OrderPiece
from gm.language.orders.parsing.lexer import Token, WrittenPlace
from gm.language.orders.sheets.adjustments import KeepNode, WaiveNode
from gm.language.prose.clauses import first_word, sentence_past, sentence_start
from gm.language.prose.guesses.clause import Clause
from gm.language.prose.phrases.prose_phrases import ProsePhrases

GOES = frozenset({"ARROW", "MINUS", "TO"})
COLON = ":"
SIGN = re.compile(r"[^\w\s]")
LONGEST_NAME = 2
"""Words of a name that is not known: "San Fransisco"."""
ABBREVIATED = 3
AROUND_PLACES = frozenset({"SEP", "OF", "ON", "TO", "FROM", "VIA"})
ALL, EXCEPT, KIND = "ALL", "EXCEPT", "KIND"


def leaves_others(phrases: ProsePhrases, body: str, start: int) -> bool:
    """Whether the sentence at `start` adds a unit to those before, or says which one goes, with whatever words of
    correction it begins: "Oops, one more: a fleet in Kiel", "No, fleet Marseilles rather than army Paris".
    """
    begin, end = sentence_start(body, start + 1), sentence_past(body, start)
    low = body[:end].lower()
    match = phrases.correction.match(low, first_word(low, begin))
    rest = low[match.end() if match is not None else begin :].lstrip(" ,.:!")
    begin = end - len(rest)
    adds = phrases.and_more.match(low, begin) or phrases.one_more.search(low, begin)
    return bool(adds or phrases.rather_than.search(low, begin))


def lacks_kinds(pieces: Sequence[OrderPiece]) -> bool:
    """Whether a line names a kind for some units and none for others: "fleets in London and Edinburgh"; or says that
    units stay, which may be on file to be removed; or waives a unit.
    """
    if any(isinstance(piece.node, KeepNode) for piece in pieces):
        return True
    if any(_waives_unit(before, behind) for before, behind in pairwise(pieces)):
        return True
    units = [unit for piece in pieces for unit in getattr(piece.node, "units", ())]
    return any(unit.kind for unit in units) and not all(unit.kind for unit in units)


def _waives_unit(before: OrderPiece, behind: OrderPiece) -> bool:
    """Whether "waive" stands before a unit without a sign between them: "waive the army in Liverpool"."""
    waives = isinstance(before.node, WaiveNode) and before.node.count is None
    between = before.text[before.end : behind.start].strip()
    corrects = between == COLON and "NO" in {token.type for token in before.tokens}  # "no: army Berlin"
    return waives and (corrects or not SIGN.search(between))


BOTH = "2"


class ListedUnits(NamedTuple):
    """(kind or "", place) of each unit; `others` is the kind of all that are not named, `excepted` has none.

    `is_sure`: one unit of a kind is not followed by several places.
    """

    units: tuple[tuple[str, Token], ...]
    others: str = ""
    excepted: tuple[Token, ...] = ()
    is_sure: bool = True
    unnamed: int = 0
    """How many are not named, where the words say that: "two armies, and in Trieste a fleet"."""


class Part(NamedTuple):
    """A word for a kind, a run of places ("PLACE"), ALL or EXCEPT. `number`: the one beside a kind."""

    type: str
    kind: str = ""
    is_plural: bool = False
    places: tuple[Token, ...] = ()
    number: int = 0
    is_apart: bool = False
    """A comma stands before the last of the places; or, of a kind, a colon stands beside it."""
    goes_on: bool = False
    """A number stands among the places: "an army in Moscow, another one in Warsaw"; or "in both Moscow and Warsaw"."""


def listed_units(clause: Clause) -> ListedUnits | None:
    """A kind goes with the places behind it, or before it where places come first; None where the words do not say
    which.
    """
    clause = replace(clause, tokens=[token for token in clause.tokens if not _is_year(token)])
    pairs = zip(clause.tokens, clause.tokens[1:], clause.tokens[2:], strict=False)
    if any(first.type == last.type == "PLACE" and link.type in GOES for first, link, last in pairs):
        return None  # "A Par - Bur"
    parts = list(_parts(_with_kinds_again(clause)))
    count = parts[0].number if _counts_others(parts) else 0
    others, parts = _others(parts) if not (count or _all_of_kind(parts)) else (parts[0].kind, parts[1:])
    excepted: list[Token] = []
    units: list[tuple[str, Token]] = []
    if others is None:
        return None
    if EXCEPT in (part.type for part in parts):
        at = next(at for at, part in enumerate(parts) if part.type == EXCEPT)
        behind = parts[at + 1 :]
        parts = parts[:at]
        named = next((part for part in behind if part.places), None)
        if named is None or EXCEPT in (part.type for part in behind):
            return None
        of_kind = behind[-1].type == KIND and len(behind) == len((named, KIND))
        units += [(behind[-1].kind, place) for place in named.places] if of_kind else []
        excepted += [] if of_kind else named.places
        parts += [] if of_kind else behind[behind.index(named) + 1 :]
    paired = _paired(parts)
    if paired is None:
        return None
    if others and any(not kind for kind, _ in paired.units):  # "the other three get armies: Smyrna, Baghdad, Tripoli"
        named_units = tuple((kind or others, place) for kind, place in (*units, *paired.units))
        return ListedUnits(named_units, others if excepted else "", tuple(excepted))
    units = [*paired.units, *units]
    listed = ListedUnits(tuple(units), others, tuple(excepted), paired.is_sure, count)
    return listed if units or others else None


def with_unknown_places(clause: Clause) -> Clause:
    """With a place in no province for a name in a list that no map has: "fleets in Lodnon and Edinburgh"."""
    tokens = [*clause.tokens]
    for past in range(len(tokens), 0, -1):
        at = _begins(tokens, past)
        if at < past and _is_listed(tokens[:at], tokens[past:]):
            start, end = tokens[at].start_pos, tokens[past - 1].end_pos
            written = WrittenPlace(clause.text[start:end], start, end, ())
            tokens[at:past] = [Token("PLACE", written, start, end)]
    return replace(clause, tokens=tokens)


def _begins(tokens: Sequence[Token], past: int) -> int:
    """Where words that are not known begin, which end here, with an abbreviation before them: "San Fransisco"."""
    at = past
    while at and past - at < LONGEST_NAME and tokens[at - 1].type == "WORD":
        at -= 1
    before = tokens[at - 1] if 0 < at < past else None
    short = before is not None and before.type == "PLACE" and before.end_pos - before.start_pos <= ABBREVIATED
    return at - 1 if short else at


def _is_listed(before: Sequence[Token], behind: Sequence[Token]) -> bool:
    """Whether what stands around it makes it a place that has a kind."""
    types, past = [token.type for token in before[-2:]], [token.type for token in behind[:2]]
    marks = {token.value for token in (*before[-1:], *behind[:1]) if token.type == "SEP"}
    if COLON in marks or (not before and "," in marks):  # "Edit: Saigon a fleet too"; "Hi Tom, Brest is a fleet"
        return False
    leads = types[-1:] in ([], [KIND], ["SEP"]) and past == ["SEP", "PLACE"]
    alone = types[-1:] == [KIND] and past == ["SEP", KIND]
    ends = types == ["PLACE", "SEP"] and past[:1] in ([], [KIND], ["SEP"])
    return leads or alone or ends


def _is_year(token: Token) -> bool:
    """ "For 1880 I want fleets in Brest and Saigon"."""
    return token.type == "NUMBER" and len(str(token.value)) == len("1880")


def _with_kinds_again(clause: Clause) -> Clause:
    """ "London gets a fleet, Edinburgh one too, Liverpool an army": "one" beside a place has the kind before it."""
    tokens = clause.tokens
    marks = [-1, *(at for at, token in enumerate(tokens) if token.type == "SEP"), len(tokens)]
    kind: Token | None = None
    every: list[Token] = []
    in_front = False
    for start, end in pairwise(marks):
        part = tokens[start + 1 : end]
        types = [token.type for token in part if token.type in (KIND, "PLACE", "NUMBER")]
        if kind is not None and sorted(types) == ["NUMBER", "PLACE"]:
            place = next(token for token in part if token.type == "PLACE")
            again = [token for token in part if token.type == "NUMBER" and str(token.value) == "1"]
            kinds = [kind._replace(start_pos=token.start_pos, end_pos=token.end_pos) for token in again]
            part = [*kinds, place] if in_front else [place, *kinds]
        of_place = any(token.type == "PLACE" for token in part)  # "two fleets, one in London and one in Edinburgh"
        if of_place and KIND in types:
            kind = next(token for token in reversed(part) if token.type == KIND)
            in_front = types.index(KIND) < types.index("PLACE")
        every += [*part, *tokens[end : end + 1]]
    return replace(clause, tokens=every)


def _parts(clause: Clause) -> Iterator[Part]:
    """Runs of places are one part; a kind keeps the number before it."""
    places: list[Token] = []
    comma = goes_on = both = excepting = False
    for at, token in enumerate(clause.tokens):
        before = clause.tokens[at - 1] if at else None
        if excepting and places and token.type == "SEP" and token.value == COLON:  # "everywhere except Chicago: …"
            yield Part("PLACE", places=tuple(places), is_apart=comma)
            places, excepting = [], False
        excepting |= token.type == EXCEPT
        if token.type == "PLACE":
            comma = bool(places) and before is not None and (before.type, before.value) == ("SEP", ",")
            both |= not places and before is not None and (before.type, before.value) == ("NUMBER", BOTH)
            places.append(token)
        goes_on |= token.type == "NUMBER" and bool(places)
        if token.type in (KIND, ALL, EXCEPT) and places:
            yield Part("PLACE", places=tuple(places), is_apart=comma, goes_on=goes_on or (both and len(places) == 2))
            places, goes_on, both = [], False, False
        if token.type == KIND:
            number = str(before.value) if before is not None and before.type == "NUMBER" else ""
            count = int(number) if number.isdigit() else 0
            beside = (*clause.tokens[max(0, at - 1) : at], *clause.tokens[at + 1 : at + 2])
            colon = any(other.type == "SEP" and other.value == COLON for other in beside)
            yield Part(KIND, str(token.value), clause.is_plural(token), number=count, is_apart=colon)
        elif token.type in (ALL, EXCEPT) and (before is None or before.type != token.type):  # "all others"
            yield Part(token.type)
    if places:
        yield Part("PLACE", places=tuple(places), is_apart=comma, goes_on=goes_on or (both and len(places) == 2))


def _counts_others(parts: Sequence[Part]) -> bool:
    """ "Two armies, and in Trieste a fleet": a number of units of a kind before the places of another kind."""
    types = [part.type for part in parts[:3]]
    first = parts[0] if types == [KIND, "PLACE", KIND] else None
    return first is not None and first.is_plural and first.number > max(1, len(parts[1].places))


def _all_of_kind(parts: Sequence[Part]) -> bool:
    """ "Armies please, except Trieste": a kind alone before an exception is that of all others."""
    return [part.type for part in parts[:2]] == [KIND, EXCEPT] and parts[0].is_plural


def _others(parts: list[Part]) -> tuple[str | None, list[Part]]:
    """The kind beside the word for all that are not named, and the parts without both; None where it has none."""
    if ALL not in (part.type for part in parts):
        return "", parts
    at = next(at for at, part in enumerate(parts) if part.type == ALL)
    before = parts[at - 1] if at else None
    behind = parts[at + 1] if at + 1 < len(parts) else None
    follows = parts[at + 2].type if at + 2 < len(parts) else ""
    first = before is not None and before.type == KIND and (at < 2 or parts[at - 2].type != "PLACE")
    if behind is not None and behind.type == KIND and not (first and follows == "PLACE"):
        again = ALL in (part.type for part in parts[at + 1 :])
        return (None, parts) if again else (behind.kind, parts[:at] + parts[at + 2 :])
    if before is None or before.type != KIND:
        return None, parts
    return before.kind, parts[: at - 1] + parts[at + 1 :]


def _paired(parts: Sequence[Part]) -> ListedUnits | None:
    """Kinds and runs of places by turns. Where places come first, the kind behind them is theirs."""
    units: list[tuple[str, Token]] = []
    is_sure = True
    left = list(parts)
    while left:
        first, second = left[0], left[1] if len(left) > 1 else None
        if first.type == "PLACE" and second is None:
            units += [("", place) for place in first.places]
            break
        if second is None or {first.type, second.type} != {KIND, "PLACE"}:
            return None
        kind, run = (first, second) if first.type == KIND else (second, first)
        places = run.places
        del left[:2]
        alone = left and left[0].type == KIND and (len(left) == 1 or left[1].type == KIND)
        if first.type == KIND and alone and len(places) > 1 and run.is_apart:
            left.insert(0, Part("PLACE", places=places[-1:]))  # "fleets in London and Edinburgh, Bombay an army"
            places = places[:-1]
        if kind.number > 1 and kind.number != len(places):
            return None
        is_sure &= len(places) == 1 or kind.is_plural or kind.is_apart or run.goes_on or first.type == "PLACE"
        units += [(kind.kind, place) for place in places]
    return ListedUnits(tuple(units), is_sure=is_sure)


def shared_out(clause: Clause) -> Clause:
    """ "Two wings, one in Liverpool and one in Edinburgh": as "two wings Liverpool and Edinburgh"."""
    tokens = list(clause.tokens)
    for at in range(len(tokens) - 1, 0, -1):
        count, kind = tokens[at - 1], tokens[at]
        if (count.type, kind.type) != ("NUMBER", "KIND") or not str(count.value).isdigit():
            continue
        behind = [token for token in tokens[at + 1 :] if token.type not in AROUND_PLACES]
        first = behind[: 2 * int(count.value)]
        each = [("NUMBER", "1"), "PLACE"] * int(count.value)
        types = [token.type if token.type == "PLACE" else (token.type, str(token.value)) for token in first]
        if int(count.value) > 1 and types == each:
            start = next(past for past in range(at + 1, len(tokens)) if tokens[past] is first[0])
            ones = {id(token) for token in first if token.type == "NUMBER"}
            rest = [token for token in tokens[start:] if id(token) not in ones]
            return replace(clause, tokens=[*tokens[: at + 1], *rest])
    return clause
