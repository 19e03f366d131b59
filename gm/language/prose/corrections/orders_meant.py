"""Which orders words mean that take one back or correct it, and do not name its unit."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from gm.judge.mechanics.moving_borders.border_orders import is_event
from gm.judge.model.orders import Build, Disband, Move, Slot, Statement, slot_province
from gm.language.orders.parsing.lexer import Token
from gm.language.prose.clauses import blank, first_word
from gm.language.prose.guesses.adjustments_guess import BESIDE
from gm.language.prose.guesses.clause import UNKNOWN
from gm.language.prose.guesses.unit_lists import leaves_others
from gm.language.prose.memory import CODES, LetterMemory, unit_of
from gm.language.prose.mentions import homes_of_minors, mentions_of
from gm.language.prose.readings import ReadOrders
from gm.language.prose.stretches import StretchReader

NEAR_KIND = BESIDE | {"PLACE"}
WORDS = re.compile(r"\w+")
NO_STAKE = UNKNOWN | {
    "NATION",
    "PLACE",
    "SEP",
    "OF",
    "FOR",
    "ON",
    "WITH",
    "FROM",
    "ARROW",
    "MINUS",
    "KIND",
    "NO",
    "NONE",
}
"""Token types that say nothing of points."""
REPEATED = frozenset({"NATION", "NUMBER", "PLACE"})


def names_the_only_one(reader: StretchReader, text: str, begin: int, end: int) -> bool:
    """Whether words name the event on file by its provinces alone: "the Wales/Yorkshire thing"."""
    lines = reader.lines(reader.memory.on_file) if reader.sheet.kind.is_one_order_per_line else ()
    named = reader.places_in(text, begin, end)
    codes = set(CODES.findall(lines[0])) if len(lines) == 1 and not reader.memory.orders else set()
    return bool(named) and reader.is_bare(text, begin, end) and all(codes & {*provinces} for provinces in named)


def is_about_others(reader: StretchReader, text: str, start: int, end: int) -> bool:
    """Whether words that are taken back are about somebody: "forget what I said about Hannah"."""
    rest = text[start:end].lower().strip(" .,!:;")
    if not rest or reader.phrases.it.fullmatch(rest) or reader.phrases.this_one.fullmatch(rest):
        return False
    return not (reader.places(text, start, end) or reader.names_own(text, start, end))


def order_denied(memory: LetterMemory) -> str:
    """The province of the unit whose order on file the words before deny: "We won't attack Serbia. Strike that."; ""
    where the letter has orders.
    """
    there = {slot_province(order.slot) for order in memory.on_file}
    return memory.denied if not memory.orders and memory.denied in there else ""


def asked_about(reader: StretchReader, text: str, start: int, end: int, named: Collection[str]) -> str:
    """The province of the only unit of the writer's in a question; else of the only one with its kind: "the army in
    Liverpool".
    """
    if len(named) == 1:
        return next(iter(named))
    mentions = mentions_of(reader.tokens(text, start, end), reader.context)
    units = [each.unit for each in mentions if each.is_unit and each.unit is not None]
    return units[0].at.province if len(units) == 1 else ""


def repeats_on_file(reader: StretchReader, text: str, start: int, end: int) -> bool:
    """Whether words are orders that stand on file and nothing else: "item 3 (Smy - Con) is withdrawn"."""
    whole = reader.whole_orders(text, start, end) if reader.memory.on_file and reader.sheet.kind.holds else None
    statements = whole.statements if whole is not None and not whole.is_flawed else ()
    return bool(statements) and {*reader.lines(statements)} <= {*reader.lines(reader.memory.on_file)}


def repeats_lines(reader: StretchReader, text: str, start: int, end: int) -> bool:
    """Whether a reason about points names nothing but places, powers and points of the clause before: "so that all
    three help Rumania".
    """
    is_reason = reader.phrases.reason.match(text[:end].lower(), first_word(text, start, end))
    if not is_reason or not reader.sheet.kind.numbers_in_front:
        return False
    lines = reader.memory.latest
    tokens = [token for token in reader.tokens(text, start, end) if token.type in REPEATED]
    known = {word for line in lines for word in WORDS.findall(line)}
    minors = {minor.name: minor.home for minor in reader.context.variant.minors}
    named = (
        known & {*token.value.provinces} if token.type == "PLACE" else {minors.get(token.value), token.value} & known
        for token in tokens
    )
    return {"PLACE", "NATION"} & {token.type for token in tokens} != set() and all(named)


def slots_counted(reader: StretchReader, words: str) -> tuple[Slot, ...]:
    """The slots of the letter's orders that "the first one" or "die letzten beiden" count out."""
    slots = tuple(dict.fromkeys(statement.slot for statement in reader.memory.statements))
    words = reader.phrases.undone.sub("", reader.phrases.cancelled.sub("", words)).strip(" .,:;!-")
    for first, past, pattern in reader.phrases.ordinals:
        if pattern.fullmatch(words):
            return slots[first:past]
    return ()


def note_doubt(reader: StretchReader, text: str, start: int, end: int, *, in_passing: bool) -> None:
    """Words that are not taken leave a doubt about those behind them. Where bids are made, only words about points, or
    about somebody a bid may be for; a name in passing leaves a small one.
    """
    memory, homes = reader.memory, homes_of_minors(reader.context)
    tokens = reader.tokens(text, start, end)
    names = {minor.name for minor in reader.context.variant.minors if minor.homes}
    about_minor = any(
        token.value in names if token.type == "NATION" else not homes.isdisjoint(token.value.provinces)
        for token in tokens
        if token.type in ("NATION", "PLACE")
    )
    of_points = any(token.type not in NO_STAKE for token in tokens) or (about_minor and not in_passing)
    memory.is_doubted |= of_points or not reader.sheet.kind.names_in_front
    memory.has_passed_over |= about_minor


def displaced(reader: StretchReader, orders: ReadOrders, start: int) -> tuple[Slot, ...]:
    """Moves of the letter to where the corrected order goes: "Vienna to Galicia, no, Budapest to Galicia"; the build in
    whose place another comes; of events, of which only one may count, all others.
    """
    if any(map(is_event, orders.statements)):
        return tuple(order.slot for order in reader.memory.statements if is_event(order))
    if orders.statements and all(isinstance(order, Build | Disband) for order in orders.statements):
        memory = reader.memory
        if memory.is_doubted or memory.took_back or leaves_others(reader.phrases, reader.line.body, start):
            return ()  # what is corrected is not taken, or has gone: "No, not Paris, a fleet in Marseilles"
        return _builds_displaced(reader.memory.statements, orders.statements)
    goals = {order.to.province for order in orders.statements if isinstance(order, Move)}
    others = (order for order in reader.memory.statements if order not in orders.statements)
    return tuple(order.slot for order in others if isinstance(order, Move) and order.to.province in goals)


def _builds_displaced(before: Sequence[Statement], after: Sequence[Statement]) -> tuple[Slot, ...]:
    """One new build replaces the last one of its kind, or else the last: "Fleet Ankara. No, Smyrna"; a list of as many
    as before, or more, replaces them all.
    """
    others = [order for order in before if isinstance(order, Build | Disband) and order not in after]
    again = {order.slot for order in after}
    if len(after) >= len(others) > 1:
        return tuple(order.slot for order in others if order.slot not in again)
    if len(after) > 1 or not again.isdisjoint(order.slot for order in others):
        return ()
    kinds = {order.unit.kind for order in after if isinstance(order, Build | Disband)}
    alike = [order for order in others if order.unit.kind in kinds] or others
    return tuple(order.slot for order in alike[-1:])


def doubted_by(reader: StretchReader, text: str, start: int, end: int, lines: Sequence[str]) -> tuple[Slot, ...]:
    """The retreat so far of a unit, where another place alone may be its goal: "Tyrolia … Budapest, then"."""
    alone = {token.type for token in reader.plain_tokens(text, start, end)} == {"PLACE"}
    if not reader.sheet.kind.takes_preferences or not alone:
        return ()
    units = {unit_of(line) for line in lines}
    return tuple(order.slot for order in reader.memory.statements if units & {unit_of(str(order))})


def past_old(reader: StretchReader, text: str, start: int, end: int) -> int:
    """Where the old order ends: before the new one of its unit ("statt Mun - Bur nun Mun - Sil"), or behind the
    first place, if one of the writer's orders goes on there ("instead of Galicia let …").
    """
    tokens = reader.tokens(text, start, end)
    if reader.sheet.kind.lists_units and (past := _past_old_build(tokens)):
        return start + past
    old = reader.units_meant(text, start, end)
    named = [token for token in tokens if token.type in ("KIND", "PLACE")]
    goal_first = (
        bool(named) and named[0].type == "PLACE" and not reader.own_places(text[: start + named[0].end_pos], start)
    )
    if goal_first:  # "rather than going to Tunis the fleet carries Apulia there"
        reader.memory.goal = named[0].value.text
    for token in named[1 if goal_first else 2 :]:
        new = reader.orders_in(text, start + token.start_pos, end)
        if new is not None and old and {*old} <= {slot_province(order.slot) for order in new.statements}:
            return start + token.start_pos
    place = next((token for token in tokens if token.type == "PLACE"), None)
    past = start + place.end_pos if place is not None else end
    return past if reader.own_places(text[:end], start) == set() or reader.meant(text, past, end) else end


def _past_old_build(tokens: Sequence[Token]) -> int:
    """Behind the first of two kinds of unit, or its place: "instead of the fleet in Trieste an army", "instead of the
    Trieste fleet make it an army"; else 0.
    """
    kinds = [at for at, token in enumerate(tokens) if token.type == "KIND"]
    before = [token.type for token in tokens[: kinds[0]]] if kinds else []
    if len(kinds) != 2 or ("PLACE" in before and before != ["PLACE"]):
        return 0
    if before:
        return tokens[kinds[0]].end_pos
    past = kinds[0]
    while past + 1 < kinds[1] and tokens[past + 1].type in NEAR_KIND:
        past += 1
    return tokens[past].end_pos


def without_if_not(reader: StretchReader, text: str, start: int) -> str:
    """Without "if not" behind a question about something else: "May I have a day more? If not, Vienna holds"."""
    match = reader.phrases.if_not.match(text.lower(), first_word(text, start))
    alone = not (reader.memory.orders or reader.memory.is_doubted or reader.memory.on_file)
    return blank(text, *match.span()) if match is not None and alone else text


def slots_of_last(reader: StretchReader) -> tuple[Slot, ...]:
    """What the letter's orders are about that read as the last one: () where none was given."""
    last = reader.memory.order
    return tuple(order.slot for order in reader.memory.statements if last and reader.lines((order,)) == (last,))
