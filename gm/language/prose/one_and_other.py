"""The two units of a kind, called by it alone: "one fleet goes to the North Sea and the other to the Norwegian Sea"."""

from __future__ import annotations

from itertools import permutations

from gm.language.lines.spans import Fate
from gm.language.orders.parsing.order_context import OrderWarning
from gm.language.prose.acts_in_turn import acts_in_turn
from gm.language.prose.clauses import Sentence, first_word
from gm.language.prose.guesses.plain_motion import MOTION
from gm.language.prose.mentions import unit_called
from gm.language.prose.moves_in_turn import moves_in_turn
from gm.language.prose.readings import ClauseReading
from gm.language.prose.stance import error_key, is_plain, stance_of
from gm.language.prose.stretches import StretchReader

OF_AN_ACT = MOTION | {"PLACE", "HOLD", "TALK"}
Act = str
"""What stands behind a unit in its order: "- NTH", "H"."""


def several_in_turn(reader: StretchReader, text: str, sentence: Sentence) -> ClauseReading | None:
    """By any of the three ways to order several units at once; None where a heading or a correction stands before."""
    memory = reader.memory
    if not reader.sheet.kind.holds or memory.corrects or memory.section or memory.label:
        return None
    together = moves_in_turn(reader, text, sentence) or acts_in_turn(reader, text, sentence)
    return together or _one_and_other(reader, text, sentence)


def _one_and_other(reader: StretchReader, text: str, sentence: Sentence) -> ClauseReading | None:
    """The orders of both, where only one of them can be meant by "one"; a question where both can. None for other
    sentences, and where the letter orders one of the units elsewhere.
    """
    low, start = text[: sentence.end].lower(), sentence.start
    begin = first_word(text, start)
    first = reader.phrases.one_of_two.match(low, begin)
    second = reader.phrases.other_of_two.search(low, first.end()) if first is not None else None
    if first is None or second is None:
        return None
    kinds = {token.value for token in reader.tokens(text, begin, first.end()) if token.type == "KIND"}
    kinds |= {token.value for token in reader.tokens(text, second.start(), second.end()) if token.type == "KIND"}
    units = [unit_called(unit) for unit in reader.context.own_units if {unit.kind} == kinds]
    past = next((mark for mark in range(second.end(), sentence.end) if text[mark] in ",;"), sentence.end)
    acts = _act(reader, text, first.end(), second.start()), _act(reader, text, second.end(), past)
    if len(units) != len(acts) or not all(acts) or any(unit in reader.memory.orders for unit in units):
        return None
    if stance_of(low, sentence, reader.phrases) or not is_plain(low, start, reader.phrases, holds=False):
        return None
    pairs = [
        tuple(line for unit, act in zip(each, acts, strict=True) for line in reader.legal(f"{unit} {act}"))
        for each in permutations(units)
    ]
    possible = list({frozenset(pair): pair for pair in pairs if len(pair) == len(units)}.values())
    if len(possible) == 1:
        orders = reader.orders_of(possible[0], text, start, past)
        reader.note(orders)
        return ClauseReading(start, past, Fate.ORDER, orders)
    error = OrderWarning(error_key("alternative" if possible else ""), begin, past, (), tuple(map("\n".join, possible)))
    return ClauseReading(start, past, Fate.NOT_TAKEN, error=error)


def _act(reader: StretchReader, text: str, start: int, end: int) -> Act:
    """ "" where words are no move to a single place, and no hold."""
    tokens = [token for token in reader.plain_tokens(text, start, end) if token.type != "SEP"]
    types = {token.type for token in tokens}
    places = [token.value.text for token in tokens if token.type == "PLACE"]
    if not types <= OF_AN_ACT or len(places) > 1:
        return ""
    if places:
        return f"- {places[0]}" if types & MOTION and "HOLD" not in types else ""
    return "H" if "HOLD" in types else ""
