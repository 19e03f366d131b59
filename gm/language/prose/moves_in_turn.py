"""Units and as many goals, in turn: "Ankara, Constantinople and Smyrna go to the Black Sea, Bulgaria and Armenia"."""

from __future__ import annotations

from collections.abc import Sequence

from gm.language.lines.spans import Fate
from gm.language.orders.parsing.lexer import Token
from gm.language.orders.parsing.order_context import OrderWarning
from gm.language.prose.clauses import Sentence, first_word
from gm.language.prose.guesses.plain_motion import MOTION
from gm.language.prose.readings import ClauseReading
from gm.language.prose.stance import error_key, is_plain, stance_of
from gm.language.prose.stretches import StretchReader

BETWEEN = frozenset({"SEP", "PLUS", "KIND"})
OTHER_ACTS = frozenset({"HOLD", "SUPPORT", "CONVOY"})
LEAST = 2


def moves_in_turn(reader: StretchReader, text: str, sentence: Sentence) -> ClauseReading | None:
    """The orders of units that stand before the word for a move, each to the goal of the same place behind it. Other
    clauses may follow. None for other sentences, and where a unit cannot reach its goal.
    """
    start, low = sentence.start, text[: sentence.end].lower()
    is_read = len(reader.own_places(low, start)) >= LEAST
    tokens = _from_first_unit(reader.plain_tokens(text, start, sentence.end)) if is_read else []
    goes = next((at for at, token in enumerate(tokens) if token.type in MOTION), 0)
    units = [token for token in tokens[:goes] if token.type == "PLACE"]
    past = _past_goals(tokens, goes, len(units))
    if len(units) < LEAST or not past:
        return None
    goals = [token for token in tokens[goes:past] if token.type == "PLACE"]
    own = own_in_turn(reader, low, start, units, goals)
    if not own:
        return None
    stance = stance_of(low, sentence, reader.phrases)
    before = {token.type for token in tokens[:goes]} - BETWEEN - {"PLACE"}
    if not stance and not before & OTHER_ACTS and reader.phrases.negated.search(low, start):
        error = OrderWarning(error_key("negated"), first_word(text, start), sentence.end)
        return ClauseReading(start, sentence.past, Fate.NOT_TAKEN, error=error)
    if before:
        return None
    end = start + tokens[past - 1].end_pos
    behind = tokens[past].type if past < len(tokens) else "SEP"
    if behind != "SEP" or stance or not is_plain(low, start, reader.phrases):
        return None
    lines = [reader.legal(f"{reader.unit_at(code)} - {goal.value.text}") for code, goal in zip(own, goals, strict=True)]
    if any(len(each) != 1 for each in lines):
        return None
    orders = reader.orders_of([line for each in lines for line in each], text, start, end)
    reader.note(orders)
    return ClauseReading(start, end, Fate.ORDER, orders)


def own_in_turn(
    reader: StretchReader, text: str, start: int, units: Sequence[Token], goals: Sequence[Token]
) -> list[str]:
    """The provinces of the writer's units that tokens name, each once; [] where one names none, or a goal is a province
    of another unit of the writer's.
    """
    own = [next(iter(reader.own_places(text[: start + unit.end_pos], start + unit.start_pos)), "") for unit in units]
    named = {code for goal in goals for code in goal.value.provinces}
    waiting = {unit.at.province for unit in reader.context.own_units} - {*own}
    return own if all(own) and len({*own}) == len(own) and not named & waiting else []


def may_go_in_turn(tokens: Sequence[Token]) -> bool:
    """Whether several names stand before a word for a move, and as many behind it."""
    tokens = _from_first_unit(tokens)
    goes = next((at for at, token in enumerate(tokens) if token.type in MOTION), 0)
    before = [token.type for token in tokens[:goes]]
    units = before.count("PLACE")
    return units >= LEAST and BETWEEN | {"PLACE"} >= {*before} and _past_goals(tokens, goes, units) > 0


def _from_first_unit(tokens: Sequence[Token]) -> Sequence[Token]:
    """Without "I move" in front."""
    first = next((at for at, token in enumerate(tokens) if token.type in ("PLACE", "KIND")), 0)
    return tokens[first:] if {token.type for token in tokens[:first]} <= MOTION | {"TALK"} else tokens


def _past_goals(tokens: Sequence[Token], goes: int, most: int) -> int:
    """The index past so many goals behind the word for a move; 0 where other words stand between, or too few."""
    goals = 0
    for at in range(goes, len(tokens)):
        if tokens[at].type == "PLACE":
            goals += 1
            if goals == most:
                return at + 1
        elif tokens[at].type not in MOTION | BETWEEN:
            return 0
    return 0
