"""Orders whose goal alone is named anew: the unit is that of an order before, in the letter or on file."""

from __future__ import annotations

from gm.judge.model.orders import slot_province
from gm.language.prose.clauses import blank
from gm.language.prose.guess import goals_of, own_units, province_of
from gm.language.prose.readings import ReadOrders
from gm.language.prose.stretches import StretchReader


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
    here = {unit.at.province for unit in own_units(reader.context)}
    for token in reader.tokens(text, start, end) if ends else ():
        first = start + token.start_pos
        if token.type != "PLACE" or here & set(token.value.provinces):
            continue
        if len(text[:first].rstrip()) in ends:
            text = blank(text, first, start + token.end_pos)
    return text
