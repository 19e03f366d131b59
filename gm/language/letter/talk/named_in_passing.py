"""Words about a unit that are no order by themselves, looked at once more when the whole letter is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice

from gm.judge.model.orders import Allocate, WholeSetStatement, slot_province
from gm.language.i18n.normalize import clean
from gm.language.letter.order_lines import OrderLineReader
from gm.language.lines.letter_contents import LineError
from gm.language.lines.lines import read_line
from gm.language.lines.spans import Fate
from gm.language.lines.trouble_keys import NAMED_IN_PASSING
from gm.language.orders.line_reader import LineReader
from gm.language.orders.parsing.lexer import Token
from gm.language.orders.parsing.order_context import OrderWarning
from gm.language.prose.memory import LetterMemory, unit_of
from gm.language.prose.phrases.prose_phrases import phrases_of
from gm.language.prose.proposals.unclear_parts import with_likely_orders
from gm.language.prose.prose_reader import ProseReader
from gm.language.prose.readings import ClauseReading
from gm.language.prose.stance import error_key
from gm.language.prose.stretches import ACTS

UNREAD = frozenset({Fate.TALK, Fate.REASON, Fate.NOT_TAKEN})
MOST_TALK = 40
"""Stretches of talk that are looked at."""
TELLING = ACTS | {"PLACE"}
"""Token types of words that say what a unit does, or where it goes."""


def with_unread_replies(
    reader: OrderLineReader, memory: LetterMemory, answered: Mapping[int, str]
) -> Iterator[LineError]:
    """The errors so far, with those of words right below a quoted order that deny or change it, and that nothing was
    read from: "no, I need it in Sevastopol". `answered`: the quoted orders by the lines below them.
    """
    replies = {error.line: error for error in _unread_replies(reader, memory, answered)}
    yield from (error for error in reader.troubles if error.line not in replies)
    yield from replies.values()


def _unread_replies(reader: OrderLineReader, memory: LetterMemory, answered: Mapping[int, str]) -> Iterator[LineError]:
    phrases = phrases_of(reader.context.variant)
    for number, order in answered.items():
        spans = [span for span in reader.spans if span.line == number]
        words = "".join(span.text for span in spans).strip()
        low = clean(words).text.lower()
        explained = any(error.line == number and error.key != NAMED_IN_PASSING for error in reader.troubles)
        if reader.sheet is None or not low or explained or any(span.fate not in UNREAD for span in spans):
            continue
        tokens = reader.sheet.scanner.scan(low)
        if {token.type for token in tokens} & TELLING or phrases.correction.match(low) or phrases.negated.search(low):
            with memory.answering(order):
                likely = likely_in_passing(reader, memory, number, words)
            if not (likely or phrases.negated.search(low)):
                likely = _only_goal(unit_of(order), tokens, reader, reader.sheet)
            yield LineError(number, words, 0, len(words), error_key("" if likely else "negated"), (), likely)


def _only_goal(unit: str, tokens: Sequence[Token], reader: OrderLineReader, sheet: LineReader) -> tuple[str, ...]:
    """The move of a unit to the only place named that it can go to."""
    named = dict.fromkeys(token.value.text for token in tokens if token.type == "PLACE")
    moves: list[str] = []
    for place in named:
        moves += (
            reader.written(statement)
            for meaning in sheet.try_out(f"{unit} - {place}", reader.context)
            for statement in meaning.statements
        )
    return tuple(moves) if len(moves) == 1 else ()


def names_minor(sheet: LineReader, line: Allocate, words: Sequence[str]) -> bool:
    """Whether words name the minor power that points are for, or its home."""
    tokens = [token for text in words for token in sheet.scanner.scan(text)]
    home = slot_province(line.order.slot)
    return any(
        token.value == line.minor if token.type == "NATION" else home in token.value.provinces
        for token in tokens
        if token.type in ("NATION", "PLACE")
    )


def minors_in_passing(reader: OrderLineReader, memory: LetterMemory) -> Iterator[LineError]:
    """Words that name a minor power which has points on file, where the letter says nothing else of points: "I have
    lost interest in Serbia".
    """
    on_file = [line for line in memory.on_file if isinstance(line, Allocate)]
    replaced = any(isinstance(order.statement, WholeSetStatement) for order in reader.orders)
    sheet = reader.sheet
    if sheet is None or replaced or not on_file:
        return
    quoted = [trouble.text for trouble in reader.troubles]
    talk = (span for span in reader.spans if span.fate is Fate.TALK and not any(span.text in text for text in quoted))
    for span in islice(talk, MOST_TALK):
        words = span.text.strip()
        if any(names_minor(sheet, line, (clean(words).text,)) for line in on_file):
            yield LineError(span.line, words, 0, len(words), NAMED_IN_PASSING, obeyed=True)


def likely_in_passing(reader: OrderLineReader, memory: LetterMemory, number: int, words: str) -> tuple[str, ...]:
    """Canonical lines that the words leave open alone, of units without an order in the letter; they are proposed."""
    phrases = phrases_of(reader.context.variant)
    if reader.sheet is None or not reader.sheet.kind.holds:
        return ()
    if "?" in words and phrases.about_board.search(clean(words).text.lower()):
        return ()  # "Has Venice taken Trieste?" is about the phase before
    line = read_line(number, words)
    meanings = partial(reader.by_power, sheet=reader.sheet)
    prose = ProseReader(line, reader.sheet, reader.context, memory, meanings, phrases)
    end = len(line.body)
    unclear = ClauseReading(0, end, Fate.NOT_TAKEN, error=OrderWarning("not-taken", 0, end))
    (reading,) = with_likely_orders(prose, line.body, (unclear,))
    return reading.error.suggestions if reading.error is not None else ()


def asks_of_points(sheet: LineReader, body: str, start: int, end: int) -> bool:
    """Whether words on a sheet of bids are a question and name no amount: "How many points does Germany have?"."""
    behind = body[end:]
    mark = behind[: len(behind) - len(behind.lstrip(" ?!"))]
    amounts = any(token.type == "NUMBER" for token in sheet.scanner.scan(body[start:end]))
    return sheet.kind.explain is not None and "?" in body[start:end] + mark and not amounts
