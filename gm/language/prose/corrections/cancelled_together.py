"""Orders on file that one sentence cancels together: "Cancel Holland to Belgium, Munich to Burgundy and Kiel to
Holland", "Cancel these two (Holland to Belgium, Kiel to Holland)".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from gm.judge.model.orders import Statement, slot_province
from gm.language.i18n.joining_words import AND
from gm.language.lines.spans import QUIET, Fate
from gm.language.prose.clauses import Sentence, first_word
from gm.language.prose.phrases.phrase_tables import fits_any
from gm.language.prose.readings import ClauseReading
from gm.language.prose.stretches import StretchReader

ReadSentence = tuple[Sentence, ClauseReading]
"""A sentence with the reading of its last clause."""
NAMING = frozenset({"PLACE", "KIND", "TO", "ARROW", "MINUS", "SEP", "AND", "COAST", "OF", "FROM"})
"""Types of words that name an order without a verb: "Munich to Burgundy"."""
BETWEEN = re.compile(rf"[,;()]|\b(?:{AND})\b")
"""Between the orders of a list."""


def cancelled_together(reader: StretchReader, text: str, readings: Sequence[ClauseReading]) -> Iterator[ClauseReading]:
    """The clauses of a sentence. Behind one that cancels an order on file, others that name orders on file without a
    verb belong to it; "…, Vienna goes to Galicia anyway" does not.
    """
    cancelling = False
    for reading in readings:
        words = text[reading.start : reading.end]
        if cancelling and (restated := _restated(reader, reading, words)):
            provinces = tuple(dict.fromkeys(slot_province(each.slot) for each in restated))
            yield replace(reading, fate=Fate.COMMAND, orders=None, cancels=provinces)
            continue
        joins = reading.fate in QUIET and not BETWEEN.sub("", words).strip()
        cancelling = bool(reading.cancels and reading.orders is None) or (cancelling and joins)
        yield reading


def _restated(reader: StretchReader, reading: ClauseReading, words: str) -> tuple[Statement, ...]:
    """The orders that a clause names, if they are all on file; else ()."""
    if reading.orders is None or reading.orders.is_flawed or reading.corrects:
        return ()
    named = {token.type for token in reader.sheet.scanner.scan(words)} <= NAMING
    statements = reading.orders.statements
    return statements if named and all(each in reader.context.on_file() for each in statements) else ()


def cancelled_in_brackets(
    reader: StretchReader, text: str, sentence: Sentence, before: ReadSentence | None
) -> ClauseReading | None:
    """A bracket that lists orders on file, behind words that cancel some and do not say which."""
    if before is None or not sentence.bracketed or before[1].fate is not Fate.NOT_TAKEN or before[1].cancels:
        return None
    if reader.phrases.cancel.match(text.lower(), first_word(text, before[0].start)) is None:
        return None
    phrases, outside, inside = (
        reader.phrases,
        text[before[0].start : sentence.start].lower(),
        text[sentence.start : sentence.past].lower(),
    )
    if reader.own_places(text[: sentence.start], before[0].start):
        return None  # "revoke the one for Rome (A Rom - Apu) and put …"
    if phrases.cancel_listed.search(outside) is None or phrases.exception.search(outside) is not None:
        return None  # "cancel all except these (…)"
    if fits_any(inside, (phrases.negated, phrases.keep, phrases.keep_unit)):
        return None
    cuts = [match.end() for match in BETWEEN.finditer(text, sentence.start, sentence.end)]
    columns = zip([sentence.start, *cuts], [*cuts, sentence.past], strict=True)
    pieces = [(start, end) for start, end in columns if any(map(str.isalnum, text[start:end]))]
    listed = [reader.meant(text, start, end) for start, end in pieces]
    on_file = reader.context.on_file()
    if not listed or not all(each and set(each) <= set(on_file) for each in listed):
        return None
    provinces = tuple(dict.fromkeys(slot_province(order.slot) for orders in listed for order in orders))
    return ClauseReading(sentence.start, sentence.past, Fate.COMMAND, cancels=provinces)
