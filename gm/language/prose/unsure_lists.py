"""Lists in sentences with words that are not known, of which parts are proposed together: read by itself, a clause may
give the kind or the deed of one part to the next, or take a build back without what comes in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from gm.judge.model.orders import slot_province
from gm.language.lines.spans import Fate
from gm.language.orders.parsing.order_context import OrderWarning
from gm.language.prose.clause_runs import Columns
from gm.language.prose.clauses import Sentence, first_word
from gm.language.prose.corrections.orders_meant import note_doubt
from gm.language.prose.guesses.guess import Guess
from gm.language.prose.memory import LetterMemory
from gm.language.prose.readings import ClauseReading, together
from gm.language.prose.stance import error_key
from gm.language.prose.stretches import StretchReader

FEWEST = 2
"""Parts of a list."""
Clauses = Callable[[LetterMemory], Iterable[ClauseReading]]
"""The clauses of a sentence read one by one, with a memory of what has been said."""


def unsure_list(
    reader: StretchReader, text: str, sentence: Sentence, guessed: Guess | None, clauses: Clauses
) -> ClauseReading | None:
    """The list of a sentence as a whole; None where its clauses are read by themselves."""
    if guessed is None or len(guessed.lines) < FEWEST:
        return None
    staked = reader.sheet.kind.numbers_in_front and all(map(reader.is_staked, guessed.lines))
    if not staked and not _is_misread(reader, guessed, clauses):  # "two for Norway, whose fleet should hold, and …"
        return None
    note_doubt(reader, text, sentence.start, sentence.end, in_passing=False)
    start = first_word(text, sentence.start, sentence.end)
    error = OrderWarning(error_key(""), start, sentence.end, (), together(guessed.lines))
    return ClauseReading(sentence.start, sentence.past, Fate.NOT_TAKEN, error=error)


def _is_misread(reader: StretchReader, guessed: Guess, clauses: Clauses) -> bool:
    """Whether clauses about units say something else by themselves: "fleets at Brest | and Saigon, and armies | …"."""
    return _lists_units(reader, guessed) and not _taken(reader, _tried(reader, clauses)) <= {*guessed.lines}


def lacks_replacement(reader: StretchReader, text: str, clauses: Clauses) -> bool:
    """Whether clauses deny a build and name another home centre in words that are not understood: what is built there
    may come instead, so that none goes without the other: "line 1 ought to be Marseilles somehow, not Brest".
    """
    if not reader.sheet.kind.lists_units or not reader.context.due.builds:
        return False
    read = _tried(reader, clauses)
    denied = [each for each in read if not _cancels(reader, text, each)]
    gone = {code for each in denied for code in (*each.cancels, *map(slot_province, each.withdrawn))}
    built = {slot_province(order.slot) for each in read if each.orders for order in each.orders.statements}
    built |= {slot_province(order.slot) for order in (*reader.memory.on_file, *reader.memory.statements)}
    unclear = (each for each in read if each.fate in (Fate.TALK, Fate.NOT_TAKEN))
    places = [codes for each in unclear for codes in reader.places_in(text, each.start, each.end)]
    fresh = {code for codes in places for code in codes} - gone - built if gone else set()
    return any(reader.legal(f"Build {kind} {code}") for code in fresh for kind in reader.context.variant.kinds)


def _cancels(reader: StretchReader, text: str, reading: ClauseReading) -> bool:
    """Whether a clause takes back what it names with a verb for it: "cancel Brest"."""
    removes = any(token.type == "REMOVE" for token in reader.tokens(text, reading.start, reading.end))
    begin = first_word(text, reading.start, reading.end)
    return removes or reader.phrases.cancel.match(text[: reading.end].lower(), begin) is not None


def choice_in_doubt(reader: StretchReader, masked: str, text: str, cut: Sequence[Columns], at: int) -> int:
    """The clause that gives a unit a choice right before one that names nothing and doubts it, and stands behind whole
    orders of other units; 0 for none: "Trieste to Albania and Vienna to Galicia or Tyrolia, not sure yet".
    """
    if at < 2 or reader.names_something(text, *cut[at]):
        return 0
    (first, past), before = cut[at - 1], reader.whole_orders(text, cut[0][0], cut[at - 2][1])
    named = [code for codes in reader.places_in(text, first, past)[:1] for code in codes]
    chooses = reader.phrases.alternative.search(masked[:past], first) is not None
    if before is None or before.is_flawed or not chooses:
        return 0
    ordered = {slot_province(order.slot) for order in before.statements}
    alone = bool(reader.own_places(text[:past], first) & {*named}) and ordered.isdisjoint(named)
    return at - 1 if alone else 0


def with_rest(reader: StretchReader, guessed: Guess | None, read: Sequence[ClauseReading]) -> Sequence[ClauseReading]:
    """Clauses about units, with a proposal of those that the whole list names and no clause by itself: "fleets at Brest
    | and one more at Saigon, if you like | armies at Paris and Algiers".
    """
    unclear = [each for each in read if _is_unclear(each)]
    if guessed is None or not unclear or not _lists_units(reader, guessed):
        return read
    if any(each.cancels or each.withdrawn or each.retracts or each.result is Fate.COMMAND for each in read):
        return read
    sure = [each for each in read if each not in unclear]
    known = _taken(reader, sure) | {*reader.lines(reader.memory.on_file)}
    rest = [line for line in guessed.lines if line not in known]
    if not rest or not _taken(reader, read) <= {*guessed.lines}:
        return read
    first, last = unclear[0], unclear[-1]
    error = OrderWarning(error_key(""), first.start, last.end, (), together(rest))
    whole = ClauseReading(first.start, last.end, Fate.NOT_TAKEN, error=error)
    return [whole if each is first else each for each in read if each in sure or each is first]


def _tried(reader: StretchReader, clauses: Clauses) -> tuple[ClauseReading, ...]:
    """What the clauses say, of which the reader remembers nothing."""
    memory = reader.memory
    return tuple(clauses(replace(memory, orders=dict(memory.orders), statements=list(memory.statements))))


def _is_unclear(reading: ClauseReading) -> bool:
    flawed = reading.orders is not None and reading.orders.is_flawed
    return flawed or (reading.error is not None and reading.fate is Fate.NOT_TAKEN)


def _lists_units(reader: StretchReader, guessed: Guess) -> bool:
    builds = reader.sheet.kind.lists_units and not reader.context.due.removals
    return builds and not (guessed.cancels or guessed.withdrawn or guessed.flaws)


def _taken(reader: StretchReader, read: Sequence[ClauseReading]) -> set[str]:
    return {line for each in read if each.orders is not None for line in reader.lines(each.orders.statements)}
