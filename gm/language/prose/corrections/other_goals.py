"""Words that give the unit of an order before another goal, and do not name the unit: either goal may be meant."""

from __future__ import annotations

from gm.judge.model.orders import Move, Slot
from gm.language.lines.spans import Fate
from gm.language.lines.trouble_keys import UNCLEAR
from gm.language.orders.parsing.order_context import OrderWarning
from gm.language.prose.clauses import SENTENCE_END, Sentence, first_word
from gm.language.prose.memory import goals_of, unit_of
from gm.language.prose.readings import MOST_SUGGESTED, ClauseReading, ReadOrders
from gm.language.prose.stance import error_key
from gm.language.prose.stretches import StretchReader


def goal_alone(reader: StretchReader, province: str, text: str, start: int, end: int) -> ReadOrders | None:
    """The move of the unit there to a place that is all a clause says: "Ireland or box A? Ireland."."""
    goals = [token for token in reader.plain_tokens(text, start, end) if token.type not in ("SEP", "TALK")]
    if not reader.sheet.kind.holds or [token.type for token in goals] != ["PLACE"]:
        return None
    lines = reader.legal(f"{reader.unit_at(province)} - {goals[0].value.text}")
    return reader.orders_of(lines, text, start, end) if len(lines) == 1 else None


def goal_instead(reader: StretchReader, text: str, start: int, words: tuple[int, int], end: int) -> ReadOrders | None:
    """ "Edinburgh rather than Yorkshire", where the only unit that goes to Yorkshire can go to Edinburgh as well, and
    another one stands there.
    """
    first, past = words
    own = reader.own_places(text[:first], start)
    old = () if reader.own_places(text[:end], past) else reader.units_meant(text, past, end)
    return goal_alone(reader, old[0], text, start, first) if len(old) == 1 and own - {*old} else None


def goal_traded(reader: StretchReader, text: str, begin: int, end: int) -> ReadOrders | None:
    """ "Replace Galicia with Tyrolia", where only one order on file goes to Galicia, and its unit can go to Tyrolia."""
    low, kind = text[:end].lower(), reader.sheet.kind
    verb = reader.phrases.trading.match(low, begin) if kind.holds or kind.takes_preferences else None
    mark = reader.phrases.traded_for.search(low, verb.end()) if verb is not None else None
    if verb is None or mark is None:
        return None
    sides = (verb.end(), mark.start()), (mark.end(), end)
    old, new = (reader.places_in(text, *side) for side in sides)
    types = {token.type for side in sides for token in reader.plain_tokens(text, *side)}
    if len(old) != 1 or len(new) != 1 or types - {"PLACE", "TALK", "SEP"}:
        return None
    moves = [order for order in reader.memory.on_file if goals_of(order) & {*old[0]}]
    units = [unit_of(line) for line in reader.lines(moves) if " S " not in line and " C " not in line]
    lines = reader.legal(f"{units[0]} - {new[0][0]}") if len(units) == len(moves) == 1 else ()
    return reader.orders_of(lines, text, begin, end) if len(lines) == 1 else None


def one_of_goals(reader: StretchReader, text: str, start: int, end: int) -> ClauseReading | None:
    """The moves before and those of their units to the places named: only one of a unit's can be meant."""
    latest = {unit_of(line): line for line in reader.memory.latest if " - " in line and " S " not in line}
    moves = _meant(reader, latest, text, start, end)
    goals = [token.value.text for token in reader.tokens(text, start, end) if token.type == "PLACE"]
    others = {unit: [line for goal in goals for line in reader.legal(f"{unit} - {goal}")] for unit in moves}
    others = {unit: lines for unit, lines in others.items() if set(lines) - {moves[unit]}}
    if not others:
        return None
    reader.memory.is_doubted = True
    lines = (*(moves[unit] for unit in others), *(line for each in others.values() for line in each))
    error = OrderWarning(error_key("alternative"), 0, end, (), tuple(dict.fromkeys(lines))[:MOST_SUGGESTED])
    if len(reader.memory.latest) == 1:
        return ClauseReading(start, end, Fate.NOT_TAKEN, error=error, retracts=1)
    return ClauseReading(start, end, Fate.NOT_TAKEN, error=error, withdrawn=_slots(reader, set(others)))


def goal_preferred(reader: StretchReader, text: str, start: int, end: int) -> ClauseReading | None:
    """ "… says Wales is daft. Yorkshire it is": another goal of the unit whose goal was spoken of, or of the only
    unit of the letter that can go there.
    """
    memory = reader.memory
    goal = next(token.value.text for token in reader.tokens(text, start, end) if token.type == "PLACE")
    orders = {line: order for order in memory.statements for line in reader.lines((order,)) if isinstance(order, Move)}
    moves = set(_meant(reader, {unit_of(line): line for line in orders}, text, start, end).values())
    before = reader.places_in(text, 0, start)
    spoken_of = {memory.topic, *(before[-1] if before else ())}
    topic = [line for line in orders if line in moves and spoken_of & goals_of(orders[line])]
    of_moves = topic or [line for line in orders if line in moves]
    rivals = [(line, new) for line in of_moves for new in reader.legal(f"{unit_of(line)} - {goal}")]
    if not rivals or any(line == new for line, new in rivals):
        return None
    memory.is_doubted = True
    lines = tuple(line for each in rivals for line in each)[:MOST_SUGGESTED]
    error = OrderWarning(error_key("alternative"), start, end, (), lines)
    slots = (orders[rivals[0][0]].slot,) if len(rivals) == 1 else ()
    return ClauseReading(start, end, Fate.NOT_TAKEN, error=error, withdrawn=slots)


def _meant(reader: StretchReader, moves: dict[str, str], text: str, start: int, end: int) -> dict[str, str]:
    """The moves by unit that words may speak of: "it" is the last unit, "the army" no fleet."""
    if _speaks_of_it(reader, text, start, end) and reader.memory.unit in moves:
        return {reader.memory.unit: moves[reader.memory.unit]}
    named = [token for token in reader.tokens(text, start, end) if token.type == "KIND"]
    kinds = {token.value for token in named if token.end_pos - token.start_pos > 1}
    return {unit: line for unit, line in moves.items() if not kinds or unit[0] in kinds}


def or_other_goal(
    reader: StretchReader, text: str, sentence: Sentence, readings: tuple[ClauseReading, ...]
) -> tuple[ClauseReading, ...]:
    """The readings of a sentence. One that is not taken, and sends the unit before somewhere else, stands for its
    order: "Liverpool to Yorkshire. … Let it go to Edinburgh then."; "It goes to Wales." leaves open which.
    """
    start, end, memory = sentence.start, sentence.end, reader.memory
    errors = [reading.error for reading in readings if reading.error is not None]
    settled = any(reading.is_settled for reading in readings)
    words = reader.masked(text[:end], start)[start:end].strip(" .,;!")
    asks = "?" in sentence.mark or reader.phrases.sent_on.fullmatch(words) is None
    if settled or asks or any(error.key not in UNCLEAR for error in errors):
        return readings
    goal = next((token.value.text for token in reader.tokens(text, start, end) if token.type == "PLACE"), "")
    units = [unit for unit in (memory.freed, memory.unit) if unit in memory.orders]
    unit = next((unit for unit in units if reader.legal(f"{unit} - {goal}")), "")
    lines = reader.legal(f"{unit} - {goal}") if unit else ()
    if not lines or memory.orders[unit] in lines:
        return readings
    slots = _slots(reader, {unit})
    if reader.phrases.for_good.search(words):
        orders = reader.orders_of(lines, text, start, end)
        reader.note(orders)
        return (ClauseReading(start, sentence.past, Fate.ORDER, orders),)
    memory.is_doubted = True
    error = OrderWarning(error_key("alternative"), first_word(text, start), end, (), (memory.orders[unit], *lines))
    return (ClauseReading(start, sentence.past, Fate.NOT_TAKEN, error=error, withdrawn=slots),)


def _speaks_of_it(reader: StretchReader, text: str, start: int, end: int) -> bool:
    """Whether the unit that was spoken of is the subject."""
    return reader.phrases.of_it.match(text[:end].lower(), first_word(text, start, end)) is not None


def _slots(reader: StretchReader, units: set[str]) -> tuple[Slot, ...]:
    """Those of the letter's orders for these units."""
    return tuple(order.slot for order in reader.memory.statements if unit_of(reader.lines((order,))[0]) in units)


def amount_behind(reader: StretchReader, end: int) -> bool:
    """Whether words behind those that take a bid back name an amount and nobody: "Changed my mind about Spain, three is
    plenty there".
    """
    if reader.sheet.kind.is_rest is None:
        return False
    body = reader.line.body
    past = SENTENCE_END.search(body, end)
    types = {token.type for token in reader.tokens(body, end, past.start() if past is not None else len(body))}
    return "NUMBER" in types and types.isdisjoint({"NATION", "PLACE"})
