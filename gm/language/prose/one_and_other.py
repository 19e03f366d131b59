"""Two units and what each of them does: "one fleet goes to the North Sea and the other to the Norwegian Sea", "Vienna
and Budapest go for Galicia together: Budapest moves in, Vienna supports".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from gm.judge.model.position import Unit
from gm.language.lines.spans import Fate
from gm.language.orders.parsing.lexer import Token
from gm.language.orders.parsing.order_context import OrderWarning
from gm.language.prose.acts_in_turn import acts_in_turn
from gm.language.prose.clauses import Sentence, first_word
from gm.language.prose.guesses.plain_motion import MOTION
from gm.language.prose.mentions import mentions_of, unit_called
from gm.language.prose.moves_in_turn import moves_in_turn
from gm.language.prose.readings import ClauseReading
from gm.language.prose.stance import error_key, is_plain, stance_of
from gm.language.prose.stretches import StretchReader

OF_AN_ACT = MOTION | {"PLACE", "HOLD", "TALK"}
Act = str
"""What stands behind a unit in its order: "- NTH", "H"."""
PAIR = 2
HELP, GO = "SUPPORT", "MOVE"
OF_AN_ATTACK = frozenset({"PLACE", "KIND", "TO", "TALK", HELP, GO})
"""Token types of what one of two units does that attack together."""


def several_in_turn(reader: StretchReader, text: str, sentence: Sentence) -> ClauseReading | None:
    """By any of the four ways to order several units at once; None where a heading or a correction stands before."""
    memory = reader.memory
    if not reader.sheet.kind.holds or memory.corrects or memory.section or memory.label:
        return None
    together = moves_in_turn(reader, text, sentence) or acts_in_turn(reader, text, sentence)
    return together or _one_and_other(reader, text, sentence) or _attack_together(reader, text, sentence)


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


def _attack_together(reader: StretchReader, text: str, sentence: Sentence) -> ClauseReading | None:
    """The move and its support, where two units and a goal stand before a colon, and behind it which of them goes."""
    start, end = sentence.start, sentence.end
    colon = text.find(":", start, end)
    head = mentions_of(reader.tokens(text, start, colon), reader.context) if colon > 0 else []
    units = [each.unit for each in head if each.unit is not None]
    goals = [each.name for each in head if each.unit is None]
    if len(units) != PAIR or units[0] == units[1] or len(goals) != 1:
        return None
    acts = dict(_acts_behind(reader.tokens(text, colon + 1, end), units))
    low = text[:end].lower()
    if acts.keys() != {GO, HELP} or stance_of(low, sentence, reader.phrases):
        return None
    mover, helper = unit_called(acts[GO]), unit_called(acts[HELP])
    lines = [*reader.legal(f"{mover} - {goals[0]}"), *reader.legal(f"{helper} S {mover} - {goals[0]}")]
    if mover == helper or len(lines) != PAIR or {mover, helper} & reader.memory.orders.keys():
        return None
    orders = reader.orders_of(lines, text, start, end)
    reader.note(orders)
    return ClauseReading(start, end, Fate.ORDER, orders)


def _acts_behind(tokens: Sequence[Token], units: Sequence[Unit]) -> Iterator[tuple[str, Unit]]:
    """What each part of a list says that one of two units does; nothing of a part that says anything else."""
    part: list[Token] = []
    for token in (*tokens, None):
        if token is not None and token.type != "SEP":
            part.append(token)
            continue
        types = {each.type for each in part}
        acting = [unit for each in part for unit in units if _is_called(unit, each, units)]
        act = HELP if HELP in types else GO
        if acting and act in types and types <= OF_AN_ATTACK:
            yield act, acting[0]
        part = []


def _is_called(unit: Unit, token: Token, units: Sequence[Unit]) -> bool:
    """Whether a name is that of its place, or of its kind, which only one of the units has."""
    if token.type == "PLACE":
        return unit.at.province in token.value.provinces
    return token.type == "KIND" and [each for each in units if each.kind == token.value] == [unit]
