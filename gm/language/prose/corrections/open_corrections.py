"""Words of correction whose new order is not understood: the order before them does not count either."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from gm.language.lines.spans import QUIET, Fate
from gm.language.orders.parsing.order_context import OrderWarning
from gm.language.prose.clauses import Sentence, first_word
from gm.language.prose.corrections.doubts import PLAIN_NO
from gm.language.prose.corrections.orders_meant import slots_of_last
from gm.language.prose.memory import unit_of
from gm.language.prose.readings import MOST_SUGGESTED, ClauseReading
from gm.language.prose.stance import error_key
from gm.language.prose.stretches import StretchReader

ASKED = frozenset({error_key(""), error_key("alternative")})
"""Errors that ask by themselves what a unit does instead."""


def with_order_in_doubt(
    reader: StretchReader,
    text: str,
    sentence: Sentence,
    before: Sequence[ClauseReading],
    readings: tuple[ClauseReading, ...],
    pending: str,
) -> tuple[ClauseReading, ...]:
    """ "Vienna to Tyrolia. No, wait. Galicia was the right one.": the writer is asked which of them they mean.

    `before`: what was read before this sentence; `pending`: the unit whose order words of correction concern there.
    """
    memory = reader.memory
    last = next((reading.result for reading in reversed(before) if reading.fate not in QUIET), None)
    if last is not Fate.ORDER or not _is_open(reader, text, sentence, pending):
        return readings
    if any(reading.is_settled or reading.retracts or reading.withdrawn for reading in readings):
        return readings
    at = next((at for at, reading in enumerate(readings) if reading.fate is Fate.NOT_TAKEN), -1)
    slots = slots_of_last(reader)
    error = readings[at].error if at >= 0 else None
    proposes = error is not None and error.key in ASKED and bool(error.suggestions)
    if at < 0 or not slots or proposes:
        return readings
    others = [line for line in (error.suggestions if error else ()) if unit_of(line) == memory.freed]
    choice = tuple(dict.fromkeys((memory.order, *others)))[:MOST_SUGGESTED]
    doubt = OrderWarning(error_key("alternative"), 0, sentence.end, (), choice)
    doubted = replace(readings[at], error=doubt, withdrawn=slots)
    return (*readings[:at], doubted, *readings[at + 1 :])


def _is_open(reader: StretchReader, text: str, sentence: Sentence, pending: str) -> bool:
    """Whether a sentence behind or with words of correction names a place, and no other unit of the writer's."""
    memory, start, end = reader.memory, sentence.start, sentence.end
    corrects = reader.phrases.correction.match(text[:end].lower(), first_word(text, start, end)) is not None
    unit = pending or (memory.freed if corrects else "")
    if not (reader.sheet.kind.holds and memory.corrects and unit) or unit_of(memory.order) != unit:
        return False
    return reader.places(text, start, end) > 0 and reader.own_places(text[:end], start) <= {memory.place}


def with_last_in_doubt(reader: StretchReader, text: str, readings: list[ClauseReading]) -> list[ClauseReading]:
    """The readings of a line; behind "No, wait." at its end its last order does not count."""
    last = readings[-1] if readings else None
    if last is None or last.fate is not Fate.TALK or not reader.memory.corrects:
        return readings
    words = text[last.start : last.end].lower().strip(" .,!")
    says_no = PLAIN_NO & {*words.replace(",", " ").split()} and reader.phrases.correction.fullmatch(words)
    slots = slots_of_last(reader) if says_no else ()
    if not slots:
        return readings
    error = OrderWarning(error_key("cancel"), 0, last.end, (), ())
    return [*readings[:-1], replace(last, fate=Fate.NOT_TAKEN, error=error, withdrawn=slots)]


def retracting_its_own(
    reader: StretchReader, text: str, last: ClauseReading | None, readings: Sequence[ClauseReading], *, says_no: bool
) -> tuple[ClauseReading, ...]:
    """The readings of a sentence; they take back no order before words that are not taken, "Munich to Moscow! Just
    kidding", nor, as a bare "no", before those about another power: "Italy wants Tyrolia (no)".
    """
    refuses = last is not None and says_no and _speaks_of_others(reader, text, last)
    if last is None or not (refuses or last.result is Fate.NOT_TAKEN):
        return tuple(readings)
    most = int(last.fate is Fate.ORDER)
    return tuple(replace(each, retracts=min(max(each.retracts, 0), most)) for each in readings)


def _speaks_of_others(reader: StretchReader, text: str, last: ClauseReading) -> bool:
    names = (token.value for token in reader.tokens(text, last.start, last.end) if token.type == "NATION")
    return last.fate is Fate.TALK and any(name not in reader.context.powers for name in names)
