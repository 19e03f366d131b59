"""Orders whose goal alone is named anew: the unit is that of an order before, in the letter or on file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from gm.judge.model.orders import Move, Retreat, slot_province
from gm.language.lines.spans import Fate
from gm.language.orders.parsing.order_context import OrderWarning
from gm.language.prose.clauses import Sentence, blank, first_word, sentence_start
from gm.language.prose.guesses.clause import UNKNOWN
from gm.language.prose.memory import goals_of, province_of
from gm.language.prose.mentions import INTO
from gm.language.prose.readings import ClauseReading, ReadOrders
from gm.language.prose.stance import error_key
from gm.language.prose.stretches import StretchReader

BESIDE_GOALS = UNKNOWN | {"PLACE", "SEP", "MINUS", "PLUS", "NUMBER", "TO", "OF", "FOR", "WITH", "ON", "FROM"}
"""Token types of words about two goals."""
PLAIN = frozenset({error_key(""), error_key("negated"), "named-in-passing"})
"""Errors of words that doubt nothing."""
MOST_UNKNOWN = 3
"""Most words not understood beside two goals of which one is denied: more of them tell a story."""


def provinces_spoken_of(reader: StretchReader) -> list[str]:
    """Where orders of the letter go, else those on file, else where the units of the letter's orders stand."""
    letter, on_file = reader.memory.statements, reader.memory.on_file
    goals = ([code for order in orders for code in goals_of(order)] for orders in (letter, on_file))
    return next(filter(None, goals), [slot_province(order.slot) for order in letter])


def other_coast(reader: StretchReader, words: str) -> ReadOrders | None:
    """The last move to the coast that words are, which say nothing else: "/sc", "(nc)". Where the goal has no coasts, a
    German "ok" is none either.
    """
    if not reader.memory.order:
        return None
    known = reader.sheet.scanner.words
    word = words.strip(" .,;:!?/()[]")
    side = known.sides.get(word[:-1]) if word[-1:] in known.coast else None
    unit, goal = reader.memory.freed or reader.memory.unit, province_of(reader.memory.goal)
    lines = reader.legal(f"{unit} - {goal}/{side}c") if side and unit and goal else ()
    lines = tuple(line for line in lines if "/" in line.rpartition(" - ")[2])
    start = len(reader.line.body) - len(reader.line.body.lstrip())
    return reader.orders_of(lines, reader.line.body, start, len(reader.line.body)) if lines else None


def without_denied_goals(reader: StretchReader, text: str, start: int, end: int) -> str:
    """Without places to which words say that no unit goes: "Rumania, not Serbia"."""
    ends = {match.end() for match in reader.phrases.denied_goal.finditer(text[:end].lower(), start)}
    here = {unit.at.province for unit in reader.context.own_units}
    for token in reader.tokens(text, start, end) if ends else ():
        first = start + token.start_pos
        if token.type != "PLACE" or here & set(token.value.provinces):
            continue
        if len(text[:first].rstrip()) in ends:
            text = blank(text, first, start + token.end_pos)
    return text


def goal_anew(reader: StretchReader, text: str, start: int, end: int, *, certain: bool = True) -> ClauseReading | None:
    """ "Finland, not Bothnia", "where I wrote Tyr I meant Tri": another goal for the unit of the only move there.

    It is proposed, unless only what is `certain` is asked for, where a word is not understood, or where a unit of the
    writer's stands at the other goal.
    """
    if (
        not (reader.sheet.kind.holds or reader.sheet.kind.takes_preferences)
        or reader.places(text, start, end) != 2
        or not _corrects_a_goal(reader, text, start, end)
    ):
        return None
    pairs = _old_and_new(reader, text, start, end)
    lines = {line for old, new in pairs for unit in _moves_to(reader, old) for line in reader.legal(f"{unit} - {new}")}
    if len(lines) != 1:
        return None
    unknown = _unknown_beside_goals(reader, text, start, end)
    if unknown > MOST_UNKNOWN:
        return None
    line = lines.pop()
    here = {unit.at.province for unit in reader.context.own_units}
    amends = reader.phrases.amending.search(text[:end].lower(), start) is not None
    of_units = all(here & {*each} for each in reader.places_in(text, start, end))  # "I wrote Kiel but meant Munich"
    if not unknown and not of_units and (amends or province_of(line) not in here):
        orders = reader.orders_of((line,), text, start, end)
        reader.note(orders)
        return ClauseReading(start, end, Fate.ORDER, orders)
    if certain:
        return None
    reader.memory.is_doubted = True
    first = first_word(text, start, end)
    error = OrderWarning(error_key(""), first, first + len(text[first:end].rstrip(" .,;!")), (), (line,))
    return ClauseReading(start, end, Fate.NOT_TAKEN, error=error)


def rewritten_goal(reader: StretchReader, text: str, sentence: Sentence) -> ClauseReading | None:
    """ "I wrote Serbia, it should have been Greece": the only move to the first place goes to the second."""
    start, end = sentence.start, sentence.end
    words = reader.masked(text[:end], start)[start:end].strip(" .,;!")
    doubted = reader.memory.section or reader.memory.label or not reader.places(text, start, end)
    if doubted or reader.phrases.rewritten.fullmatch(words) is None:
        return None
    names = [token.value.text for token in reader.tokens(text, start, end) if token.type == "PLACE"]
    lines = [line for unit in _moves_to(reader, names[0]) for line in reader.legal(f"{unit} - {names[-1]}")]
    own = {code for each in reader.places_in(text, start, end) for code in each if reader.unit_at(code)}
    if len(lines) != 1 or len(names) != 2 or len(own) == len(names):  # "I wrote Kiel but meant Munich": units as well
        return None
    orders = reader.orders_of(lines, text, start, end)
    reader.note(orders)
    return ClauseReading(start, sentence.past, Fate.ORDER, orders)


def goal_or_unit(reader: StretchReader, text: str, past: int, end: int) -> tuple[str, ...]:
    """What a place alone behind words of correction may mean where a unit of the writer's stands: the unit before goes
    there, or the unit there goes where the one before would go. "Smyrna to Armenia, no, Constantinople".
    """
    tokens = [token for token in reader.tokens(text, past, end) if token.type not in ("SEP", *INTO)]
    if not reader.sheet.kind.holds or [token.type for token in tokens] != ["PLACE"]:
        return ()
    place, memory = tokens[0].value, reader.memory
    there = [unit for unit in map(reader.unit_at, place.provinces) if unit]
    if " - " not in memory.order or not there or not memory.unit or province_of(memory.unit) in place.provinces:
        return ()
    if reader.own_places(text[:past], sentence_start(text, past)) & {*place.provinces}:
        return ()  # "F Kie - HEL. Berlin, hmm, Berlin."
    if there[0] in memory.orders and (goal := reader.legal(f"{memory.unit} - {place.text}")):
        return goal  # the unit there has its order in the letter
    return (*reader.legal(f"{memory.unit} - {place.text}"), *reader.legal(f"{there[0]} - {memory.goal}"))


def or_goal_anew(
    reader: StretchReader, text: str, sentence: Sentence, readings: tuple[ClauseReading, ...]
) -> tuple[ClauseReading, ...]:
    """The readings of a sentence; the other goal that it most likely means is proposed where nothing else is."""
    errors = [reading.error for reading in readings if reading.error is not None]
    settled = any(reading.is_settled for reading in readings)
    denies = any(reading.negates for reading in readings)
    amends = reader.phrases.amending.search(text[: sentence.end].lower(), sentence.start) is not None
    silent = not (errors or denies or amends)
    if settled or silent or any(error.key not in PLAIN or error.suggestions for error in errors):
        return readings
    meant = goal_anew(reader, text, sentence.start, sentence.end, certain=False)
    return readings if meant is None else (meant,)


def with_denied_goals(reader: StretchReader, text: str, readings: Sequence[ClauseReading]) -> Iterator[ClauseReading]:
    """The readings, where a goal is quoted that words only deny, and nothing says where its unit goes instead."""
    ordered = {
        slot_province(order.slot) for reading in readings if reading.orders for order in reading.orders.statements
    }
    asked = any(reading.result is Fate.NOT_TAKEN for reading in readings)
    for reading in readings:
        denies = reading.fate is Fate.COMMENT and reading.negates and not asked
        if denies and not ordered & set(reader.units_meant(text, reading.start, reading.end)):
            error = OrderWarning(error_key("negated"), first_word(text, reading.start, reading.end), reading.end)
            reading = replace(reading, fate=Fate.NOT_TAKEN, error=error, negates=False)
        yield reading


def _corrects_a_goal(reader: StretchReader, text: str, start: int, end: int) -> bool:
    """Whether words name nothing but two places, and say that one of them is wrong."""
    tokens = reader.tokens(text, start, end)
    if not {token.type for token in tokens} <= BESIDE_GOALS:
        return False
    low = text[:end].lower()
    denials = list(reader.phrases.denied_goal.finditer(low, start))
    denied = reader.places(without_denied_goals(reader, text, start, end), start, end) == 1
    if denials:
        return len(denials) == 1 and denied
    amends = reader.phrases.amending.search(low, start) is not None
    return amends and reader.phrases.negated.search(low, start) is None


def _old_and_new(reader: StretchReader, text: str, start: int, end: int) -> list[tuple[str, str]]:
    """The two places: the denied one first; else as they stand, where nothing behind says that one is wrong."""
    wanted = without_denied_goals(reader, text, start, end)
    first, second = (token for token in reader.tokens(text, start, end) if token.type == "PLACE")
    names = first.value.text, second.value.text
    kept = [token for token in reader.tokens(wanted, start, end) if token.type == "PLACE"]
    if len(kept) == 1:
        return [(names[1], names[0])] if kept[0].start_pos == first.start_pos else [names]
    behind = blank(text, start, start + second.end_pos)
    return [] if _unknown_beside_goals(reader, behind, start, end, amending=False) else [names]


def _moves_to(reader: StretchReader, place: str) -> list[str]:
    """The writer's unit of the only move to a place, in the letter or on file."""
    last = {order.slot: order for order in (*reader.memory.on_file, *reader.memory.statements)}
    named = {code for token in reader.scan(place) if token.type == "PLACE" for code in token.value.provinces}
    moves = (order for order in last.values() if isinstance(order, Move | Retreat) and named & goals_of(order))
    units = [reader.unit_at(order.unit.at.province) for order in moves]
    return units if len(units) == 1 else []


def _unknown_beside_goals(reader: StretchReader, text: str, start: int, end: int, *, amending: bool = True) -> int:
    """How many words are none of correction and not empty."""
    phrases = reader.phrases
    patterns = (phrases.denied_goal, phrases.amending, phrases.correction) if amending else ()
    for pattern in (*patterns, phrases.wording):
        for match in list(pattern.finditer(text[:end].lower(), start)):
            text = blank(text, *match.span())
    return sum(token.type in UNKNOWN for token in reader.plain_tokens(text, start, end))
