"""Words about another power that ask for something the sheet has, and that nothing was read from."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, islice

from gm.language.i18n.normalize import clean
from gm.language.i18n.place_names import powers
from gm.language.letter.order_lines import OrderLineReader
from gm.language.letter.talk.named_in_passing import MOST_TALK, minors_in_passing
from gm.language.lines.letter_contents import LineError
from gm.language.lines.sentences import sentences_of
from gm.language.lines.spans import Fate, LetterSpan
from gm.language.lines.trouble_keys import NAMED_IN_PASSING
from gm.language.orders.line_reader import LineReader
from gm.language.prose.memory import LetterMemory
from gm.language.prose.phrases.sheet_phrases import sheet_phrases

UNTAKEN = frozenset({Fate.TALK, Fate.REASON})


def powers_in_passing(reader: OrderLineReader, memory: LetterMemory) -> Iterator[LineError]:
    """Quotes them: "Listen to the Germans and the French", "I have lost interest in Serbia"."""
    yield from minors_in_passing(reader, memory)
    sheet = reader.sheet
    if sheet is None or not reader.context.power:
        return
    noticed = sheet_phrases(reader.context.variant.language, sheet.kind.name).noticed
    for number, words in islice(_talk(reader), MOST_TALK):
        low = clean(words).text.lower()
        if "?" not in words and noticed.search(low) and _names_another(sheet, reader, low):
            yield LineError(number, words, 0, len(words), NAMED_IN_PASSING, obeyed=True)


def _talk(reader: OrderLineReader) -> Iterator[tuple[int, str]]:
    """The sentences of talk, or what of them is talk, that no error quotes; with their lines."""
    marked = {(error.line, error.marked.strip() or error.text.strip()) for error in reader.troubles}
    for (number, is_talk), spans in groupby(reader.spans, key=_line_and_fate):
        for sentence in sentences_of("".join(span.text for span in spans)) if is_talk else ():
            words = sentence.strip(" ,;")
            quoted = (text for line, text in marked if line == number)
            if words and not any(text in words or words in text for text in quoted):
                yield number, words


def _line_and_fate(span: LetterSpan) -> tuple[int, bool]:
    return span.line, span.fate in UNTAKEN


def _names_another(sheet: LineReader, reader: OrderLineReader, low: str) -> bool:
    called = powers(reader.context.variant.powers)
    named = {
        token.value if token.type == "NATION" else called.get(token.value.text.lower(), "")
        for token in sheet.scanner.scan(low)
        if token.type in ("NATION", "PLACE")
    }
    return bool(named - {"", reader.context.power})
