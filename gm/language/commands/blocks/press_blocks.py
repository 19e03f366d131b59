"""Reads requests with text below them: PRESS, BROADCAST, MESSAGE, ANNOUNCE, AS, OVERRULE.

Each function takes the first line and returns the index of the line to continue from; 0 where it was no request.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Protocol

from msgspec import Struct

from gm.language.commands import addressees, parser, requests
from gm.language.commands.command_line import CommandLine, is_in_capitals, words_as_written
from gm.language.commands.press_for_several import end_of_press, for_each_reader, names_own_moves
from gm.language.commands.press_or_orders import gives_own_orders, looks_like_orders
from gm.language.commands.table import row_of
from gm.language.i18n.normalize import clean
from gm.language.i18n.vocabulary import vocabulary_of
from gm.language.lines import blocks
from gm.language.lines.blocks import NumberedLine
from gm.language.lines.letter_contents import LetterContext, Request
from gm.language.lines.lines import QUOTED, LetterLine, heading, read_line
from gm.language.lines.trouble_keys import PROPOSED
from gm.language.orders.line_reader import any_sheet_reader

WORDS = frozenset(
    {
        "press",
        "press_from",
        "press_to_whom",
        "broadcast",
        "message",
        "tell",
        "announce",
        "official",
        "statement",
        "diary",
    }
)
"""Kinds of blocks whose lines are words to others, or to oneself."""
SIGNED = re.compile(r"(?P<to>.+?)\s+(?:from|as)\s+(?P<name>\S.*)", re.IGNORECASE)
SENT_FROM = re.compile(r"(?P<name>[^:]+?)\s+to\b:?\s*(?P<to>[^:]+)(?P<words>.*)", re.IGNORECASE)
QUOTATION = re.compile(r"(?:\"[^\"]+\"|'.+'|“[^”]+”|„[^“”]+[“”]|«[^»]+»|»[^«]+«)")
"""A message that its first line holds as a whole."""
POSTED = re.compile(r"\s*\bwith (?:the )?results\s*$", re.IGNORECASE)
"""Behind the names of a message: to be sent with the results of the phase."""
MANNERS = {
    "grey": re.compile(r"(?:^|\s+)(?:anon(?:ymous(?:ly)?)?|gr[ae]y|unsigned)\s*$", re.IGNORECASE),
    "white": re.compile(r"(?:^|\s+)(?:white|signed)\s*$", re.IGNORECASE),
}
"""Behind the names of a message: unsigned or signed."""


class BlockReader(Protocol):
    """The reader of a letter, as far as blocks need it."""

    @property
    def context(self) -> LetterContext: ...

    @property
    def lines(self) -> Sequence[NumberedLine]: ...

    @property
    def section(self) -> str:
        """The controlled power whose section of the letter this is; "" for none."""
        ...

    def take(self, line: LetterLine, request: Request) -> None: ...

    def tell(
        self, line: LetterLine, key: str, *, obeyed: bool = False, suggestions: tuple[str, ...] = (), **fields: str
    ) -> None: ...


def language(reader: BlockReader) -> str:
    return reader.context.variant.language


def press(reader: BlockReader, asked: CommandLine, line: LetterLine, at: int) -> int:
    """PRESS TO Turkey, or PRESS TO Turkey FROM Poland where a seat writes under several names."""
    names, colon, first = asked.words.partition(":")
    names, posted, manner = _ending(names)
    signed = SIGNED.fullmatch(names.strip())
    to, everyone = addressees.read_addressees(signed["to"] if signed else names, reader.context)
    if not signed and reader.section in _names(reader)[1:]:
        reader.tell(line, "press-from-whom", power=reader.section, own=reader.context.power, to=names.strip())
        return _past(reader, at)
    sender = addressees.read_addressees(signed["name"], reader.context)[0] if signed else ()
    first = blocks.after(line.text, ":") if colon and first.strip() else ""
    form = _Form(to, everyone, first, ", ".join(sender), posted, manner)
    return _send(reader, line, at, form)


def press_from(reader: BlockReader, asked: CommandLine, line: LetterLine, at: int) -> int:
    """PRESS FROM Poland TO Turkey, rewritten as PRESS TO Turkey FROM Poland."""
    match = SENT_FROM.match(asked.words)
    if match is None:
        return press_to_whom(reader, asked, line, at)
    senders = addressees.read_addressees(match["name"], reader.context)[0]
    if not is_in_capitals(line.body) and not set(senders) & set(reader.context.variant.owners):
        return 0
    turned = f"{match['to'].strip()} FROM {match['name'].strip()}{match['words']}"
    return press(reader, CommandLine(asked.kind, None, turned), line, at)


def _names(reader: BlockReader) -> tuple[str, ...]:
    """Names under which the writer may send press."""
    of = reader.context
    return of.variant.press.names(of.position, of.variant, of.power)


def _past(reader: BlockReader, at: int) -> int:
    end, closed = blocks.until(reader.lines, at + 1, blocks.END_PRESS, language=language(reader))
    return end + 1 if closed else at + 1


def broadcast(reader: BlockReader, asked: CommandLine, line: LetterLine, at: int) -> int:
    if asked.words and not is_in_capitals(line.body):
        return 0
    first = blocks.after(line.text, "", word=True) if asked.words.strip(": ") else ""
    left, posted, manner = _ending(first)
    if manner and left.strip(": "):  # a sentence that ends so, not a line of our own
        first, manner = POSTED.sub("", first), ""
    else:
        first = left.strip(": ") and left
    return _send(reader, line, at, _Form((), everyone=True, first=first, posted=posted, manner=manner))


def manner_alone(line: str) -> str:
    """The key of `MANNERS` for a line GREY or WHITE; "" for any other line."""
    left, _, manner = _ending(line.strip(" .:*"))
    return "" if left.strip() else manner


def _ending(names: str) -> tuple[str, bool, str]:
    """Removes WITH RESULTS, GREY and WHITE from the end of a message's first line, in either order."""
    names, posted = POSTED.subn("", names)
    for manner, words in MANNERS.items():
        left, count = words.subn("", names)
        if count:
            left, later = POSTED.subn("", left)
            return left, bool(posted or later), manner
    return names, bool(posted), ""


class _Form(Struct, frozen=True):
    """Parts of a message's first line: readers, first words, name of the writer, whether with the results."""

    to: tuple[str, ...]
    everyone: bool = False
    first: str = ""
    name: str = ""
    posted: bool = False
    manner: str = ""


def _send(reader: BlockReader, line: LetterLine, at: int, form: _Form) -> int:
    end, closed = blocks.until(reader.lines, at + 1, blocks.END_PRESS, language=language(reader))
    end, closed = (end, closed) if closed else _until_orders(reader, at + 1, end)
    if not closed and QUOTATION.fullmatch(form.first.strip()):  # "Press to Italy: 'Venice is yours.'"
        end, closed = at, True
    inside = reader.lines[at + 1 : end]
    text = blocks.text_of(inside, form.first)
    if not form.to and not form.everyone:
        reader.tell(line, "press-to-whom")
    elif not text:
        reader.tell(line, "press-empty")
    elif not closed and (parts := _for_each_reader(reader, form, text)):
        reader.tell(line, "press-for-several", obeyed=True, suggestions=(parts,))
    elif not closed and (first := _own_orders_behind(reader, form, inside)) is not None:
        words = blocks.text_of(inside[:first], line.text.rstrip())
        whole = f"{words}\n{end_of_press(language(reader))}"
        reader.tell(line, "press-before-orders", obeyed=True, suggestions=(whole,))
        for order in (read_line(*each) for each in inside[first:] if each[1].strip()):
            reader.tell(order, PROPOSED, suggestions=(order.text.strip(),))
    elif not closed and looks_like_orders(inside, reader.context):
        reader.tell(line, "press-unclosed")
    elif not closed and names_own_moves(text, reader.context):
        head = line.text.partition(form.first)[0].rstrip(": ") if form.first else line.text
        whole = f"{head}\n{text}\n{end_of_press(language(reader))}"
        reader.tell(line, "press-with-orders", obeyed=True, suggestions=(whole,))
    elif not closed and form.first and gives_own_orders(form.first, reader.context):
        whole = f"{line.text.partition(form.first)[0].rstrip(': ')}\n{text}\n{end_of_press(language(reader))}"
        reader.tell(line, "press-with-orders", obeyed=True, suggestions=(whole,))
    else:
        reader.take(line, requests.PressRequest(form.to, text, form.everyone, form.name, form.posted, form.manner))
    return end + 1


def _own_orders_behind(reader: BlockReader, form: _Form, inside: Sequence[NumberedLine]) -> int | None:
    """The index of the first of the lines at the end that are all the writer's own orders; None where there are none,
    or no words before them, or other lines look like orders as well.
    """
    first = len(inside)
    while first and (not inside[first - 1][1].strip() or gives_own_orders(inside[first - 1][1], reader.context)):
        first -= 1
    orders, words = blocks.text_of(inside[first:]), blocks.text_of(inside[:first], form.first)
    return first if orders and words and not looks_like_orders(inside[:first], reader.context) else None


def _for_each_reader(reader: BlockReader, form: _Form, text: str) -> str:
    """PRESS for each of several readers; "" where there are no others, or the first line says more than names."""
    plain = not (form.name or form.posted or form.manner or (form.everyone and form.to))
    return for_each_reader(form.to, text, reader.context) if plain else ""


def _until_orders(reader: BlockReader, start: int, end: int) -> tuple[int, bool]:
    """Where words without a closing line end, and whether orders below a heading close them."""
    orders = _orders_below(reader, start, end)
    is_closed = orders > 0 and _ends_sentence(reader.lines[start - 1 : orders])
    return (orders - 1, True) if is_closed else (end, False)


def _orders_below(reader: BlockReader, start: int, end: int) -> int:
    """The index of a line like "Orders:" behind an empty one, with the writer's own orders behind it; 0 for none."""
    context = reader.context
    for at in range(start + 1, end):
        head, _, first = read_line(*reader.lines[at]).body.partition(":")
        if reader.lines[at - 1][1].strip() or heading(head, context.variant, context.phase) is None:
            continue
        orders = [words for words in (first, *(words for _, words in reader.lines[at + 1 : end])) if words.strip()]
        if orders and all(gives_own_orders(words, context) for words in orders):
            return at
    return 0


def _ends_sentence(lines: Sequence[NumberedLine]) -> bool:
    """Whether words for somebody are at their end: "Here is what I will do" may go on with a list of moves."""
    words = [text.strip() for _, text in lines if text.strip()]
    return bool(words) and words[-1].endswith((".", "!", "?", ")", "\u2026"))


def press_to_whom(reader: BlockReader, asked: CommandLine, line: LetterLine, at: int) -> int:
    if asked.words and not is_in_capitals(line.body):
        return 0
    reader.tell(line, "press-to-whom")
    return _past(reader, at)


def act_as(reader: BlockReader, asked: CommandLine, line: LetterLine, at: int) -> int:
    if not isinstance(asked.request, requests.ActAsRequest):
        return 0
    closing = blocks.END_AS if asked.kind == "act_as" else blocks.END_PRESS
    return act_as_power(reader, line, at, asked.request.power, closing)


def act_as_power(
    reader: BlockReader,
    line: LetterLine,
    at: int,
    power: str,
    closing: re.Pattern[str],
    above: tuple[NumberedLine, ...] = (),
) -> int:
    """Takes the lines below as that power's letter, after the lines `above`."""
    end, closed = blocks.until(reader.lines, at + 1, closing, language=language(reader))
    stop = next((i for i in range(at + 1, end) if _ends_block(reader, reader.lines[i][1])), end)
    reader.take(line, requests.ActAsRequest(power, (*above, *reader.lines[at + 1 : stop])))
    closer = vocabulary_of(language(reader)).english(clean(reader.lines[end][1]).text) if closed else ""
    another = closer.strip().lower().startswith("as")
    return stop if another or stop < end else end + 1


def _ends_block(reader: BlockReader, text: str) -> bool:
    """Whether a line is a command that ends an AS block without END AS."""
    asked = parser.read_command(read_line(0, text).body, reader.context.variant)
    return asked is not None and row_of(asked.kind).ends_block


def announce(reader: BlockReader, asked: CommandLine, line: LetterLine, at: int) -> int:
    if asked.words and not is_in_capitals(line.body):
        return 0
    end, _ = blocks.until(reader.lines, at + 1, blocks.END_ANNOUNCE, language=language(reader))
    text = blocks.text_of(reader.lines[at + 1 : end])
    subject = asked.words.strip(" :")
    if not text and not subject:
        reader.tell(line, "press-empty")
    else:
        reader.take(line, requests.AnnounceRequest(subject, text or subject))
    return end + 1


def overrule(reader: BlockReader, asked: CommandLine, line: LetterLine, at: int) -> int:
    ruling = blocks.ruling(asked.words)
    if ruling is None or ruling[1] is None:
        known = ", ".join(outcome.value for outcome in blocks.DECREED)
        order = (ruling[0] if ruling else _order_in(asked.words, reader.context)).strip(" :")
        reader.tell(line, "which-outcome" if order else "which-overruled", order=order, outcomes=known)
        return blocks.reason(reader.lines, at + 1)[1]
    order, outcome, why = ruling
    past = at + 1
    if why:
        why = words_as_written(line.text, why).strip(blocks.QUOTES)
    else:
        why, past = blocks.reason(reader.lines, at + 1)
    reader.take(line, requests.OverruleRequest(order, outcome.value if outcome else "", why))
    return past


def _order_in(words: str, context: LetterContext) -> str:
    """The words without what stands behind the order."""
    first, *_ = any_sheet_reader(context).pieces(words) or (None,)
    stuck = first.stuck if first is not None else None
    return words[: stuck.start_pos].strip() if stuck is not None and stuck.start_pos else words


OPENER = "message"
DASH = re.compile(r"\s+[-\u2013\u2014;]+\s+|;\s*")


def message(reader: BlockReader, asked: CommandLine, line: LetterLine, at: int) -> int:
    """Where to continue; 0 where the line is talk."""
    variant = reader.context.variant
    readers = addressees.message_readers(asked, reader.context)
    if readers is None:
        asks = bool(variant.press.message_word) and _asks(asked, line.body, reader.context)
        if asks:
            other = next(power for power in variant.seated if power != reader.context.power)
            reader.tell(line, "message-to-whom", word=variant.press.message_word, power=other)
        return at + 1 if asks else 0
    to, everyone = readers
    end, closed = _until(reader, at + 1, {asked.kind, OPENER})
    end, closed = (end, closed) if closed else _until_orders(reader, at + 1, end)
    inside = _without_quotes(reader.lines[at:end])[1:]
    first = blocks.after(line.text, ":") if ":" in asked.words else ""
    first = blocks.after(first, ":") if asked.words.startswith(":") else first
    text = blocks.text_of(inside, first)
    if not text:
        reader.tell(line, "press-empty")
    elif not closed and looks_like_orders(((line.number, first), *inside), reader.context):
        reader.tell(line, "message-unclosed")
    else:
        reader.take(line, requests.PressRequest(to, text, everyone))
    return end + closed


def _without_quotes(lines: Sequence[NumberedLine]) -> list[NumberedLine]:
    """The lines without quoted ones, but for those that a line which ends with a colon introduces."""
    kept: list[NumberedLine] = []
    introduced = False
    for number, text in lines:
        if QUOTED.match(text) is None:
            introduced = text.rstrip().endswith(":") if text.strip() else introduced
            kept.append((number, text))
        elif introduced:
            kept.append((number, text))
    return kept


def _asks(asked: CommandLine, text: str, context: LetterContext) -> bool:
    """Whether a line without correct names was meant as a message: "MESSAGE hello", "message Spain - hello"."""
    if is_in_capitals(text) or (asked.kind == OPENER and asked.words.startswith(":")):
        return True
    names = addressees.TOWARDS.sub("", DASH.split(asked.words.strip(), maxsplit=1)[0], count=1)
    return bool(DASH.search(asked.words)) and addressees.are_known_powers(names, context)


def _until(reader: BlockReader, start: int, openers: Collection[str]) -> tuple[int, bool]:
    """The index of the line after the message, and whether that line closes it."""
    variant = reader.context.variant
    end, closed = blocks.until(reader.lines, start, blocks.END_PRESS, language=variant.language)
    for at in range(start, end):
        asked = parser.read_command(read_line(*reader.lines[at]).body, variant)
        opened = asked is not None and asked.kind in openers and ":" in asked.words
        if asked is not None and opened and addressees.message_readers(asked, reader.context):
            return at, False
    return end, closed
