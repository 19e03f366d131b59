"""Reads CLEAR, REGISTER with its form, DIARY and STATEMENT.

Each function takes the first line and returns the index of the line to continue from; 0 where it was no request.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from msgspec.structs import replace

from gm.judge.model.orders import Slot, Statement, slot_province
from gm.language.commands import requests
from gm.language.commands.blocks.press_blocks import BlockReader, language
from gm.language.commands.command_line import CommandLine, is_command_like, written_words
from gm.language.commands.observers import DiaryRequest, StatementRequest
from gm.language.commands.players import RegisterRequest
from gm.language.commands.press_or_orders import looks_like_orders
from gm.language.i18n.normalize import clean
from gm.language.i18n.vocabulary import vocabulary_of
from gm.language.lines import blocks
from gm.language.lines.letter_contents import LetterContext
from gm.language.lines.lines import LetterLine
from gm.language.orders.line_reader import LineReader, any_sheet_reader
from gm.language.orders.orders_in_one_place import slots_spared
from gm.language.orders.parsing.lexer import Token

ADJUSTING = ("REMOVE", "BUILD", "KEEP")
"""Token types of verbs of builds and removals."""
MOST_BELOW = 7
"""Lines below "replace" that may be an exchange, with blank ones between."""
LONGEST_JOINT = 4
"""Words between the old order and the new one: "by this one"."""
PLACES_OF_ORDER = 2
"""Places in an order that is neither a support nor a convoy."""
ALL_ORDERS = frozenset(
    {"all", "everything", "all orders", "all my orders", "my orders", "orders", "the sheet", "my sheet", "sheet"}
)
"""Behind CLEAR: the whole sheet."""


SENTENCE_END = re.compile(r"\w{2}\. |\bH\. ", re.IGNORECASE)
"""Behind it stands a sentence of its own, which is not deleted with the first one."""


class SheetBlockReader(BlockReader, Protocol):
    @property
    def sheet(self) -> LineReader | None: ...


def clear(reader: SheetBlockReader, asked: CommandLine, line: LetterLine, at: int) -> int:
    provinces = _cleared(reader, asked.words, line)
    if provinces is None or _are_to_go(reader, provinces) or (not provinces and _heads_exchange(reader, at)):
        return 0
    if provinces != ("",):
        reader.take(line, requests.ClearRequest(provinces, _spared(reader, provinces, asked.words)))
    return at + 1


def _spared(reader: SheetBlockReader, provinces: Sequence[str], words: str) -> tuple[Slot, ...]:
    """The orders of other kinds of unit there: those of W Par, where A Par is cleared."""
    context, text = reader.context, clean(words).text
    tokens = (reader.sheet or any_sheet_reader(context)).scanner.scan(text)
    on_file = context.on_file()
    return tuple(slot for province in provinces for slot in slots_spared(on_file, province, text, tokens))


def _heads_exchange(reader: SheetBlockReader, at: int) -> bool:
    """Whether a line is about orders on file below it alone, and others come behind a few words: "replace", "A Ser -
    Bud", "by", "A Ser - Tri", each in a line.
    """
    below = [text for _, text in reader.lines[at + 1 : at + MOST_BELOW] if text.strip()]
    read = [_orders_in(reader, text) for text in below]
    joint = next((number for number, orders in enumerate(read) if not orders), 0)
    if not 0 < joint < len(below) - 1 or len(below[joint].split()) > LONGEST_JOINT:
        return False
    old = {order for orders in read[:joint] for order in orders}
    return bool(old) and bool(read[joint + 1]) and old <= {*reader.context.on_file()}


def _orders_in(reader: SheetBlockReader, text: str) -> list[Statement]:
    meanings = reader.sheet.read(clean(text).text.strip(), reader.context) if reader.sheet is not None else ()
    return [order for meaning in meanings if meaning.error is None for order in meaning.statements]


def _are_to_go(reader: SheetBlockReader, provinces: tuple[str, ...]) -> bool:
    """Whether it may ask for removals instead: "scrap Ankara", where some are due and none of these is on file."""
    context = reader.context
    if not provinces or provinces == ("",) or reader.sheet is None or reader.sheet.kind.holds:
        return False
    return context.due.removals > 0 and not {slot_province(order.slot) for order in context.on_file()} & {*provinces}


def _cleared(reader: SheetBlockReader, text: str, line: LetterLine) -> tuple[str, ...] | None:
    """The provinces whose orders are deleted; () for all, None for talk, ("",) after an error."""
    words = text.lower().strip(" .!")
    if not words:
        return () if is_command_like(line.body) or len(line.body.split()) == 1 else None
    if words in ALL_ORDERS:
        return ()
    context = reader.context
    scanner = (reader.sheet or any_sheet_reader(context)).scanner
    provinces: dict[str, None] = {}
    fresh = True
    tokens = scanner.scan(clean(text).text)
    names_nothing = {token.type for token in tokens} <= {"TALK", "NUMBER"}  # "CANCEL THIS ONE" below a quoted order
    if SENTENCE_END.search(text.rstrip()) or names_nothing or _begins_with_help(tokens):
        return None
    if not is_command_like(line.body) and not _names_units(tokens, context):
        return None
    for token in tokens:
        if token.type in ("SEP", "HOLD"):
            fresh = True
        elif token.type == "PLACE" and fresh:
            fresh = False
            codes = _held_at(context, token.value.provinces)
            if len(codes) != 1:
                reader.tell(line, "which-place", word=token.value.text, places=" ".join(codes))
                return ("",)
            provinces[codes[0]] = None
    if not provinces and is_command_like(line.body) and "@" not in text:
        reader.tell(line, "unknown-unit", word=text)
        return ("",)
    return tuple(provinces) or None


def _begins_with_help(tokens: Sequence[Token]) -> bool:
    """ "CANCEL the support for Vienna", "cancel the convoy of York": what is named first is helped."""
    return next((token.type for token in tokens if token.type in ("PLACE", "SUPPORT", "CONVOY")), "PLACE") != "PLACE"


def _names_units(tokens: Sequence[Token], context: LetterContext) -> bool:
    """Whether the words are units, or one order, and nothing else; the clauses of a sentence are read elsewhere."""
    places = [token.value.provinces for token in tokens if token.type == "PLACE"]
    units = {unit.at.province for unit in context.position.all_units_of(context.power)}
    held = next((at for at, token in enumerate(tokens) if token.type == "HOLD"), len(tokens))
    if next((token.type for token in tokens[held + 1 :]), "SEP") != "SEP":
        return False
    parts = sum(token.type == "SEP" for token in tokens[:-1]) + 1
    plain = not any(token.type in ("WORD", "TALK", "IF", "WITH", "POINTS") for token in tokens)
    plain = plain and not any(token.type in ADJUSTING for token in tokens[1:])  # "cancel Ankara, remove F AEG"
    own = not places or bool(context.later) or bool(units & set(places[0]))
    if 0 < sum(token.type == "HOLD" for token in tokens) < parts:
        return False  # "forget Munich, Berlin and Kiel stay"
    if parts > 1:
        return plain and own and len(places) <= parts
    helps = any(token.type in ("SUPPORT", "CONVOY") for token in tokens)
    return plain and own and (len(places) <= PLACES_OF_ORDER or helps)


def _held_at(context: LetterContext, codes: tuple[str, ...]) -> tuple[str, ...]:
    units = {unit.at.province for unit in context.position.all_units_of(context.power)}
    return tuple(code for code in codes if code in units) or codes


FIELD = re.compile(r"\s{0,20}(?P<field>[a-z][a-z -]{0,30}?)\s?:\s{0,10}(?P<value>.{0,200})", re.IGNORECASE)
END = re.compile(r"\s*end\s*", re.IGNORECASE)
KNOWN = {
    **dict.fromkeys(("name", "full name"), "name"),
    **dict.fromkeys(("zone", "time zone", "timezone", "tz"), "zone"),
    **dict.fromkeys(("language", "lang"), "language"),
}
"""Known fields; others of the older judges' form (address, country, e-mail, level) are ignored."""


def register(reader: BlockReader, asked: CommandLine, line: LetterLine, at: int) -> int:
    form = asked.request
    if not isinstance(form, RegisterRequest):
        return 0
    end, vocabulary = at + 1, vocabulary_of(language(reader))
    for end in range(at + 1, len(reader.lines) + 1):
        text = vocabulary.english(clean(reader.lines[end][1]).text) if end < len(reader.lines) else ""
        match = FIELD.fullmatch(text)
        if match is None:
            break
        value = " ".join(written_words(reader.lines[end][1], match["value"]).split())
        if field := KNOWN.get(" ".join(match["field"].lower().split())):
            form = replace(form, **{field: value})
    reader.take(line, form)
    closed = end < len(reader.lines) and END.fullmatch(vocabulary.english(clean(reader.lines[end][1]).text))
    return end + 1 if closed else end


DELETED = re.compile(
    r"(?:delete|strike|remove)\s+(?:entry\s+)?(?:no\.?\s*|#\s*)?(?P<number>\d{1,5})[.]?$", re.IGNORECASE
)
OPENED = re.compile(r"(?:all|everybody|everyone|of all|opened)$", re.IGNORECASE)
END_DIARY = re.compile(r"\s*end\s*-?\s*(?:diary|notes?|notebook)\s*[.!]?\s*$", re.IGNORECASE)
END_BARE = re.compile(r"\s*end\s*-?\s*(?:diary|notes?|notebook|)\s*[.!]?\s*$", re.IGNORECASE)


def diary(reader: BlockReader, asked: CommandLine, line: LetterLine, at: int) -> int:
    """DIARY words; DIARY and lines up to END DIARY (or END, where no words stand beside it); DIARY alone."""
    words = asked.words.strip(" :")
    spoken = vocabulary_of(language(reader))
    if not is_command_like(line.body) and (words or spoken.english(line.body.strip().lower()).rstrip(".") != "diary"):
        return 0
    if deleted := DELETED.match(words):
        reader.take(line, DiaryRequest(delete=int(deleted["number"])))
        return at + 1
    if OPENED.match(words):
        reader.take(line, DiaryRequest(everybody=True))
        return at + 1
    end, closed = blocks.until(reader.lines, at + 1, END_DIARY if words else END_BARE, language=language(reader))
    if (
        closed
        and not words
        and not END_DIARY.match(spoken.english(clean(reader.lines[end][1]).text))
        and looks_like_orders(reader.lines[at + 1 : end], reader.context)
    ):
        reader.tell(line, "diary-unclosed")
        return end + 1
    below = reader.lines[at + 1 : end] if closed else ()
    first = blocks.after(line.text, "", word=True).lstrip(": ") if words else ""
    reader.take(line, DiaryRequest(blocks.text_of(below, first)))
    return end + 1 if closed else at + 1


END_STATEMENT = re.compile(r"\s*end\s*-?\s*statement\s*[.!]?\s*$", re.IGNORECASE)
WITHDRAWN = re.compile(r"(?:none|delete|withdraw)[.!]?$", re.IGNORECASE)


def statement(reader: BlockReader, asked: CommandLine, line: LetterLine, at: int) -> int:
    """STATEMENT and words, down to END STATEMENT or the end of the letter; STATEMENT alone, STATEMENT NONE."""
    words = asked.words.strip(" :")
    if not is_command_like(line.body.partition(" ")[0].rstrip(":")):
        return 0
    if WITHDRAWN.match(words):
        reader.take(line, StatementRequest(withdraw=True))
        return at + 1
    end, closed = blocks.until(reader.lines, at + 1, END_STATEMENT, language=language(reader))
    first = blocks.after(line.text, "", word=True).lstrip(": ") if words else ""
    reader.take(line, StatementRequest(blocks.text_of(reader.lines[at + 1 : end], first)))
    return end + 1 if closed else end
